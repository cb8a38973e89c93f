/** A limit to what one answer may take of the memory, in the words of the reference's circuit breaker for requests. */
import { RawJson } from './json-text.ts'
import { SearchError } from './search-error.ts'
import type { Steps } from './steps.ts'

export class AnswerTooLarge extends SearchError {
  constructor(wanted: number, most: number) {
    super(
      'circuit_breaking_exception',
      `[request] Data too large, data for [<http_response>] would be [${shown(wanted)}], which is larger than the limit of [${shown(most)}]`,
      { status: 429, details: { bytes_wanted: wanted, bytes_limit: most, durability: 'TRANSIENT' } },
    )
  }
}

/** Bytes of an answer, counted while it comes together. */
export class AnswerBytes {
  readonly #most: number
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Throws when that is too much. */
  add(bytes: number): void {
    this.#count += bytes
    this.expect(0)
  }

  /** Throws when so much more would be too much. */
  expect(bytes: number): void {
    if (this.#count + bytes > this.#most) throw new AnswerTooLarge(this.#count + bytes, this.#most)
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

const units = ['b', 'kb', 'mb', 'gb', 'tb', 'pb']

/** `276824064/264mb`. */
function shown(bytes: number): string {
  let amount = bytes
  let unit = 0
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024
    unit += 1
  }
  return `${bytes}/${Math.floor(amount * 10) / 10}${units[unit]}`
}
