/**
 * Reads a dead letter queue from a position on, segment after segment, and goes on with the one that is being written.
 * No file stays open between two reads, so that writer and reader need not know of each other: a segment that is sealed
 * or removed meanwhile is found again, or passed over, by its number.
 */
import type { Files } from '../../storage/files.ts'
import { isMissing, listSegments, type SegmentFile } from './segment-files.ts'
import { lastBlockEnd, versionBytes } from './segment-format.ts'
import { type ScannedEntry, SegmentScan } from './segment-scan.ts'

/** Before the entry that comes next. */
export interface ReadPosition {
  readonly segment: number
  readonly offset: number
}

interface ReadEntry extends ScannedEntry {
  readonly segment: number
}

interface ReadLimits {
  readonly entries: number
  readonly bytes: number
}

const start: ReadPosition = { segment: 0, offset: versionBytes }

export class DeadLetterReader {
  /** Places at which bytes were skipped because they are damaged. */
  damaged = 0
  readonly #files: Files
  readonly #directory: string
  readonly #onDamage: (path: string, offset: number) => void
  #position: ReadPosition

  constructor(
    files: Files,
    directory: string,
    position: ReadPosition = start,
    onDamage: (path: string, offset: number) => void = () => {},
  ) {
    this.#files = files
    this.#directory = directory
    this.#position = position
    this.#onDamage = onDamage
  }

  get position(): ReadPosition {
    return this.#position
  }

  /** The entries that come next, up to the limits; none when the end is reached for now. */
  read(limits: ReadLimits): ReadEntry[] {
    const found: ReadEntry[] = []
    let room: ReadLimits = limits
    const segments = listSegments(this.#files, this.#directory)
    const last = segments.at(-1)
    // Numbers only grow: a queue that ends long before the position was emptied and begun again.
    if (last !== undefined && last.id + 1 < this.#position.segment) this.#position = start
    for (const [index, segment] of segments.entries()) {
      if (segment.id < this.#position.segment) continue
      if (segment.id > this.#position.segment) this.#position = { segment: segment.id, offset: versionBytes }
      const isLast = index === segments.length - 1
      room = this.#readSegment(segment, isLast, room, found)
      if (room.entries <= 0 || room.bytes <= 0) break
      // The last one may still grow, or is the place where the next one is waited for.
      if (!isLast) this.#position = { segment: segment.id + 1, offset: versionBytes }
    }
    return found
  }

  #readSegment(segment: SegmentFile, isLast: boolean, limits: ReadLimits, found: ReadEntry[]): ReadLimits {
    let { entries, bytes } = limits
    let file: ReturnType<Files['openRead']>
    try {
      file = this.#files.openRead(segment.path)
    } catch (error) {
      // Sealed or removed since the directory was listed: the next read finds out.
      if (isMissing(error)) return { entries: isLast ? 0 : entries, bytes }
      throw error
    }
    try {
      // A file that is shorter than what was read of it lost its end in a crash: entries come twice rather than never.
      const { offset } = this.#position
      const scan = new SegmentScan(file, offset > lastBlockEnd(file.size) ? versionBytes : offset)
      while (entries > 0 && bytes > 0) {
        const next = scan.next()
        this.#position = { segment: segment.id, offset: scan.position }
        if (next === undefined) break
        found.push({ ...next, segment: segment.id })
        entries -= 1
        bytes -= next.bytes.length
      }
      this.#note(segment, isLast, scan)
    } finally {
      file.close()
    }
    return { entries, bytes }
  }

  /** A cut-off end is damage once nobody can write the rest of it any more. */
  #note(segment: SegmentFile, isLast: boolean, scan: SegmentScan): void {
    const isOver = scan.endsShort && (segment.isSealed || !isLast)
    const damaged = scan.damaged + (isOver ? 1 : 0)
    if (damaged === 0) return
    this.damaged += damaged
    this.#onDamage(segment.path, scan.position)
    if (isOver && isLast) this.#position = { segment: segment.id + 1, offset: versionBytes }
  }
}
