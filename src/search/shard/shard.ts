/**
 * One shard: documents go to the write-ahead log and to the write buffer; a refresh makes them visible, a flush
 * writes them to a segment file and trims the log, a merge keeps segments few. Everything runs in one thread and
 * only waiting for the disk yields. Whatever `commit` has resolved for survives a power cut. (Elasticsearch:
 * InternalEngine.)
 */
import { removeQuietly } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'
import type { FieldInputs, NestedDocument } from '../segment/document.ts'
import { BitSet } from '../segment/encoding/bit-set.ts'
import { type MergeInput, mergedDocCount, mergedNumbers } from '../segment/merge/merge.ts'
import type { LeafReader, ShardReader } from '../segment/segment.ts'
import { BufferedSegment } from '../segment/writer/buffered-segment.ts'
import type { ByteReader } from '../segment/writer/leaf-plan.ts'
import type { DocumentHead, SegmentBuilder } from '../segment/writer/segment-builder.ts'
import { expandSource } from '../segment/writer/source-shape.ts'
import { recoverLogs, type TornTail } from './log-recovery.ts'
import { ReplayedDocuments } from './log-replay.ts'
import { chooseForceMerge, chooseMerge, chooseUnflushedMerge } from './merge-policy.ts'
import type { LoggedOperation, Operation } from './operation.ts'
import { type JobRunner, runHere } from './segment-job.ts'
import { SeqNoIndex } from './seq-no-index.ts'
import { ShardFiles } from './shard-files.ts'
import {
  buildersOf,
  type FlushedSegment,
  isFlushed,
  isUnflushed,
  joinedLiveDocs,
  liveRoots,
  removeDocument,
  type ShardSegment,
  shardSegment,
} from './shard-segment.ts'
import type { ShardStats } from './shard-stats.ts'
import { UnflushedDocuments } from './unflushed-documents.ts'
import { type DocLocation, type DocumentState, type StoredDocument, VersionMap } from './version-map.ts'
import { WriteAheadLog } from './write-ahead-log.ts'
import { type WriteBuffer, writeBuffers } from './write-buffers.ts'

/** The fields that the mapping made of a document. */
export interface ParsedFields {
  readonly fields: FieldInputs
  readonly nested: readonly NestedDocument[]
  /** The source to store, where the mapping excludes parts of it; the log has the whole source. */
  readonly kept?: Uint8Array
}

export interface ShardOptions {
  readonly files: Files
  readonly directory: string
  readonly index: string
  readonly shard: number
  /** Parses documents that are replayed from the log. */
  parse(id: string, source: Uint8Array, routing: string | undefined): ParsedFields
  /** Returns a reader for documents that need no full parse, if the current mapping has one. */
  reader?(): ByteReader | undefined
  /** False when commits do not wait for fsync (`index.translog.durability: async`). */
  readonly syncs?: boolean
  /** For how long deleted ids keep their version (`index.gc_deletes`); a minute by default. */
  readonly tombstoneMillis?: () => number
  /** Numbers deletions among the documents, as Lucene does: seen in `_doc` and in counts of deleted documents. */
  readonly keepsDeletions?: boolean | undefined
  /** Runs flushes and merges; the calling thread by default. */
  readonly jobs?: JobRunner | undefined
  /** An fsync of the last log file failed: that file must not be appended to. */
  readonly isLogSuspect?: boolean
  /** Called for each torn tail, with the place where its bytes are kept. */
  report?(tail: TornTail): void
}

/** The log may keep this many bytes when a shard is closed, instead of a flush. */
const maxLogAtClose = 1024 * 1024

/** The free space that a full disk must have again: as much as one commit may take. */
const probeBytes = 1024 * 1024

