/**
 * A segment on disk: one file, written once. Sections as blocks (`section-blocks.ts`) or as plain bytes; blocks of
 * several sections may stand between each other, so that a merge can write them as they come. Then a table of contents
 * as JSON; then 32 bytes that say where the table is: offset (double), length (u32), CRC-32 of the table (u32),
 * version (u32), CRC-32 of those 20 bytes (u32), magic (8 bytes). Every section has its own CRC-32, checked when it is first read.
 * Sections of the same content stand once.
 */
import { crc32 } from 'node:zlib'
import { DamagedFile, UnknownFormat } from '../../storage/checked-file.ts'
import type { Files, ReadFile } from '../../storage/files.ts'
import { backgroundWork } from '../scheduling/background-work.ts'
import type { FrontCoded } from './encoding/front-coded.ts'
import {
  type BlockHead,
  blockHeadBytes,
  countOf,
  decodeBlock,
  decodeTexts,
  encodedBlocks,
  joined,
  kindOf,
  readHead,
  type SectionKind,
} from './encoding/section-blocks.ts'
import type { Section, Sections } from './encoding/sections.ts'

const magic = Buffer.from('MILLSEG1')
const version = 6
/** Before it, the footer had no checksum, and no version that wrote it was released. */
const firstRead = 6
const footerBytes = 32

interface Place {
  readonly name: string
  /** `plain`: no blocks. */
  readonly kind: SectionKind | 'plain'
  /** Values, texts or bytes. */
  count: number
  blocks: number
  stored: number
  crc: number
  /** Where its bytes are in the file: offset and length of each stretch. */
  readonly stretches: [offset: number, length: number][]
}

/** Plain bytes that come piece by piece, because all of them at once would be too much. */
export class SectionStream {
  readonly pieces: Iterable<Uint8Array>

  constructor(pieces: Iterable<Uint8Array>) {
    this.pieces = pieces
  }
}

/** The same as another section that was written before. */
export class SameSection {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** One that is not compressed, because a merge will write it anew before long. */
export class PassingSection {
  readonly section: Section

  constructor(section: Section) {
    this.section = section
  }
}

/** Another file's section as it is there. */
export class CopiedSection {
  readonly sections: FileSections
  readonly name: string

  constructor(sections: FileSections, name: string) {
    this.sections = sections
    this.name = name
  }
}

/** A name that comes again goes on with its section. What is given may be used again once the next is asked for. */
export type WrittenSection = readonly [name: string, section: EncodedSection | SameSection]

type EncodedSection = Section | FrontCoded | PassingSection | SectionStream | CopiedSection

/** Sections are asked for one after the other, so that a merge need not have all of them in memory. */
export function writeSegmentFile(files: Files, path: string, sections: Iterable<WrittenSection>): void {
  files.write(path, filePieces(sections))
}

function* filePieces(sections: Iterable<WrittenSection>): Iterable<Uint8Array> {
  const places = new Map<string, Place>()
  let offset = 0
  for (const [name, section] of sections) {
    if (section instanceof SameSection) {
      places.set(name, { ...places.get(section.name)!, name })
      continue
    }
    const place = openPlace(places, name, section)
    for (const pieces of piecesOf(section)) {
      for (const piece of pieces) {
        place.crc = crc32(piece, place.crc)
        place.stored += piece.length
        stretch(place, offset, piece.length)
        offset += piece.length
        yield piece
      }
      if (place.kind !== 'plain' && !(section instanceof CopiedSection)) place.blocks += 1
    }
    if (place.kind === 'plain') place.count = place.stored
  }
  const table = Buffer.from(JSON.stringify([...places.values()]))
  const footer = Buffer.alloc(footerBytes)
  footer.writeDoubleLE(offset, 0)
  footer.writeUInt32LE(table.length, 8)
  footer.writeUInt32LE(crc32(table), 12)
  footer.writeUInt32LE(version, 16)
  footer.writeUInt32LE(crc32(footer.subarray(0, 20)), 20)
  magic.copy(footer, 24)
  yield table
  yield footer
}

function openPlace(places: Map<string, Place>, name: string, section: EncodedSection): Place {
  const { kind, count, blocks } = formOf(section)
  let place = places.get(name)
  if (place === undefined) {
    place = { name, kind, count: 0, blocks: 0, stored: 0, crc: 0, stretches: [] }
    places.set(name, place)
  }
  place.count += count
  place.blocks += blocks
  return place
}

/** Blocks: of those that were written elsewhere. */
function formOf(section: EncodedSection): Pick<Place, 'kind' | 'count' | 'blocks'> {
  if (section instanceof SectionStream) return { kind: 'plain', count: 0, blocks: 0 }
  if (section instanceof CopiedSection) return section.sections.form(section.name)
  const encoded = section instanceof PassingSection ? section.section : section
  return { kind: kindOf(encoded), count: countOf(encoded), blocks: 0 }
}

function* piecesOf(section: EncodedSection): Iterable<readonly Uint8Array[]> {
  if (section instanceof SectionStream) for (const piece of section.pieces) yield [piece]
  else if (section instanceof CopiedSection) {
    for (const piece of section.sections.pieces(section.name)) yield [piece]
  } else if (section instanceof PassingSection) yield* encodedBlocks(section.section, false)
  else yield* encodedBlocks(section, true)
}

function stretch({ stretches }: Place, offset: number, length: number): void {
  const last = stretches[stretches.length - 1]
  if (last !== undefined && last[0] + last[1] === offset) last[1] += length
  else stretches.push([offset, length])
}

/** The bytes of a segment's file are not those that were written. */
export class BadSegment extends DamagedFile {}

export class FileSections implements Sections {
  readonly bytes: number
  readonly path: string
  #file: ReadFile
  #places: ReadonlyMap<string, Place>
  /** Read by another thread for a search that will come by again. */
  readonly #ready = new Map<string, Section>()

