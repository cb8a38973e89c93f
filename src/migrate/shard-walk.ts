/**
 * Walks the documents of a shard by sequence number. Each write of a document gives it the next number of its shard, so
 * what is above a number is what was written since: one walk copies, goes on after a crash and catches up. A deleted
 * document is in no walk.
 */
import { AnswerTooLarge } from '../cluster/cluster-error.ts'
import { rawHits, type StoredDocument } from './raw-hits.ts'
import { part, Refusal, type SearchStore } from './search-store.ts'

/** Sequence numbers of one shard: those above `after`, up to and with `through`. */
export interface ShardRange {
  readonly shard: number
  readonly after: number
  readonly through: number
}

interface Batch {
  readonly documents: readonly StoredDocument[]
  /** Everything up to here has been seen. */
  readonly through: number
}

interface ShardStats {
  readonly routing: { readonly primary: boolean }
  readonly seq_no?: { readonly max_seq_no: number; readonly global_checkpoint: number }
}

/** The index allows no pages of this size (`index.max_result_window`). */
class PageTooLarge extends Error {}

/** Documents of one request; less where they are large. */
const maxBatch = 2000
const minPage = 20
/** Bytes of one answer, sources and all. */
const maxBatchBytes = 48 * 1024 * 1024
/** A single document: the limit of a request body, with room for escapes. */
const maxDocumentBytes = 256 * 1024 * 1024

/**
 * Up to which number every shard has everything. What was written up to there is visible after the refresh that follows,
 * on each copy of the shard.
 */
export async function visibleCheckpoints(store: SearchStore, index: string): Promise<number[]> {
  const shards = await shardStats(store, index)
  await store.refresh(index)
  return shards.map(({ global_checkpoint }) => global_checkpoint)
}

/** Whether nothing is under way: all numbers that were given are on all copies. */
export async function isSettled(store: SearchStore, index: string): Promise<boolean> {
  return (await shardStats(store, index)).every((one) => one.max_seq_no === one.global_checkpoint)
}

async function shardStats(store: SearchStore, index: string) {
  const path = `/${part(index)}/_stats/docs?level=shards`
  const { indices } = await store.json<{
    indices: Record<string, { shards: Record<string, ShardStats[]> }>
  }>('GET', path)
  const copies = Object.entries(indices[index]?.shards ?? {})
  copies.sort(([one], [other]) => Number(one) - Number(other))
  return copies.map(([shard, [...all]]) => {
    const numbers = all.find(({ routing }) => routing.primary)?.seq_no
    if (numbers === undefined) throw new Error(`${store.url}: shard ${shard} of ${index} has no primary`)
    return numbers
  })
}

/** The batches of a range in order; `hasSource` false leaves sources out. */
export async function* batchesOf(
  store: SearchStore,
  index: string,
  { shard, after: first, through }: ShardRange,
  hasSource = true,
): AsyncGenerator<Batch> {
  let after = first
  let largest = maxBatch
  let size = largest
  let window = size
  while (after < through) {
    const top = Math.min(through, after + window)
    const body = {
      size,
      sort: [{ _seq_no: 'asc' }],
      query: { range: { _seq_no: { gt: after, lte: top } } },
      version: true,
      seq_no_primary_term: true,
      track_total_hits: false,
      _source: hasSource,
    }
    const path = `/${part(index)}/_search?preference=_shards:${shard}&allow_partial_search_results=false`
    let documents: StoredDocument[]
    try {
      documents = await found(store, path, body, size === 1 ? maxDocumentBytes : maxBatchBytes)
    } catch (error) {
      if (size === 1 || !isTooMuch(error)) throw error
      size = Math.max(1, size >> 3)
      window = Math.min(window, size)
      if (error instanceof PageTooLarge) largest = size
      continue
    }
    // A full batch may end before its window does.
    after = documents.length < size ? top : documents.at(-1)!.seqNo
    yield { documents, through: after }
    size = Math.min(size * 2, largest)
    // Where documents were written often, few of the numbers are left: the window grows over the gaps.
    window = documents.length * 2 < size ? Math.min(window * 2, maxBatch * 1024) : Math.max(size, window >> 1)
  }
}

/** The documents with these ids, in whichever shards they are. */
export async function documentsById(
  store: SearchStore,
  index: string,
  ids: readonly string[],
): Promise<StoredDocument[]> {
  if (ids.length === 0) return []
  // An id may be there once for each routing.
  const size = Math.max(minPage, ids.length * 2)
  const body = {
    size,
    query: { ids: { values: ids } },
    version: true,
    seq_no_primary_term: true,
    track_total_hits: false,
  }
  const path = `/${part(index)}/_search?allow_partial_search_results=false`
  try {
    const documents = await found(store, path, body, ids.length === 1 ? maxDocumentBytes : maxBatchBytes)
    if (documents.length < size || ids.length === 1) return documents
  } catch (error) {
    if (ids.length === 1 || !isTooMuch(error)) throw error
  }
  const half = ids.length >> 1
  const [low, high] = [ids.slice(0, half), ids.slice(half)]
  return [...(await documentsById(store, index, low)), ...(await documentsById(store, index, high))]
}

function isTooMuch(error: unknown): boolean {
  return error instanceof AnswerTooLarge || error instanceof PageTooLarge
}

async function found(store: SearchStore, path: string, body: unknown, maxBytes: number) {
  const { status, text } = await store.text('POST', path, JSON.stringify(body), maxBytes)
  if (status === 400 && text.includes('Result window is too large')) throw new PageTooLarge()
  if (status !== 200) throw new Refusal(`${store.url} POST ${path}`, status, text.slice(0, 500))
  return rawHits(text)
}
