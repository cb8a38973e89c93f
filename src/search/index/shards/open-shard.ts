/**
 * A shard (src/search/shard) of an open index: checks write conditions, counts statistics, and isolates disk
 * failures: an unreadable shard refuses requests and is retried where that may help.
 */
import { isDamage, isUnknownFormat } from '../../../storage/checked-file.ts'
import { SearchError } from '../../request/search-error.ts'
import type { ShardReader } from '../../segment/segment.ts'
import type { ByteReader } from '../../segment/writer/leaf-plan.ts'
import type { Report } from '../../shard/report.ts'
import type { ParsedFields, Shard } from '../../shard/shard.ts'
import { nextVersion, type WritePlace } from '../documents/write-conditions.ts'
import {
  isDiskFull,
  repairHint,
  type ShardFailure,
  type ShardFailureKind,
  shardUnreadable,
  shardUnwritable,
} from './shard-failure.ts'
import type { ShardFigures } from './shard-figures.ts'
import type { DeleteOperation, IndexOperation, StoredDocument, WriteResult } from './shard-operations.ts'

interface OpenShardOptions {
  readonly index: string
  readonly shard: number
  readonly uuid: string
  /** Opens the shard from its files; with `isLogSuspect` its last log file must not be appended to. */
  open(isLogSuspect: boolean): Shard
  /** A new shard, which has no files yet. */
  readonly created?: Shard | undefined
  /** Parses a document; throws SearchError for one that the mapping refuses. */
  parse(id: string, source: Uint8Array, routing: string | undefined): ParsedFields
  /** Returns a reader for documents that need no full parse. */
  reader?(): ByteReader | undefined
  /** Called when the shard fails, and when it recovers. */
  report?: Report | undefined
}

const primaryTerm = 1
/** How long a shard waits before it retries a failed disk. */
const retryMillis = { full: 1_000, 'read-only': 30_000, unreadable: 10_000 } as const

/** True when a document may be written without looking at the current one. */
function isUnconditional({ ifSeqNo, versionType = 'internal' }: IndexOperation): boolean {
  return ifSeqNo === undefined && versionType === 'internal'
}

const noSource = new Uint8Array(0)

/** Classifies why a shard could not be opened. */
function kindOf(error: unknown): ShardFailureKind {
  if (isUnknownFormat(error)) return 'unknown-format'
  return isDamage(error) ? 'damaged' : 'unreadable'
}

export class OpenShard {
  /** Increases with every rollback; operations applied in an earlier term are gone. */
  term = 0
  readonly #options: OpenShardOptions
  /** Undefined while its files cannot be read. */
  #shard: Shard | undefined
  #failure: ShardFailure | undefined
  #failedAt = 0
  #isRecovering = false
  #isClosed = false
  readonly #parse: OpenShardOptions['parse']
  readonly #reader: OpenShardOptions['reader']
  readonly #place: WritePlace
  #waiting: (() => void)[] = []
  #indexed = 0
  #indexFailures = 0
  #removed = 0
  #refreshes = 0
  #flushes = 0
  #merges = 0
  #mergedDocs = 0
  #mergedBytes = 0
  #refreshMillis = 0
  #flushMillis = 0
  #mergeMillis = 0
  #logOperations = 0

  constructor(options: OpenShardOptions) {
    const { index, shard, uuid, parse, reader, created } = options
    this.#options = options
    this.#parse = parse
    this.#reader = reader
    this.#place = { index, uuid, shard }
    this.#shard = created
    if (created === undefined) this.#open(false)
  }

  // ------------------------------------------------------------------------------------------------ failing

  /** Set while the shard takes no writes, or cannot be read. */
  get failure(): ShardFailure | undefined {
    return this.#failure
  }

