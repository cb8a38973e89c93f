/**
 * Reads the options that both query languages share from a parsed JSON body. Numbers and booleans may be
 * strings, as everywhere in the search API.
 */

import { illegalArgument } from '../../request/errors.ts'
import { plainText } from '../../request/plain-text.ts'
import { SearchError } from '../../request/search-error.ts'

export type DefaultOperator = 'or' | 'and'

export type MatchType =
  | 'best_fields'
  | 'most_fields'
  | 'cross_fields'
  | 'phrase'
  | 'phrase_prefix'
  | 'bool_prefix'

const matchTypes: readonly MatchType[] = [
  'best_fields',
  'most_fields',
  'cross_fields',
  'phrase',
  'phrase_prefix',
  'bool_prefix',
]

type KindOf<V> = V extends string | undefined
  ? 'text'
  : V extends boolean | undefined
    ? 'boolean'
    : 'integer' | 'float'

/** How options are read whose value is kept as it is, by their names. */
export type OptionKinds<T> = { readonly [Name in keyof T]?: KindOf<T[Name]> }

export class ClauseReader {
  readonly #clause: string

  constructor(clause: string) {
    this.#clause = clause
  }

  unknown(name: string): SearchError {
    return new SearchError('parsing_exception', `[${this.#clause}] query does not support [${name}]`)
  }

  text(name: string, value: unknown): string {
    if (typeof value === 'object' || value === undefined) throw this.unknown(name)
    return plainText(value)
  }

  texts(name: string, value: unknown): string[] {
    if (!Array.isArray(value)) throw this.unknown(name)
    return value.map((item: unknown) => this.text(name, item))
  }

  boolean(name: string, value: unknown): boolean {
    if (value === true || value === 'true') return true
    if (value === false || value === 'false' || value === '') return false
    throw illegalArgument(
      `Failed to parse value [${this.text(name, value)}] as only [true] or [false] are allowed.`,
    )
  }

  float(name: string, value: unknown): number {
    const text = this.text(name, value).trim()
    const number = text === '' ? Number.NaN : Number(text)
    if (Number.isNaN(number)) throw illegalArgument(`For input string: "${text}"`)
    return Math.fround(number)
  }

  integer(name: string, value: unknown): number {
    const text = this.text(name, value).trim()
    const number = text === '' ? Number.NaN : Number(text)
    if (!Number.isFinite(number)) throw illegalArgument(`For input string: "${text}"`)
    if (Math.abs(number) > 2_147_483_647) {
      throw illegalArgument(`Value [${text}] is out of range for an integer`)
    }
    return Math.trunc(number)
  }

  /** Sets the option if it is one of these kinds. */
  plain<T extends object>(options: T, kinds: OptionKinds<T>, name: string, value: unknown): boolean {
    if (!Object.hasOwn(kinds, name)) return false
    const kind = kinds[name as keyof T]!
    Object.assign(options, { [name]: this[kind](name, value) })
    return true
  }

  operator(name: string, value: unknown): DefaultOperator {
    const text = this.text(name, value)
    const operator = text.toLowerCase()
    if (operator === 'or' || operator === 'and') return operator
    throw illegalArgument(`No enum constant org.elasticsearch.index.query.Operator.${text.toUpperCase()}`)
  }

  matchType(name: string, value: unknown): MatchType {
    const text = this.text(name, value)
    const found = matchTypes.find((type) => type === text || type.replace('_', '') === text.toLowerCase())
    if (found !== undefined) return found
    throw new SearchError(
      'parse_exception',
      `failed to parse [multi_match] query type [${text}]. unknown type.`,
    )
  }
}
