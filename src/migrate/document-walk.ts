/**
 * Walks the documents of an index with several requests at once. Each shard's sequence numbers are cut into pieces;
 * everything below the first piece that is not done is done, and that is the mark a second run begins at.
 */

import type { StoredDocument } from './raw-hits.ts'
import type { SearchStore } from './search-store.ts'
import { batchesOf, type ShardRange } from './shard-walk.ts'

interface WalkOptions {
  readonly workers: number
  /** Whether documents come with their sources; they do unless this says otherwise. */
  readonly hasSource?: boolean
  visit(documents: readonly StoredDocument[]): Promise<void> | void
  /** Called when everything of a shard up to a number has been visited. */
  reached?(shard: number, through: number): void
}

const pieceSpan = 20_000

/** `after` and `through` have a number for each shard. */
export async function walkDocuments(
  store: SearchStore,
  index: string,
  after: readonly number[],
  through: readonly number[],
  { workers, hasSource, visit, reached }: WalkOptions,
): Promise<void> {
  const marks = through.map((_, shard) => new LowMark(after[shard] ?? -1))
  const pieces = piecesOf(after, through)
  let failure: { readonly error: unknown } | undefined
  const work = async () => {
    for (const piece of pieces) {
      const mark = marks[piece.shard]!
      mark.begin(piece.after)
      for await (const { documents, through: seen } of batchesOf(store, index, piece, hasSource)) {
        if (failure !== undefined) return
        await visit(documents)
        if (mark.advance(piece.after, seen, piece.through)) reached?.(piece.shard, mark.value)
      }
    }
  }
  const guarded = () =>
    work().catch((error: unknown) => {
      failure ??= { error }
    })
  await Promise.all(Array.from({ length: Math.max(1, workers) }, guarded))
  if (failure !== undefined) throw failure.error
}

/** One generator for all workers: each takes the next piece. */
function* piecesOf(after: readonly number[], through: readonly number[]): Generator<ShardRange> {
  for (const [shard, end] of through.entries())
    for (let start = after[shard] ?? -1; start < end; start += pieceSpan)
      yield { shard, after: start, through: Math.min(end, start + pieceSpan) }
}

/** Pieces of one shard begin in order and end in any. */
class LowMark {
  /** Where each open piece is, by its beginning, in order. */
  readonly #open = new Map<number, number>()
  #top: number
  value: number

  constructor(start: number) {
    this.value = start
    this.#top = start
  }

  begin(after: number): void {
    this.#open.set(after, after)
  }

  /** Whether the mark has moved. */
  advance(piece: number, seen: number, end: number): boolean {
    this.#top = Math.max(this.#top, seen)
    if (seen >= end) this.#open.delete(piece)
    else this.#open.set(piece, seen)
    const [first] = this.#open.values()
    const value = first ?? this.#top
    const hasMoved = value > this.value
    this.value = Math.max(this.value, value)
    return hasMoved
  }
}
