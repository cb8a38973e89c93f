/**
 * A file as records for the codec. A codec with a delimiter gets what lies between two. All others get lines as Logstash
 * cuts them: with their ends when the file is plain, without them when it was packed.
 */
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'

const lineFeed = Buffer.from('\n')
const chunkBytes = 256 * 1024
/** A line that is longer is cut. */
const maxLineBytes = 64 * 1024 * 1024

interface Cutting {
  readonly isGzip: boolean
  readonly delimiter: Uint8Array | undefined
  readonly maxBytes?: number | undefined
}

export async function* recordsOf(path: string, cutting: Cutting): AsyncGenerator<Buffer[]> {
  const file = createReadStream(path, { highWaterMark: chunkBytes })
  const unpacker = cutting.isGzip ? createGunzip({ chunkSize: chunkBytes }) : undefined
  if (unpacker !== undefined) {
    file.on('error', (error) => unpacker.destroy(error))
    file.pipe(unpacker)
  }
  const cutter = new Cutter(cutting)
  try {
    for await (const chunk of (unpacker ?? file) as AsyncIterable<Buffer>) {
      const records = cutter.cut(chunk)
      if (records.length > 0) yield records
    }
    const last = cutter.end()
    if (last !== undefined) yield [last]
  } finally {
    file.destroy()
    unpacker?.destroy()
  }
}

export class Cutter {
  readonly #delimiter: Buffer
  readonly #keepsEnd: boolean
  readonly #dropsReturn: boolean
  readonly #maxBytes: number
  #rest: Buffer[] = []
  #restBytes = 0

  constructor({ isGzip, delimiter, maxBytes }: Cutting) {
    this.#delimiter = delimiter === undefined ? lineFeed : Buffer.from(delimiter)
    this.#keepsEnd = delimiter === undefined && !isGzip
    this.#dropsReturn = delimiter === undefined && isGzip
    this.#maxBytes = Math.min(maxBytes ?? maxLineBytes, maxLineBytes)
  }

  cut(chunk: Buffer): Buffer[] {
    const records: Buffer[] = []
    // A delimiter may have been cut in two.
    const overlap = this.#delimiter.length - 1
    let bytes = chunk
    let from = 0
    if (this.#restBytes > 0 && overlap > 0) {
      from = Math.max(0, this.#restBytes - overlap)
      bytes = Buffer.concat([...this.#rest, chunk])
      this.#rest = []
      this.#restBytes = 0
    }
    let start = 0
    for (;;) {
      const at = bytes.indexOf(this.#delimiter, from)
      if (at < 0) break
      const next = at + this.#delimiter.length
      records.push(this.#record(bytes.subarray(start, this.#keepsEnd ? next : at)))
      start = next
      from = next
    }
    if (start < bytes.length) {
      this.#rest.push(bytes.subarray(start))
      this.#restBytes += bytes.length - start
      if (this.#restBytes > this.#maxBytes) records.push(this.#record(Buffer.alloc(0)))
    }
    return records
  }

  end(): Buffer | undefined {
    return this.#restBytes === 0 ? undefined : this.#record(Buffer.alloc(0))
  }

  #record(tail: Buffer): Buffer {
    const whole = this.#restBytes === 0 ? tail : Buffer.concat([...this.#rest, tail])
    this.#rest = []
    this.#restBytes = 0
    return this.#dropsReturn && whole.at(-1) === 0x0d ? whole.subarray(0, -1) : whole
  }
}
