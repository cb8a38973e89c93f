/**
 * One shard: documents go into the log and into a segment that is being built; a refresh makes them visible, a
 * flush writes segments to disk and lets go of the log, a merge keeps the segments few. Everything here runs in
 * one thread; only waiting for the disk gives way to others. What `commit` has resolved for survives a power cut.
 */
import type { Files } from '../../storage/files.ts'
import { BitSet } from '../segment/bit-set.ts'
import type { FieldInputs, NestedDocument } from '../segment/document.ts'
import type { ByteReader } from '../segment/leaf-plan.ts'
import { type MergeInput, mergedDocCount, mergedNumbers, mergeSegments } from '../segment/merge.ts'
import type { MemorySections } from '../segment/sections.ts'
import type { LeafReader, Segment, ShardReader } from '../segment/segment.ts'
import { SegmentBuilder } from '../segment/segment-builder.ts'
import { FileSections, type WrittenSection, writeSegmentFile } from '../segment/segment-file.ts'
import { memorySections, StoredSegment } from '../segment/stored-segment.ts'
import { readManifest, type SegmentRecord, writeManifest } from './manifest.ts'
import { type Merger, mergeHere } from './merge-job.ts'
import { chooseMerge } from './merge-policy.ts'
import type { Operation } from './operation.ts'
import { replayLogs, WriteAheadLog } from './write-ahead-log.ts'

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
  /** Who joins segments on the disk; this thread unless given. */
  readonly merger?: Merger | undefined
}

/** The state of a document, visible or not. */
export interface DocumentState {
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
}

export interface StoredDocument extends DocumentState {
  readonly source: Uint8Array
  readonly routing: string | undefined
}

interface Part {
  readonly segment: StoredSegment
  live: BitSet | null
  /** Not on disk yet. */
  isFresh: boolean
  /** File of the deletions, as the manifest knows it. */
  liveFile: string | undefined
  hasNewDeletions: boolean
}

/** An id that was deleted a short while ago. */
interface Deleted extends DocumentState {
  /** Milliseconds since 1970. */
  readonly deletedAt: number
}

/** Elasticsearch's `index.gc_deletes`. */
const rememberDeleted = 60_000
/** Joined in memory at most. */
const mostFreshDocs = 4096
/** A segment being built is closed at this size even without a refresh. */
const mostPendingBytes = 32 * 1024 * 1024

export class Shard {
  readonly index: string
  readonly shard: number
  readonly #options: ShardOptions
  #parts: Part[] = []
  #log!: WriteAheadLog
  #builder: SegmentBuilder
  #pendingBytes = 0
  /** Documents of the segment being built that were replaced or deleted again. */
  #pendingDeletions: number[] = []
  /** Deletions in older segments that are not visible yet. */
  #deletions = new Map<Part, Set<number>>()
  /** Documents of the segment being built by id: those before `#known`, the rest when somebody asks. */
  #recent = new Map<string, number>()
  #known = 0
  #deleted = new Map<string, Deleted>()
  #nextSegment = 0
  #maxSeqNo = -1
  #logGeneration = 0
  #reader: ShardReader | undefined
  #isClosed = false
  /** One merge at a time. */
  #merging: Promise<boolean> = Promise.resolve(false)

  private constructor(options: ShardOptions) {
    this.#options = options
    this.index = options.index
    this.shard = options.shard
    this.#builder = new SegmentBuilder('')
  }

  /** Opens a shard or creates it; operations the segments lack come back out of the log. */
  static open(options: ShardOptions): Shard {
    const { files, directory } = options
    files.makeDirectory(directory)
    const shard = new Shard(options)
    const manifest = readManifest(files, directory)
    if (manifest !== undefined) {
      shard.#nextSegment = manifest.nextSegment
      shard.#maxSeqNo = manifest.maxSeqNo
      shard.#logGeneration = manifest.logGeneration
      for (const record of manifest.segments) shard.#parts.push(shard.#load(record))
    }
    shard.#removeLeftovers()
    const { lastGeneration } = replayLogs(files, directory, shard.#logGeneration, (operation) =>
      shard.#redo(operation),
    )
    shard.#log = new WriteAheadLog(files, directory, lastGeneration)
    shard.refresh()
    return shard
  }

