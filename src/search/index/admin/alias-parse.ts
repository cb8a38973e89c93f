/** Parses aliases of requests to the form in which they are stored. */
import { illegalArgument, parseError } from '../../request/errors.ts'
import { isObject, type JsonObject } from '../../request/json-object.ts'
import { plainText } from '../../request/plain-text.ts'
import { bodyText } from '../../request/request-values.ts'
import type { SearchError } from '../../request/search-error.ts'
import type { AliasMetadata } from '../index-metadata.ts'
import { checkAliasName } from '../index-names.ts'

export const aliasMembers: ReadonlySet<string> = new Set([
  'filter',
  'routing',
  'index_routing',
  'indexRouting',
  'index-routing',
  'search_routing',
  'searchRouting',
  'search-routing',
  'is_write_index',
  'is_hidden',
])

/** `{"routing": "1"}` sets both routings; `extra` are members that belong to the enclosing request. */
export function parseAlias(name: string, body: JsonObject, extra: readonly string[] = []): AliasMetadata {
  checkAliasName(name)
  for (const member of Object.keys(body)) {
    if (!aliasMembers.has(member) && !extra.includes(member))
      throw illegalArgument(`unknown field [${member}]`)
  }
  const { filter } = body
  if (filter !== undefined && filter !== null && !isObject(filter)) throw badFilter(name)
  const text = (...names: readonly string[]) => {
    const value = names.map((one) => body[one]).find((one) => one !== undefined && one !== null)
    return value === undefined ? undefined : bodyText('alias', names.at(-1)!, value)
  }
  const indexRouting = text('index_routing', 'indexRouting', 'index-routing', 'routing')
  const searchRouting = text('search_routing', 'searchRouting', 'search-routing', 'routing')
  if (indexRouting?.includes(','))
    throw illegalArgument(`alias [${name}] has several index routing values associated with it`)
  return {
    ...(isObject(filter) && Object.keys(filter).length > 0 && { filter }),
    ...(indexRouting !== undefined && { index_routing: indexRouting }),
    ...(searchRouting !== undefined && { search_routing: searchRouting }),
    ...flagOf(body, 'is_write_index'),
    ...flagOf(body, 'is_hidden'),
  }
}

function badFilter(name: string): SearchError {
  return illegalArgument(`failed to parse filter for alias [${name}]`)
}

function flagOf(body: JsonObject, name: 'is_write_index' | 'is_hidden'): Partial<AliasMetadata> {
  const value = body[name]
  if (value === undefined || value === null) return {}
  if (value === true || value === 'true') return { [name]: true }
  if (value === false || value === 'false') return { [name]: false }
  throw illegalArgument(`Failed to parse value [${plainText(value)}] as only [true] or [false] are allowed.`)
}

/** Parses the `aliases` member of an index or a template. */
export function parseAliases(json: unknown): Readonly<Record<string, AliasMetadata>> {
  if (json === undefined || json === null) return {}
  if (!isObject(json)) throw parseError('aliases must be an object')
  return Object.fromEntries(
    Object.entries(json).map(([name, body]) => [name, parseAlias(name, isObject(body) ? body : {})]),
  )
}
