/**
 * Searches over scrolls and points in time, which read the shards as they were when the context was opened.
 */
import { SearchError } from '../request/search-error.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { SearchContexts } from './contexts.ts'
import { type SearchContext, searchSteps } from './execute-search.ts'
import type { SearchRequest } from './request/search-request.ts'
import type { SearchIndex } from './search-index.ts'
import { searchFailed } from './shard-failures.ts'

/** Runs the first batch of a scroll. The context owns the indices' shard readers from then on. */
export function* openScroll(
  indices: readonly SearchIndex[],
  request: SearchRequest,
  context: SearchContext,
  contexts: SearchContexts,
): Steps<Record<string, unknown>> {
  const scroll = contexts.openScroll(indices, request, request.scroll!)
  try {
    const { response, hits } = yield* searchSteps(indices, request, context)
    scroll.next = hits.length
    return { _scroll_id: scroll.id, ...response }
  } catch (error) {
    contexts.closeScroll(scroll.id)
    throw error
  }
}

/** Runs the next batch of a scroll. */
export function* nextScroll(
  id: string,
  keepAlive: number | undefined,
  totalAsNumber: boolean,
  context: SearchContext,
  contexts: SearchContexts,
): Steps<Record<string, unknown>> {
  const scroll = found(() => contexts.useScroll(id, keepAlive), context)
  const request = {
    ...scroll.request,
    from: scroll.next,
    aggregations: undefined,
    suggest: undefined,
    totalAsNumber,
  }
  const { response, hits } = yield* searchSteps(scroll.indices.map(withoutWindow), request, context)
  scroll.next += hits.length
  return { _scroll_id: scroll.id, ...response }
}

/** The result window limits the size of a scroll's batches, not its depth. */
function withoutWindow(index: SearchIndex): SearchIndex {
  return { ...index, limits: { ...index.limits, maxResultWindow: Number.POSITIVE_INFINITY } }
}

/** A context that does not exist is reported as the failure of a shard. */
function found<Context>(use: () => Context, { node }: SearchContext): Context {
  try {
    return use()
  } catch (error) {
    if (!(error instanceof SearchError) || error.status !== 404) throw error
    throw searchFailed([{ shard: -1, index: '', node, error }])
  }
}

/** Runs a search in a point in time. */
export function* searchPit(
  request: SearchRequest,
  context: SearchContext,
  contexts: SearchContexts,
): Steps<Record<string, unknown>> {
  const { id, keepAlive } = request.pit!
  const pit = found(() => contexts.usePit(id, keepAlive), context)
  const { response } = yield* searchSteps(pit.indices, request, context)
  return { pit_id: pit.id, ...response }
}
