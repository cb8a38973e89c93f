/** Reads the fetch options of a body, which searches, inner hits and `top_hits` share. */
import { illegalArgument, parsingError } from '../../request/errors.ts'
import { bodyFlag, isObject, scalarText, scalarTexts, tokenKind } from '../../request/request-values.ts'
import { readScriptFields } from '../fetch/script-fields.ts'
import type { FetchRequest, FieldSelection, SourceSelection } from './search-request.ts'

type Draft = { -readonly [Name in keyof FetchRequest]: FetchRequest[Name] }

function readSource(value: unknown): SourceSelection {
  if (typeof value === 'boolean') return { isWanted: value, includes: [], excludes: [] }
  if (value === 'true' || value === 'false') return { isWanted: value === 'true', includes: [], excludes: [] }
  if (typeof value === 'string' || Array.isArray(value)) {
    return { isWanted: true, includes: scalarTexts(value), excludes: [] }
  }
  if (!isObject(value)) {
    throw parsingError(
      `Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found [${tokenKind(value)}]`,
    )
  }
  let includes: string[] = []
  let excludes: string[] = []
  for (const [name, item] of Object.entries(value)) {
    if (name === 'includes' || name === 'include') includes = scalarTexts(item)
    else if (name === 'excludes' || name === 'exclude') excludes = scalarTexts(item)
    else throw parsingError(`Unknown key for a ${tokenKind(item)} in [${name}].`)
  }
  return checkedSource({ isWanted: true, includes, excludes })
}

/** Throws when an entry is on both sides. */
export function checkedSource(source: SourceSelection): SourceSelection {
  const twice = source.includes.find((entry) => source.excludes.includes(entry))
  if (twice === undefined) return source
  throw illegalArgument(`The same entry [${twice}] cannot be both included and excluded in _source.`)
}

function readFields(value: unknown, key: string): FieldSelection[] {
  if (!Array.isArray(value)) throw parsingError(`Unknown key for a ${tokenKind(value)} in [${key}].`)
  return value.map((item: unknown) => {
    if (typeof item === 'string') return { field: item, format: undefined, includeUnmapped: false }
    const field = isObject(item) ? scalarText(item['field']) : undefined
    if (!isObject(item) || field === undefined) throw illegalArgument('Required [field]')
    for (const name of Object.keys(item)) {
      if (name !== 'field' && name !== 'format' && name !== 'include_unmapped') {
        throw illegalArgument(`[field_and_format] unknown field [${name}]`)
      }
    }
    return {
      field,
      format: scalarText(item['format']),
      includeUnmapped: item['include_unmapped'] === undefined ? false : bodyFlag(item['include_unmapped']),
    }
  })
}

export function readStoredFields(value: unknown): readonly string[] | 'none' {
  if (typeof value !== 'string' && !Array.isArray(value))
    throw parsingError(
      `Expected [VALUE_STRING] or [START_ARRAY] in [stored_fields] but found [${tokenKind(value)}]`,
    )
  const names = scalarTexts(value)
  if (!names.includes('_none_')) return names
  if (names.length > 1) throw illegalArgument('cannot combine _none_ with other fields')
  return 'none'
}

/** Fetch options by their keys in the body, and what they set. */
const readers = new Map<string, (value: unknown) => Partial<Draft>>([
  ['_source', (value) => ({ source: readSource(value) })],
  ['fields', (value) => ({ fields: readFields(value, 'fields') })],
  ['docvalue_fields', (value) => ({ docvalueFields: readFields(value, 'docvalue_fields') })],
  ['stored_fields', (value) => ({ storedFields: readStoredFields(value) })],
  ['script_fields', (value) => ({ scriptFields: readScriptFields(value) })],
  ['highlight', (value) => ({ highlight: value })],
  ['explain', (value) => ({ explain: bodyFlag(value) })],
  ['version', (value) => ({ version: bodyFlag(value) })],
  ['seq_no_primary_term', (value) => ({ seqNoPrimaryTerm: bodyFlag(value) })],
])

/** Returns true when the key is a fetch option. */
export function readFetchKey(draft: Draft, key: string, value: unknown): boolean {
  const read = readers.get(key)
  if (read === undefined) return false
  Object.assign(draft, read(value))
  return true
}
