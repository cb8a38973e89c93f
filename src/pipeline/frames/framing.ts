/**
 * Cuts a stream of bytes into frames of whole records. It never looks inside a record: it finds the delimiters,
 * hands over what is complete in one piece per chunk, and keeps the unfinished tail. A record that grows beyond the
 * limit is cut there and handed over at once; the rest of it is passed over up to the next delimiter.
 */
import { droppedBuffer } from '../../memory/collect-garbage.ts'
import { memoryAccount } from '../../memory/memory-account.ts'

/** Longest record of a stream unless its codec says otherwise; what is longer is cut. */
const defaultMaxRecordBytes = 20 * 1024 * 1024

/**
 * Share of the memory limit for one record: until it is stored there are up to a dozen copies of it, as bytes, text and
 * JSON, in `message` and in `event.original`, on the side of the pipeline and on that of the store.
 */
const maxRecordShare = 1 / 48

function maxRecordBytesOf(memoryLimit: number): number {
  const share = Math.floor(memoryLimit * maxRecordShare)
  return Math.min(defaultMaxRecordBytes, Math.max(maxRecordBytesUnderPressure, share))
}

/** Limit of a record while unfinished records of all connections take too much memory together. */
const maxRecordBytesUnderPressure = 1024 * 1024

export interface CutRecords {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
  /** One record that was longer than the limit, up to the limit. */
  readonly truncated: boolean
}

const none: readonly CutRecords[] = []

export class RecordCutter {
  readonly gap: number
  readonly #delimiter: Buffer
  readonly #needle: number | Buffer
  readonly #max: number
  readonly #tail: Tail
  #isPassingOver = false

  constructor(delimiter: Uint8Array, maxRecordBytes = maxRecordBytesOf(memoryAccount.limit)) {
    this.#delimiter = Buffer.from(delimiter)
    this.#needle = delimiter.length === 1 ? delimiter[0]! : this.#delimiter
    this.gap = delimiter.length
    this.#max = maxRecordBytes
    this.#tail = new Tail(maxRecordBytes + this.gap)
  }

  /** Bytes of the record that is not complete yet; undefined while the rest of a cut one is passed over. */
  get held(): number | undefined {
    return this.#isPassingOver ? undefined : this.#tail.length
  }

  /** The records that `chunk` completes, and one that it makes too long. */
  cut(chunk: Uint8Array): readonly CutRecords[] {
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (this.#isPassingOver) return this.#passOver(fresh)
    if (this.#tail.length > 0 && !this.#completes(fresh)) return this.#keep(fresh)
    const bytes = this.#tail.takeWith(fresh)
    const ends = this.#ends(bytes)
    const consumed = ends.length === 0 ? 0 : ends[ends.length - 1]! + this.gap
    const records =
      ends.length === 0
        ? none
        : bytes.length <= this.#max
          ? [{ bytes, ends, truncated: false }]
          : this.#withinLimit(bytes, ends)
    const tooLong = consumed < bytes.length ? this.#keep(bytes.subarray(consumed)) : none
    return tooLong === none ? records : [...records, ...tooLong]
  }

  /** What is buffered, as a last record. */
  rest(): readonly CutRecords[] {
    const isOver = this.#isPassingOver
    const bytes = this.#tail.takeWith(noBytes)
    this.#isPassingOver = false
    if (isOver || bytes.length === 0) return none
    return [{ bytes, ends: Uint32Array.of(bytes.length), truncated: false }]
  }

  /** Whether a delimiter ends in the chunk; it may have begun in the tail. */
  #completes(fresh: Buffer): boolean {
    if (fresh.includes(this.#needle)) return true
    return this.gap > 1 && this.#acrossBorder(fresh).includes(this.#delimiter)
  }

  /** The last bytes of the tail and the first ones of the chunk: as much as can hold a delimiter of both. */
  #acrossBorder(fresh: Buffer): Buffer {
    const border = this.gap - 1
    return Buffer.concat([this.#tail.last(border), fresh.subarray(0, border)])
  }

  /** Adds to the unfinished record, or cuts it when it is too long by now. */
  #keep(piece: Buffer): readonly CutRecords[] {
    // The last bytes may be the beginning of a delimiter and are no part of the record then.
    const length = this.#tail.length + piece.length
    const max = this.#maxFor(length)
    if (length < max + this.gap) {
      this.#tail.push(piece)
      // A long record comes in thousands of chunks, each copied and dropped.
      if (length > manyBytes) droppedBuffer(piece.length)
      return none
    }
    const missing = Math.max(0, max - this.#tail.length)
    const border = piece.length < this.gap - 1 ? this.#acrossBorder(piece) : piece
    const bytes = this.#tail.takeWith(piece.subarray(0, missing)).subarray(0, this.#max)
    this.#isPassingOver = true
    this.#keepBorder(border)
    return [{ bytes, ends: Uint32Array.of(bytes.length), truncated: true }]
  }

  #maxFor(length: number): number {
    if (length <= maxRecordBytesUnderPressure) return this.#max
    const isShort = memoryAccount.total('inputs') >= memoryAccount.inputsLimit
    return isShort ? Math.min(this.#max, maxRecordBytesUnderPressure) : this.#max
  }

  /** Keeps the end of bytes that are passed over, which may be the beginning of a delimiter. */
  #keepBorder(bytes: Buffer): void {
    if (this.gap > 1) this.#tail.push(Buffer.from(bytes.subarray(Math.max(0, bytes.length - this.gap + 1))))
  }

  #passOver(fresh: Buffer): readonly CutRecords[] {
    const bytes = this.#tail.takeWith(fresh)
    const end = bytes.indexOf(this.#needle)
    if (end < 0) {
      droppedBuffer(fresh.length)
      this.#keepBorder(bytes)
      return none
    }
    this.#isPassingOver = false
    return end + this.gap < bytes.length ? this.cut(bytes.subarray(end + this.gap)) : none
  }

  #ends(bytes: Buffer): Uint32Array {
    let found = scratch
    let count = 0
    const needle = this.#needle
    for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + this.gap)) {
      if (count === found.length) {
        const larger = new Uint32Array(found.length * 2)
        larger.set(found)
        found = larger
        if (larger.length <= 1 << 20) scratch = larger
      }
      found[count++] = at
    }
    return found.slice(0, count)
  }

