/** The files of a shard: segments, their deletions, the manifest that names them. */
import { DamagedFile, removeQuietly } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'
import type { BitSet } from '../segment/encoding/bit-set.ts'
import { FileSections } from '../segment/segment-file.ts'
import { StoredSegment } from '../segment/stored-segment.ts'
import { readLiveDocs, writeLiveDocs } from './live-docs-file.ts'
import { type Manifest, manifestName, readManifest, type SegmentRecord, writeManifest } from './manifest.ts'
import { isStored, type Part, type StoredPart } from './part.ts'

export class ShardFiles {
  readonly files: Files
  readonly directory: string
  #nextName = 0

  constructor(files: Files, directory: string) {
    this.files = files
    this.directory = directory
  }

  /** Makes the directory of a shard without documents. What a crash left of an earlier try is in nobody's way. */
  create(): void {
    const { files, directory } = this
    if (files.exists(`${directory}/${manifestName}`)) throw new Error(`${directory} is a shard already`)
    files.makeDirectory(directory)
    const parent = directory.slice(0, directory.lastIndexOf('/'))
    files.syncDirectory(parent)
    files.syncDirectory(parent.slice(0, parent.lastIndexOf('/')))
  }

  /** What the manifest names. Everything else of a segment is what a crash left behind, and goes. */
  load(): { readonly parts: StoredPart[]; readonly manifest: Manifest } {
    const { files, directory } = this
    const manifest = readManifest(files, directory)
    this.#nextName = manifest.nextSegment
    const parts = manifest.segments.map((record) => this.#openPart(record))
    const known = new Set(parts.flatMap(({ segment, liveFile }) => [`${segment.name}.seg`, liveFile?.name]))
    for (const name of files.list(directory)) {
      if (/\.(?:seg|live|tmp)$/.test(name) && !known.has(name)) removeQuietly(files, `${directory}/${name}`)
    }
    return { parts, manifest }
  }

  #openPart({ name, docs, bytes, live }: SegmentRecord): StoredPart {
    const { files, directory } = this
    const path = `${directory}/${name}.seg`
    if (!files.exists(path)) throw new DamagedFile(path, 'is missing')
    const segment = this.open(name)
    if (segment.docCount !== docs || segment.bytes !== bytes)
      throw new DamagedFile(
        path,
        `is another segment than the manifest names: ${segment.docCount} documents in ${segment.bytes} bytes where ${docs} in ${bytes} were written`,
      )
    const bits = live && readLiveDocs(files, `${directory}/${live.name}`, docs, live.docs)
    return { segment, live: bits ?? null, liveFile: live, hasNewDeletions: false }
  }

  newName(): string {
    return `s${String(this.#nextName++).padStart(8, '0')}`
  }

  open(name: string): StoredSegment {
    return new StoredSegment(name, new FileSections(this.files, `${this.directory}/${name}.seg`))
  }

  /** A file that was written under another name gets its own. */
  openWritten(name: string): StoredSegment {
    const path = `${this.directory}/${name}.seg`
    this.files.rename(`${path}.tmp`, path)
    return this.open(name)
  }

  /** Writes deletions as they were when `live` was taken; answers files nobody needs once the manifest is written. */
  writeDeletions(part: Part, live: BitSet | null): string[] {
    if (!part.hasNewDeletions || live === null) return []
    const outdated = part.liveFile === undefined ? [] : [part.liveFile.name]
    const name = `${part.segment.name}-${this.#nextName++}.live`
    writeLiveDocs(this.files, `${this.directory}/${name}`, live)
    part.liveFile = { name, docs: live.count }
    part.hasNewDeletions = part.live !== live
    return outdated
  }

  writeManifest(parts: readonly Part[], figures: Pick<Manifest, 'logGeneration' | 'maxSeqNo'>): void {
    const { files, directory } = this
    files.syncDirectory(directory)
    writeManifest(files, directory, {
      segments: parts.filter(isStored).map(segmentRecord),
      nextSegment: this.#nextName,
      ...figures,
    })
  }

  /** Of segments that were not written to the end, or were not needed after all. */
  removeUnfinished(names: readonly string[]): void {
    for (const name of names) removeQuietly(this.files, `${this.directory}/${name}.seg.tmp`)
  }

  remove(names: readonly string[]): void {
    for (const name of names) this.files.remove(`${this.directory}/${name}`)
  }
}

function segmentRecord({ segment, liveFile }: StoredPart): SegmentRecord {
  const { name, docCount, bytes } = segment
  return { name, docs: docCount, bytes, ...(liveFile !== undefined && { live: liveFile }) }
}
