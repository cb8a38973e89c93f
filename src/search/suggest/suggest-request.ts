/** Parses the `suggest` section of a search. */
import { foundByShards } from '../collect/shard-failures.ts'
import { illegalArgument, parseError, parsingError } from '../request/errors.ts'
import { isObject, type JsonObject } from '../request/json-object.ts'
import { checkObject, type ObjectShape } from '../request/object-shape.ts'
import { plainText } from '../request/plain-text.ts'
import { scalarText, tokenKind } from '../request/request-values.ts'
import { SearchError } from '../request/search-error.ts'
import type { SourcePlaces } from '../request/source-place.ts'
import { checkReading } from '../request/token-reads.ts'

export interface Suggestion {
  readonly name: string
  readonly kind: 'term' | 'phrase' | 'completion'
  readonly text: string
  /** The `regex` of a completion in place of a text. */
  readonly regex: string | undefined
  readonly field: string
  readonly options: SuggestOptions
}

/** The options of one suggester by name and type. */
export class SuggestOptions {
  readonly json: JsonObject
  readonly #kind: string

  constructor(kind: string, json: JsonObject, known: readonly string[]) {
    this.json = json
    this.#kind = kind
    for (const name of Object.keys(json)) {
      if (!known.includes(name)) {
        throw parsingError(`[${kind}] suggestion does not support [${name}]`)
      }
    }
  }

  get(name: string): unknown {
    const value = Object.hasOwn(this.json, name) ? this.json[name] : undefined
    return value === null ? undefined : value
  }

  text(name: string): string | undefined {
    const value = this.get(name)
    return value === undefined ? undefined : plainText(value)
  }

  number(name: string, standard: number): number {
    const value = this.get(name)
    if (value === undefined) return standard
    const number = Number(plainText(value))
    if (Number.isNaN(number)) throw illegalArgument(`For input string: "${plainText(value)}"`)
    return number
  }

  positive(name: string, standard: number): number {
    const number = Math.trunc(this.number(name, standard))
    if (number < 1) throw illegalArgument(`${name} must be positive`)
    return number
  }

  flag(name: string, standard: boolean): boolean {
    const value = this.get(name)
    if (value === undefined) return standard
    if (value === true || value === 'true') return true
    if (value === false || value === 'false') return false
    throw illegalArgument(
      `Failed to parse value [${plainText(value)}] as only [true] or [false] are allowed.`,
    )
  }

  choice<T extends string>(name: string, choices: readonly T[], standard: T): T {
    const text = this.text(name)
    if (text === undefined) return standard
    const found = choices.find((one) => one === text.toLowerCase())
    if (found === undefined)
      throw illegalArgument(`Illegal ${this.#kind} suggest option [${name}]: [${text}]`)
    return found
  }
}

const common = ['field', 'text', 'prefix', 'regex', 'analyzer', 'size', 'shard_size']
export const candidateOptions = [
  'suggest_mode',
  'accuracy',
  'sort',
  'string_distance',
  'max_edits',
  'max_inspections',
  'max_term_freq',
  'prefix_length',
  'prefix_len',
  'min_word_length',
  'min_word_len',
  'min_doc_freq',
]
const known: Readonly<Record<Suggestion['kind'], readonly string[]>> = {
  term: [...common, ...candidateOptions, 'lowercase_terms', 'exact_match'],
  phrase: [
    ...common,
    'gram_size',
    'real_word_error_likelihood',
    'confidence',
    'separator',
    'max_errors',
    'force_unigrams',
    'token_limit',
    'highlight',
    'smoothing',
    'direct_generator',
    'collate',
  ],
  completion: [...common, 'skip_duplicates', 'fuzzy', 'contexts', 'payload'],
}

const kinds = Object.keys(known) as Suggestion['kind'][]

/** Checks the section in the order of its text, with OpenSearch's words. Throws SearchError. */
export function checkSuggest(json: unknown, places: SourcePlaces): void {
  if (!isObject(json)) return
  for (const [name, value] of Object.entries(json)) {
    if (isObject(value)) checkSuggestion(value, places)
    else if (value === null || Array.isArray(value))
      throw placed(`unexpected token [${tokenKind(value)}] after [${name}]`, json, name, places)
    else if (name !== 'text') throw illegalArgument(`[suggest] does not support [${name}]`)
  }
}

