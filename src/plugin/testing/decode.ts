/**
 * Runs payloads through a codec the way a pipeline does: a codec with a delimiter gets records cut out of
 * the stream, any other gets each chunk whole; what is left at the end becomes a last record.
 */
import type { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { utf8Text } from '../../event/utf8-text.ts'
import type { CodecInstance, StreamDecoder } from '../define.ts'

export type Chunk = string | Uint8Array

/** One stream through a codec; `events` grows as records are completed. */
export class DecodingStream {
  readonly events: Event[] = []
  readonly #codec: CodecInstance
  readonly #delimiter: Uint8Array | undefined
  readonly #time: Timestamp | undefined
  readonly #charset: string | undefined
  #decoder: StreamDecoder | undefined
  #rest: Buffer = Buffer.alloc(0)

  constructor(
    codec: CodecInstance,
    options: { delimiter?: Uint8Array | undefined; time?: Timestamp | undefined } = {},
  ) {
    this.#codec = codec
    this.#delimiter = options.delimiter ?? codec.delimiter
    this.#time = options.time
    this.#charset = codec.charset
    this.#decoder = codec.decoder?.()
  }

  write(chunk: Chunk): void {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk)
    if (this.#delimiter === undefined) {
      this.#record(bytes)
      return
    }
    let rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    for (;;) {
      const end = rest.indexOf(this.#delimiter)
      if (end < 0) break
      this.#record(rest.subarray(0, end))
      rest = rest.subarray(end + this.#delimiter.length)
    }
    this.#rest = rest
  }

  end(): void {
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    if (rest.length > 0) this.#record(rest)
    this.#decoder?.flush(this.#emit, this.#time ?? Timestamp.now())
  }

  #emit = (event: Event): void => {
    this.events.push(event)
  }

  #record(bytes: Buffer): void {
    const time = this.#time ?? Timestamp.now()
    const decoder = this.#decoder
    if (decoder?.decodeBytes !== undefined) decoder.decodeBytes(bytes, this.#emit, time)
    else if (decoder !== undefined) decoder.decode?.(textOfBytes(bytes, this.#charset), this.#emit, time)
    else if (this.#codec.decodeBytes !== undefined) this.#codec.decodeBytes(bytes, this.#emit, time)
    else if (this.#codec.decode !== undefined)
      this.#codec.decode(textOfBytes(bytes, this.#charset), this.#emit, time)
    else throw new Error('this codec does not decode')
  }
}

function textOfBytes(bytes: Buffer, charset = 'UTF-8'): string {
  if (charset === 'UTF-8') return utf8Text(bytes)
  if (/^(ascii-8bit|binary)$/i.test(charset)) return bytes.toString('latin1')
  return new TextDecoder(charset, { ignoreBOM: true }).decode(bytes)
}
