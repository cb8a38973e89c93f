/**
 * One shard: documents go into the log and into a builder, which collects them; a refresh makes them visible, a flush
 * writes them to a segment file and lets go of the log, a merge keeps the segments few. Everything here runs in one
 * thread; only waiting for the disk gives way to others. What `commit` has resolved for survives a power cut.
 */
import { removeQuietly } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'
import type { FieldInputs, NestedDocument } from '../segment/document.ts'
import { BitSet } from '../segment/encoding/bit-set.ts'
import { type MergeInput, mergedDocCount, mergedNumbers } from '../segment/merge/merge.ts'
import type { LeafReader, ShardReader } from '../segment/segment.ts'
import type { ByteReader } from '../segment/writer/leaf-plan.ts'
import { LiveSegment } from '../segment/writer/live-segment.ts'
import type { DocumentHead, SegmentBuilder } from '../segment/writer/segment-builder.ts'
import { wholeSource } from '../segment/writer/source-shape.ts'
import { CurrentDocuments, type DocumentState, type Place, type StoredDocument } from './current-documents.ts'
import { recoverLogs, type TornTail } from './log-recovery.ts'
import { LoggedDocuments } from './logged-documents.ts'
import { chooseJoin, chooseMerge } from './merge-policy.ts'
import type { LoggedOperation, Operation } from './operation.ts'
import {
  buildersOf,
  isLive,
  isStored,
  joinedLive,
  liveRoots,
  newPart,
  type Part,
  removeDocument,
  type StoredPart,
} from './part.ts'
import { type JobRunner, runHere } from './segment-job.ts'
import { SeqNoPlaces } from './seq-no-places.ts'
import { ShardFiles } from './shard-files.ts'
import { UnflushedDocuments } from './unflushed-documents.ts'
import { WriteAheadLog } from './write-ahead-log.ts'
import { type WriteBuffer, writeBuffers } from './write-buffers.ts'

/** What the mapping makes of a document. */
export interface ParsedFields {
  readonly fields: FieldInputs
  readonly nested: readonly NestedDocument[]
  /** What is kept of the source, where that is not all of it; the log has the whole. */
  readonly kept?: Uint8Array
}

export interface ShardOptions {
  readonly files: Files
  readonly directory: string
  readonly index: string
  readonly shard: number
  /** For documents that come back out of the log. */
  parse(id: string, source: Uint8Array, routing: string | undefined): ParsedFields
  /** Reads documents that need no second look, when there is one that fits the mapping of now. */
  reader?(): ByteReader | undefined
  /** False: a commit does not wait for the disk. */
  readonly syncs?: boolean
  /** Who writes and joins segments; this thread unless given. */
  readonly jobs?: JobRunner | undefined
  /** An fsync of the last log file failed: nothing more is written to it. */
  readonly isLogSuspect?: boolean
  /** Told of writes that a crash cut off, and where their bytes are kept. */
  report?(tail: TornTail): void
}

/** What may stay in the log when a shard is closed. */
const maxLogAtClose = 1024 * 1024

/** As much as a commit may take: a disk with less room is still full. */
const probeBytes = 1024 * 1024

export class Shard {
  readonly index: string
  readonly shard: number
  readonly #options: ShardOptions
  readonly #files: ShardFiles
  readonly #run: JobRunner
  #parts: Part[] = []
  #log!: WriteAheadLog
  readonly #unflushed: UnflushedDocuments
  readonly #documents: CurrentDocuments
  #maxSeqNo = -1
  #logGeneration = 0
  #reader: ShardReader | undefined
  #isClosed = false
  #isAbandoned = false
  /** Of the manifest that was opened: what has a higher one is in no segment. */
  #writtenSeqNo = -1
  /** One merge at a time, and one flush. */
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
    this.#documents = new CurrentDocuments(() => this.#parts, this.#unflushed)
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