function checkSuggestion(json: JsonObject, places: SourcePlaces): void {
  let isThere = false
  const check = (node: unknown, key: string | number, name: string, value: unknown): void => {
    // The brackets of a list are passed over, and nulls too.
    if (Array.isArray(value)) for (const [index, item] of value.entries()) check(value, index, name, item)
    else if (isObject(value)) {
      const kind = kinds.find((one) => one === name)
      if (kind === undefined) {
        const { line, col } = places.of(node, key)
        throw new SearchError('named_object_not_found_exception', `[${line}:${col}] unknown field [${name}]`)
      }
      isThere = true
      checkOptions(kind, value, places)
    } else if (value !== null && name !== 'text' && name !== 'prefix' && name !== 'regex')
      throw placed(`suggestion does not support [${name}]`, node, key, places)
  }
  for (const [name, value] of Object.entries(json)) check(json, name, name, value)
  if (!isThere) throw parseError('missing suggestion object')
}

const completionShape: ObjectShape = {
  parser: 'completion',
  fields: {
    field: 'string',
    text: 'string',
    prefix: 'string',
    regex: 'any',
    analyzer: 'string',
    size: 'integer',
    shard_size: 'integer',
    skip_duplicates: 'flag',
    fuzzy: 'object or boolean',
    contexts: 'any',
    payload: 'any',
  },
}

const numbers: ReadonlySet<string> = new Set([
  'size',
  'shard_size',
  'accuracy',
  'max_edits',
  'max_inspections',
  'max_term_freq',
  'prefix_length',
  'min_word_length',
  'min_doc_freq',
  'gram_size',
  'real_word_error_likelihood',
  'confidence',
  'max_errors',
  'token_limit',
])

function checkOptions(kind: Suggestion['kind'], json: JsonObject, places: SourcePlaces): void {
  if (kind === 'completion') return checkObject(completionShape, json, places)
  for (const [name, value] of Object.entries(json)) {
    const isScalar = scalarText(value) !== undefined
    if (!isScalar && kind === 'term')
      throw placed(`suggester[term] parsing failed on [${name}]`, json, name, places)
    if (!isScalar && !['highlight', 'smoothing', 'direct_generator', 'collate'].includes(name))
      throw placed(`suggester[phrase]  doesn't support array field [${name}]`, json, name, places)
    if (!known[kind].includes(name))
      throw placed(`suggester[${kind}] doesn't support field [${name}]`, json, name, places)
    if (numbers.has(name)) checkReading('number', value, { places, node: json, key: name })
  }
}

function placed(reason: string, node: unknown, key: string | number, places: SourcePlaces): SearchError {
  const { line, col } = places.of(node, key)
  return new SearchError('parsing_exception', reason, { details: { line, col } })
}

export function readSuggestions(json: unknown): Suggestion[] {
  if (!isObject(json)) throw illegalArgument('[suggest] must be an object')
  const global = Object.hasOwn(json, 'text') ? scalarText(json['text']) : undefined
  return Object.entries(json)
    .filter(([name, value]) => !(name === 'text' && scalarText(value) !== undefined))
    .map(([name, value]) => readOne(name, value, global))
}

/** The last scalar or object of nested lists, whose brackets are passed over. */
function lastOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map(lastOf).findLast((item) => item !== null && item !== undefined)
}

function readOne(name: string, json: unknown, global: string | undefined): Suggestion {
  if (!isObject(json)) {
    throw illegalArgument(`[suggest] does not support [${name}]`)
  }
  let kind: Suggestion['kind'] | undefined
  const texts = new Map<string, string>()
  for (const [key, given] of Object.entries(json)) {
    const text = scalarText(lastOf(given))
    if (key === 'text' || key === 'prefix' || key === 'regex') {
      if (text !== undefined) texts.set(key, text)
    } else if (kinds.includes(key as Suggestion['kind'])) kind = key as Suggestion['kind']
  }
  if (kind === undefined) throw parseError('missing suggestion object')
  const body = lastOf(json[kind])
  if (!isObject(body)) throw parsingError(`[${kind}] expected an object`)
  const options = new SuggestOptions(kind, body, known[kind])
  const field = options.text('field')
  if (field === undefined) {
    throw parseError('the required field option [field] is missing')
  }
  const regex = texts.get('regex')
  const text = texts.get('prefix') ?? texts.get('text') ?? options.text('text') ?? global ?? regex
  if (text === undefined) throw foundByShards(illegalArgument('The required text option is missing'))
  return { name, kind, text, regex, field, options }
}
