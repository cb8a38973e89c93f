/** The files of a shard: segments, live docs, and the manifest that names them. */
import { DamagedFile, removeQuietly } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'
import type { BitSet } from '../segment/encoding/bit-set.ts'
import { FileSections } from '../segment/segment-file.ts'
import { SegmentReader } from '../segment/segment-reader.ts'
import { readLiveDocs, writeLiveDocs } from './live-docs-file.ts'
import { type Manifest, manifestName, readManifest, type SegmentRecord, writeManifest } from './manifest.ts'
import { type FlushedSegment, isFlushed, type ShardSegment } from './shard-segment.ts'

export class ShardFiles {
  readonly files: Files
  readonly directory: string
  #nextName = 0

  constructor(files: Files, directory: string) {
    this.files = files
    this.directory = directory
  }

  /** Makes the directory of an empty shard. Leftovers of a crash during an earlier attempt do no harm. */
  create(): void {
    const { files, directory } = this
    if (files.exists(`${directory}/${manifestName}`)) throw new Error(`${directory} is a shard already`)
    files.makeDirectory(directory)
    const parent = directory.slice(0, directory.lastIndexOf('/'))
    files.syncDirectory(parent)
    files.syncDirectory(parent.slice(0, parent.lastIndexOf('/')))
  }

  /** Opens what the manifest names, and deletes segment files it does not name: a crash left them. */
  load(): { readonly parts: FlushedSegment[]; readonly manifest: Manifest } {
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

  #openPart({ name, docs, bytes, live }: SegmentRecord): FlushedSegment {
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

  open(name: string): SegmentReader {
    return new SegmentReader(name, new FileSections(this.files, `${this.directory}/${name}.seg`))
  }

  /** Renames a segment file that was written under a temporary name, and opens it. */
  openWritten(name: string): SegmentReader {
    const path = `${this.directory}/${name}.seg`
    this.files.rename(`${path}.tmp`, path)
    return this.open(name)
  }

  /** Writes the live docs as of `live`; returns the files that are obsolete once the manifest is written. */
  writeDeletions(part: ShardSegment, live: BitSet | null): string[] {
    if (!part.hasNewDeletions || live === null) return []
    const outdated = part.liveFile === undefined ? [] : [part.liveFile.name]
    const name = `${part.segment.name}-${this.#nextName++}.live`
    writeLiveDocs(this.files, `${this.directory}/${name}`, live)
    part.liveFile = { name, docs: live.count }
    part.hasNewDeletions = part.live !== live
    return outdated
  }

  writeManifest(parts: readonly ShardSegment[], figures: Pick<Manifest, 'logGeneration' | 'maxSeqNo'>): void {
    const { files, directory } = this
    files.syncDirectory(directory)
    writeManifest(files, directory, {
      segments: parts.filter(isFlushed).map(segmentRecord),
      nextSegment: this.#nextName,
      ...figures,
    })
  }

  /** Deletes segment files that were not finished or not needed. */
  removeUnfinished(names: readonly string[]): void {
    for (const name of names) removeQuietly(this.files, `${this.directory}/${name}.seg.tmp`)
  }

  remove(names: readonly string[]): void {
    for (const name of names) this.files.remove(`${this.directory}/${name}`)
  }
}

function segmentRecord({ segment, liveFile }: FlushedSegment): SegmentRecord {
  const { name, docCount, bytes } = segment
  return { name, docs: docCount, bytes, ...(liveFile !== undefined && { live: liveFile }) }
}
