/**
 * Goes through the records of a page. Every record it gives had both checksums right. What lies between good records
 * is given as damage, with its place; a search for the next good header goes through the whole rest of the page once.
 */
import { crc32 } from 'node:zlib'
import type { ReadFile } from '../../storage/files.ts'
import { FileWindow } from '../file-window.ts'
import { unpack } from './compression.ts'
import { readRecordHeader, recordHeaderBytes, recordMagic } from './record-format.ts'

export interface ScannedRecord {
  readonly kind: 'record'
  readonly from: number
  readonly to: number
  readonly seq: number
  readonly count: number
  readonly payload: Uint8Array
}

export interface ScannedDamage {
  readonly kind: 'damage'
  readonly from: number
  readonly to: number
  readonly reason: string
  /** The disk could not read all of it: another try may. */
  readonly isUnreadable?: boolean
}

/** Hears of payloads that had been compressed. */
export type UnpackMeter = (packedBytes: number, unpackedBytes: number, nanos: number) => void

/** How much of a page is searched at once. */
const searchedBytes = 256 * 1024

export class PageScan {
  readonly #window: FileWindow
  readonly #seed: number
  readonly #meter: UnpackMeter | undefined
  position: number
  /** Bytes from here on are not looked at; grows with a page that is still written to. */
  limit: number

  constructor(file: ReadFile, seed: number, position: number, limit: number, meter?: UnpackMeter) {
    this.#meter = meter
    this.#window = new FileWindow(file)
    this.#seed = seed
    this.position = position
    this.limit = limit
  }

  /** Undefined at the limit, and when only zeros are left. */
  next(): ScannedRecord | ScannedDamage | undefined {
    const from = this.position
    if (from >= this.limit) return undefined
    const head = this.#bytes(from, Math.min(this.limit, from + recordHeaderBytes))
    const header = readRecordHeader(head, 0, this.#seed, from)
    if (header === undefined) return this.#resynchronise(from)
    const to = from + recordHeaderBytes + header.storedBytes
    if (to > this.limit) return this.#damage(from, this.limit, 'the record is cut off')
    this.position = to
    const stored = this.#bytes(from + recordHeaderBytes, to)
    if (crc32(stored) !== header.payloadCrc)
      return this.#damage(from, to, 'the checksum of the payload is wrong')
    const began = performance.now()
    const payload = unpack(header.codec, stored, header.rawBytes)
    if (payload !== stored) this.#meter?.(stored.length, header.rawBytes, (performance.now() - began) * 1e6)
    if (payload === undefined) return this.#damage(from, to, 'the payload cannot be unpacked')
    return { kind: 'record', from, to, seq: header.seq, count: header.count, payload }
  }

  #damage(from: number, to: number, reason: string): ScannedDamage {
    this.position = to
    return { kind: 'damage', from, to, reason, isUnreadable: this.#window.isUnreadable }
  }

  #resynchronise(from: number): ScannedDamage | undefined {
    let isZero = true
    for (let at = from; at < this.limit; ) {
      const bytes = this.#bytes(at, Math.min(this.limit, at + searchedBytes))
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
      isZero &&= isAllZero(bytes)
      for (let i = buffer.indexOf(recordMagic); i >= 0; i = buffer.indexOf(recordMagic, i + 1)) {
        if (at + i === from || i + recordHeaderBytes > bytes.length) continue
        if (readRecordHeader(bytes, i, this.#seed, at + i) !== undefined)
          return this.#damage(from, at + i, 'the header of a record is damaged')
      }
      // A header may begin at the end of one window and end in the next.
      const isLast = at + bytes.length >= this.limit
      at += isLast ? bytes.length : bytes.length - (recordHeaderBytes - 1)
    }
    if (!isZero) return this.#damage(from, this.limit, 'no further record is found')
    this.position = this.limit
    return undefined
  }

  #bytes(from: number, to: number): Uint8Array {
    return this.#window.read(from, to, this.limit)
  }

  close(): void {
    this.#window.close()
  }
}

function isAllZero(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) return false
  return true
}
