/** Reads the options of a clause by name and type. Unknown names and values of a wrong type are errors. */

import { illegalArgument } from '../../request/errors.ts'
import type { JsonNumber } from '../../request/json-literals.ts'
import { plainText } from '../../request/plain-text.ts'
import type { SearchError } from '../../request/search-error.ts'
import { ClauseReader } from '../language/option-readers.ts'
import type { Json } from './clause.ts'
import { isScalar, type QueryParser, tokenOf } from './parser.ts'

type Scalar = string | number | boolean | JsonNumber

export class Options {
  readonly json: Json
  readonly #clause: string
  readonly #parser: QueryParser
  readonly #reader: ClauseReader

  /** Values of names in `structured` may be objects and arrays. */
  constructor(
    parser: QueryParser,
    clause: string,
    json: Json,
    known: readonly string[],
    structured: readonly string[] = [],
  ) {
    this.json = json
    this.#clause = clause
    this.#parser = parser
    this.#reader = new ClauseReader(clause)
    for (const [name, value] of Object.entries(json)) {
      if (structured.includes(name)) continue
      if (!known.includes(name) && !common.has(name)) {
        const named = objectParsed.get(clause)
        if (named !== undefined)
          throw parser.unknownField(named, json, name, [...known, ...structured, ...common])
        const text = refusals.get(clause) ?? `[${clause}] query does not support`
        throw parser.error(
          `${text} [${name}]${clause === 'function_score' ? ' is not supported' : ''}`,
          json,
          name,
        )
      }
      if (value !== null && !isScalar(value)) {
        throw parser.error(`[${clause}] unknown token [${tokenOf(value)}] after [${name}]`, json, name)
      }
    }
  }

  get(name: string): unknown {
    const value = Object.hasOwn(this.json, name) ? this.json[name] : undefined
    return value === null ? undefined : value
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  /** A scalar as it was sent. */
  scalar(name: string): Scalar | undefined {
    return this.get(name) as Scalar | undefined
  }

  text(name: string): string | undefined {
    const value = this.scalar(name)
    return value === undefined ? undefined : plainText(value)
  }

  #read<T>(name: string, read: (name: string, value: unknown) => T): T | undefined {
    const value = this.get(name)
    return value === undefined ? undefined : read.call(this.#reader, name, plain(value))
  }

  float(name: string): number | undefined {
    return this.#read(name, this.#reader.float)
  }

  integer(name: string): number | undefined {
    return this.#read(name, this.#reader.integer)
  }

  boolean(name: string): boolean | undefined {
    return this.#read(name, this.#reader.boolean)
  }

  operator(name: string): 'or' | 'and' | undefined {
    return this.#read(name, this.#reader.operator)
  }

  matchType(name: string) {
    return this.#read(name, this.#reader.matchType)
  }

  choice<T extends string>(
    name: string,
    choices: readonly T[],
    refuse: (value: string) => Error,
  ): T | undefined {
    const value = this.text(name)
    if (value === undefined) return undefined
    const found = choices.find((choice) => choice === value.toLowerCase())
    if (found === undefined) throw refuse(value)
    return found
  }

  get boost(): number | undefined {
    const boost = this.float('boost')
    if (boost !== undefined && boost < 0) {
      throw illegalArgument(
        `negative [boost] are not allowed in [${this.#clause}], use a value between 0 and 1 to deboost`,
      )
    }
    return boost
  }

  get name(): string | undefined {
    return this.text('_name')
  }

  missing(reason: string): SearchError {
    return this.#parser.errorAfter(reason, this.json)
  }
}

/** Clauses that are read by an object parser, with the names these have. */
const objectParsed: ReadonlyMap<string, string> = new Map([
  ['combined_fields', 'combined_fields'],
  ['script_score', 'script_score'],
  ['distance_feature', 'distance_feature'],
  ['rank_feature', 'feature'],
])

const refusals: ReadonlyMap<string, string> = new Map([
  ['more_like_this', '[mlt] query does not support'],
  ['function_score', 'failed to parse [function_score] query. field'],
])

const common = new Set(['boost', '_name'])

function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? plainText(value) : value
}

function noField(parser: QueryParser, clause: string, body: Json): SearchError {
  if (clause === 'match') return parser.errorAfter('No text specified for text query', body)
  if (clause === 'terms_set') return parser.errorAfter('[terms_set] unknown token [END_OBJECT]', body)
  if (clause.startsWith('match_')) return illegalArgument(`[${clause}] requires fieldName`)
  return illegalArgument(
    clause === 'fuzzy' ? 'field name cannot be null or empty' : 'field name is null or empty',
  )
}

/** The body of a clause that names one field: `{"f": "x"}` or `{"f": {"value": "x"}}`. */
export interface FieldBody {
  readonly field: string
  readonly options: Options
}

interface FieldBodySettings {
  readonly known: readonly string[]
  /** The option that a bare value stands for. */
  readonly short: string
  /** Keys beside the field that are options of the clause. */
  readonly beside?: readonly string[]
  readonly structured?: readonly string[]
}

export function readFieldBody(
  parser: QueryParser,
  clause: string,
  body: Json,
  settings: FieldBodySettings,
): FieldBody {
  let field: string | undefined
  const { beside = [] } = settings
  const extra: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(body)) {
    if (beside.includes(name) && isScalar(value)) {
      extra[name] = value
      continue
    }
    if (field !== undefined) {
      throw parser.error(
        `[${clause}] query doesn't support multiple fields, found [${field}] and [${name}]`,
        body,
        name,
      )
    }
    if (Array.isArray(value)) {
      throw parser.error(
        clause === 'term'
          ? '[term] query does not support array of values'
          : `[${clause}] unknown token [START_ARRAY] after [${name}]`,
        body,
        name,
      )
    }
    field = name
  }
  if (field === undefined) throw noField(parser, clause, body)
  const value = body[field]
  const json = isScalar(value) || value === null ? { [settings.short]: value } : (value as Json)
  const options = new Options(parser, clause, json, settings.known, settings.structured)
  if (Object.keys(extra).length === 0) return { field, options }
  return {
    field,
    options: new Options(
      parser,
      clause,
      { ...json, ...extra },
      [...settings.known, ...beside],
      settings.structured,
    ),
  }
}