  constructor(files: Files, path: string) {
    this.path = path
    this.#file = files.openRead(path)
    this.bytes = this.#file.size
    this.#places = new Map(this.#readTable().map((place) => [place.name, place]))
  }

  #readTable(): Place[] {
    const { size } = this.#file
    if (size < footerBytes) throw new BadSegment(this.path, 'is damaged: it is too short')
    const footer = Buffer.from(this.#file.read(size - footerBytes, size))
    if (!footer.subarray(24).equals(magic))
      throw new BadSegment(this.path, 'is damaged: it does not end as a segment does')
    const written = footer.readUInt32LE(16)
    const offset = footer.readDoubleLE(0)
    const length = footer.readUInt32LE(8)
    const isWhole = crc32(footer.subarray(0, 20)) === footer.readUInt32LE(20)
    if (!isWhole || !(offset >= 0 && offset + length + footerBytes === size))
      throw new BadSegment(this.path, 'is damaged: its footer is wrong')
    if (written > version)
      throw new UnknownFormat(
        this.path,
        `was written by a newer version of the program (format ${written}; this one knows ${version}); it was left untouched`,
      )
    if (written < firstRead)
      throw new UnknownFormat(this.path, `has format ${written}, which this version no longer reads`)
    const table = Buffer.from(this.#file.read(offset, offset + length))
    if (crc32(table) !== footer.readUInt32LE(12))
      throw new BadSegment(this.path, 'is damaged: its table of contents is wrong')
    return JSON.parse(table.toString()) as Place[]
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  #place(name: string): Place {
    const place = this.#places.get(name)
    if (place === undefined) throw new BadSegment(this.path, `has no section ${name}`)
    return place
  }

  countOf(name: string): number {
    return this.#place(name).count
  }

  form(name: string): Pick<Place, 'kind' | 'count' | 'blocks'> {
    const { kind, count, blocks } = this.#place(name)
    return { kind, count, blocks }
  }

  /** Nothing stands at the same place but what is the same. */
  identity(name: string): unknown {
    return this.#place(name).stretches[0]?.[0] ?? -1
  }

  read(name: string): Section {
    const place = this.#place(name)
    const ready = this.#ready.get(name)
    if (ready !== undefined) return ready
    backgroundWork.give<Section>({
      owner: this,
      key: name,
      job: () => ({ kind: 'section', path: this.path, name }),
      keep: (section) => this.#ready.set(name, section),
      release: () => this.#ready.delete(name),
      millis: expectedMillis(place),
    })
    const { kind, stored } = place
    const bytes = this.#bytes(place, 0, stored)
    if (crc32(bytes) !== place.crc) throw this.#damaged(name)
    if (kind === 'plain') return bytes
    const parts: Section[] = []
    for (let at = 0; at < stored; ) {
      const head = readHead(bytes.subarray(at, at + blockHeadBytes))
      at += blockHeadBytes + head.stored
      parts.push(decodeBlock(kind, head, bytes.subarray(at - head.stored, at)))
    }
    return parts.length === 1 ? parts[0]! : joined(kind, parts)
  }

  blocks(name: string): () => Section | undefined {
    const { kind } = this.#place(name)
    if (kind === 'plain') throw new BadSegment(this.path, `has no blocks: section ${name}`)
    return this.#decoded(name, (head, body) => decodeBlock(kind, head, body))
  }

  textBlocks(name: string): () => FrontCoded | undefined {
    if (this.#place(name).kind !== 'texts')
      throw new BadSegment(this.path, `is of another kind: section ${name}`)
    return this.#decoded(name, decodeTexts)
  }

  #decoded<T>(name: string, decode: (head: BlockHead, body: Uint8Array) => T): () => T | undefined {
    const place = this.#place(name)
    const { stored } = place
    let at = 0
    let crc = 0
    return () => {
      if (at >= stored) return undefined
      const bytes = this.#bytes(place, at, at + blockHeadBytes)
      const head = readHead(bytes)
      const from = at + blockHeadBytes
      const body = this.#bytes(place, from, from + head.stored)
      crc = crc32(body, crc32(bytes, crc))
      at = from + head.stored
      // Damaged blocks may be given away before the last one tells, but nobody keeps what came of them.
      if (at >= stored && crc !== place.crc) throw this.#damaged(name)
      try {
        return decode(head, body)
      } catch {
        throw this.#damaged(name)
      }
    }
  }

  readRange(name: string, from: number, to: number): Uint8Array {
    const place = this.#place(name)
    if (place.kind !== 'plain') throw new BadSegment(this.path, `cannot be read in parts: section ${name}`)
    if (to > place.stored) throw new BadSegment(this.path, `is too short: section ${name}`)
    return this.#bytes(place, from, to)
  }

  /** The bytes of a section, checked on the way; it may be larger than what one wants in memory. */
  *pieces(name: string): Iterable<Uint8Array> {
    const place = this.#place(name)
    let crc = 0
    for (let at = 0; at < place.stored; at += readAtOnce) {
      const piece = this.#bytes(place, at, Math.min(place.stored, at + readAtOnce))
      crc = crc32(piece, crc)
      yield piece
    }
    if (crc !== place.crc) throw this.#damaged(name)
  }

  /** Reads every section; throws for the first that is not what was written. */
  verify(): void {
    for (const name of this.#places.keys()) for (const _ of this.pieces(name));
  }

  #damaged(name: string): BadSegment {
    return new BadSegment(this.path, `is damaged: section ${name}`)
  }

  /** Those of a section that stands in several stretches of the file. */
  #bytes({ name, stored, stretches }: Place, from: number, to: number): Uint8Array {
    if (to > stored) throw this.#damaged(name)
    let before = 0
    let bytes: Uint8Array | undefined
    for (const [offset, length] of stretches) {
      const start = Math.max(from, before)
      const end = Math.min(to, before + length)
      if (start < end) {
        const part = this.#file.read(offset + start - before, offset + end - before)
        if (end - start === to - from) return part
        bytes ??= new Uint8Array(to - from)
        bytes.set(part, start - from)
      }
      before += length
      if (before >= to) break
    }
    return bytes ?? new Uint8Array(0)
  }

  close(): void {
    this.#file.close()
  }
}

/** Bytes of a section that are read and unpacked in a millisecond, by code that did not run often yet. */
const bytesPerMilli = 8 * 1024
/** Entries, however small they are on the disk: ids that count up are. */
const entriesPerMilli = 8 * 1024

function expectedMillis({ kind, count, stored }: Place): number {
  return stored / bytesPerMilli + (kind === 'plain' ? 0 : count / entriesPerMilli)
}

const readAtOnce = 1024 * 1024
