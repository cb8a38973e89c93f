/**
 * The engine of `_reindex`, `_update_by_query` and `_delete_by_query`: reads a snapshot in batches, writes each
 * batch as a bulk, and throttles between batches. A few slices run concurrently, the others after them.
 */

import type { JsonObject } from '../../request/json-object.ts'
import type { SearchError } from '../../request/search-error.ts'
import type { Cluster } from '../cluster.ts'
import type { ScanHit } from '../search-calls.ts'
import { type WriteAction, type WriteAnswer, type WriteOptions, write } from './document-writes.ts'

/** Documents in batches: of a local snapshot, or from a remote cluster. */
export interface DocumentBatches {
  readonly total: number
  /** Returns an empty list at the end. */
  next(): readonly ScanHit[] | Promise<readonly ScanHit[]>
  close(): void | Promise<void>
}

export interface ByQueryRequest {
  readonly kind: 'reindex' | 'update' | 'delete'
  readonly size: number
  readonly maxDocs: number | undefined
  readonly proceeds: boolean
  /** For all slices together; -1 for no limit. */
  readonly requestsPerSecond: number
  readonly slices: number
  /** Opens a snapshot for a slice when its turn comes. */
  scan(
    slice: { readonly id: number; readonly max: number } | undefined,
  ): DocumentBatches | Promise<DocumentBatches>
  /** Returns undefined for a document that stays as it is. */
  actionFor(hit: ScanHit): WriteAction | undefined
  readonly write: WriteOptions
}

interface Failure {
  readonly index: string
  readonly id: string | undefined
  readonly error: SearchError
}

class SliceProgress {
  total = 0
  updated = 0
  created = 0
  deleted = 0
  batches = 0
  conflicts = 0
  noops = 0
  throttledMillis = 0
  throttledUntil = 0
  readonly failures: Failure[] = []
  readonly id: number | undefined

  constructor(id: number | undefined) {
    this.id = id
  }
}

/** All slices share one thread; each that runs holds a view of the indices and a page of documents. */
const maxParallelSlices = 4

const countMembers = [
  'total',
  'updated',
  'created',
  'deleted',
  'batches',
  'conflicts',
  'noops',
  'throttledMillis',
] as const

export class ByQueryWork {
  readonly #cluster: Cluster
  readonly #request: ByQueryRequest
  readonly #slices: SliceProgress[]
  #rate: number
  #wake: (() => void)[] = []
  #taken = 0
  #isOver = false

  constructor(cluster: Cluster, request: ByQueryRequest) {
    this.#cluster = cluster
    this.#request = request
    this.#rate = request.requestsPerSecond
    this.#slices =
      request.slices > 1
        ? Array.from({ length: request.slices }, (_, id) => new SliceProgress(id))
        : [new SliceProgress(undefined)]
  }

  get failures(): readonly Failure[] {
    return this.#slices.flatMap(({ failures }) => failures)
  }

  rethrottle(requestsPerSecond: number): void {
    this.#rate = requestsPerSecond
    const wake = this.#wake
    this.#wake = []
    for (const one of wake) one()
  }

  async run(signal: AbortSignal): Promise<void> {
    const waiting = this.#slices.values()
    const runNext = async () => {
      for (const slice of waiting) {
        if (signal.aborted || this.#isOver) return
        await this.#runSlice(slice, signal)
      }
    }
    await Promise.all(Array.from({ length: this.#parallel }, runNext))
  }

  get #parallel(): number {
    return Math.min(this.#slices.length, maxParallelSlices)
  }

  async #runSlice(slice: SliceProgress, signal: AbortSignal): Promise<void> {
    const { scan: open, slices, maxDocs = Number.POSITIVE_INFINITY } = this.#request
    const scan = await open(slice.id === undefined ? undefined : { id: slice.id, max: slices })
    slice.total = Math.min(scan.total, maxDocs)
    try {
      let previous = 0
      for (let hits = await scan.next(); hits.length > 0; hits = await scan.next()) {
        if (previous > 0) await this.#throttle(slice, previous, signal)
        if (signal.aborted || this.#isOver) return
        const wanted = hits.slice(0, Math.max(0, maxDocs - this.#taken))
        if (wanted.length === 0) return
        this.#taken += wanted.length
        await this.#writeBatch(slice, wanted)
        previous = wanted.length
        // Yields to other work between two batches.
        await new Promise((resolve) => setImmediate(resolve))
      }
    } finally {
      await scan.close()
    }
  }

  async #writeBatch(slice: SliceProgress, hits: readonly ScanHit[]): Promise<void> {
    slice.batches++
    const actions: WriteAction[] = []
    for (const hit of hits) {
      const action = this.#request.actionFor(hit)
      if (action === undefined) slice.noops++
      else actions.push(action)
    }
    for (const answer of await write(this.#cluster, actions, this.#request.write)) this.#count(slice, answer)
    if (slice.failures.length > 0) this.#isOver = true
  }

  #count(slice: SliceProgress, answer: WriteAnswer): void {
    if ('error' in answer) {
      const { index, id, error } = answer
      if (error.status === 409) {
        slice.conflicts++
        if (this.#request.proceeds) return
      }
      slice.failures.push({ index, id, error })
    } else if (answer.result === 'created') slice.created++
    else if (answer.result === 'updated') slice.updated++
    else if (answer.result === 'deleted') slice.deleted++
    else slice.noops++
  }

  async #throttle(slice: SliceProgress, written: number, signal: AbortSignal): Promise<void> {
    const started = performance.now()
    // After rethrottling, the rest of the wait is computed again.
    for (;;) {
      if (this.#rate <= 0 || signal.aborted) break
      const perSlice = this.#rate / this.#parallel
      const left = (written / perSlice) * 1000 - (performance.now() - started)
      if (left <= 0) break
      slice.throttledUntil = this.#cluster.now() + left
      await this.#sleep(left, signal)
    }
    slice.throttledUntil = 0
    if (this.#request.requestsPerSecond > 0 && this.#rate > 0)
      slice.throttledMillis += Math.round(performance.now() - started)
  }

  #sleep(millis: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, Math.min(millis, 60_000))
      signal.addEventListener('abort', finish)
      this.#wake.push(finish)
    })
  }

  status(): JsonObject {
    const sum = new SliceProgress(undefined)
    for (const slice of this.#slices) for (const name of countMembers) sum[name] += slice[name]
    const until = Math.max(...this.#slices.map(({ throttledUntil }) => throttledUntil))
    sum.throttledUntil = until
    return {
      ...(this.#slices.length > 1 && { slice_id: undefined }),
      ...this.#shown(sum),
      ...(this.#slices.length > 1 && {
        slices: this.#slices.map((slice) => ({ slice_id: slice.id, ...this.#shown(slice) })),
      }),
    }
  }

  #shown(progress: SliceProgress): JsonObject {
    const { kind } = this.#request
    const left =
      progress.throttledUntil === 0
        ? 0
        : Math.max(0, Math.round(progress.throttledUntil - this.#cluster.now()))
    return {
      total: progress.total,
      ...(kind !== 'delete' && { updated: progress.updated }),
      ...(kind === 'reindex' && { created: progress.created }),
      deleted: progress.deleted,
      batches: progress.batches,
      version_conflicts: progress.conflicts,
      noops: progress.noops,
      retries: { bulk: 0, search: 0 },
      throttled_millis: progress.throttledMillis,
      requests_per_second:
        this.#rate <= 0 ? -1 : this.#rate / (progress.id === undefined ? 1 : this.#slices.length),
      throttled_until_millis: left,
    }
  }
}
