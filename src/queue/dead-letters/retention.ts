/**
 * Which segments a dead letter queue gives up: the oldest ones when it would grow past its limit and older events are
 * the ones to go, and those whose newest entry is older than the age to keep. Only sealed segments are removed.
 */
import type { Files } from '../../storage/files.ts'
import {
  listSegments,
  quarantineFolder,
  quarantinePath,
  recordLastNumber,
  type SegmentFile,
  type SegmentSummary,
  sizeOf,
  summarize,
} from './segment-files.ts'

export type StoragePolicy = 'drop_newer' | 'drop_older'

const unitMillis = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 } as const

/** Milliseconds of `dead_letter_queue.retain.age`, such as `5d`. */
export function parseAge(text: string): number {
  const match = /^(\d+)\s*([dhms])$/.exec(text)
  if (match === null)
    throw new Error(
      `Expected a time specification in the form <number>[d,h,m,s], e.g. 3m, but found [${text}]`,
    )
  return Number(match[1]) * unitMillis[match[2] as keyof typeof unitMillis]
}

export class SealedSegments {
  readonly #files: Files
  readonly #directory: string
  /** The oldest one that has entries: undefined when it has to be looked for, null when there is none. */
  #oldest: { readonly file: SegmentFile; readonly newest: number } | null | undefined

  constructor(files: Files, directory: string) {
    this.#files = files
    this.#directory = directory
  }

  /** In the order in which they were written. */
  list(): SegmentFile[] {
    return listSegments(this.#files, this.#directory).filter(({ isSealed }) => isSealed)
  }

  /** Bytes of all segments, sealed or not. */
  bytes(): number {
    let bytes = 0
    for (const { path } of listSegments(this.#files, this.#directory)) bytes += sizeOf(this.#files, path)
    return bytes
  }

  /** Removes a segment; what it held, or undefined when somebody else had removed it. */
  remove({ id, path }: SegmentFile): SegmentSummary | undefined {
    this.#oldest = undefined
    const summary = summarize(this.#files, path)
    if (summary === undefined) return undefined
    this.#recordNumber(id)
    this.#files.remove(path)
    this.#files.syncDirectory(this.#directory)
    return summary
  }

  /** Removes a segment that was read, or moves it to the quarantine when a part of it could not be read. */
  removeRead(segment: SegmentFile): SegmentSummary | undefined {
    const { id, path } = segment
    const summary = summarize(this.#files, path)
    if (summary === undefined || summary.damaged === 0) return this.remove(segment)
    this.#oldest = undefined
    this.#recordNumber(id)
    this.#files.rename(path, quarantinePath(this.#files, this.#directory, `${id}.log`))
    this.#files.syncDirectory(`${this.#directory}/${quarantineFolder}`)
    this.#files.syncDirectory(this.#directory)
    return summary
  }

  #recordNumber(id: number): void {
    if (listSegments(this.#files, this.#directory).at(-1)?.id === id)
      recordLastNumber(this.#files, this.#directory, id)
  }

  /** The oldest segment with entries, if all of them are older than `before`. */
  expired(before: number): SegmentFile | undefined {
    if (this.#oldest === undefined) this.#oldest = this.#findOldest()
    return this.#oldest !== null && this.#oldest.newest < before ? this.#oldest.file : undefined
  }

  /** Segments came or went. */
  lookAgain(): void {
    this.#oldest = undefined
  }

  /** A segment of which nothing can be read has no age, and must not keep the ones after it. */
  #findOldest(): { file: SegmentFile; newest: number } | null {
    for (const file of this.list()) {
      const newest = summarize(this.#files, file.path)?.newest
      if (newest !== undefined) return { file, newest: newest.millis }
    }
    return null
  }
}
