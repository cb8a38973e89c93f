/**
 * A segment on disk: one file, written once. Sections one after the other at multiples of 8, those that shrink
 * well compressed; then a table of contents as JSON; then 32 bytes that say where the table is:
 * offset (double), length (u32), CRC-32 of the table (u32), version (u32), nothing (u32), magic (8 bytes).
 * Every section has its own CRC-32 and is checked when it is first read.
 */
import { brotliCompressSync, brotliDecompressSync, constants, crc32 } from 'node:zlib'
import type { Files, ReadFile } from '../../storage/files.ts'
import type { Sections } from './sections.ts'

const magic = Buffer.from('MILLSEG1')
const version = 1
const footerBytes = 32
const worthCompressing = 512
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
/** Read in parts, so never compressed as a whole. */
const readInParts = new Set(['source'])

interface Place {
  readonly name: string
  readonly offset: number
  readonly stored: number
  readonly length: number
  readonly crc: number
  readonly codec: 'raw' | 'brotli'
}

/** The bytes of the file, and how many there are. */
export function writeSegmentFile(
  files: Files,
  path: string,
  sections: ReadonlyMap<string, Uint8Array>,
): number {
  const pieces: Uint8Array[] = []
  const places: Place[] = []
  let offset = 0
  for (const [name, bytes] of sections) {
    const packed =
      bytes.length >= worthCompressing && !readInParts.has(name) ? brotliCompressSync(bytes, fast) : bytes
    const isPacked = packed.length < bytes.length * 0.9
    const stored = isPacked ? packed : bytes
    const codec = isPacked ? 'brotli' : 'raw'
    places.push({ name, offset, stored: stored.length, length: bytes.length, crc: crc32(stored), codec })
    const padding = new Uint8Array((8 - (stored.length % 8)) % 8)
    pieces.push(stored, padding)
    offset += stored.length + padding.length
  }
  const table = Buffer.from(JSON.stringify(places))
  const footer = Buffer.alloc(footerBytes)
  footer.writeDoubleLE(offset, 0)
  footer.writeUInt32LE(table.length, 8)
  footer.writeUInt32LE(crc32(table), 12)
  footer.writeUInt32LE(version, 16)
  magic.copy(footer, 24)
  files.write(path, [...pieces, table, footer])
  return offset + table.length + footerBytes
}

/** The file is damaged, or was written by a later version. */
export class BadSegment extends Error {
  override readonly name = 'BadSegment'
}

export class FileSections implements Sections {
  readonly bytes: number
  readonly path: string
  #file: ReadFile
  #places: ReadonlyMap<string, Place>
  #checked = new Set<string>()

  constructor(files: Files, path: string) {
    this.path = path
    this.#file = files.openRead(path)
    this.bytes = this.#file.size
    this.#places = new Map(this.#readTable().map((place) => [place.name, place]))
  }

  #readTable(): Place[] {
    const { size } = this.#file
    if (size < footerBytes) throw new BadSegment(`${this.path} is too short`)
    const footer = Buffer.from(this.#file.read(size - footerBytes, size))
    if (!footer.subarray(24).equals(magic)) throw new BadSegment(`${this.path} is not a segment`)
    if (footer.readUInt32LE(16) > version) throw new BadSegment(`${this.path} was written by a later version`)
    const offset = footer.readDoubleLE(0)
    const length = footer.readUInt32LE(8)
    if (!(offset >= 0 && offset + length + footerBytes === size))
      throw new BadSegment(`${this.path} is damaged`)
    const table = Buffer.from(this.#file.read(offset, offset + length))
    if (crc32(table) !== footer.readUInt32LE(12)) throw new BadSegment(`${this.path} is damaged`)
    return JSON.parse(table.toString()) as Place[]
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  #place(name: string): Place {
    const place = this.#places.get(name)
    if (place === undefined) throw new BadSegment(`${this.path} has no section ${name}`)
    return place
  }

  read(name: string): Uint8Array {
    const { offset, stored, codec, crc } = this.#place(name)
    const bytes = this.#file.read(offset, offset + stored)
    if (crc32(bytes) !== crc) throw new BadSegment(`section ${name} of ${this.path} is damaged`)
    this.#checked.add(name)
    return codec === 'raw' ? bytes : brotliDecompressSync(bytes)
  }

  readRange(name: string, from: number, to: number): Uint8Array {
    const { offset, stored, codec, crc } = this.#place(name)
    if (codec !== 'raw') return this.read(name).subarray(from, to)
    if (to > stored) throw new BadSegment(`section ${name} of ${this.path} is too short`)
    if (!this.#checked.has(name)) this.#check(name, offset, stored, crc)
    return this.#file.read(offset + from, offset + to)
  }

  /** In pieces: the section may be larger than what one wants in memory. */
  #check(name: string, offset: number, stored: number, crc: number): void {
    let sum = 0
    for (let at = 0; at < stored; at += checkedAtOnce) {
      sum = crc32(this.#file.read(offset + at, offset + Math.min(stored, at + checkedAtOnce)), sum)
    }
    if (sum !== crc) throw new BadSegment(`section ${name} of ${this.path} is damaged`)
    this.#checked.add(name)
  }

  close(): void {
    this.#file.close()
  }
}

const checkedAtOnce = 4 * 1024 * 1024
