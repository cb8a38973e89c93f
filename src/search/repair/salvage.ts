/**
 * Salvages documents of a shard with damaged files: from all segments and the write-ahead log, the newest of each
 * id. Nothing is written or moved. Without a readable manifest every segment in the folder counts; without readable
 * live docs the segment's documents count as live, and that is reported. Files of another format version are not
 * damage: the first one aborts with UnknownFormat.
 */
import { isDamage, isUnknownFormat } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'
import type { BitSet } from '../segment/encoding/bit-set.ts'
import { FileSections } from '../segment/segment-file.ts'
import { SegmentReader } from '../segment/segment-reader.ts'
import { expandSource } from '../segment/writer/source-shape.ts'
import { readLiveDocs } from '../shard/live-docs-file.ts'
import { logDamage, scanLogs } from '../shard/log-recovery.ts'
import { manifestName, readManifest, type SegmentRecord } from '../shard/manifest.ts'
import { generationsIn } from '../shard/write-ahead-log.ts'

interface SalvagedDocument {
  readonly id: string
  readonly routing: string | undefined
  readonly seqNo: number
  readonly version: number
  readonly source: Uint8Array
}

/** What is wrong with a file, and how many of its documents or operations cannot be read. */
export interface Problem {
  readonly path: string
  readonly message: string
  readonly lost: number | undefined
}

type Record = Pick<SegmentRecord, 'name' | 'live'>

export class Salvage {
  readonly problems: Problem[] = []
  readonly #files: Files
  readonly #directory: string
  readonly #records: readonly Record[]
  readonly #logGeneration: number
  /** The highest sequence number of each id, deletes included. */
  readonly #newest = new Map<string, number>()
  readonly #deleted = new Set<string>()

  constructor(files: Files, directory: string) {
    this.#files = files
    this.#directory = directory
    const { records, logGeneration } = this.#parts()
    this.#records = records
    this.#logGeneration = logGeneration
    for (const document of this.#each(true)) this.#note(document)
  }

  #note({ id, seqNo, isDeletion }: Found): void {
    if (seqNo < (this.#newest.get(id) ?? -1)) return
    this.#newest.set(id, seqNo)
    if (isDeletion) this.#deleted.add(id)
    else this.#deleted.delete(id)
  }

  get count(): number {
    return this.#newest.size - this.#deleted.size
  }

  /** Yields the newest version of every document that is not deleted. */
  *documents(): Iterable<SalvagedDocument> {
    const given = new Set<string>()
    for (const found of this.#each(false)) {
      const { id, seqNo, isDeletion } = found
      if (isDeletion || given.has(id) || this.#newest.get(id) !== seqNo) continue
      given.add(id)
      yield found
    }
  }

  #problem(path: string, error: unknown, lost?: number): void {
    if (isUnknownFormat(error)) throw error
    this.problems.push({ path, message: (error as Error).message, lost })
  }

  #parts(): { records: readonly Record[]; logGeneration: number } {
    const path = `${this.#directory}/${manifestName}`
    try {
      const { segments, logGeneration } = readManifest(this.#files, this.#directory)
      return { records: segments, logGeneration }
    } catch (error) {
      this.#problem(path, error)
      const [first = 0] = generationsIn(this.#files, this.#directory)
      return { records: this.#recordsInFolder(), logGeneration: first }
    }
  }

  /** Returns every segment in the folder, each with its newest live-docs file. */
  #recordsInFolder(): Record[] {
    const names = this.#files.list(this.#directory)
    return names
      .flatMap((name) => /^(s\d+)\.seg$/.exec(name)?.[1] ?? [])
      .map((name) => {
        const written = names
          .flatMap((other) => {
            const found = /^(s\d+)-(\d+)\.live$/.exec(other)
            return found?.[1] === name ? [{ name: other, number: Number(found[2]) }] : []
          })
          .sort((a, b) => a.number - b.number)
          .at(-1)
        return { name, ...(written !== undefined && { live: { name: written.name, docs: Number.NaN } }) }
      })
  }

  /** `isFirst` is the pass in which problems are recorded. */
  *#each(isFirst: boolean): Iterable<Found> {
    for (const record of this.#records) yield* this.#ofSegment(record, isFirst)
    yield* this.#ofLog(isFirst)
  }

  *#ofSegment({ name, live }: Record, isFirst: boolean): Iterable<Found> {
    const path = `${this.#directory}/${name}.seg`
    let sections: FileSections | undefined
    try {
      sections = new FileSections(this.#files, path)
      const segment = new SegmentReader(name, sections)
      const bits = this.#liveOf(segment, live, isFirst)
      let lost = 0
      let failure: unknown
      for (let doc = 0; doc < segment.docCount; doc++) {
        if (segment.roots?.has(doc) === false || bits?.has(doc) === false) continue
        try {
          yield foundIn(segment, doc)
        } catch (error) {
          lost++
          failure = error
        }
      }
      if (lost > 0 && isFirst) this.#problem(path, failure, lost)
      else if (isFirst) this.#verify(sections, path)
    } catch (error) {
      if (isFirst) this.#problem(path, error)
    } finally {
      sections?.close()
    }
  }

  /** Damage in sections that documents are not read from is ignored; they are rebuilt. */
  #verify(sections: FileSections, path: string): void {
    try {
      sections.verify()
    } catch (error) {
      this.#problem(path, error, 0)
    }
  }

  #liveOf(segment: SegmentReader, live: Record['live'], isFirst: boolean): BitSet | null {
    if (live === undefined) return null
    const path = `${this.#directory}/${live.name}`
    try {
      return readLiveDocs(this.#files, path, segment.docCount, live.docs)
    } catch (error) {
      if (isUnknownFormat(error)) throw error
      if (isFirst) {
        const deleted = segment.docCount - live.docs
        const more = Number.isNaN(deleted) ? 'deleted documents' : `${deleted} deleted documents`
        this.problems.push({
          path,
          message: `${(error as Error).message}; ${more} of ${segment.name} may be back`,
          lost: 0,
        })
      }
      return null
    }
  }

  *#ofLog(isFirst: boolean): Iterable<Found> {
    const found: Found[] = []
    try {
      const scans = scanLogs(this.#files, this.#directory, this.#logGeneration, {
        syncs: true,
        apply: ({ id, routing, seqNo, version, kind, source }) => {
          // The frame is released after this, so the source is copied.
          const bytes = kind === 'delete' || isFirst ? noBytes : new Uint8Array(expandSource(source))
          found.push({ id, routing, seqNo, version, source: bytes, isDeletion: kind === 'delete' })
        },
      })
      const problems = isFirst ? scans.flatMap((scan) => scan.problems).filter(({ isDamage: is }) => is) : []
      for (const problem of problems) this.#problem(problem.path, logDamage([problem]), problem.operations)
    } catch (error) {
      if (!isDamage(error)) throw error
      if (isFirst) this.#problem(this.#directory, error)
    }
    yield* found
  }
}

interface Found extends SalvagedDocument {
  readonly isDeletion: boolean
}

const noBytes = new Uint8Array(0)

function foundIn(segment: SegmentReader, doc: number): Found {
  return {
    id: segment.id(doc),
    routing: segment.routing(doc),
    seqNo: segment.seqNos[doc]!,
    version: segment.versions[doc]!,
    source: segment.source(doc),
    isDeletion: false,
  }
}
