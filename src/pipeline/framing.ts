/**
 * Cuts a stream of bytes into frames of whole records. It never looks inside a record: it finds the
 * delimiters, hands over what is complete in one frame per chunk, and keeps the unfinished tail.
 */
const defaultMaxRecordBytes = 64 * 1024 * 1024

export interface CutRecords {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

export class RecordCutter {
  readonly gap: number
  #delimiter: Buffer
  #single: number
  #max: number
  /** Pieces of the unfinished record. */
  #tail: Buffer[] = []
  #tailBytes = 0

  constructor(delimiter: Uint8Array, maxRecordBytes = defaultMaxRecordBytes) {
    this.#delimiter = Buffer.from(delimiter)
    this.#single = delimiter.length === 1 ? delimiter[0]! : -1
    this.gap = delimiter.length
    this.#max = maxRecordBytes
  }

  /** The records that `chunk` completes, if any. */
  cut(chunk: Uint8Array): CutRecords | undefined {
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const bytes = this.#withTail(fresh)
    if (bytes === undefined) return undefined
    const ends = this.#ends(bytes)
    const consumed = ends.length === 0 ? 0 : ends[ends.length - 1]! + this.gap
    this.#keep(bytes.subarray(consumed))
    if (ends.length > 0) return { bytes, ends }
    return this.#tailBytes > this.#max ? this.rest() : undefined
  }

  /** Everything buffered plus the chunk; undefined when the chunk cannot complete a record. */
  #withTail(fresh: Buffer): Buffer | undefined {
    if (this.#tail.length === 0) return fresh
    if (this.#single >= 0 && this.#tailBytes + fresh.length <= this.#max && !fresh.includes(this.#single)) {
      this.#keepMore(fresh)
      return undefined
    }
    const all = Buffer.concat([...this.#tail, fresh])
    this.#tail = []
    this.#tailBytes = 0
    return all
  }

  #keep(rest: Buffer): void {
    if (rest.length > 0) this.#keepMore(rest)
  }

  #keepMore(piece: Buffer): void {
    this.#tail.push(piece)
    this.#tailBytes += piece.length
  }

  #ends(bytes: Buffer): Uint32Array {
    let found = scratch
    let count = 0
    const needle = this.#single >= 0 ? this.#single : this.#delimiter
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

  /** What is buffered, as a last record. */
  rest(): CutRecords | undefined {
    if (this.#tailBytes === 0) return undefined
    const bytes = this.#tail.length === 1 ? this.#tail[0]! : Buffer.concat(this.#tail)
    this.#tail = []
    this.#tailBytes = 0
    return { bytes, ends: Uint32Array.of(bytes.length) }
  }
}

let scratch = new Uint32Array(1024)
