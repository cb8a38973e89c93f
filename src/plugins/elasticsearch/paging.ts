/**
 * All documents of a search, page by page: by `scroll`, where the cluster keeps the place, or by `search_after`
 * within a point in time, where each page says where the next begins. Both leave nothing open behind them.
 */
import { writeJson } from '../../event/json-write.ts'
import { type Fields, isFields, type Value } from '../../event/value.ts'
import type { SearchClient } from './search-client.ts'

export interface SearchPlan {
  readonly index: string
  /** The body of the search. */
  readonly query: Fields
  readonly size: number
  readonly keepAlive: string
  readonly slice: { readonly id: number; readonly max: number } | undefined
}

export type Page = readonly Fields[]

function bodyOf({ query, slice }: SearchPlan, more: Fields = {}): string {
  const body: Fields = { ...query, ...more }
  if (slice !== undefined) body['slice'] = { id: slice.id, max: slice.max }
  return writeJson(body)
}

export function hitsOf(answer: Fields): Page {
  const hits = answer['hits']
  const list = isFields(hits) ? hits['hits'] : undefined
  return Array.isArray(list) ? list.filter(isFields) : []
}

export async function* scrollPages(client: SearchClient, plan: SearchPlan): AsyncGenerator<Page> {
  const { index, size, keepAlive } = plan
  const first = `/${encodeURIComponent(index)}/_search?scroll=${encodeURIComponent(keepAlive)}&size=${size}`
  let answer = await client.send('POST', first, bodyOf(plan))
  let scrollId = answer['_scroll_id']
  try {
    for (;;) {
      const page = hitsOf(answer)
      if (page.length === 0) return
      yield page
      if (scrollId === undefined) return
      answer = await client.send('POST', '/_search/scroll', { scroll: keepAlive, scroll_id: scrollId })
      scrollId = answer['_scroll_id'] ?? scrollId
    }
  } finally {
    if (scrollId !== undefined)
      await quietly(client.send('DELETE', '/_search/scroll', { scroll_id: scrollId }))
  }
}

interface PointInTime {
  id: Value
}

export async function openPointInTime(
  client: SearchClient,
  index: string,
  keepAlive: string,
): Promise<PointInTime> {
  const path = `/${encodeURIComponent(index)}/_pit?keep_alive=${encodeURIComponent(keepAlive)}`
  const { id } = await client.send('POST', path)
  if (id === undefined) throw new Error('The cluster gave no point in time')
  return { id }
}

export async function closePointInTime(client: SearchClient, { id }: PointInTime): Promise<void> {
  await quietly(client.send('DELETE', '/_pit', { id }))
}

export async function* searchAfterPages(
  client: SearchClient,
  plan: SearchPlan,
  pointInTime: PointInTime,
): AsyncGenerator<Page> {
  const { query, size, keepAlive } = plan
  let after: Value | undefined
  for (;;) {
    const more: Fields = { size, pit: { id: pointInTime.id, keep_alive: keepAlive } }
    if (query['sort'] === undefined) more['sort'] = { _shard_doc: 'asc' }
    if (after !== undefined) more['search_after'] = after
    const answer = await client.send('POST', '/_search', bodyOf(plan, more))
    const page = hitsOf(answer)
    if (answer['pit_id'] !== undefined && answer['pit_id'] !== null) pointInTime.id = answer['pit_id']
    if (page.length === 0) return
    yield page
    after = page[page.length - 1]!['sort']
    if (after === undefined) return
  }
}

async function quietly(request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch {
    // The cluster forgets it by itself after a while.
  }
}
