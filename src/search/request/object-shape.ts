/**
 * Checks an object in the order of its text as OpenSearch's ObjectParser does: unknown names, tokens that a field
 * does not take, values that cannot be read. Errors begin with `[line:column]` and the name of the parser.
 */
import { didYouMean } from './did-you-mean.ts'
import { contentError } from './errors.ts'
import { isObject, type JsonObject, tokenKind } from './request-values.ts'
import { SearchError } from './search-error.ts'
import type { Place, SourcePlaces } from './source-place.ts'
import { stopOf, stoppedAt } from './stop-place.ts'
import { checkReading, noText, type Reading, type ValuePlace } from './token-reads.ts'

/** What a field takes; the names are those of ObjectParser's value types. */
export type FieldType =
  | 'string'
  | 'string or null'
  | 'string or number'
  | 'number, text or null'
  | 'number'
  | 'integer'
  | 'flag'
  | 'value'
  | 'object'
  | 'object or string'
  | 'object array'
  | 'object array or null'
  | 'string array'
  | 'number array'
  | 'object, array, boolean or string'
  | 'object, array or string'
  | 'object, array, string or number'
  | 'object or boolean'
  | 'any'

const text = ['VALUE_STRING']
const number = ['VALUE_STRING', 'VALUE_NUMBER']
const value = ['VALUE_STRING', 'VALUE_NUMBER', 'VALUE_BOOLEAN', 'VALUE_NULL']

const tokens: Readonly<Record<Exclude<FieldType, 'any'>, readonly string[]>> = {
  string: text,
  'string or null': [...text, 'VALUE_NULL'],
  'string or number': number,
  'number, text or null': [...number, 'VALUE_NULL'],
  number,
  integer: number,
  flag: ['VALUE_STRING', 'VALUE_BOOLEAN'],
  value,
  object: ['START_OBJECT'],
  'object or string': ['START_OBJECT', ...text],
  'object or boolean': ['START_OBJECT', 'VALUE_BOOLEAN'],
  'object array': ['START_OBJECT', 'START_ARRAY'],
  'object array or null': ['START_OBJECT', 'START_ARRAY', 'VALUE_NULL'],
  'string array': ['START_ARRAY', ...text],
  'number array': ['START_ARRAY', ...number],
  'object, array, boolean or string': ['START_OBJECT', 'START_ARRAY', 'VALUE_BOOLEAN', ...text],
  'object, array or string': ['START_OBJECT', 'START_ARRAY', ...text],
  'object, array, string or number': ['START_OBJECT', 'START_ARRAY', ...number],
}

/** The scalars that are read further. */
const readings: Readonly<Partial<Record<FieldType, Reading>>> = {
  number: 'number',
  integer: 'integer',
  flag: 'flag',
}

export interface ObjectShape {
  /** The parser's name in errors. */
  readonly parser: string
  readonly fields: Readonly<Record<string, FieldType>>
}

/** Reads the value of a field when its turn comes; what it throws is wrapped with the name of the field. */
type ReadField = (name: string, value: unknown) => void

/** Throws SearchError. */
export function checkObject(
  shape: ObjectShape,
  json: JsonObject,
  places: SourcePlaces,
  read?: ReadField,
): void {
  const names = Object.keys(shape.fields)
  for (const [name, given] of Object.entries(json)) {
    if (!names.includes(name)) throw unknownField(shape.parser, json, name, names, places)
    const type = shape.fields[name]!
    if (type !== 'any' && !tokens[type].includes(tokenKind(given)))
      throw wrongToken(shape.parser, json, name, places)
    try {
      checkValue(type, given, { places, node: json, key: name })
      read?.(name, given)
    } catch (error) {
      throw failedField(error, shape.parser, name, places.of(json, name))
    }
  }
}

/** The error of a name that the parser does not know. */
export function unknownField(
  parser: string,
  json: JsonObject,
  name: string,
  known: readonly string[],
  places: SourcePlaces,
): SearchError {
  const { line, col } = places.ofName(json, name)
  const reason = `[${line}:${col}] [${parser}] unknown field [${name}]${didYouMean(name, known)}`
  return stoppedAt(contentError(reason), places.of(json, name))
}

/** The error of a field that was given another kind of value. */
export function wrongToken(
  parser: string,
  json: JsonObject,
  name: string,
  places: SourcePlaces,
): SearchError {
  const place = places.of(json, name)
  const reason = `[${place.line}:${place.col}] [${parser}] ${name} doesn't support values of type: ${tokenKind(json[name])}`
  return stoppedAt(contentError(reason), place)
}

/**
 * The error of an object that is missing: a scalar is passed over before it is missed, of a list the bracket. It names
 * what was found instead.
 */
export function noObject(
  parser: string,
  node: unknown,
  key: string | number,
  places: SourcePlaces,
): SearchError {
  const given = (node as Readonly<Record<string, unknown>>)[key]
  let place = places.after(node, key)
  const names = Object.keys(node as object)
  const isLast = names.indexOf(String(key)) === names.length - 1
  let token = isLast ? (Array.isArray(node) ? 'END_ARRAY' : 'END_OBJECT') : 'FIELD_NAME'
  if (!isLast && Array.isArray(node)) token = tokenKind(node[Number(key) + 1])
  if (Array.isArray(given)) {
    place = given.length === 0 ? places.endOf(given) : places.of(given, 0)
    token = given.length === 0 ? 'END_ARRAY' : tokenKind(given[0])
  }
  const reason = `[${place.line}:${place.col}] [${parser}] Expected START_OBJECT but was: ${token}`
  return stoppedAt(contentError(reason), place)
}

/** Wraps an error of a field's value, at the place where reading stopped. */
export function failedField(error: unknown, parser: string, name: string, otherwise: Place): unknown {
  if (!(error instanceof SearchError)) return error
  const place = stopOf(error) ?? otherwise
  const reason = `[${place.line}:${place.col}] [${parser}] failed to parse field [${name}]`
  return stoppedAt(contentError(reason, error), place)
}

function checkValue(type: FieldType, given: unknown, at: ValuePlace): void {
  const reading = readings[type]
  if (reading !== undefined) checkReading(reading, given, at)
  if (!Array.isArray(given) || type === 'any') return
  for (const [index, element] of given.entries())
    checkElement(type, element, { ...at, node: given, key: index })
}

/** Lists inside lists are never read; texts and numbers are. */
function checkElement(type: FieldType, element: unknown, at: ValuePlace): void {
  const isText = type === 'string array'
  const isObjects = type === 'object array' || type === 'object array or null'
  if (Array.isArray(element) && (isText || isObjects || type === 'number array')) {
    const error = new SearchError('illegal_state_exception', 'expected value but got [START_ARRAY]')
    throw stoppedAt(error, at.places.of(at.node, at.key))
  }
  if (isText && (element === null || isObject(element))) throw noText(element, at)
  if (type === 'number array') checkReading('number', element, at)
}
