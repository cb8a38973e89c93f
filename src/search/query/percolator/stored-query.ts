/**
 * Queries that are stored in `percolator` fields. They are bound like those of a search, with two differences: a field
 * that is not mapped is refused, and joins are, because a percolated document has no parents and children.
 */
import { SearchError } from '../../request/search-error.ts'
import type { QueryContext } from '../binding/binding.ts'

/** The context of an index, for stored queries. */
export function storedContext(context: QueryContext): QueryContext {
  const refuse = (name: string): never => {
    const { index, indexUuid } = context
    throw new SearchError(
      'query_shard_exception',
      `No field mapping can be found for the field with name [${name}]`,
      { details: { index, index_uuid: indexUuid } },
    )
  }
  return {
    ...context,
    isStored: true,
    field: (path) => {
      const field = context.field(path)
      return field === undefined && !path.startsWith('_') && !context.isObject(path) ? refuse(path) : field
    },
  }
}