  /** Those whose documents are in no segment file. */
  #builders(): Set<SegmentBuilder> {
    return new Set([...buildersOf(this.#parts), this.#unflushed.builder])
  }

  /** Makes a shard without documents where there is none. */
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
   * Opens what was created before; operations the segments lack come back out of the log. Throws DamagedFile or
   * UnknownFormat when not everything that was acknowledged can be read, and then has changed nothing.
   */
  static open(options: ShardOptions): Shard {
    const { files, directory, syncs = true } = options
    const shard = new Shard(options)
    const { parts, manifest } = shard.#files.load()
    shard.#parts = parts
    shard.#maxSeqNo = manifest.maxSeqNo
    shard.#writtenSeqNo = shard.#maxSeqNo
    shard.#logGeneration = manifest.logGeneration
    const documents = new LoggedDocuments(shard.#unflushed)
    const places = new SeqNoPlaces(parts)
    const apply = (operation: LoggedOperation) => shard.#redo(operation, documents, places)
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

  #redo(operation: LoggedOperation, documents: LoggedDocuments, places: SeqNoPlaces): void {
    const { id, kind, routing, seqNo } = operation
    this.#maxSeqNo = Math.max(this.#maxSeqNo, seqNo)
    // What a flush had already written comes again when the crash came before the log was let go.
    if (seqNo <= this.#writtenSeqNo) {
      if (places.find(seqNo) !== undefined) return
      const current = this.state(id)
      if (current !== undefined && current.seqNo >= seqNo) return
    }
    const reader = kind === 'index' ? this.#options.reader?.() : undefined
    const isRead = reader !== undefined && documents.read(operation.source, reader)
    // Only now: to read a document may be to begin another builder.
    const before = this.#placeBefore(operation, places)
    if (kind === 'delete') this.#applyDelete(operation, before)
    else if (isRead) this.#applyRead(operation, reader, before)
    else {
      const source = wholeSource(operation.source)
      this.#applyIndex({ ...operation, source }, this.#options.parse(id, source, routing), before)
    }
  }

  /** An id is looked for in segments only where the log does not tell what had it. */
  #placeBefore({ id, replaced }: LoggedOperation, places: SeqNoPlaces): Place | undefined {
    if (replaced === null) return undefined
    if (replaced === undefined || replaced > this.#writtenSeqNo) return this.#documents.find(id)
    const found = places.find(replaced)
    return found !== undefined && this.#documents.isThere(found.part, found.doc)
      ? found
      : this.#documents.find(id)
  }

  // ---------------------------------------------------------------------------------------------- writing

  get maxSeqNo(): number {
    return this.#maxSeqNo
  }

  nextSeqNo(): number {
    this.#maxSeqNo += 1
    return this.#maxSeqNo
  }

  /** Stores a document in place of whatever has its id; `isFresh`: nothing can have it. */
  add(operation: Operation, parsed: ParsedFields, isFresh = false): void {
    this.#maxSeqNo = Math.max(this.#maxSeqNo, operation.seqNo)
    const before = isFresh ? undefined : this.#documents.find(operation.id)
    this.#log.add(operation, this.#documents.seqNoAt(before))
    this.#applyIndex(operation, parsed, before)
  }

  delete(operation: Operation): void {
    const before = this.#documents.find(operation.id)
    this.#log.add(operation, this.#documents.seqNoAt(before))
    this.#applyDelete(operation, before)
  }

  /** Resolves when all changes so far are safe. */
  commit(): Promise<void> {
    const committed = this.#log.commit(this.#options.syncs ?? true)
    // Whoever writes faster than segments can be written waits here, not in memory.
    const room = writeBuffers.afterWrite(this.#buffer)
    return room === undefined ? committed : committed.then(() => room)
  }

  /** Why what is in memory could not be written to make room for more. */
  get flushFailure(): Error | undefined {
    return this.#flushFailure
  }

  /**
   * The same straight from the bytes, with the next sequence number. False: the document has to be parsed, and nothing
   * was changed.
   */
  addBytes(operation: Operation, reader: ByteReader, isFresh: boolean): boolean {
    if (!this.#unflushed.read(operation.source, reader)) return false
    let before: Place | undefined
    try {
      if (!isFresh) before = this.#documents.find(operation.id)
      this.#log.add(operation, this.#documents.seqNoAt(before), this.#unflushed.builder.readValues)
    } catch (error) {
      this.#unflushed.builder.dropRead(reader)
      throw error
    }
    this.#maxSeqNo = operation.seqNo
    this.#applyRead(operation, reader, before)
    return true
  }

  #applyRead(operation: DocumentHead, reader: ByteReader, before: Place | undefined): void {
    this.#documents.hide(operation.id, before)
    this.#unflushed.builder.addRead(operation, reader)
  }

  #applyIndex(operation: Operation, { fields, nested, kept }: ParsedFields, before: Place | undefined): void {
    const { id, routing, seqNo, version, primaryTerm } = operation
    this.#documents.hide(id, before)
    const source = kept ?? operation.source
    this.#unflushed.builder.add({ id, routing, source, seqNo, version, primaryTerm, fields, nested })
  }

  #applyDelete({ id, seqNo, version, primaryTerm }: DocumentHead, before: Place | undefined): void {
    this.#documents.hide(id, before)
    this.#documents.rememberDeleted(id, { seqNo, version, primaryTerm })
  }

  // ---------------------------------------------------------------------------------------------- reading

  /** Version and sequence number as of now, deletions included; undefined when the id was never seen or is forgotten. */
  state(id: string): (DocumentState & { readonly isDeleted: boolean }) | undefined {
    return this.#documents.state(id)
  }

  /** The document as of now, visible to searches or not. */
  get(id: string): StoredDocument | undefined {
    return this.#documents.get(id)
  }

  get hasPending(): boolean {
    return this.#unflushed.pending > 0 || this.#documents.hidden.size > 0
  }

  /** Makes everything visible; true when that changed anything. */
  refresh(): boolean {
    const changed = this.hasPending
    this.#unflushed.seal()
    for (const [part, docs] of this.#documents.hidden) {
      // Readers of before keep the bits they have.
      const live = part.live?.clone() ?? BitSet.full(part.segment.docCount)
      for (const doc of docs) removeDocument(live, part.segment, doc)
      part.live = live
      part.hasNewDeletions = true
    }
    this.#documents.hidden.clear()
    this.#documents.forgetDeleted()
    if (changed) {
      this.#reader = undefined
      this.#join()
    }
    return changed
  }

  /** Many short stretches become few long ones, so that a search has few segments to look at. */
  #join(): void {
    for (let chosen = chooseJoin(this.#parts); chosen.length > 0; chosen = chooseJoin(this.#parts)) {
      const { builder, stretch } = chosen[0]!.segment
      const { to } = chosen.at(-1)!.segment.stretch
      const segment = new LiveSegment(this.#files.newName(), builder, { from: stretch.from, to })
      this.#replace(chosen, newPart(segment, joinedLive(chosen)))
    }
  }

  /** The shard as of the last refresh. */
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

  /** Writes what is only in memory to segment files, and forgets the log up to here. */
  flush(): Promise<void> {
    return this.#flush(() => [])
  }

  #flush(change: (kept: Map<Part, BitSet | null>) => string[]): Promise<void> {
    const flushed = this.#flushing.then(() => this.#flushNow(change))
    this.#flushing = flushed.catch(() => undefined)
    return flushed
  }

  /**
   * `change` puts other segments in place of some, whose files it names; they go when the manifest knows. Deletions that
   * come while segments are being written stay out of the files: what replaces those documents may not be safe yet.
   */
  async #flushNow(change: (kept: Map<Part, BitSet | null>) => string[]): Promise<void> {
    this.#checkOwned()
    await this.#log.roll()
    this.#checkOwned()
    // Only now: what came while the log was rolled may be in an old file of it, which is about to go.
    this.refresh()
    this.#unflushed.change()
    const { generation } = this.#log
    const maxSeqNo = this.#maxSeqNo
    const kept = new Map(this.#parts.map((part) => [part, part.live]))
    const written = await this.#writeLive()
    this.#checkOwned()
    const replaced = change(kept)
    for (const [builder, name] of written) this.#takeWritten(builder, name, kept)
    const outdated = this.#parts.flatMap((part) => this.#files.writeDeletions(part, kept.get(part) ?? null))
    this.#logGeneration = generation
    this.#files.writeManifest(this.#parts, { logGeneration: generation, maxSeqNo })
    this.#log.removeBelow(generation)
    this.#files.remove([...outdated, ...replaced])
    this.#reader = undefined
  }

  /** A file for each builder whose documents are not on the disk, but for the one that is still being filled. */
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

  /** A segment that was written takes the place of the parts it was made of. */
  #takeWritten(builder: SegmentBuilder, name: string, kept: Map<Part, BitSet | null>): void {
    const parts = this.#parts.filter(isLive).filter(({ segment }) => segment.builder === builder)
    const part = newPart(this.#files.openWritten(name), joinedLive(parts))
    const asOfThen = joinedLive(parts.map((one) => ({ segment: one.segment, live: kept.get(one) ?? null })))
    const isSame = parts.every((one) => one.live === (kept.get(one) ?? null))
    kept.set(part, isSame ? part.live : asOfThen)
    const gone = new Set<number>()
    for (const one of parts) {
      for (const doc of this.#documents.hidden.get(one) ?? []) gone.add(one.segment.stretch.from + doc)
      this.#documents.hidden.delete(one)
    }
    if (gone.size > 0) this.#documents.hidden.set(part, gone)
    this.#replace(parts, part)
  }

  /** Whether the policy finds segments to join. */
  get needsMerge(): boolean {
    return this.#mergeChoice(false).length > 0
  }

  #mergeChoice(toOne: boolean): StoredPart[] {
    const stored = this.#parts.filter(isStored)
    return toOne ? stored.filter(isUntidy(stored.length)) : chooseMerge(stored)
  }

  /**
   * Joins segments when the policy asks for it, or all of them into one; true when something was joined. They are joined
   * by the merger while the shard goes on: what is deleted meanwhile is deleted in the result too.
   */
  merge(toOne = false): Promise<boolean> {
    const merged = this.#merging.then(async () => {
      if (this.#isClosed) return false
      this.refresh()
      if (toOne && this.#parts.some(isLive)) await this.flush()
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
    // With everything that is in memory: a document of which the merge has only the old version, or none because
    // it was replaced, must not depend on a log that nobody has acknowledged.
    await this.#flush((kept) => {
      if (docCount === 0) this.#replace(chosen, undefined)
      else this.#takeMerged(name, chosen, before, kept)
      return chosen.flatMap(({ segment, liveFile }) => [`${segment.name}.seg`, liveFile?.name ?? []].flat())
    })
    return true
  }

  /** The result of a merge, without what was deleted since it began. */
  #takeMerged(
    name: string,
    chosen: readonly StoredPart[],
    before: readonly MergeInput[],
    kept: Map<Part, BitSet | null>,
  ): void {
    const segment = this.#files.openWritten(name)
    const numbers = mergedNumbers(before)
    const liveNow = (of: (part: Part) => BitSet | null) => {
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
    const part = newPart(
      segment,
      liveNow(({ live }) => live),
    )
    const isSame = chosen.every((one) => one.live === (kept.get(one) ?? null))
    kept.set(part, isSame ? part.live : liveNow((one) => kept.get(one) ?? null))
    const gone = new Set<number>()
    chosen.forEach((one, i) => {
      for (const doc of this.#documents.hidden.get(one) ?? []) {
        const moved = numbers[i]!(doc)
        if (moved !== undefined) gone.add(moved)
      }
      this.#documents.hidden.delete(one)
    })
    if (gone.size > 0) this.#documents.hidden.set(part, gone)
    this.#replace(chosen, part)
  }

  #replace(chosen: readonly Part[], part: Part | undefined): void {
    const at = this.#parts.indexOf(chosen[0]!)
    const others = this.#parts.filter((other) => !chosen.includes(other))
    this.#parts = part === undefined ? others : [...others.slice(0, at), part, ...others.slice(at)]
    this.#reader = undefined
  }

  get stats(): ShardStats {
    const segments = this.#parts.map((part) => ({
      name: part.segment.name,
      docs: liveRoots(part.segment, part.live),
      deleted: part.segment.docCount - (part.live?.count ?? part.segment.docCount),
      bytes: part.segment.bytes,
      isCommitted: isStored(part),
    }))
    let freshBytes = 0
    for (const { sourceBytes } of this.#builders()) freshBytes += sourceBytes
    return {
      segments,
      freshBytes,
      logBytes: this.#log.size,
      logGeneration: this.#log.generation,
      pending: this.#unflushed.pending,
    }
  }

  /** Writes a little beside the log and syncs it, as the log will; throws what the disk says. */
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

  /** Ends without writing anything; resolves when nothing of it touches the files any more. Readers stay usable. */
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
      for (const { segment } of this.#parts.filter(isStored)) segment.sections.close()
    }
  }

  /** A short log is read again faster than a segment is written; everything in it is safe. */
  get #logIsLong(): boolean {
    return this.#log.size > maxLogAtClose
  }
}

export interface ShardStats {
  readonly segments: readonly {
    readonly name: string
    readonly docs: number
    readonly deleted: number
    readonly bytes: number
    readonly isCommitted: boolean
  }[]
  /** Texts of documents that are not in a segment file. */
  readonly freshBytes: number
  readonly logBytes: number
  readonly logGeneration: number
  readonly pending: number
}

/** For a merge to one segment: everything, unless it is one without deletions already. */
function isUntidy(count: number): (part: Part) => boolean {
  return ({ live }) => count > 1 || live !== null
}
