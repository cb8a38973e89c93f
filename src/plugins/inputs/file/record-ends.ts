/**
 * Where the last complete record of a stream ends, without looking at the records: the same delimiters, found in
 * the same order, as the pipeline finds when it cuts the stream.
 */
export class RecordEnds {
  readonly #delimiter: Buffer
  /** Bytes since the last delimiter that may be the beginning of the next; less than one delimiter long. */
  #carry: Buffer = Buffer.alloc(0)

  constructor(delimiter: Buffer) {
    this.#delimiter = delimiter
  }

  /** The end of the last record in the chunk, delimiter included, or -1 when none ends in it. */
  push(chunk: Buffer): number {
    const { length } = this.#delimiter
    if (length === 1) return chunk.lastIndexOf(this.#delimiter[0]!) + 1 || -1
    const carried = this.#carry.length
    const bytes = carried === 0 ? chunk : Buffer.concat([this.#carry, chunk])
    let end = 0
    for (let at = bytes.indexOf(this.#delimiter); at >= 0; at = bytes.indexOf(this.#delimiter, end)) {
      end = at + length
    }
    this.#carry = Buffer.from(bytes.subarray(Math.max(end, bytes.length - length + 1)))
    return end === 0 ? -1 : end - carried
  }
}
