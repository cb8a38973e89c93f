/** The files of one shard but for its log: segments, their deletions, and the manifest that says which of them count. */
import type { Files } from '../../storage/files.ts'
import { BitSet } from '../segment/bit-set.ts'
import { FileSections } from '../segment/segment-file.ts'
import { StoredSegment } from '../segment/stored-segment.ts'
import { type Manifest, readManifest, writeManifest } from './manifest.ts'
import { isStored, type Part, type StoredPart } from './part.ts'

export class ShardFiles {
  readonly files: Files
  readonly directory: string
  #nextName = 0

  constructor(files: Files, directory: string) {
    this.files = files
    this.directory = directory
    files.makeDirectory(directory)
  }

  /** What the manifest names; without one, undefined. Everything else of a segment is what a crash left behind. */
  load(): { readonly parts: StoredPart[]; readonly manifest: Manifest | undefined } {
    const { files, directory } = this
    const manifest = readManifest(files, directory)
    this.#nextName = manifest?.nextSegment ?? 0
    const parts = (manifest?.segments ?? []).map(({ name, live }): StoredPart => {
      const segment = this.open(name)
      const words = live === undefined ? undefined : files.read(`${directory}/${live}`)
      const bits = words && new BitSet(segment.docCount, new Uint32Array(new Uint8Array(words).buffer))
      return { segment, live: bits ?? null, liveFile: live, hasNewDeletions: false }
    })
    const known = new Set(parts.flatMap(({ segment, liveFile }) => [`${segment.name}.seg`, liveFile]))
    for (const name of files.list(directory)) {
      if (/\.(?:seg|live|tmp)$/.test(name) && !known.has(name)) files.remove(`${directory}/${name}`)
    }
    return { parts, manifest }
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
    const outdated = part.liveFile === undefined ? [] : [part.liveFile]
    const name = `${part.segment.name}-${this.#nextName++}.live`
    const { buffer, byteOffset, byteLength } = live.words
    this.files.write(`${this.directory}/${name}`, [new Uint8Array(buffer, byteOffset, byteLength)])
    part.liveFile = name
    part.hasNewDeletions = part.live !== live
    return outdated
  }

  writeManifest(parts: readonly Part[], figures: Pick<Manifest, 'logGeneration' | 'maxSeqNo'>): void {
    const { files, directory } = this
    files.syncDirectory(directory)
    writeManifest(files, directory, {
      version: 1,
      segments: parts.filter(isStored).map(({ segment, liveFile }) => ({
        name: segment.name,
        ...(liveFile !== undefined && { live: liveFile }),
      })),
      nextSegment: this.#nextName,
      ...figures,
    })
  }

  remove(names: readonly string[]): void {
    for (const name of names) this.files.remove(`${this.directory}/${name}`)
  }
}
