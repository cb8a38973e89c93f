/** Validates names of indices, aliases and data streams, with Elasticsearch's error texts. */
import { illegalArgument } from '../request/errors.ts'
import { invalidIndexName } from '../request/index-errors.ts'
import { SearchError } from '../request/search-error.ts'

/** In the order in which Elasticsearch prints them. */
const forbidden = [' ', '"', '*', '\\', '<', '|', ',', '>', '/', '?']
const maxBytes = 255

/** Returns what is wrong with a name; undefined for a valid one. */
function flaw(name: string): string | undefined {
  if (name === '') return 'name cannot be empty'
  if (forbidden.some((character) => name.includes(character)))
    return `must not contain the following characters [${forbidden.join(', ')}]`
  if (name.includes('#')) return "must not contain '#'"
  if (name.includes(':')) return "must not contain ':'"
  if (/^[_+-]/.test(name)) return "must not start with '_', '-', or '+'"
  const bytes = Buffer.byteLength(name)
  if (bytes > maxBytes) return `index name is too long, (${bytes} > ${maxBytes})`
  if (name === '.' || name === '..') return "must not be '.' or '..'"
  return undefined
}

export function checkIndexName(name: string): void {
  const wrong = flaw(name) ?? (name === name.toLowerCase() ? undefined : 'must be lowercase')
  if (wrong !== undefined) throw invalidIndexName(name, wrong)
}

export function checkAliasName(name: string): void {
  const wrong = flaw(name)
  if (wrong !== undefined)
    throw new SearchError('invalid_alias_name_exception', `Invalid alias name [${name}]: ${wrong}`)
}

/** An alias must not have the name of an index. */
export function aliasIsIndex(alias: string, index: string, uuid: string): SearchError {
  return new SearchError(
    'invalid_alias_name_exception',
    `Invalid alias name [${alias}], an index exists with the same name as the alias`,
    { details: { index_uuid: uuid, index } },
  )
}

export function checkDataStreamName(name: string): void {
  const wrong = flaw(name) ?? (name === name.toLowerCase() ? undefined : 'must be lowercase')
  if (wrong !== undefined) throw illegalArgument(`data_stream [${name}] ${wrong}`)
}

export function checkTemplateName(name: string, patterns: readonly string[]): void {
  const refuse = (what: string) => {
    throw new SearchError(
      'invalid_index_template_exception',
      `index_template [${name}] invalid, cause [${what}]`,
    )
  }
  if (name.includes(' ')) refuse('name must not contain a space')
  if (name.includes(',')) refuse("name must not contain a ','")
  if (name.includes('#')) refuse("name must not contain a '#'")
  if (name.includes('*')) refuse("name must not contain a '*'")
  if (name.startsWith('_')) refuse("name must not start with '_'")
  if (name !== name.toLowerCase()) refuse('name must be lower cased')
  for (const pattern of patterns) {
    if (pattern.includes(' ')) refuse(`index_patterns [${pattern}] must not contain a space`)
    if (pattern.includes(',')) refuse(`index_pattern [${pattern}] must not contain a ','`)
    if (pattern.includes('#')) refuse(`index_pattern [${pattern}] must not contain a '#'`)
    if (pattern.includes(':')) refuse(`index_pattern [${pattern}] must not contain a ':'`)
    if (pattern.startsWith('_')) refuse(`index_pattern [${pattern}] must not start with '_'`)
  }
}
