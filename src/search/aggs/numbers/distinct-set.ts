/**
 * The distinct hashes (value-hash.ts) of one bucket: HyperLogLog++ as in OpenSearch, so that estimates are the same
 * numbers. Few hashes are kept in a table, of which linear counting gives the count; more become registers.
 */
import { biasOf, linearCountingThreshold } from './hyperloglog-bias.ts'
import { indexBits, runBits } from './value-hash.ts'

const defaultPrecision = 14
const minPrecision = 4
const maxPrecision = 18
/** The load factor of the hash table, whose maximum is a quarter of the bytes of the registers. */
const maxLoad = 0.75

/** The number of index bits for a threshold; without one they are those of 3,000. */
export function precisionOf(threshold: number | undefined): number {
  if (threshold === undefined) return defaultPrecision
  const entries = Math.ceil(threshold / maxLoad)
  const bits = Math.floor(Math.log2(Math.max(1, entries * 4))) + 1
  return Math.min(Math.max(bits, minPrecision), maxPrecision)
}

export class DistinctSet {
  readonly #precision: number
  /** How many hashes the table takes. */
  readonly #maxHashes: number
  /** The bits of an index that a register does not have. */
  readonly #spare: number
  /** An open-addressing table, 0 for an empty slot. Undefined once there are registers. */
  #hashes: Uint32Array | undefined = new Uint32Array(8)
  #registers: Uint8Array | undefined
  #size = 0

  constructor(precision: number) {
    this.#precision = precision
    this.#maxHashes = Math.floor(2 ** (precision - 2) * maxLoad)
    this.#spare = 2 ** (indexBits - precision) - 1
  }

  /** Returns an empty set of the same precision. */
  fresh(): DistinctSet {
    return new DistinctSet(this.#precision)
  }

  add(hash: number): void {
    if (this.#registers !== undefined) return this.#register(hash)
    // Where the index has more than the register, what follows it does not count.
    const index = hash >>> runBits
    const isKnown = !this.#insert((index & this.#spare) === 0 ? hash : index << runBits)
    if (isKnown) return
    if (this.#size > this.#maxHashes) this.#toRegisters()
    else if (this.#size * 4 > this.#hashes!.length * 3) this.#grow()
  }

  addAll(other: DistinctSet): void {
    const hashes = other.#hashes
    const registers = other.#registers
    if (hashes !== undefined) {
      for (const hash of hashes) if (hash !== 0) this.add(hash)
    } else if (registers !== undefined) {
      if (this.#registers === undefined) this.#toRegisters()
      const own = this.#registers!
      for (let at = 0; at < own.length; at++) if (registers[at]! > own[at]!) own[at] = registers[at]!
    }
  }

  get count(): number {
    const registers = this.#registers
    return registers === undefined
      ? linearCount(2 ** indexBits, 2 ** indexBits - this.#size)
      : this.#estimate(registers)
  }

  #insert(hash: number): boolean {
    const hashes = this.#hashes!
    const mask = hashes.length - 1
    let at = (Math.imul(hash, 0x9e3779b1) >>> runBits) & mask
    while (hashes[at] !== 0) {
      if (hashes[at] === hash) return false
      at = (at + 1) & mask
    }
    hashes[at] = hash
    this.#size++
    return true
  }

  #grow(): void {
    const old = this.#hashes!
    this.#hashes = new Uint32Array(old.length * 2)
    this.#size = 0
    for (const hash of old) if (hash !== 0) this.#insert(hash)
  }

  #toRegisters(): void {
    const old = this.#hashes!
    this.#hashes = undefined
    this.#registers = new Uint8Array(1 << this.#precision)
    for (const hash of old) if (hash !== 0) this.#register(hash)
  }

  /** The first bits select the register, which holds the farthest place of the first one in the rest. */
  #register(hash: number): void {
    const index = hash >>> runBits
    const rest = index & this.#spare
    const restBits = indexBits - this.#precision
    const run = rest === 0 ? (hash & (2 ** runBits - 1)) + restBits : Math.clz32(rest) - (32 - restBits) + 1
    const register = index >>> restBits
    const registers = this.#registers!
    if (run > registers[register]!) registers[register] = run
  }

  #estimate(registers: Uint8Array): number {
    const size = registers.length
    let sum = 0
    let zeros = 0
    for (const run of registers) {
      sum += 1 / 2 ** run
      if (run === 0) zeros++
    }
    const raw = (factorOf(size) * size * size) / sum
    const corrected = Math.floor((raw <= 5 * size ? raw - biasOf(this.#precision, raw) : raw) + 0.5)
    const counted = zeros === 0 ? corrected : linearCount(size, zeros)
    return counted <= linearCountingThreshold(this.#precision) ? counted : corrected
  }
}

/** Linear counting (Whang, Vander-Zanden, Taylor 1990): estimates the count from the number of empty slots. */
function linearCount(slots: number, empty: number): number {
  return Math.floor(slots * Math.log(slots / empty) + 0.5)
}

/** Flajolet's constant for a number of registers. */
function factorOf(registers: number): number {
  if (registers === 16) return 0.673
  return registers === 32 ? 0.697 : 0.7213 / (1 + 1.079 / registers)
}
