/** Refuses aliases whose filter is no query, before anything is changed. */
import { illegalArgument } from '../../../search/request/errors.ts'
import { isObject, own } from '../../../search/request/json-object.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import type { Call } from '../call.ts'

export async function checkFilters(
  call: Call,
  aliases: readonly (readonly [name: string, body: unknown])[],
): Promise<void> {
  for (const [name, body] of aliases) {
    const filter = isObject(body) ? own(body, 'filter') : undefined
    if (!isObject(filter) || Object.keys(filter).length === 0) continue
    await call.node.search.load()
    try {
      call.node.search.loaded.checkQuery(filter)
    } catch (error) {
      if (!(error instanceof SearchError)) throw error
      throw illegalArgument(`failed to parse filter for alias [${name}]`, error)
    }
  }
}
