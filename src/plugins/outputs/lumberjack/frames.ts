/**
 * Frames of the Lumberjack protocol, version 1, as a sender writes them:
 *
 *   1W count                                  how many data frames follow
 *   1C length zlib(1D seq pairs (keyLength key valueLength value)… …)
 *   1A seq                                    the receiver has everything up to seq
 */
import { deflateSync } from 'node:zlib'

const version = 0x31

function dataFrame(sequence: number, line: Uint8Array): Buffer {
  const key = Buffer.from('line')
  const head = Buffer.alloc(10 + 4 + key.length + 4)
  head[0] = version
  head.write('D', 1, 'latin1')
  head.writeUInt32BE(sequence, 2)
  head.writeUInt32BE(1, 6)
  head.writeUInt32BE(key.length, 10)
  key.copy(head, 14)
  head.writeUInt32BE(line.length, 14 + key.length)
  return Buffer.concat([head, line])
}

/** Window and compressed data of a batch, numbered from 1. */
export function batchFrames(lines: readonly Uint8Array[]): Buffer {
  const packed = deflateSync(Buffer.concat(lines.map((line, index) => dataFrame(index + 1, line))))
  const head = Buffer.alloc(12)
  head[0] = version
  head.write('W', 1, 'latin1')
  head.writeUInt32BE(lines.length, 2)
  head[6] = version
  head.write('C', 7, 'latin1')
  head.writeUInt32BE(packed.length, 8)
  return Buffer.concat([head, packed])
}

/** Reads acknowledgements out of what a receiver sends. */
export class AckReader {
  #rest: Buffer = Buffer.alloc(0)

  /** The highest number acknowledged by these bytes, or 0. Throws when they are something else. */
  push(chunk: Uint8Array): number {
    let bytes: Buffer = Buffer.concat([this.#rest, chunk])
    let highest = 0
    while (bytes.length >= 6) {
      if (bytes[1] !== 0x41) throw new Error('the receiver sent something else than an acknowledgement')
      highest = Math.max(highest, bytes.readUInt32BE(2))
      bytes = bytes.subarray(6)
    }
    this.#rest = bytes
    return highest
  }
}