export class Shard {
  readonly index: string
  readonly shard: number
  readonly #options: ShardOptions
  readonly #files: ShardFiles
  readonly #run: JobRunner
  #parts: ShardSegment[] = []
  #log!: WriteAheadLog
  readonly #unflushed: UnflushedDocuments
  readonly #versions: VersionMap
  #maxSeqNo = -1
  #logGeneration = 0
  #reader: ShardReader | undefined
  #isClosed = false
  #isAbandoned = false
  /** The last sequence number in the manifest that was opened: higher ones are in no segment. */
  #writtenSeqNo = -1
  /** At most one merge and one flush run at a time. */
  #merging: Promise<boolean> = Promise.resolve(false)
  #flushing: Promise<void> = Promise.resolve()
  readonly #buffer: WriteBuffer
  #flushFailure: Error | undefined

  private constructor(options: ShardOptions) {
    this.#options = options
    this.index = options.index
    this.shard = options.shard
    this.#files = new ShardFiles(options.files, options.directory)
    this.#run = options.jobs ?? runHere(options.files)
    this.#unflushed = new UnflushedDocuments(
      () => this.#files.newName(),
      (part) => this.#parts.push(part),
    )
    this.#versions = new VersionMap(() => this.#parts, this.#unflushed, options.tombstoneMillis)
    this.#buffer = this.#writeBuffer()
  }

  #writeBuffer(): WriteBuffer {
    const shard = this
    return {
      get activeBytes() {
        const { builder } = shard.#unflushed
        return builder.docCount === 0 ? 0 : builder.memoryBytes
      },
      get heldBytes() {
        let bytes = 0
        for (const { memoryBytes } of shard.#builders()) bytes += memoryBytes
        return bytes
      },
      flush: () =>
        shard.flush().catch((error: Error) => {
          shard.#flushFailure = error
          throw error
        }),
    }
  }

  /** Builders whose documents are in no segment file. */
  #builders(): Set<SegmentBuilder> {
    return new Set([...buildersOf(this.#parts), this.#unflushed.builder])
  }

  /** Creates an empty shard. */
  static create(options: ShardOptions): Shard {
    const { files, directory } = options
    const shard = new Shard(options)
    shard.#files.create()
    shard.#log = new WriteAheadLog(files, directory, 0)
    shard.#files.writeManifest([], { logGeneration: 0, maxSeqNo: -1 })
    writeBuffers.add(shard.#buffer)
    return shard
  }

  /**
   * Opens an existing shard and replays the log. Throws DamagedFile or UnknownFormat when acknowledged operations
   * cannot be read, and then has changed nothing.
   */
  static open(options: ShardOptions): Shard {
    const { files, directory, syncs = true } = options
    const shard = new Shard(options)
    const { parts, manifest } = shard.#files.load()
    shard.#parts = parts
    shard.#maxSeqNo = manifest.maxSeqNo
    shard.#writtenSeqNo = shard.#maxSeqNo
    shard.#logGeneration = manifest.logGeneration
    const documents = new ReplayedDocuments(shard.#unflushed)
    const seqNos = new SeqNoIndex(parts)
    const apply = (operation: LoggedOperation) => shard.#redo(operation, documents, seqNos)
    const { generation, frames, torn } = recoverLogs(files, directory, manifest.logGeneration, {
      apply,
      syncs,
    })
    for (const tail of torn) options.report?.(tail)
    shard.#log = options.isLogSuspect
      ? new WriteAheadLog(files, directory, generation + 1)
      : new WriteAheadLog(files, directory, generation, frames)
    shard.refresh()
    writeBuffers.add(shard.#buffer)
    return shard
  }

  #redo(operation: LoggedOperation, documents: ReplayedDocuments, seqNos: SeqNoIndex): void {
    const { id, kind, routing, seqNo } = operation
    this.#maxSeqNo = Math.max(this.#maxSeqNo, seqNo)
    // A crash between flush and trim leaves operations in the log that are already in segments.
    if (seqNo <= this.#writtenSeqNo) {
      if (seqNos.find(seqNo) !== undefined) return
      const current = this.state(id)
      if (current !== undefined && current.seqNo >= seqNo) return
    }
    const reader = kind === 'index' ? this.#options.reader?.() : undefined
    const isRead = reader !== undefined && documents.read(operation.source, reader)
    // This must come last: reading a document may start another builder.
    const before = this.#locationBefore(operation, seqNos)
    if (kind === 'delete') this.#applyDelete(operation, before)
    else if (isRead) this.#applyRead(operation, reader, before)
    else {
      const source = expandSource(operation.source)
      this.#applyIndex({ ...operation, source }, this.#options.parse(id, source, routing), before)
    }
  }

  /** Searches the segments for the id only where the log does not say what it replaced. */
  #locationBefore({ id, replaced }: LoggedOperation, seqNos: SeqNoIndex): DocLocation | undefined {
    if (replaced === null) return undefined
    if (replaced === undefined || replaced > this.#writtenSeqNo) return this.#versions.find(id)
    const found = seqNos.find(replaced)
    return found !== undefined && this.#versions.isLive(found.part, found.doc)
      ? found
      : this.#versions.find(id)
  }

  // ---------------------------------------------------------------------------------------------- writing

  get maxSeqNo(): number {
    return this.#maxSeqNo
  }

  nextSeqNo(): number {
    this.#maxSeqNo += 1
    return this.#maxSeqNo
  }

  /** Indexes a document in place of the current one with its id; `hasGeneratedId` means that no document can have the id. */
  add(operation: Operation, parsed: ParsedFields, hasGeneratedId = false): void {
    this.#maxSeqNo = Math.max(this.#maxSeqNo, operation.seqNo)
    const before = hasGeneratedId ? undefined : this.#versions.find(operation.id)
    this.#log.add(operation, this.#versions.seqNoAt(before))
    this.#applyIndex(operation, parsed, before)
  }

  delete(operation: Operation): void {
    const before = this.#versions.find(operation.id)
    this.#log.add(operation, this.#versions.seqNoAt(before))
    this.#applyDelete(operation, before)
  }

  /** Resolves when all operations so far are durable. */
  commit(): Promise<void> {
    const committed = this.#log.commit(this.#options.syncs ?? true)
    // Back-pressure: writers that are faster than flushes wait here.
    const room = writeBuffers.afterWrite(this.#buffer)
    return room === undefined ? committed : committed.then(() => room)
  }

  /** The error of the last flush, which was to make room in the write buffer. */
  get flushFailure(): Error | undefined {
    return this.#flushFailure
  }

  /**
   * Like `add`, straight from the bytes and with the next sequence number. False when the document has to be parsed;
   * then nothing was changed.
   */
  addBytes(operation: Operation, reader: ByteReader, hasGeneratedId: boolean): boolean {
    if (!this.#unflushed.read(operation.source, reader)) return false
    let before: DocLocation | undefined
    try {
      if (!hasGeneratedId) before = this.#versions.find(operation.id)
      this.#log.add(operation, this.#versions.seqNoAt(before), this.#unflushed.builder.readValues)
    } catch (error) {
      this.#unflushed.builder.dropRead(reader)
      throw error
    }
    this.#maxSeqNo = operation.seqNo
    this.#applyRead(operation, reader, before)
    return true
  }

  #applyRead(operation: DocumentHead, reader: ByteReader, before: DocLocation | undefined): void {
    this.#versions.markDeleted(operation.id, before)
    this.#unflushed.builder.addRead(operation, reader)
  }

  #applyIndex(
    operation: Operation,
    { fields, nested, kept }: ParsedFields,
    before: DocLocation | undefined,
  ): void {
    const { id, routing, seqNo, version, primaryTerm } = operation
    this.#versions.markDeleted(id, before)
    const source = kept ?? operation.source
    this.#unflushed.builder.add({ id, routing, source, seqNo, version, primaryTerm, fields, nested })
  }

  #applyDelete(head: DocumentHead, before: DocLocation | undefined): void {
    this.#versions.markDeleted(head.id, before)
    this.#versions.addTombstone(head)
    if (this.#options.keepsDeletions === true) this.#unflushed.addDeletion(head)
  }

  // ---------------------------------------------------------------------------------------------- reading

  /** Returns version and sequence number as of now, tombstones included; undefined when the id is unknown. */
  state(id: string): (DocumentState & { readonly isDeleted: boolean }) | undefined {
    return this.#versions.state(id)
  }

  /** Returns the current document, visible to searches or not (real-time get). */
  get(id: string): StoredDocument | undefined {
    return this.#versions.get(id)
  }

  get hasPending(): boolean {
    return this.#unflushed.pending > 0 || this.#versions.pendingDeletes.size > 0
  }

  /** Makes all operations visible; true when that changed anything. */
  refresh(): boolean {
    const changed = this.hasPending
    this.#unflushed.seal()
    for (const [part, docs] of this.#versions.pendingDeletes) {
      // Open readers keep their live docs, so these are copied.
      const live = part.live?.clone() ?? BitSet.full(part.segment.docCount)
      for (const doc of docs) removeDocument(live, part.segment, doc)
      part.live = live
      part.hasNewDeletions = true
    }
    this.#versions.pendingDeletes.clear()
    this.#versions.pruneTombstones()
    if (changed) {
      this.#reader = undefined
      this.#join()
    }
    return changed
  }

  /** Joins many short buffered segments to few long ones, so that a search visits fewer segments. */
  #join(): void {
    for (
      let chosen = chooseUnflushedMerge(this.#parts);
      chosen.length > 0;
      chosen = chooseUnflushedMerge(this.#parts)
    ) {
      const { builder, range } = chosen[0]!.segment
      const { to } = chosen.at(-1)!.segment.range
      const segment = new BufferedSegment(this.#files.newName(), builder, { from: range.from, to })
      this.#replace(chosen, shardSegment(segment, joinedLiveDocs(chosen)))
    }
  }

  /** Returns the shard as of the last refresh. */
  reader(): ShardReader {
    this.#reader ??= this.#newReader()
    return this.#reader
  }

  #newReader(): ShardReader {
    const leaves: LeafReader[] = []
    let base = 0
    let liveCount = 0
    for (const { segment, live } of this.#parts) {
      leaves.push({ segment, live, base })
      base += segment.docCount
      liveCount += liveRoots(segment, live)
    }
    return { index: this.index, shard: this.shard, leaves, liveCount, release() {} }
  }

  // ------------------------------------------------------------------------------------- disk and merging

  /** Writes buffered documents to segment files and trims the log. */
  flush(): Promise<void> {
    return this.#flush(() => [])
  }

  #flush(change: (kept: Map<ShardSegment, BitSet | null>) => string[]): Promise<void> {
    const flushed = this.#flushing.then(() => this.#flushNow(change))
    this.#flushing = flushed.catch(() => undefined)
    return flushed
  }

  /**
   * `change` replaces segments and returns obsolete files, which are deleted after the manifest is written. Deletes
   * that arrive while segments are being written stay out of the files: the operations that caused them may not be
   * durable yet.
   */
  async #flushNow(change: (kept: Map<ShardSegment, BitSet | null>) => string[]): Promise<void> {
    this.#checkOwned()
    await this.#log.roll()
    this.#checkOwned()
    // This must come after the roll: operations that arrived during it may be in an old log file, which is about to
    // be deleted.
    this.refresh()
    this.#unflushed.change()
    const { generation } = this.#log
    const maxSeqNo = this.#maxSeqNo
    const kept = new Map(this.#parts.map((part) => [part, part.live]))
    const written = await this.#writeLive()
    this.#checkOwned()
    const replaced = change(kept)
    for (const [builder, name] of written) this.#installFlushed(builder, name, kept)
    const outdated = this.#parts.flatMap((part) => this.#files.writeDeletions(part, kept.get(part) ?? null))
    this.#logGeneration = generation
    this.#files.writeManifest(this.#parts, { logGeneration: generation, maxSeqNo })
    this.#log.removeBelow(generation)
    this.#files.remove([...outdated, ...replaced])
    this.#reader = undefined
  }

  /** Flushes each builder that is no longer filled to a file of its own. */
  async #writeLive(): Promise<Map<SegmentBuilder, string>> {
    const { directory } = this.#options
    const written = new Map<SegmentBuilder, string>()
    for (const builder of buildersOf(this.#parts)) {
      if (builder === this.#unflushed.builder) continue
      const name = this.#files.newName()
      const output = `${name}.seg.tmp`
      const [rows, sources] = [builder.rows(), builder.sourceTexts()]
      try {
        await this.#run({ kind: 'write', directory, output, rows, sources })
      } catch (error) {
        this.#files.removeUnfinished([...written.values(), name])
        throw error
      }
      written.set(builder, name)
    }
    return written
  }

  /** Replaces buffered segments by the segment file written from them. */
  #installFlushed(builder: SegmentBuilder, name: string, kept: Map<ShardSegment, BitSet | null>): void {
    const parts = this.#parts.filter(isUnflushed).filter(({ segment }) => segment.builder === builder)
    const part = shardSegment(this.#files.openWritten(name), joinedLiveDocs(parts))
    const liveAtFlush = joinedLiveDocs(
      parts.map((one) => ({ segment: one.segment, live: kept.get(one) ?? null })),
    )
    const isSame = parts.every((one) => one.live === (kept.get(one) ?? null))
    kept.set(part, isSame ? part.live : liveAtFlush)
    const gone = new Set<number>()
    for (const one of parts) {
      for (const doc of this.#versions.pendingDeletes.get(one) ?? []) gone.add(one.segment.range.from + doc)
      this.#versions.pendingDeletes.delete(one)
    }
    if (gone.size > 0) this.#versions.pendingDeletes.set(part, gone)
    this.#replace(parts, part)
  }

  /** Whether the merge policy finds segments to merge. */
  get needsMerge(): boolean {
    return this.#mergeChoice(false).length > 0
  }

  #mergeChoice(toOne: boolean): FlushedSegment[] {
    const stored = this.#parts.filter(isFlushed)
    return toOne ? chooseForceMerge(stored) : chooseMerge(stored)
  }

  /**
   * Merges the segments that the policy chooses, or all of them into one; true when something was merged. The job
   * runs while the shard goes on; documents deleted meanwhile are deleted in the result too.
   */
  merge(toOne = false): Promise<boolean> {
    const merged = this.#merging.then(async () => {
      if (this.#isClosed) return false
      this.refresh()
      if (toOne && this.#parts.some(isUnflushed)) await this.flush()
      return await this.#mergeStored(toOne)
    })
    this.#merging = merged.catch(() => false)
    return merged
  }

  async #mergeStored(toOne: boolean): Promise<boolean> {
    const { directory } = this.#options
    const chosen = this.#mergeChoice(toOne)
    if (chosen.length === 0) return false
    const before = chosen.map(({ segment, live }) => ({ segment, live }))
    const name = this.#files.newName()
    const output = `${name}.seg.tmp`
    const docCount = mergedDocCount(before)
    if (docCount > 0) {
      const inputs = before.map(({ segment, live }) => ({ name: segment.name, live: live?.words ?? null }))
      try {
        await this.#run({ kind: 'merge', directory, inputs, output })
      } catch (error) {
        this.#files.removeUnfinished([name])
        throw error
      }
    }
    // The buffer is flushed with it: a document that the merge has in an old version, or not at all because it was
    // replaced, must not depend on unacknowledged operations in the log.
    await this.#flush((kept) => {
      if (docCount === 0) this.#replace(chosen, undefined)
      else this.#installMerged(name, chosen, before, kept)
      return chosen.flatMap(({ segment, liveFile }) => [`${segment.name}.seg`, liveFile?.name ?? []].flat())
    })
    return true
  }

  /** Applies deletes that happened during the merge to its result. */
  #installMerged(
    name: string,
    chosen: readonly FlushedSegment[],
    before: readonly MergeInput[],
    kept: Map<ShardSegment, BitSet | null>,
  ): void {
    const segment = this.#files.openWritten(name)
    const numbers = mergedNumbers(before)
    const liveNow = (of: (part: ShardSegment) => BitSet | null) => {
      let live: BitSet | null = null
      chosen.forEach((part, i) => {
        const [now, { live: earlier }] = [of(part), before[i]!]
        if (now === earlier || now === null) return
        for (let doc = 0; doc < part.segment.docCount; doc++) {
          if (now.has(doc) || earlier?.has(doc) === false) continue
          live ??= BitSet.full(segment.docCount)
          live.remove(numbers[i]!(doc)!)
        }
      })
      return live
    }
    const part = shardSegment(
      segment,
      liveNow(({ live }) => live),
    )
    const isSame = chosen.every((one) => one.live === (kept.get(one) ?? null))
    kept.set(part, isSame ? part.live : liveNow((one) => kept.get(one) ?? null))
    const gone = new Set<number>()
    chosen.forEach((one, i) => {
      for (const doc of this.#versions.pendingDeletes.get(one) ?? []) {
        const moved = numbers[i]!(doc)
        if (moved !== undefined) gone.add(moved)
      }
      this.#versions.pendingDeletes.delete(one)
    })
    if (gone.size > 0) this.#versions.pendingDeletes.set(part, gone)
    this.#replace(chosen, part)
  }

  #replace(chosen: readonly ShardSegment[], part: ShardSegment | undefined): void {
    const at = this.#parts.indexOf(chosen[0]!)
    const others = this.#parts.filter((other) => !chosen.includes(other))
    this.#parts = part === undefined ? others : [...others.slice(0, at), part, ...others.slice(at)]
    this.#reader = undefined
  }

  get stats(): ShardStats {
    const segments = this.#parts.map((part) => ({
      name: part.segment.name,
      // Documents of nested objects count, as in Lucene.
      docs: part.live?.count ?? part.segment.docCount,
      deleted: part.segment.docCount - (part.live?.count ?? part.segment.docCount),
      bytes: part.segment.bytes,
      isCommitted: isFlushed(part),
    }))
    let unflushedBytes = 0
    for (const { sourceBytes } of this.#builders()) unflushedBytes += sourceBytes
    return {
      segments,
      unflushedBytes,
      logBytes: this.#log.size,
      logGeneration: this.#log.generation,
      pending: this.#unflushed.pending,
    }
  }

  /** Writes and syncs a small file like the log does; throws the disk's error. */
  probe(): void {
    const path = `${this.#options.directory}/probe.tmp`
    const { files } = this.#options
    try {
      files.write(path, [new Uint8Array(probeBytes)])
    } finally {
      removeQuietly(files, path)
    }
    if (this.#log.failure !== undefined) throw this.#log.failure
  }

  #checkOwned(): void {
    if (this.#isAbandoned) throw new Error('the shard was given up')
  }

  /** Stops without writing; resolves when no file is touched any more. Open readers stay usable. */
  async abandon(): Promise<void> {
    if (this.#isAbandoned || this.#isClosed) return
    this.#isAbandoned = true
    this.#isClosed = true
    writeBuffers.remove(this.#buffer)
    await this.#merging
    await this.#flushing
    this.#log.abandon()
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    writeBuffers.remove(this.#buffer)
    try {
      await this.#merging
      if (this.#logIsLong) await this.flush()
      await this.#log.close()
    } finally {
      for (const { segment } of this.#parts.filter(isFlushed)) segment.sections.close()
    }
  }

  /** A short log is replayed faster than a segment is flushed, and everything in it is durable. */
  get #logIsLong(): boolean {
    return this.#log.size > maxLogAtClose
  }
}
