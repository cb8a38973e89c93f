/**
 * A segment on disk: one file, written once. Sections one after the other at multiples of 8, each as its kind asks
 * (`section-codec.ts`); then a table of contents as JSON; then 32 bytes that say where the table is:
 * offset (double), length (u32), CRC-32 of the table (u32), version (u32), nothing (u32), magic (8 bytes).
 * Every section has its own CRC-32 and is checked when it is first read. Sections of the same content stand once.
 */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Files, ReadFile } from '../../storage/files.ts'
import { isWhole } from '../side-job.ts'
import { sideWork } from '../side-work.ts'
import { decodeSection, encodeSection, type SectionForm } from './section-codec.ts'
import type { Section, Sections } from './sections.ts'

const magic = Buffer.from('MILLSEG1')
const version = 2
const footerBytes = 32

interface Place extends SectionForm {
  readonly name: string
  readonly offset: number
  readonly stored: number
  readonly crc: number
}

/** Bytes that come piece by piece, because all of them at once would be too much. */
export class SectionStream {
  readonly pieces: Iterable<Uint8Array>

  constructor(pieces: Iterable<Uint8Array>) {
    this.pieces = pieces
  }
}

/** A list of texts in the form of the file already. */
export class PackedTexts {
  readonly pieces: readonly Uint8Array[]

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = pieces
  }
}

export type WrittenSection = readonly [name: string, section: Section | PackedTexts | SectionStream]

/** Sections are asked for one after the other, so that a merge need not have all of them in memory. */
export function writeSegmentFile(files: Files, path: string, sections: Iterable<WrittenSection>): void {
  files.write(path, filePieces(sections))
}

function* filePieces(sections: Iterable<WrittenSection>): Iterable<Uint8Array> {
  const places: Place[] = []
  const known = new KnownSections()
  let offset = 0
  for (const [name, section] of sections) {
    const { form, pieces } = encoded(section, known)
    const earlier = known.find(section, form, pieces)
    if (earlier !== undefined) {
      places.push({ ...earlier, name })
      continue
    }
    let stored = 0
    let crc = 0
    for (const piece of pieces) {
      crc = crc32(piece, crc)
      stored += piece.length
      yield piece
    }
    const place: Place = { name, offset, stored, crc, ...form }
    places.push(place)
    known.add(section, place)
    const padding = (8 - (stored % 8)) % 8
    if (padding > 0) yield new Uint8Array(padding)
    offset += stored + padding
  }
  const table = Buffer.from(JSON.stringify(places))
  const footer = Buffer.alloc(footerBytes)
  footer.writeDoubleLE(offset, 0)
  footer.writeUInt32LE(table.length, 8)
  footer.writeUInt32LE(crc32(table), 12)
  footer.writeUInt32LE(version, 16)
  magic.copy(footer, 24)
  yield table
  yield footer
}

function encoded(
  section: WrittenSection[1],
  known: KnownSections,
): { form: SectionForm; pieces: Iterable<Uint8Array> } {
  if (section instanceof SectionStream)
    return { form: { kind: 'bytes', codec: 'raw' }, pieces: section.pieces }
  if (section instanceof PackedTexts) return { form: { kind: 'texts', codec: 'raw' }, pieces: section.pieces }
  return known.has(section) ? { form: { kind: 'bytes', codec: 'raw' }, pieces: [] } : encodeSection(section)
}

/**
 * A text and its keyword often have the same terms, and the same column. The column is the same array; lists of texts
 * are compared by a digest, as keeping them would take much memory.
 */
class KnownSections {
  readonly #objects = new WeakMap<object, Place>()
  readonly #digests = new Map<string, Place>()
  #digest: string | undefined

  has(section: object): boolean {
    return this.#objects.has(section)
  }

  find(section: object, { kind }: SectionForm, pieces: Iterable<Uint8Array>): Place | undefined {
    this.#digest = undefined
    const same = this.#objects.get(section)
    if (same !== undefined || kind !== 'texts') return same
    const hash = createHash('sha256')
    for (const piece of pieces) hash.update(piece)
    this.#digest = hash.digest('base64')
    return this.#digests.get(this.#digest)
  }

  add(section: object, place: Place): void {
    this.#objects.set(section, place)
    if (this.#digest !== undefined) this.#digests.set(this.#digest, place)
  }
}

/** The file is damaged, or was written by another version. */
export class BadSegment extends Error {
  override readonly name = 'BadSegment'
}

export class FileSections implements Sections {
  readonly bytes: number
  readonly path: string
  #file: ReadFile
  #places: ReadonlyMap<string, Place>
  #checked = new Set<string>()
  readonly #damaged = new Set<string>()
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
    if (size < footerBytes) throw new BadSegment(`${this.path} is too short`)
    const footer = Buffer.from(this.#file.read(size - footerBytes, size))
    if (!footer.subarray(24).equals(magic)) throw new BadSegment(`${this.path} is not a segment`)
    const written = footer.readUInt32LE(16)
    if (written > version) throw new BadSegment(`${this.path} was written by a later version`)
    if (written < version)
      throw new BadSegment(`${this.path} was written by a version before the first release`)
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

  /** Bytes a section takes in the file. */
  sizeOf(name: string): number {
    return this.#place(name).stored
  }

  read(name: string): Section {
    const place = this.#place(name)
    const ready = this.#ready.get(name)
    if (ready !== undefined) return ready
    if (place.stored >= longRead) {
      sideWork.give(
        this,
        name,
        () => ({ kind: 'section', path: this.path, place }),
        (section: Section) => this.#ready.set(name, section),
        () => this.#ready.delete(name),
      )
    }
    const bytes = this.#file.read(place.offset, place.offset + place.stored)
    if (crc32(bytes) !== place.crc) throw new BadSegment(`section ${name} of ${this.path} is damaged`)
    this.#checked.add(name)
    return decodeSection(bytes, place)
  }

  readRange(name: string, from: number, to: number): Uint8Array {
    const place = this.#place(name)
    const { offset, stored, codec } = place
    if (codec !== 'raw') throw new BadSegment(`section ${name} of ${this.path} cannot be read in parts`)
    if (to > stored) throw new BadSegment(`section ${name} of ${this.path} is too short`)
    if (!this.#checked.has(name)) this.#check(name, place)
    if (this.#damaged.has(name)) throw new BadSegment(`section ${name} of ${this.path} is damaged`)
    return this.#file.read(offset + from, offset + to)
  }

  /** A long section is looked through by another thread, where there is one, while its first parts are read already. */
  #check(name: string, place: Place): void {
    const isGiven =
      place.stored >= longRead &&
      sideWork.inBackground({ kind: 'check', path: this.path, place }, () => this.#damaged.add(name))
    if (!isGiven && !isWhole(this.#file, place)) this.#damaged.add(name)
    this.#checked.add(name)
  }

  close(): void {
    this.#file.close()
  }
}

/** Bytes of a section that takes a while to read and unpack. */
const longRead = 32 * 1024
