/**
 * A token stream as parallel arrays that are reused for every text, so that indexing allocates no object per token.
 * Positions count from 0 and may be shared. Offsets are UTF-16 units of the text before character filters.
 */

/** Names of token types as `_analyze` prints them; a token holds the index. */
export const tokenTypes = [
  '<ALPHANUM>',
  '<NUM>',
  '<SOUTHEAST_ASIAN>',
  '<IDEOGRAPHIC>',
  '<HIRAGANA>',
  '<KATAKANA>',
  '<HANGUL>',
  '<EMOJI>',
  'word',
  'shingle',
  'SYNONYM',
  '<URL>',
  '<EMAIL>',
  'fingerprint',
  '<DOUBLE>',
  '<SINGLE>',
  'gram',
  '<HOST>',
  '<COMPANY>',
  '<ACRONYM>',
  '<APOSTROPHE>',
  '<CJ>',
  'MIN_HASH',
] as const

export const tokenType = {
  alphanumeric: 0,
  number: 1,
  southEastAsian: 2,
  ideographic: 3,
  hiragana: 4,
  katakana: 5,
  hangul: 6,
  emoji: 7,
  word: 8,
  shingle: 9,
  synonym: 10,
  url: 11,
  email: 12,
  fingerprint: 13,
  double: 14,
  single: 15,
  gram: 16,
  host: 17,
  company: 18,
  acronym: 19,
  apostrophe: 20,
  cjk: 21,
  minHash: 22,
} as const

export interface Token {
  token: string
  start_offset: number
  end_offset: number
  type: string
  position: number
  /** The position length, when more than one. */
  positionLength?: number
}

/** A text has more tokens than its buffer may hold. */
export class TooManyTokens extends Error {
  override readonly name = 'TooManyTokens'
}

export class TokenBuffer {
  readonly #maxLength: number
  length = 0
  terms: string[] = []
  positions = new Int32Array(64)
  starts = new Int32Array(64)
  ends = new Int32Array(64)
  types = new Uint8Array(64)
  spans = new Uint16Array(64)
  /** Marked as keyword: stemmers skip it. */
  keywords = new Uint8Array(64)
  /** The position behind the last token and behind removed tokens after it. */
  endPosition = 0

  /** From about `maxLength` tokens on, `push` throws `TooManyTokens`. */
  constructor(maxLength = Number.POSITIVE_INFINITY) {
    this.#maxLength = maxLength
  }

  clear(): void {
    this.length = 0
    this.endPosition = 0
  }

  push(term: string, position: number, start: number, end: number, type: number): void {
    const index = this.length
    if (index === this.positions.length) this.#grow()
    this.terms[index] = term
    this.positions[index] = position
    this.starts[index] = start
    this.ends[index] = end
    this.types[index] = type
    this.spans[index] = 1
    this.keywords[index] = 0
    this.length = index + 1
  }

  /** Adds the token at `index` of another buffer, optionally with another term. */
  pushFrom(other: TokenBuffer, index: number, term = other.terms[index]!): void {
    this.push(term, other.positions[index]!, other.starts[index]!, other.ends[index]!, other.types[index]!)
    this.spans[this.length - 1] = other.spans[index]!
    this.keywords[this.length - 1] = other.keywords[index]!
  }

  /** Moves the token at `from` to `to`, for filters that drop tokens in place. */
  move(from: number, to: number): void {
    if (from === to) return
    this.terms[to] = this.terms[from]!
    this.positions[to] = this.positions[from]!
    this.starts[to] = this.starts[from]!
    this.ends[to] = this.ends[from]!
    this.types[to] = this.types[from]!
    this.spans[to] = this.spans[from]!
    this.keywords[to] = this.keywords[from]!
  }

  /** Exchanges all tokens with another buffer; the end position stays. */
  swap(other: TokenBuffer): void {
    const { length, terms, positions, starts, ends, types, spans, keywords } = this
    this.length = other.length
    this.terms = other.terms
    this.positions = other.positions
    this.starts = other.starts
    this.ends = other.ends
    this.types = other.types
    this.spans = other.spans
    this.keywords = other.keywords
    other.length = length
    other.terms = terms
    other.positions = positions
    other.starts = starts
    other.ends = ends
    other.types = types
    other.spans = spans
    other.keywords = keywords
  }

  token(index: number): Token {
    const token: Token = {
      token: this.terms[index]!,
      start_offset: this.starts[index]!,
      end_offset: this.ends[index]!,
      type: tokenTypes[this.types[index]!]!,
      position: this.positions[index]!,
    }
    const span = this.spans[index]!
    if (span > 1) token.positionLength = span
    return token
  }

  tokens(): Token[] {
    return Array.from({ length: this.length }, (_, index) => this.token(index))
  }

  /** The length for norms: tokens at a position of their own (discount_overlaps). */
  fieldLength(): number {
    let count = 0
    let last = -1
    for (let index = 0; index < this.length; index++) {
      if (this.positions[index] !== last) count++
      last = this.positions[index]!
    }
    return count
  }

  #grow(): void {
    if (this.length >= this.#maxLength) throw new TooManyTokens()
    const size = this.positions.length * 2
    const wider = <T extends Int32Array | Uint16Array | Uint8Array>(array: T, made: T): T => {
      made.set(array)
      return made
    }
    this.positions = wider(this.positions, new Int32Array(size))
    this.starts = wider(this.starts, new Int32Array(size))
    this.ends = wider(this.ends, new Int32Array(size))
    this.types = wider(this.types, new Uint8Array(size))
    this.spans = wider(this.spans, new Uint16Array(size))
    this.keywords = wider(this.keywords, new Uint8Array(size))
  }
}