  /** Runs of records within the limit, and between them each record that is longer, cut. */
  #withinLimit(bytes: Buffer, ends: Uint32Array): CutRecords[] {
    const parts: CutRecords[] = []
    let runStart = 0
    let runFirst = 0
    const closeRun = (next: number, at: number) => {
      if (next > runFirst) {
        const run = ends.slice(runFirst, next)
        for (let i = 0; i < run.length; i++) run[i]! -= runStart
        parts.push({ bytes: bytes.subarray(runStart, at), ends: run, truncated: false })
      }
    }
    for (let i = 0; i < ends.length; i++) {
      const start = i === 0 ? 0 : ends[i - 1]! + this.gap
      if (ends[i]! - start <= this.#max) continue
      closeRun(i, start)
      const record = bytes.subarray(start, start + this.#max)
      parts.push({ bytes: record, ends: Uint32Array.of(record.length), truncated: true })
      runStart = ends[i]! + this.gap
      runFirst = i + 1
    }
    closeRun(ends.length, bytes.length)
    return parts
  }
}

let scratch = new Uint32Array(1024)

const noBytes = Buffer.alloc(0)
const minMemory = 64 * 1024
/** From this length on there is room for the longest record: it is not copied again, and what is not used costs nothing. */
const manyBytes = 1024 * 1024

/**
 * The unfinished record. Its first piece stays where it is; from the second one on pieces are copied into memory that
 * doubles, so that a record that comes in very small pieces is no list of them. A long one gets memory for the longest
 * there may be at once: the system gives pages when they are written, while each doubling would leave a copy behind.
 */
class Tail {
  readonly #max: number
  #memory: Buffer = noBytes
  #isOwn = false
  length = 0

  constructor(max: number) {
    this.#max = max
  }

  push(piece: Buffer): void {
    const length = this.length + piece.length
    if (this.length === 0) {
      this.#memory = piece
      this.#isOwn = false
    } else {
      if (!this.#isOwn || length > this.#memory.length) this.#grow(length)
      this.#memory.set(piece, this.length)
    }
    this.length = length
  }

  #grow(min: number): void {
    const size = min > manyBytes ? this.#max : Math.min(2 * min, this.#max)
    const larger = Buffer.allocUnsafeSlow(Math.max(min, size, minMemory))
    larger.set(this.#memory.subarray(0, this.length))
    memoryAccount.add('inputs', size - (this.#isOwn ? this.#memory.length : 0))
    this.#memory = larger
    this.#isOwn = true
  }

  last(count: number): Buffer {
    return this.#memory.subarray(Math.max(0, this.length - count), this.length)
  }

  /** Everything and these bytes, in memory that is the caller's from now on. */
  takeWith(fresh: Buffer): Buffer {
    const held = this.#memory.subarray(0, this.length)
    const length = this.length + fresh.length
    // Memory that is mostly empty stays here: whoever passes a record on to another thread passes all of it on.
    const fits = this.#isOwn && length <= this.#memory.length && 2 * length >= this.#memory.length
    if (fits) this.#memory.set(fresh, this.length)
    const all = fits
      ? this.#memory.subarray(0, length)
      : held.length === 0
        ? fresh
        : fresh.length === 0 && !this.#isOwn
          ? held
          : Buffer.concat([held, fresh])
    if (this.#isOwn) memoryAccount.add('inputs', -this.#memory.length)
    this.#memory = noBytes
    this.#isOwn = false
    this.length = 0
    return all
  }
}
