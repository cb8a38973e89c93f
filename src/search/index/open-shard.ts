/** A shard (src/search/shard) as the port of this folder: write conditions checked, figures counted. */
import type { ByteReader } from '../segment/leaf-plan.ts'
import type { ParsedFields, Shard } from '../shard/shard.ts'
import type {
  DeleteOperation,
  IndexOperation,
  ShardFigures,
  ShardPort,
  StoredDocument,
  WriteResult,
} from './shard-port.ts'
import { nextVersion, type WritePlace } from './write-conditions.ts'

export interface OpenShardOptions {
  readonly shard: Shard
  readonly uuid: string
  /** What the mapping makes of a document; throws SearchError for one it cannot read. */
  parse(id: string, source: Uint8Array, routing: string | undefined): ParsedFields
  /** Reads documents of plain kinds without parsing them. */
  reader?(): ByteReader | undefined
}

const primaryTerm = 1

/** Whether a new document may be written whatever is there. */
function isUnconditional({ ifSeqNo, versionType = 'internal' }: IndexOperation): boolean {
  return ifSeqNo === undefined && versionType === 'internal'
}

const noSource = new Uint8Array(0)

export class OpenShard implements ShardPort {
  readonly #shard: Shard
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

  constructor({ shard, uuid, parse, reader }: OpenShardOptions) {
    this.#shard = shard
    this.#parse = parse
    this.#reader = reader
    this.#place = { index: shard.index, uuid, shard: shard.shard }
  }

  index(operation: IndexOperation): WriteResult {
    const { id, routing, source, isFresh = false } = operation
    try {
      const current = isFresh ? undefined : this.#shard.state(id)
      const version =
        isFresh && isUnconditional(operation) ? 1 : nextVersion(id, current, operation, this.#place)
      const seqNo = this.#add(id, routing, version, source, isFresh)
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
    id: string,
    routing: string | undefined,
    version: number,
    source: Uint8Array,
    isFresh: boolean,
  ): number {
    const seqNo = this.#shard.maxSeqNo + 1
    const operation = { kind: 'index', id, routing, seqNo, primaryTerm, version, source } as const
    const reader = this.#reader?.()
    if (reader !== undefined && this.#shard.addBytes(operation, reader, isFresh)) return seqNo
    this.#shard.add(operation, this.#parse(id, source, routing), isFresh)
    return seqNo
  }

  delete(operation: DeleteOperation): WriteResult {
    const { id, routing } = operation
    const current = this.#shard.state(id)
    const version = nextVersion(id, current, operation, this.#place)
    const seqNo = this.#shard.nextSeqNo()
    this.#shard.delete({ kind: 'delete', id, routing, seqNo, primaryTerm, version, source: noSource })
    this.#logOperations++
    this.#removed++
    const isThere = current !== undefined && !current.isDeleted
    return { result: isThere ? 'deleted' : 'not_found', version, seqNo, primaryTerm }
  }

  commit(): Promise<void> {
    return this.#shard.commit()
  }

  get(id: string, realtime: boolean): StoredDocument | undefined {
    if (!realtime) return this.#visible(id)
    const found = this.#shard.get(id)
    if (found === undefined) return undefined
    const { source, routing, version, seqNo } = found
    return { id, source, routing, version, seqNo, primaryTerm: found.primaryTerm }
  }

  #visible(id: string): StoredDocument | undefined {
    const { leaves } = this.#shard.reader()
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

  refresh(): void {
    const started = performance.now()
    this.#shard.refresh()
    this.#refreshMillis += performance.now() - started
    this.#refreshes++
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  refreshed(): Promise<void> {
    if (!this.#shard.hasPending) return Promise.resolve()
    return new Promise((resolve) => void this.#waiting.push(resolve))
  }

  async flush(): Promise<void> {
    const started = performance.now()
    await this.#shard.flush()
    this.#flushMillis += performance.now() - started
    this.#flushes++
    this.#logOperations = 0
    this.refresh()
  }

  get needsMerge(): boolean {
    return this.#shard.needsMerge
  }

  /** As the policy says. */
  merge(): Promise<void> {
    return this.#merge(false)
  }

  forceMerge(segments: number): Promise<void> {
    return this.#merge(segments <= 1)
  }

  async #merge(toOne: boolean): Promise<void> {
    const before = this.#shard.stats.segments
    const started = performance.now()
    if (!(await this.#shard.merge(toOne))) return
    this.#mergeMillis += performance.now() - started
    this.#merges++
    const left = new Set(this.#shard.stats.segments.map(({ name }) => name))
    for (const { name, docs, bytes } of before) {
      if (left.has(name)) continue
      this.#mergedDocs += docs
      this.#mergedBytes += bytes
    }
  }

  reader() {
    return this.#shard.reader()
  }

  figures(): ShardFigures {
    const { segments, logBytes, freshBytes } = this.#shard.stats
    const sum = (read: (segment: (typeof segments)[number]) => number) =>
      segments.reduce((total, segment) => total + read(segment), 0)
    const bytes = sum((segment) => segment.bytes)
    return {
      docs: sum((segment) => segment.docs),
      deleted: sum((segment) => segment.deleted),
      bytes: bytes + logBytes,
      segments: segments.length,
      segmentBytes: bytes,
      maxSeqNo: this.#shard.maxSeqNo,
      freshBytes,
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
