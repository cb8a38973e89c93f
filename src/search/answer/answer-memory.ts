/**
 * What one answer takes of the memory while it comes together: a limit of its own, and the circuit breakers for all
 * requests together. Whoever counts gives it back with `release`.
 */
import { type CircuitBreakers, shownBytes } from '../../memory/circuit-breakers.ts'
import { CircuitBreaking } from '../request/memory-refused.ts'
import { SearchError } from '../request/search-error.ts'
import type { Steps } from '../scheduling/steps.ts'
import { RawJson } from './json-text.ts'

export class AnswerTooLarge extends SearchError {
  constructor(wanted: number, most: number) {
    super(
      'circuit_breaking_exception',
      `[request] Data too large, data for [<http_response>] would be [${shownBytes(wanted)}], which is larger than the limit of [${shownBytes(most)}]`,
      { status: 429, details: { bytes_wanted: wanted, bytes_limit: most, durability: 'TRANSIENT' } },
    )
  }
}

/** Taken from the breaker at a time. */
const reservedTogether = 256 * 1024
/** Not asked of the parent. */
const alwaysThere = 512 * 1024
const label = '<http_response>'

/** Bytes of an answer, counted while it comes together. */
export class AnswerBytes {
  readonly #most: number
  readonly #breakers: CircuitBreakers | undefined
  readonly #isAlone: () => boolean
  #count = 0
  #reserved = 0

  /** `isAlone`: nobody else has an answer in the making that takes much. */
  constructor(most: number, breakers?: CircuitBreakers, isAlone: () => boolean = () => false) {
    this.#most = most
    this.#breakers = breakers
    this.#isAlone = isAlone
  }

  /** Throws when that is too much. */
  add(bytes: number): void {
    this.#count += bytes
    this.expect(0)
  }

  /** Throws when so much more would be too much. */
  expect(bytes: number): void {
    const wanted = this.#count + bytes
    if (wanted > this.#most) throw new AnswerTooLarge(wanted, this.#most)
    if (wanted > this.#reserved && this.#breakers !== undefined) this.#reserve(wanted, this.#breakers)
  }

  #reserve(wanted: number, breakers: CircuitBreakers): void {
    const { request } = breakers
    const more = Math.max(wanted - this.#reserved, reservedTogether)
    // Some is always there, so that whoever asks how the node is gets an answer.
    const refusal =
      (wanted <= alwaysThere ? undefined : breakers.check(more, label, this.#isAlone())) ??
      request.take(more, label)
    if (refusal !== undefined) throw new CircuitBreaking(refusal)
    this.#reserved += more
  }

  /** The answer is gone, or somebody else counts it now. */
  release(): void {
    this.#breakers?.request.giveBack(this.#reserved)
    this.#reserved = 0
    this.#count = 0
  }

  /** For work that may begin again: what it counted before does not count then. */
  counting<Result>(begin: () => Steps<Result>): () => Steps<Result> {
    const before = this.#count
    return () => {
      this.#count = before
      return begin()
    }
  }

  /** What a part of the answer takes until it is written, about. */
  addValue(value: unknown): void {
    this.add(roughBytes(value))
  }
}

/** Of an object or a list, and of a member; names are shared. */
const containerBytes = 32
const memberBytes = 16

function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  if (value instanceof RawJson) return containerBytes + (value.bytes ?? value.text).length
  let bytes = containerBytes
  const members = Array.isArray(value) || value instanceof Map ? value.values() : Object.values(value)
  for (const member of members) bytes += memberBytes + roughBytes(member)
  return bytes
}
