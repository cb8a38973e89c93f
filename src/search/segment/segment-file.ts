/**
 * A segment on disk: one immutable file. Sections are stored as blocks (`section-blocks.ts`) or as plain bytes;
 * blocks of several sections may interleave, so that a merge can write them as they come. A table of contents as
 * JSON follows, then a footer of 32 bytes: offset of the table (double), its length (u32), its CRC-32 (u32), format
 * version (u32), CRC-32 of these 20 bytes (u32), magic `MILLSEG1`. Every section has its own CRC-32, checked on
 * first read. Sections with equal content are stored once.
 */
import { crc32 } from 'node:zlib'
import { DamagedFile, UnknownFormat } from '../../storage/checked-file.ts'
import type { Files, ReadFile } from '../../storage/files.ts'
import { backgroundWork } from '../scheduling/background-work.ts'
import { BlockDirectory, listBlocks } from './block-directory.ts'
import type { FrontCoded } from './encoding/front-coded.ts'
import { type Ordinals, ordinalsUpTo } from './encoding/ordinals.ts'
import {
  type BlockHead,
  blockHeadBytes,
  countOf,
  decodeBlock,
  decodeInto,
  decodeTexts,
  encodedBlocks,
  joinedBytes,
  joinedTexts,
  kindOf,
  readHead,
  type SectionKind,
} from './encoding/section-blocks.ts'
import type { NumberSection, RandomBlocks, Section, Sections, TextList } from './encoding/sections.ts'

const magic = Buffer.from('MILLSEG1')
const version = 8
/** Older formats had no checksum in the footer and were never released. */
const minReadVersion = 6
const footerBytes = 32

interface SectionEntry {
  readonly name: string
  /** `plain` has no blocks. */
  readonly kind: SectionKind | 'plain'
  /** The number of values, texts or bytes. */
  count: number
  blocks: number
  stored: number
  crc: number
  /** Extents of the section in the file: offset and length of each. */
  readonly stretches: [offset: number, length: number][]
}

/** A section of plain bytes that is streamed piece by piece. */
export class SectionStream {
  readonly pieces: Iterable<Uint8Array>

  constructor(pieces: Iterable<Uint8Array>) {
    this.pieces = pieces
  }
}

/** An alias of a section that was written before. */
export class SectionAlias {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** A section that is not compressed, because a merge will soon write it again. */
export class UncompressedSection {
  readonly section: Section

  constructor(section: Section) {
    this.section = section
  }
}

/** A section that is copied byte for byte from another segment file. */
export class CopiedSection {
  readonly sections: FileSections
  readonly name: string

