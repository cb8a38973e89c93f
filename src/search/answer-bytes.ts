/** A limit to what one answer may take of the memory, in the words of the reference's circuit breaker for requests. */
import { SearchError } from './search-error.ts'

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
    if (this.#count <= this.#most) return
    throw new SearchError(
      'circuit_breaking_exception',
      `[request] Data too large, data for [<http_response>] would be [${shown(this.#count)}], which is larger than the limit of [${shown(this.#most)}]`,
      {
        status: 429,
        details: { bytes_wanted: this.#count, bytes_limit: this.#most, durability: 'TRANSIENT' },
      },
    )
  }
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