  #load({ name, live }: SegmentRecord): Part {
    const { files, directory } = this.#options
    const segment = new StoredSegment(name, new FileSections(files, `${directory}/${name}.seg`))
    const words = live === undefined ? undefined : files.read(`${directory}/${live}`)
    const bits = words && new BitSet(segment.docCount, new Uint32Array(new Uint8Array(words).buffer))
    return { segment, live: bits ?? null, isFresh: false, liveFile: live, hasNewDeletions: false }
  }

  /** Files that no manifest names: a crash came between writing them and saying so. */
  #removeLeftovers(): void {
    const { files, directory } = this.#options
    const known = new Set(this.#parts.flatMap(({ segment, liveFile }) => [`${segment.name}.seg`, liveFile]))
    for (const name of files.list(directory)) {
      if (/\.(?:seg|live|tmp)$/.test(name) && !known.has(name)) files.remove(`${directory}/${name}`)
    }
  }

  #redo(operation: Operation): void {
    this.#maxSeqNo = Math.max(this.#maxSeqNo, operation.seqNo)
    // What a flush had already written comes again when the crash came before the log was let go.
    const current = this.state(operation.id)
    if (current !== undefined && current.seqNo >= operation.seqNo) return
    if (operation.kind === 'delete') this.#applyDelete(operation)
    else {
      const { id, source, routing } = operation
      const reader = this.#options.reader?.()
      if (reader !== undefined && this.#builder.read(source, reader)) this.#applyRead(operation, reader)
      else this.#applyIndex(operation, this.#options.parse(id, source, routing))
    }
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
    this.#log.add(operation)
    this.#applyIndex(operation, parsed, isFresh)
  }

  delete(operation: Operation): void {
    this.#log.add(operation)
    this.#applyDelete(operation)
  }

  /** Resolves when all changes so far are safe. */
  commit(): Promise<void> {
    return this.#log.commit(this.#options.syncs ?? true)
  }

  /**
   * The same straight from the bytes, for an id no document has when `isFresh`. Undefined: the document has to be
   * parsed, and nothing was changed. Otherwise its sequence number.
   */
  addBytes(
    given: Omit<Operation, 'seqNo' | 'kind'>,
    reader: ByteReader,
    isFresh: boolean,
  ): number | undefined {
    if (!this.#builder.read(given.source, reader)) return undefined
    const { id, routing, primaryTerm, version, source } = given
    const seqNo = this.#maxSeqNo + 1
    const operation = { kind: 'index' as const, id, routing, seqNo, primaryTerm, version, source }
    this.#log.add(operation)
    this.#maxSeqNo = seqNo
    if (!isFresh) this.#hide(id)
    this.#builder.addRead(operation, source.length, reader)
    this.#took(source.length)
    return seqNo
  }

  #applyRead(operation: Operation, reader: ByteReader): void {
    this.#hide(operation.id)
    this.#builder.addRead(operation, operation.source.length, reader)
    this.#took(operation.source.length)
  }

  #applyIndex(operation: Operation, { fields, nested, kept }: ParsedFields, isFresh = false): void {
    if (!isFresh) this.#hide(operation.id)
    const { id, routing, seqNo, version, primaryTerm } = operation
    const source = kept ?? operation.source
    this.#builder.add({ id, routing, source, seqNo, version, primaryTerm, fields, nested })
    this.#took(source.length)
  }

  #took(bytes: number): void {
    this.#pendingBytes += bytes
    if (this.#pendingBytes >= mostPendingBytes) this.#seal()
  }

  #applyDelete({ id, seqNo, version, primaryTerm }: Operation): void {
    this.#hide(id)
    this.#deleted.set(id, { seqNo, version, primaryTerm, deletedAt: Date.now() })
  }

  /** The document of an id in the segment being built, or -1. */
  #pending(id: string): number {
    const builder = this.#builder
    for (; this.#known < builder.docCount; this.#known++) {
      if (builder.isRoot(this.#known)) this.#recent.set(builder.id(this.#known), this.#known)
    }
    return this.#recent.get(id) ?? -1
  }

  /** Marks the document that has the id now as deleted, from the next refresh on. */
  #hide(id: string): void {
    this.#deleted.delete(id)
    const pending = this.#pending(id)
    if (pending >= 0) {
      this.#pendingDeletions.push(pending)
      this.#recent.delete(id)
      return
    }
    const found = this.#find(id)
    if (found === undefined) return
    let deletions = this.#deletions.get(found.part)
    if (deletions === undefined) this.#deletions.set(found.part, (deletions = new Set()))
    deletions.add(found.doc)
  }

  #find(id: string): { part: Part; doc: number } | undefined {
    for (let i = this.#parts.length - 1; i >= 0; i--) {
      const part = this.#parts[i]!
      const doc = part.segment.findId(id)
      if (doc < 0 || part.live?.has(doc) === false || this.#deletions.get(part)?.has(doc)) continue
      return { part, doc }
    }
    return undefined
  }

  // ---------------------------------------------------------------------------------------------- reading

  /** Version and sequence number as of now, deletions included; undefined when the id was never seen or is forgotten. */
  state(id: string): (DocumentState & { readonly isDeleted: boolean }) | undefined {
    const pending = this.#pending(id)
    if (pending >= 0) return this.#pendingState(pending)
    const deleted = this.#deleted.get(id)
    if (deleted !== undefined) return { ...deleted, isDeleted: true }
    const found = this.#find(id)
    if (found === undefined) return undefined
    const { segment } = found.part
    return {
      version: segment.versions[found.doc]!,
      seqNo: segment.seqNos[found.doc]!,
      primaryTerm: segment.primaryTerms[found.doc]!,
      isDeleted: false,
    }
  }

  #pendingState(doc: number): DocumentState & { readonly isDeleted: boolean } {
    const builder = this.#builder
    const [version, seqNo] = [builder.version(doc), builder.seqNo(doc)]
    return { version, seqNo, primaryTerm: builder.primaryTerm(doc), isDeleted: false }
  }

  /** The document as of now, visible to searches or not. */
  get(id: string): StoredDocument | undefined {
    const pending = this.#pending(id)
    if (pending >= 0) {
      const builder = this.#builder
      const [source, routing] = [builder.source(pending), builder.routing(pending)]
      return { ...this.#pendingState(pending), source, routing }
    }
    const found = this.#find(id)
    if (found === undefined) return undefined
    const { segment } = found.part
    return { ...this.state(id)!, source: segment.source(found.doc), routing: segment.routing(found.doc) }
  }

  get hasPending(): boolean {
    return this.#builder.docCount > 0 || this.#deletions.size > 0
  }

  /** Makes everything visible; true when that changed anything. */
  refresh(): boolean {
    const changed = this.#builder.docCount > 0 || this.#deletions.size > 0
    this.#seal()
    for (const [part, docs] of this.#deletions) {
      // Readers of before keep the bits they have.
      const live = part.live?.clone() ?? BitSet.full(part.segment.docCount)
      for (const doc of docs) removeDocument(live, part.segment, doc)
      part.live = live
      part.hasNewDeletions = true
    }
    this.#deletions.clear()
    this.#forgetDeleted()
    if (changed) this.#reader = undefined
    return changed
  }

  /** A deleted id keeps its version for a while, so that a late change cannot bring the document back. */
  #forgetDeleted(): void {
    const oldest = Date.now() - rememberDeleted
    for (const [id, { deletedAt }] of this.#deleted) if (deletedAt < oldest) this.#deleted.delete(id)
  }

  /** Closes the segment being built; its documents stay invisible until the refresh. */
  #seal(): void {
    if (this.#builder.docCount === 0) return
    const segment = this.#builder.build(this.#segmentName())
    const part: Part = { segment, live: null, isFresh: true, liveFile: undefined, hasNewDeletions: false }
    if (this.#pendingDeletions.length > 0) {
      part.live = BitSet.full(segment.docCount)
      for (const doc of this.#pendingDeletions) removeDocument(part.live, segment, doc)
      part.hasNewDeletions = true
    }
    this.#parts.push(part)
    this.#pendingDeletions = []
    this.#pendingBytes = 0
    this.#builder = new SegmentBuilder('')
    // Ids of sealed documents are found in their segment from now on.
    this.#recent.clear()
    this.#known = 0
  }

  #segmentName(): string {
    return `s${String(this.#nextSegment++).padStart(8, '0')}`
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

  /** `change` puts other segments in place of some, whose files it names; they go when the manifest knows. */
  async #flush(change: () => string[]): Promise<void> {
    const { files, directory } = this.#options
    await this.#log.roll()
    // Only now: what came while the log was rolled may be in an old file of it, which is about to go.
    this.refresh()
    const generation = this.#log.generation
    const replaced = change()
    this.#parts = this.#parts.map((part) => (part.isFresh ? this.#write(part) : part))
    const outdated = this.#parts.flatMap((part) => this.#writeDeletions(part))
    this.#logGeneration = generation
    this.#writeManifest()
    this.#log.removeBelow(generation)
    for (const name of [...outdated, ...replaced]) files.remove(`${directory}/${name}`)
    this.#reader = undefined
  }

  #write(part: Part): Part {
    const memory = part.segment as StoredSegment<MemorySections>
    return { ...part, segment: this.#writeFile(memory.name, memorySections(memory)), isFresh: false }
  }

  #writeFile(name: string, sections: Iterable<WrittenSection>): StoredSegment {
    const { files, directory } = this.#options
    const path = `${directory}/${name}.seg`
    writeSegmentFile(files, `${path}.tmp`, sections)
    files.rename(`${path}.tmp`, path)
    return new StoredSegment(name, new FileSections(files, path))
  }

  /** Names of files that are no longer needed once the manifest is written. */
  #writeDeletions(part: Part): string[] {
    if (!part.hasNewDeletions || part.live === null) return []
    const { files, directory } = this.#options
    const outdated = part.liveFile === undefined ? [] : [part.liveFile]
    const name = `${part.segment.name}-${this.#nextSegment++}.live`
    const { buffer, byteOffset, byteLength } = part.live.words
    files.write(`${directory}/${name}`, [new Uint8Array(buffer, byteOffset, byteLength)])
    part.liveFile = name
    part.hasNewDeletions = false
    return outdated
  }

  #writeManifest(): void {
    const { files, directory } = this.#options
    files.syncDirectory(directory)
    writeManifest(files, directory, {
      version: 1,
      segments: this.#parts
        .filter(({ isFresh }) => !isFresh)
        .map(({ segment, liveFile }) => ({
          name: segment.name,
          ...(liveFile !== undefined && { live: liveFile }),
        })),
      logGeneration: this.#logGeneration,
      nextSegment: this.#nextSegment,
      maxSeqNo: this.#maxSeqNo,
    })
  }

  /** Whether the policy finds segments to join, in memory or on the disk. */
  get needsMerge(): boolean {
    return this.#freshChoice().length > 0 || this.#storedChoice(false).length > 0
  }

  /** Few documents only: a merge in memory is done at once. */
  #freshChoice(): Part[] {
    const chosen = chooseMerge(this.#parts.filter(({ isFresh }) => isFresh))
    const docs = chosen.reduce((sum, { segment }) => sum + segment.docCount, 0)
    return docs <= mostFreshDocs ? chosen : []
  }

  #storedChoice(toOne: boolean): Part[] {
    const stored = this.#parts.filter(({ isFresh }) => !isFresh)
    return toOne ? stored.filter(isUntidy(stored.length)) : chooseMerge(stored)
  }

  /** Joins segments that are only in memory; true when there were any to join. */
  #mergeFresh(): boolean {
    const chosen = this.#freshChoice()
    if (chosen.length === 0) return false
    const docCount = mergedDocCount(chosen)
    const segment = docCount === 0 ? undefined : mergeSegments(this.#segmentName(), chosen)
    this.#replace(
      chosen,
      segment && { segment, live: null, isFresh: true, liveFile: undefined, hasNewDeletions: false },
    )
    return true
  }

  /**
   * Joins segments when the policy asks for it, or all of them into one; true when something was joined. Those on the
   * disk are joined by the merger while the shard goes on: what is deleted meanwhile is deleted in the result too.
   */
  merge(toOne = false): Promise<boolean> {
    const merged = this.#merging.then(async () => {
      if (this.#isClosed) return false
      this.refresh()
      if (toOne && this.#parts.some(({ isFresh }) => isFresh)) await this.flush()
      const fresh = this.#mergeFresh()
      return (await this.#mergeStored(toOne)) || fresh
    })
    this.#merging = merged.catch(() => false)
    return merged
  }

  async #mergeStored(toOne: boolean): Promise<boolean> {
    const { files, directory, merger = mergeHere(files) } = this.#options
    const chosen = this.#storedChoice(toOne)
    if (chosen.length === 0) return false
    const before = chosen.map(({ segment, live }) => ({ segment, live }))
    const name = this.#segmentName()
    const output = `${name}.seg.tmp`
    const docCount = mergedDocCount(before)
    if (docCount > 0) {
      const inputs = before.map(({ segment, live }) => ({ name: segment.name, live: live?.words ?? null }))
      await merger({ directory, inputs, output })
    }
    // With everything that is in memory: a document of which the merge has only the old version, or none because
    // it was replaced, must not depend on a log that nobody has acknowledged.
    await this.#flush(() => {
      this.#replace(chosen, docCount === 0 ? undefined : this.#merged(name, chosen, before))
      return chosen.flatMap(({ segment, liveFile }) => [`${segment.name}.seg`, liveFile ?? []].flat())
    })
    return true
  }

  /** The result of a merge, without what was deleted since it began. */
  #merged(name: string, chosen: readonly Part[], before: readonly MergeInput[]): Part {
    const { files, directory } = this.#options
    const path = `${directory}/${name}.seg`
    files.rename(`${path}.tmp`, path)
    const segment = new StoredSegment(name, new FileSections(files, path))
    const numbers = mergedNumbers(before)
    let live: BitSet | null = null
    chosen.forEach((part, i) => {
      const { live: earlier } = before[i]!
      if (part.live === earlier || part.live === null) return
      for (let doc = 0; doc < part.segment.docCount; doc++) {
        if (part.live.has(doc) || earlier?.has(doc) === false) continue
        live ??= BitSet.full(segment.docCount)
        live.remove(numbers[i]!(doc)!)
      }
    })
    return { segment, live, isFresh: false, liveFile: undefined, hasNewDeletions: live !== null }
  }

  #replace(chosen: readonly Part[], part: Part | undefined): void {
    const at = this.#parts.indexOf(chosen[0]!)
    const others = this.#parts.filter((other) => !chosen.includes(other))
    this.#parts = part === undefined ? others : [...others.slice(0, at), part, ...others.slice(at)]
    this.#reader = undefined
  }

  get stats(): ShardStats {
    const segments = this.#parts.map(({ segment, live, isFresh }) => ({
      name: segment.name,
      docs: liveRoots(segment, live),
      deleted: segment.docCount - (live?.count ?? segment.docCount),
      bytes: segment.bytes,
      isCommitted: !isFresh,
    }))
    return {
      segments,
      logBytes: this.#log.size,
      logGeneration: this.#log.generation,
      pending: this.#builder.docCount,
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#merging
    await this.flush()
    await this.#log.close()
    for (const { segment } of this.#parts) segment.sections.close()
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
  readonly logBytes: number
  readonly logGeneration: number
  readonly pending: number
}

/** With its nested objects, which stand in front of it. */
function removeDocument(live: BitSet, { roots }: Segment, doc: number): void {
  const first = roots === null ? doc : roots.previous(doc - 1) + 1
  for (let i = first; i <= doc; i++) live.remove(i)
}

function liveRoots({ docCount, roots }: Segment, live: BitSet | null): number {
  if (roots === null) return live?.count ?? docCount
  return live === null ? roots.count : roots.clone().and(live).count
}

/** For a merge to one segment: everything, unless it is one without deletions already. */
function isUntidy(count: number): (part: Part) => boolean {
  return ({ live }) => count > 1 || live !== null
}