  constructor(sections: FileSections, name: string) {
    this.sections = sections
    this.name = name
  }
}

/**
 * A name that comes again continues its section. The memory of a section may be reused once the next one is
 * requested.
 */
export type WrittenSection = readonly [name: string, section: EncodedSection | SectionAlias]

type EncodedSection = Section | FrontCoded | UncompressedSection | SectionStream | CopiedSection

/** Pulls the sections one after the other, so that a merge need not hold them all in memory. */
export function writeSegmentFile(files: Files, path: string, sections: Iterable<WrittenSection>): void {
  files.write(path, filePieces(sections))
}

function* filePieces(sections: Iterable<WrittenSection>): Iterable<Uint8Array> {
  const places = new Map<string, SectionEntry>()
  let offset = 0
  for (const [name, section] of sections) {
    if (section instanceof SectionAlias) {
      places.set(name, { ...places.get(section.name)!, name })
      continue
    }
    const place = openEntry(places, name, section)
    for (const pieces of piecesOf(section)) {
      for (const piece of pieces) {
        place.crc = crc32(piece, place.crc)
        place.stored += piece.length
        addExtent(place, offset, piece.length)
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

function openEntry(places: Map<string, SectionEntry>, name: string, section: EncodedSection): SectionEntry {
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

/** `blocks` counts only blocks that are copied. */
function formOf(section: EncodedSection): Pick<SectionEntry, 'kind' | 'count' | 'blocks'> {
  if (section instanceof SectionStream) return { kind: 'plain', count: 0, blocks: 0 }
  if (section instanceof CopiedSection) return section.sections.form(section.name)
  const encoded = section instanceof UncompressedSection ? section.section : section
  return { kind: kindOf(encoded), count: countOf(encoded), blocks: 0 }
}

function* piecesOf(section: EncodedSection): Iterable<readonly Uint8Array[]> {
  if (section instanceof SectionStream) for (const piece of section.pieces) yield [piece]
  else if (section instanceof CopiedSection) {
    for (const piece of section.sections.pieces(section.name)) yield [piece]
  } else if (section instanceof UncompressedSection) yield* encodedBlocks(section.section, false)
  else yield* encodedBlocks(section, true)
}

function addExtent({ stretches }: SectionEntry, offset: number, length: number): void {
  const last = stretches[stretches.length - 1]
  if (last !== undefined && last[0] + last[1] === offset) last[1] += length
  else stretches.push([offset, length])
}

/** Thrown when the bytes of a segment file fail a checksum (Lucene's CorruptIndexException). */
export class CorruptSegment extends DamagedFile {}

export class FileSections implements Sections {
  readonly bytes: number
  readonly path: string
  #file: ReadFile
  #places: ReadonlyMap<string, SectionEntry>
  /** Sections that another thread has decoded for a search that will retry. */
  readonly #ready = new Map<string, Section | Ordinals>()
  readonly #directories = new Map<string, BlockDirectory>()

  constructor(files: Files, path: string) {
    this.path = path
    this.#file = files.openRead(path)
    this.bytes = this.#file.size
    this.#places = new Map(this.#readTable().map((place) => [place.name, place]))
  }

  #readTable(): SectionEntry[] {
    const { size } = this.#file
    if (size < footerBytes) throw new CorruptSegment(this.path, 'is damaged: it is too short')
    const footer = Buffer.from(this.#file.read(size - footerBytes, size))
    if (!footer.subarray(24).equals(magic))
      throw new CorruptSegment(this.path, 'is damaged: it does not end as a segment does')
    const written = footer.readUInt32LE(16)
    const offset = footer.readDoubleLE(0)
    const length = footer.readUInt32LE(8)
    const isWhole = crc32(footer.subarray(0, 20)) === footer.readUInt32LE(20)
    if (!isWhole || !(offset >= 0 && offset + length + footerBytes === size))
      throw new CorruptSegment(this.path, 'is damaged: its footer is wrong')
    if (written > version)
      throw new UnknownFormat(
        this.path,
        `was written by a newer version of the program (format ${written}; this one knows ${version}); it was left untouched`,
      )
    if (written < minReadVersion)
      throw new UnknownFormat(this.path, `has format ${written}, which this version no longer reads`)
    const table = Buffer.from(this.#file.read(offset, offset + length))
    if (crc32(table) !== footer.readUInt32LE(12))
      throw new CorruptSegment(this.path, 'is damaged: its table of contents is wrong')
    return JSON.parse(table.toString()) as SectionEntry[]
  }

  has(name: string): boolean {
    return this.#places.has(name)
  }

  #place(name: string): SectionEntry {
    const place = this.#places.get(name)
    if (place === undefined) throw new CorruptSegment(this.path, `has no section ${name}`)
    return place
  }

  countOf(name: string): number {
    return this.#place(name).count
  }

  form(name: string): Pick<SectionEntry, 'kind' | 'count' | 'blocks'> {
    const { kind, count, blocks } = this.#place(name)
    return { kind, count, blocks }
  }

  /** Two sections at the same place in the file are the same section. */
  identity(name: string): unknown {
    return this.#place(name).stretches[0]?.[0] ?? -1
  }

  read(name: string): Section {
    const place = this.#place(name)
    const ready = this.#ready.get(name)
    if (ready !== undefined) return ready as Section
    backgroundWork.give<Section>({
      owner: this,
      key: name,
      job: () => ({ kind: 'section', path: this.path, name }),
      keep: (section) => this.#ready.set(name, section),
      release: () => this.#ready.delete(name),
      millis: expectedMillis(place),
    })
    const { kind } = place
    const bytes = this.#checkedBytes(place)
    if (kind === 'plain') return bytes
    const numbers = emptyOf(place)
    if (numbers !== undefined) return withBlocks(bytes, numbers)
    const parts = [...blocksOf(bytes)].map(({ head, body }) => decodeBlock(kind, head, body))
    if (parts.length === 1) return parts[0]!
    return kind === 'texts' ? joinedTexts(parts as TextList[]) : joinedBytes(parts as Uint8Array[])
  }

  readOrdinals(name: string, max: number): Ordinals {
    const place = this.#place(name)
    if (place.kind !== 'words') throw new CorruptSegment(this.path, `is of another kind: section ${name}`)
    const key = `${name} up to ${max}`
    const ready = this.#ready.get(key)
    if (ready !== undefined) return ready as Ordinals
    backgroundWork.give<Ordinals>({
      owner: this,
      key,
      job: () => ({ kind: 'ordinals', path: this.path, name, max }),
      keep: (ordinals) => this.#ready.set(key, ordinals),
      release: () => this.#ready.delete(key),
      millis: expectedMillis(place),
    })
    return withBlocks(this.#checkedBytes(place), ordinalsUpTo(max, place.count))
  }

  #checkedBytes(place: SectionEntry): Uint8Array {
    const bytes = this.#bytes(place, 0, place.stored)
    if (crc32(bytes) !== place.crc) throw this.#damaged(place.name)
    return bytes
  }

  blocks(name: string): () => Section | undefined {
    const { kind } = this.#place(name)
    if (kind === 'plain') throw new CorruptSegment(this.path, `has no blocks: section ${name}`)
    return this.#decoded(name, (head, body) => decodeBlock(kind, head, body))
  }

  textBlocks(name: string): () => FrontCoded | undefined {
    if (this.#place(name).kind !== 'texts')
      throw new CorruptSegment(this.path, `is of another kind: section ${name}`)
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
      // Damaged blocks may be handed out before the last one fails the checksum, but then nobody keeps the result.
      if (at >= stored && crc !== place.crc) throw this.#damaged(name)
      try {
        return decode(head, body)
      } catch {
        throw this.#damaged(name)
      }
    }
  }

  randomBytes(name: string): RandomBlocks<Uint8Array> {
    return this.#randomBlocks(name, 'bytes') as RandomBlocks<Uint8Array>
  }

  randomTexts(name: string): RandomBlocks<TextList> {
    return this.#randomBlocks(name, 'texts') as RandomBlocks<TextList>
  }

  #randomBlocks(name: string, kind: SectionKind): RandomBlocks<Section> {
    const place = this.#place(name)
    if (place.kind !== kind) throw new CorruptSegment(this.path, `is of another kind: section ${name}`)
    const directory = this.#directory(place)
    const block = (number: number): Section => {
      const { from, to, crc } = directory.place(number)
      const bytes = this.#bytes(place, from, to)
      if (crc32(bytes) !== crc) throw this.#damaged(name)
      return decodeBlock(kind, readHead(bytes), bytes.subarray(blockHeadBytes))
    }
    return { starts: directory.starts, block }
  }

  #directory(place: SectionEntry): BlockDirectory {
    const { name, stored } = place
    const known = this.#directories.get(name)
    if (known !== undefined) return known
    const keep = (entries: Uint32Array) => {
      const directory = new BlockDirectory(entries)
      this.#directories.set(name, directory)
      return directory
    }
    backgroundWork.give<Uint32Array>({
      owner: this,
      key: `blocks of ${name}`,
      job: () => ({ kind: 'blocks', path: this.path, name }),
      keep,
      millis: stored / checkedPerMilli,
    })
    return keep(this.listBlocks(name))
  }

  /** Returns the entries of a block directory (`block-directory.ts`). */
  listBlocks(name: string): Uint32Array {
    const place = this.#place(name)
    const entries = listBlocks((from, to) => this.#bytes(place, from, to), place)
    if (entries === undefined) throw this.#damaged(name)
    return entries
  }

  readRange(name: string, from: number, to: number, into?: Uint8Array): Uint8Array {
    const place = this.#place(name)
    if (place.kind !== 'plain')
      throw new CorruptSegment(this.path, `cannot be read in parts: section ${name}`)
    if (to > place.stored) throw new CorruptSegment(this.path, `is too short: section ${name}`)
    return this.#bytes(place, from, to, into)
  }

  /** Yields the stored bytes of a section and checks them on the way, for sections that may not fit in memory. */
  *pieces(name: string): Iterable<Uint8Array> {
    const place = this.#place(name)
    let crc = 0
    for (let at = 0; at < place.stored; at += maxReadBytes) {
      const piece = this.#bytes(place, at, Math.min(place.stored, at + maxReadBytes))
      crc = crc32(piece, crc)
      yield piece
    }
    if (crc !== place.crc) throw this.#damaged(name)
  }

  /** Reads every section and throws for the first that fails its checksum. */
  verify(): void {
    for (const name of this.#places.keys()) for (const _ of this.pieces(name));
  }

  #damaged(name: string): CorruptSegment {
    return new CorruptSegment(this.path, `is damaged: section ${name}`)
  }

  /** Reads a range of a section across its extents. */
  #bytes({ name, stored, stretches }: SectionEntry, from: number, to: number, into?: Uint8Array): Uint8Array {
    if (to > stored) throw this.#damaged(name)
    let before = 0
    let bytes: Uint8Array | undefined
    for (const [offset, length] of stretches) {
      const start = Math.max(from, before)
      const end = Math.min(to, before + length)
      if (start < end) {
        const part = this.#file.read(offset + start - before, offset + end - before, into)
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

function* blocksOf(stored: Uint8Array): Iterable<{ readonly head: BlockHead; readonly body: Uint8Array }> {
  for (let at = 0; at < stored.length; ) {
    const head = readHead(stored.subarray(at, at + blockHeadBytes))
    at += blockHeadBytes + head.stored
    yield { head, body: stored.subarray(at - head.stored, at) }
  }
}

/** Decodes all blocks into one array. */
function withBlocks<Numbers extends NumberSection>(stored: Uint8Array, numbers: Numbers): Numbers {
  let filled = 0
  for (const { head, body } of blocksOf(stored)) {
    decodeInto(numbers, filled, head, body)
    filled += head.count
  }
  return numbers
}

/** Undefined for sections that are not numbers. */
function emptyOf({ kind, count }: SectionEntry): Uint32Array | Float64Array | BigInt64Array | undefined {
  if (kind === 'words') return new Uint32Array(count)
  if (kind === 'doubles') return new Float64Array(count)
  return kind === 'exact' ? new BigInt64Array(count) : undefined
}

/** Bytes read and decoded per millisecond by code that has not been optimised yet. */
const bytesPerMilli = 8 * 1024
/** The same in entries, for columns that are tiny on disk, such as ids that count up. */
const entriesPerMilli = 8 * 1024
/** Stored bytes that are read and checked per millisecond. */
const checkedPerMilli = 256 * 1024

function expectedMillis({ kind, count, stored }: SectionEntry): number {
  return stored / bytesPerMilli + (kind === 'plain' ? 0 : count / entriesPerMilli)
}

const maxReadBytes = 1024 * 1024
