/**
 * Reads the entries of one segment from a position on, a block at a time. What is damaged is skipped and counted: one
 * record when its size can be believed, else the rest of its block. An entry that is not all there yet is left for
 * later, because the segment may still be written.
 */
import type { ReadFile } from '../../storage/files.ts'
import { decodeEntry, type Entry } from './entry.ts'
import {
  blockBytes,
  isBlank,
  recordAt,
  recordType,
  type SegmentRecord,
  versionBytes,
} from './segment-format.ts'

export interface ScannedEntry {
  readonly entry: Entry
  /** The entry as it was written, for copying. */
  readonly bytes: Uint8Array
  /** Where the entry begins, and where the next one does, in the file. */
  readonly start: number
  readonly end: number
}

export class SegmentScan {
  /** Places at which something was skipped. */
  damaged = 0
  /** What could be read ends here: the end of the last entry, or of what was skipped. */
  position: number
  /** After the last entry: whether bytes follow that are the beginning of something. */
  endsShort = false
  readonly #file: ReadFile
  #block: Buffer | undefined
  #blockStart = -1
  /** What is skipped in one go counts once. */
  #isSkipping = false
  /** The position may be that of a block, which begins with the rest of an entry: that is no damage. */
  #isSeeking: boolean

  readonly #onSkip: ((from: number, to: number) => void) | undefined

  /** `onSkip` hears of everything that is damaged. */
  constructor(file: ReadFile, position = versionBytes, onSkip?: (from: number, to: number) => void) {
    this.#file = file
    this.#onSkip = onSkip
    this.position = Math.max(versionBytes, position)
    this.#isSeeking = position > versionBytes
  }

  /** Undefined at the end of what is there. */
  next(): ScannedEntry | undefined {
    let at = this.position
    for (;;) {
      const block = this.#blockAt(at)
      if (block === undefined) return this.#finish(false)
      const found = recordAt(block, at - this.#blockStart)
      if (found.kind !== 'record' && this.#isSeeking && this.#stepBack(at, block)) {
        at = this.position
        continue
      }
      if (found.kind === 'short') return this.#finish(at < this.#file.size)
      if (found.kind === 'record') {
        const { record } = found
        const { type } = record
        if (type !== recordType.complete && type !== recordType.start) {
          // The rest of an entry whose beginning was damaged, or is behind the position.
          if (this.#isSeeking || isBlank(record)) this.position = this.#blockStart + record.end
          else this.#skipTo(this.#blockStart + record.end)
        } else {
          const scanned = this.#collect(record, at)
          if (scanned !== 'damaged') return scanned
        }
      } else if (found.kind === 'damaged') {
        this.#skipTo(found.end === undefined ? this.#nextBlock() : this.#blockStart + found.end)
      } else {
        // Zeros at the end of a file are padding only when the block is whole.
        if (block.length < blockBytes) return this.#finish(at < this.#file.size)
        this.position = this.#nextBlock()
      }
      at = this.position
    }
  }

  /**
   * A position inside of a record belongs to another segment of the same number. Goes to the beginning of the record: an
   * entry may come twice, and the rest of the block does not look damaged. False when the position is between records.
   */
  #stepBack(at: number, block: Buffer): boolean {
    const wanted = at - this.#blockStart
    for (let from = 0; from < wanted; ) {
      const found = recordAt(block, from)
      if (found.kind !== 'record') return false
      if (found.record.end > wanted) {
        this.position = this.#blockStart + from
        return true
      }
      from = found.record.end
    }
    return false
  }

  /** All records of the entry that begins with `first`. */
  #collect(first: SegmentRecord, start: number): ScannedEntry | 'damaged' | undefined {
    const pieces = [first.payload]
    const total = first.type === recordType.start ? first.total : first.payload.length
    let size = first.payload.length
    let at = this.#blockStart + first.end
    while (size < total) {
      const block = this.#blockAt(at)
      if (block === undefined) return this.#finish(true)
      const found = recordAt(block, at - this.#blockStart)
      if (found.kind === 'padding' && block.length === blockBytes) {
        at = this.#nextBlock()
        continue
      }
      if (found.kind === 'short' || found.kind === 'padding') return this.#finish(true)
      const isRest =
        found.kind === 'record' &&
        (found.record.type === recordType.middle || found.record.type === recordType.end)
      if (!isRest) {
        // A new entry begins here, or nothing that can be read: either way this one has no end.
        this.#skipTo(at)
        return 'damaged'
      }
      const { record } = found
      pieces.push(record.payload)
      size += record.payload.length
      at = this.#blockStart + record.end
      if (record.type === recordType.end) break
    }
    const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, size)
    const entry = size === total ? decodeEntry(bytes) : undefined
    if (entry === undefined) {
      this.#skipTo(at)
      return 'damaged'
    }
    this.position = at
    this.#isSkipping = false
    this.#isSeeking = false
    return { entry, bytes, start, end: at }
  }

  #finish(endsShort: boolean): undefined {
    this.endsShort = endsShort
  }

  #skipTo(position: number): void {
    if (!this.#isSkipping) this.damaged += 1
    this.#isSkipping = true
    this.#isSeeking = false
    this.#onSkip?.(this.position, position)
    this.position = position
  }

  #nextBlock(): number {
    return this.#blockStart + blockBytes
  }

  /** The block in which a position is, as far as it is written. */
  #blockAt(at: number): Buffer | undefined {
    if (at >= this.#file.size) return undefined
    const start = at - ((at - versionBytes) % blockBytes)
    if (start !== this.#blockStart) {
      const bytes = this.#file.read(start, Math.min(this.#file.size, start + blockBytes))
      this.#block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      this.#blockStart = start
    }
    return this.#block
  }
}
