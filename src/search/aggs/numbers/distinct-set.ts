/**
 * The distinct hashes of one bucket: an exact hash set up to the threshold, then HyperLogLog registers. The
 * estimate is Ertl's improved raw estimator (2017), which is unbiased over the whole range and needs no bias
 * tables, unlike the HyperLogLog++ of Elasticsearch.
 */

const hashBits = 53

/** The number of index bits, chosen from the threshold as Elasticsearch does. */
export function precisionOf(threshold: number): number {
  const entries = Math.ceil(threshold / 0.75)
  const bits = Math.floor(Math.log2(Math.max(1, entries * 4))) + 1
  return Math.min(Math.max(bits, 4), 18)
}

export class DistinctSet {
  readonly #threshold: number
  readonly #precision: number
  /** An open-addressing table, 0 for an empty slot. Undefined once there are registers. */
  #hashes: Float64Array | undefined = new Float64Array(8)
  #registers: Uint8Array | undefined
  #size = 0

  constructor(threshold: number) {
    this.#precision = precisionOf(threshold)
    // The table of hashes may take as much room as the registers would.
    this.#threshold = Math.max(threshold, Math.floor(0.75 * 2 ** (this.#precision - 2)))
  }

  /** Returns an empty set of the same precision. */
  fresh(): DistinctSet {
    return new DistinctSet(this.#threshold)
  }

  add(hash: number): void {
    if (this.#registers !== undefined) return this.#register(hash)
    if (!this.#insert(hash)) return
    if (this.#size > this.#threshold) this.#toRegisters()
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
    return this.#registers === undefined ? this.#size : Math.round(this.#estimate(this.#registers))
  }

  #insert(hash: number): boolean {
    const hashes = this.#hashes!
    const mask = hashes.length - 1
    // A remainder by `%` is a call; the lower bits are the same without it.
    let at = (hash - Math.floor(hash / 0x1_0000_0000) * 0x1_0000_0000) & mask
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
    this.#hashes = new Float64Array(old.length * 2)
    this.#size = 0
    for (const hash of old) if (hash !== 0) this.#insert(hash)
  }

  #toRegisters(): void {
    const old = this.#hashes!
    this.#hashes = undefined
    this.#registers = new Uint8Array(1 << this.#precision)
    for (const hash of old) if (hash !== 0) this.#register(hash)
  }

  /** The upper bits select the register, which holds the maximum of leading zeros of the rest, plus one. */
  #register(hash: number): void {
    const restBits = hashBits - this.#precision
    const scale = 2 ** restBits
    const register = Math.floor(hash / scale)
    const rest = hash - register * scale
    const high = Math.floor(rest / 0x1_0000_0000)
    const highBits = restBits - 32
    const zeros =
      high !== 0 ? Math.clz32(high) - (32 - highBits) : highBits + Math.clz32(rest % 0x1_0000_0000)
    if (zeros + 1 > this.#registers![register]!) this.#registers![register] = zeros + 1
  }

  #estimate(registers: Uint8Array): number {
    const size = registers.length
    const longest = hashBits - this.#precision
    const counts = new Float64Array(longest + 2)
    for (const value of registers) counts[value]! += 1
    let z = size * tau(1 - counts[longest + 1]! / size)
    for (let k = longest; k >= 1; k--) z = 0.5 * (z + counts[k]!)
    z += size * sigma(counts[0]! / size)
    return (size * size) / (2 * Math.LN2) / z
  }
}

function sigma(share: number): number {
  if (share === 1) return Infinity
  let x = share
  let y = 1
  let z = x
  for (let before = Number.NaN; before !== z; ) {
    x *= x
    before = z
    z += x * y
    y += y
  }
  return z
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0
  let x = share
  let y = 1
  let z = 1 - x
  for (let before = Number.NaN; before !== z; ) {
    x = Math.sqrt(x)
    before = z
    y *= 0.5
    z -= (1 - x) ** 2 * y
  }
  return z / 3
}
