/**
 * Accounts for the memory of one response while it is built: a limit of its own, and the circuit breakers for all
 * requests together. Whoever counts gives the bytes back with `release`.
 */
import { type CircuitBreakers, shownBytes } from '../../memory/circuit-breakers.ts'
import { CircuitBreaking } from '../request/memory-refused.ts'
import type { JsonObject } from '../request/request-values.ts'
import { SearchError } from '../request/search-error.ts'
import type { Steps } from '../scheduling/steps.ts'
import { RawJson } from './json-text.ts'

export class AnswerTooLarge extends SearchError {
  constructor(wanted: number, maxBytes: number) {
    super(
      'circuit_breaking_exception',
      `[request] Data too large, data for [<http_response>] would be [${shownBytes(wanted)}], which is larger than the limit of [${shownBytes(maxBytes)}]`,
      { status: 429, details: { bytes_wanted: wanted, bytes_limit: maxBytes, durability: 'TRANSIENT' } },
    )
  }
}

/** Bytes reserved from the breaker at a time. */
const reservationBytes = 256 * 1024
/** Bytes that are granted without asking the parent breaker. */
const unreservedBytes = 512 * 1024
const label = '<http_response>'

/** Counts the bytes of a response while it is built. */
export class AnswerBytes {
  readonly maxBytes: number
  readonly #breakers: CircuitBreakers | undefined
  readonly #isAlone: () => boolean
  #count = 0
  #reserved = 0

  /** `isAlone` says whether no other large response is being built. */
  constructor(maxBytes: number, breakers?: CircuitBreakers, isAlone: () => boolean = () => false) {
    this.maxBytes = maxBytes
    this.#breakers = breakers
    this.#isAlone = isAlone
  }

  /** Throws when the limit is exceeded. */
  add(bytes: number): void {
    this.#count += bytes
    this.expect(0)
  }

  /** Throws when so many more bytes would exceed the limit. */
  expect(bytes: number): void {
    const wanted = this.#count + bytes
    if (wanted > this.maxBytes) throw new AnswerTooLarge(wanted, this.maxBytes)
    if (wanted > this.#reserved && this.#breakers !== undefined) this.#reserve(wanted, this.#breakers)
  }

  #reserve(wanted: number, breakers: CircuitBreakers): void {
    const { request } = breakers
    const more = Math.max(wanted - this.#reserved, reservationBytes)
    // Some bytes are always granted, so that requests for the node's health are answered.
    const refusal =
      (wanted <= unreservedBytes ? undefined : breakers.check(more, label, this.#isAlone())) ??
      request.take(more, label)
    if (refusal !== undefined) throw new CircuitBreaking(refusal)
    this.#reserved += more
  }

  /** Gives the bytes back: the response was sent, or somebody else counts it now. */
  release(): void {
    this.#breakers?.request.giveBack(this.#reserved)
    this.#reserved = 0
    this.#count = 0
  }

  /** For work that may restart: a restart discards what was counted before. */
  counting<Result>(begin: () => Steps<Result>): () => Steps<Result> {
    const before = this.#count
    return () => {
      this.#count = before
      return begin()
    }
  }

  /** Adds an estimate of what a value takes until it is serialised. */
  addValue(value: unknown): void {
    this.add(roughBytes(value))
  }
}

/** Bytes of an object or array, and of a member; member names are shared. */
const containerBytes = 32
const memberBytes = 16

function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  if (value instanceof RawJson) return containerBytes + (value.bytes ?? value.text).length
  let bytes = containerBytes
  if (Array.isArray(value) || value instanceof Map)
    for (const member of value.values()) bytes += memberBytes + roughBytes(member)
  // Without a list of the members, as this is done for every hit.
  else for (const name in value) bytes += memberBytes + roughBytes((value as JsonObject)[name])
  return bytes
}
