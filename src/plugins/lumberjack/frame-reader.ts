/**
 * Frames of the Lumberjack protocol, versions 1 and 2, cut out of a stream. All numbers are unsigned, 32 bits,
 * big-endian; every frame begins with the version as a digit (`1`, `2`) and a letter:
 *   W  number of events until the sender expects an acknowledgement
 *   J  sequence number, length, an event as JSON
 *   D  sequence number, number of pairs, then for each: length, name, length, value
 *   C  length, frames compressed with zlib
 *   A  sequence number (only from receiver to sender)
 * What a frame says about its own length is never believed beyond the limits below.
 */
import { utf8Text } from '../../event/utf8-text.ts'
import { type Fields, putField } from '../../event/value.ts'
import { ByteQueue } from './byte-queue.ts'

export type LumberjackVersion = 1 | 2

export type LumberjackFrame =
  | { readonly kind: 'window'; readonly version: LumberjackVersion; readonly size: number }
  | {
      readonly kind: 'json'
      readonly version: LumberjackVersion
      readonly sequence: number
      readonly json: Buffer
    }
  | {
      readonly kind: 'data'
      readonly version: LumberjackVersion
      readonly sequence: number
      readonly bytes: number
      readonly fields: Fields
    }
  | { readonly kind: 'compressed'; readonly version: LumberjackVersion; readonly zlib: Buffer }

export class ProtocolError extends Error {}

/** Longest JSON text, compressed frame or value. */
const maxFrameBytes = 64 * 1024 * 1024
const maxPairs = 100_000

interface DataInProgress {
  readonly sequence: number
  readonly fields: Fields
  pairsLeft: number
  bytes: number
  name: string | undefined
}

export class FrameReader {
  readonly #bytes = new ByteQueue()
  #version: LumberjackVersion = 2
  #type = ''
  /** The length that a J or C frame announced, while its body is on the way. */
  #bodyLength = -1
  #sequence = 0
  #data: DataInProgress | undefined
  #itemLength = -1

  push(chunk: Buffer): void {
    this.#bytes.push(chunk)
  }

  /** True between two frames. */
  get isIdle(): boolean {
    return this.#type === '' && this.#bytes.length === 0
  }

  /** The next frame; undefined until more bytes have come. Throws a ProtocolError. */
  next(): LumberjackFrame | undefined {
    if (this.#type === '') {
      if (this.#bytes.length < 2) return undefined
      this.#readHeader(this.#bytes.take(2))
    }
    switch (this.#type) {
      case 'W':
        return this.#window()
      case 'J':
        return this.#json()
      case 'C':
        return this.#compressed()
      default:
        return this.#pairs()
    }
  }

  #readHeader(header: Buffer): void {
    const version = header[0]! - 0x30
    const type = String.fromCharCode(header[1]!)
    if (version !== 1 && version !== 2) {
      throw new ProtocolError(`Invalid version of beats protocol: ${header[0]}`)
    }
    if (!'WJDC'.includes(type)) throw new ProtocolError(`Invalid Frame Type, received: ${header[1]}`)
    this.#version = version
    this.#type = type
  }

  #window(): LumberjackFrame | undefined {
    if (this.#bytes.length < 4) return undefined
    const size = this.#bytes.take(4).readUInt32BE(0)
    this.#type = ''
    return { kind: 'window', version: this.#version, size }
  }

  #json(): LumberjackFrame | undefined {
    if (this.#bodyLength < 0) {
      if (this.#bytes.length < 8) return undefined
      const head = this.#bytes.take(8)
      this.#sequence = head.readUInt32BE(0)
      this.#bodyLength = checkedLength(head.readUInt32BE(4), 'json length')
    }
    const json = this.#body()
    return json && { kind: 'json', version: this.#version, sequence: this.#sequence, json }
  }

  #compressed(): LumberjackFrame | undefined {
    if (this.#bodyLength < 0) {
      if (this.#bytes.length < 4) return undefined
      this.#bodyLength = checkedLength(this.#bytes.take(4).readUInt32BE(0), 'compressed length')
    }
    const zlib = this.#body()
    return zlib && { kind: 'compressed', version: this.#version, zlib }
  }

  #body(): Buffer | undefined {
    if (this.#bytes.length < this.#bodyLength) return undefined
    const body = this.#bytes.take(this.#bodyLength)
    this.#bodyLength = -1
    this.#type = ''
    return body
  }

  #pairs(): LumberjackFrame | undefined {
    if (this.#data === undefined) {
      if (this.#bytes.length < 8) return undefined
      const head = this.#bytes.take(8)
      const pairsLeft = head.readUInt32BE(4)
      if (pairsLeft === 0 || pairsLeft > maxPairs) {
        throw new ProtocolError(`Invalid number of fields, received: ${pairsLeft}`)
      }
      this.#data = { sequence: head.readUInt32BE(0), fields: {}, pairsLeft, bytes: 0, name: undefined }
    }
    const data = this.#data
    while (data.pairsLeft > 0) {
      const item = this.#item()
      if (item === undefined) return undefined
      data.bytes += item.length + 4
      if (data.bytes > maxFrameBytes) throw new ProtocolError(`Invalid data length, received: ${data.bytes}`)
      if (data.name === undefined) data.name = utf8Text(item)
      else {
        putField(data.fields, data.name, utf8Text(item))
        data.name = undefined
        data.pairsLeft -= 1
      }
    }
    this.#data = undefined
    this.#type = ''
    return {
      kind: 'data',
      version: this.#version,
      sequence: data.sequence,
      bytes: data.bytes,
      fields: data.fields,
    }
  }

  #item(): Buffer | undefined {
    if (this.#itemLength < 0) {
      if (this.#bytes.length < 4) return undefined
      const length = this.#bytes.take(4).readUInt32BE(0)
      if (length > maxFrameBytes) throw new ProtocolError(`Invalid field length, received: ${length}`)
      this.#itemLength = length
    }
    if (this.#bytes.length < this.#itemLength) return undefined
    const item = this.#bytes.take(this.#itemLength)
    this.#itemLength = -1
    return item
  }
}

function checkedLength(length: number, what: string): number {
  if (length === 0 || length > maxFrameBytes) throw new ProtocolError(`Invalid ${what}, received: ${length}`)
  return length
}

/** An acknowledgement of everything up to a sequence number; 0 says only that we are alive. */
export function ackFrame(version: LumberjackVersion, sequence: number): Buffer {
  const frame = Buffer.alloc(6)
  frame[0] = 0x30 + version
  frame[1] = 0x41
  frame.writeUInt32BE(sequence, 2)
  return frame
}