  #open(isLogSuspect: boolean): void {
    try {
      this.#shard = this.#options.open(isLogSuspect)
      this.#failure = undefined
    } catch (error) {
      this.#shard = undefined
      this.#fail(error as Error, kindOf(error))
    }
  }

  #fail({ message }: Error, kind: ShardFailureKind): void {
    this.term++
    this.#failure = { kind, message }
    this.#failedAt = performance.now()
    const { index, shard } = this.#place
    const advice = kind === 'damaged' ? { advice: repairHint } : {}
    this.#options.report?.('error', `Shard failed: ${kind}`, { index, shard, reason: message, ...advice })
  }

  /** A search or merge has found corrupt bytes: nothing is served from this shard any more. */
  damaged(error: Error): void {
    if (this.#failure?.kind === 'damaged' || this.#isClosed) return
    const shard = this.#shard
    this.#shard = undefined
    this.#fail(error, 'damaged')
    void shard?.abandon()
  }

  #readable(): Shard {
    if (this.#shard === undefined) throw shardUnreadable(this.#place.index, this.#place.shard, this.#failure!)
    return this.#shard
  }

  #writable(): Shard {
    if (this.#failure !== undefined || this.#shard === undefined)
      throw shardUnwritable(this.#place.index, this.#place.shard, this.#failure!)
    return this.#shard
  }

  /**
   * Operations that were not committed are refused, so they must not be found: the shard is reopened from disk, and
   * takes no writes until the disk does.
   */
  refuseUncommitted(error: Error): SearchError {
    const kind = isDiskFull(error) ? 'full' : 'read-only'
    // An index that was closed or deleted meanwhile has not failed.
    if (this.#failure === undefined && !this.#isClosed) {
      this.#fail(error, kind)
      void this.#recover()
    }
    return shardUnwritable(
      this.#place.index,
      this.#place.shard,
      this.#failure ?? { kind, message: error.message },
    )
  }

  #writesDropped(): SearchError {
    const { index, shard } = this.#place
    const message = 'the writes were given up when the disk failed'
    return shardUnwritable(index, shard, { kind: 'read-only', message })
  }

  async #recover(): Promise<void> {
    const failure = this.#failure
    const old = this.#shard
    if (this.#isRecovering || old === undefined) return
    this.#isRecovering = true
    // Open searches keep their readers; nothing new becomes visible.
    await old.abandon()
    this.#isRecovering = false
    if (this.#isClosed || this.#shard !== old) return
    this.#open(failure?.kind === 'read-only')
    if (this.#shard !== undefined) this.#failure = failure
  }

  /** Called periodically: checks whether the disk works again. */
  heal(): void {
    const { kind } = this.#failure ?? {}
    if (kind === undefined || this.#isRecovering || this.#isClosed) return
    // Time does not help these.
    if (kind === 'damaged' || kind === 'unknown-format') return
    if (performance.now() - this.#failedAt < retryMillis[kind]) return
    this.#failedAt = performance.now()
    const { index, shard } = this.#place
    if (this.#shard === undefined) this.#open(false)
    else {
      try {
        this.#shard.probe()
      } catch {
        return
      }
      this.#failure = undefined
    }
    if (this.#failure === undefined)
      this.#options.report?.('info', 'Shard works again', { index, shard, after: kind })
  }

  // ------------------------------------------------------------------------------------------------ writing

  /** Applies a document to the write buffer and the log's buffer; throws SearchError and then has changed nothing. */
  index(operation: IndexOperation): WriteResult {
    const { id, routing, source, hasGeneratedId = false } = operation
    const shard = this.#writable()
    try {
      const current = hasGeneratedId ? undefined : shard.state(id)
      const version =
        hasGeneratedId && isUnconditional(operation) ? 1 : nextVersion(id, current, operation, this.#place)
      const seqNo = this.#add(shard, id, routing, version, source, hasGeneratedId)
      this.#indexed++
      this.#logOperations++
      const result = current === undefined || current.isDeleted ? 'created' : 'updated'
      return { result, version, seqNo, primaryTerm }
    } catch (error) {
      this.#indexFailures++
      throw error
    }
  }

  #add(
    shard: Shard,
    id: string,
    routing: string | undefined,
    version: number,
    source: Uint8Array,
    hasGeneratedId: boolean,
  ): number {
    const seqNo = shard.maxSeqNo + 1
    const operation = { kind: 'index', id, routing, seqNo, primaryTerm, version, source } as const
    const reader = this.#reader?.()
    if (reader !== undefined && shard.addBytes(operation, reader, hasGeneratedId)) return seqNo
    shard.add(operation, this.#parse(id, source, routing), hasGeneratedId)
    return seqNo
  }

  delete(operation: DeleteOperation): WriteResult {
    const { id, routing } = operation
    const shard = this.#writable()
    const current = shard.state(id)
    const version = nextVersion(id, current, operation, this.#place)
    const seqNo = shard.nextSeqNo()
    shard.delete({ kind: 'delete', id, routing, seqNo, primaryTerm, version, source: noSource })
    this.#logOperations++
    this.#removed++
    const isThere = current !== undefined && !current.isDeleted
    return { result: isThere ? 'deleted' : 'not_found', version, seqNo, primaryTerm }
  }

  /** Resolves when everything applied in this term is durable according to `index.translog.durability`. */
  async commit(term: number): Promise<void> {
    try {
      const shard = this.#writable()
      if (term !== this.term) throw this.#writesDropped()
      await shard.commit()
      // These writes are durable, but there will be no room for more.
      if (shard.flushFailure !== undefined) this.refuseUncommitted(shard.flushFailure)
    } catch (error) {
      throw error instanceof SearchError ? error : this.refuseUncommitted(error as Error)
    }
  }

  /** Real-time get; with `realtime` false only what searches see. */
  get(id: string, realtime: boolean): StoredDocument | undefined {
    if (!realtime) return this.#visible(id)
    const found = this.#readable().get(id)
    if (found === undefined) return undefined
    const { source, routing, version, seqNo } = found
    return { id, source, routing, version, seqNo, primaryTerm: found.primaryTerm }
  }

  #visible(id: string): StoredDocument | undefined {
    const { leaves } = this.#readable().reader()
    for (let i = leaves.length - 1; i >= 0; i--) {
      const { segment, live } = leaves[i]!
      const doc = segment.findId(id)
      if (doc < 0 || live?.has(doc) === false) continue
      return {
        id,
        source: segment.source(doc),
        routing: segment.routing(doc),
        version: segment.versions[doc]!,
        seqNo: segment.seqNos[doc]!,
        primaryTerm: segment.primaryTerms[doc]!,
      }
    }
    return undefined
  }

  /** Makes everything applied so far visible to searches. */
  refresh(): void {
    const started = performance.now()
    // Uncommitted operations of before a failure stay invisible.
    if (this.#failure === undefined) this.#shard?.refresh()
    this.#refreshMillis += performance.now() - started
    this.#refreshes++
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  get hasPending(): boolean {
    return this.#failure === undefined && this.#shard?.hasPending === true
  }

  /** Resolves when a refresh has made everything applied so far visible (`refresh=wait_for`). */
  refreshed(): Promise<void> {
    if (!this.hasPending) return Promise.resolve()
    return new Promise((resolve) => void this.#waiting.push(resolve))
  }

  async flush(): Promise<void> {
    const started = performance.now()
    await this.#writable().flush()
    this.#flushMillis += performance.now() - started
    this.#flushes++
    this.#logOperations = 0
    this.refresh()
  }

  get needsMerge(): boolean {
    return this.#failure === undefined && this.#shard?.needsMerge === true
  }

  /** Merges as the policy chooses. */
  async merge(): Promise<void> {
    await this.#merge(false)
  }

  /** Where memory is short it takes several merges, and leaves several segments. */
  async forceMerge(segments: number): Promise<void> {
    const toOne = segments <= 1
    let left = this.#shard?.stats.segments.length ?? 0
    while ((await this.#merge(toOne)) && toOne && --left > 0);
  }

  async #merge(toOne: boolean): Promise<boolean> {
    const shard = this.#writable()
    const before = shard.stats.segments
    const started = performance.now()
    try {
      if (!(await shard.merge(toOne))) return false
    } catch (error) {
      if (isDamage(error) && shard === this.#shard) this.damaged(error)
      throw error
    }
    this.#mergeMillis += performance.now() - started
    this.#merges++
    const left = new Set(shard.stats.segments.map(({ name }) => name))
    for (const { name, docs, bytes } of before) {
      if (left.has(name)) continue
      this.#mergedDocs += docs
      this.#mergedBytes += bytes
    }
    return true
  }

  /** Returns a reader; for an unreadable shard, an empty one with the failure. */
  reader(): ShardReader {
    if (this.#shard !== undefined) return this.#shard.reader()
    const { index, shard } = this.#place
    const failure = shardUnreadable(index, shard, this.#failure!)
    return { index, shard, leaves: [], liveCount: 0, failure, release() {} }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const resolve of this.#waiting) resolve()
    if (this.#failure === undefined) await this.#shard?.close()
    else await this.#shard?.abandon()
  }

  figures(): ShardFigures {
    const { segments, logBytes, unflushedBytes } = this.#shard?.stats ?? noStats
    const sum = (read: (segment: (typeof segments)[number]) => number) =>
      segments.reduce((total, segment) => total + read(segment), 0)
    const bytes = sum((segment) => segment.bytes)
    return {
      docs: sum((segment) => segment.docs),
      deleted: sum((segment) => segment.deleted),
      bytes: bytes + logBytes,
      segments: segments.length,
      segmentBytes: bytes,
      maxSeqNo: this.#shard?.maxSeqNo ?? -1,
      unflushedBytes,
      logOperations: this.#logOperations,
      logBytes,
      indexed: this.#indexed,
      indexFailures: this.#indexFailures,
      removed: this.#removed,
      refreshes: this.#refreshes,
      flushes: this.#flushes,
      merges: this.#merges,
      mergedDocs: this.#mergedDocs,
      mergedBytes: this.#mergedBytes,
      refreshMillis: this.#refreshMillis,
      flushMillis: this.#flushMillis,
      mergeMillis: this.#mergeMillis,
    }
  }
}

const noStats = { segments: [], logBytes: 0, unflushedBytes: 0 }
