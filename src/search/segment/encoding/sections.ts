/**
 * A segment is a set of named sections: columns of numbers, lists of texts, plain bytes. They are either in memory
 * or in a file, and readers ask for the ones they need. In memory a section is the typed array itself;
 * `section-blocks.ts` says how each kind is encoded in a file. (Lucene has a file per index structure, we have one
 * file with sections.)
 */
import { FrontCoded } from './front-coded.ts'
import type { Ordinals } from './ordinals.ts'

export type Section = Uint8Array | Uint32Array | Float64Array | BigInt64Array | TextList

/** A section of numbers, words perhaps in narrower arrays. */
export type NumberSection = Ordinals | Float64Array | BigInt64Array

/** A list of texts as UTF-8, concatenated. */
export interface TextList {
  readonly bytes: Uint8Array
  /** The end offset of each text. */
  readonly ends: Uint32Array
}

/** A section whose blocks are read in any order. */
export interface RandomBlocks<Block extends Section> {
  /** The place of the first byte or text of each block, and the number of all. */
  readonly starts: Uint32Array
  /** Decodes a block, which must not be written to. */
  block(number: number): Block
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

export function textAt({ bytes, ends }: TextList, place: number): string {
  return utf8.decode(bytes.subarray(place === 0 ? 0 : ends[place - 1]!, ends[place]!))
}

export interface Sections {
  /** The path of the file, when the sections are in one. */
  readonly path?: string
  has(name: string): boolean
  /** Returns the whole section, which must not be written to. */
  read(name: string): Section
  /** Returns a section of words, none above `max`, in the narrowest array that is at hand without a copy. */
  readOrdinals(name: string, max: number): Ordinals
  /**
   * Reads a range of a section of plain bytes without checking the section's checksum; callers have their own
   * checksums. Returns them in the memory that is given, or in other memory, which must not be written to.
   */
  readRange(name: string, from: number, to: number, into?: Uint8Array): Uint8Array
  /** Returns a function that gives the blocks of the section one by one, then undefined. */
  blocks(name: string): () => Section | undefined
  /** Like `blocks`, for a list of texts in its front-coded form. */
  textBlocks(name: string): () => FrontCoded | undefined
  /** Like `blocks`, in any order, for a section of bytes. Each block is checked when it is read. */
  randomBytes(name: string): RandomBlocks<Uint8Array>
  /** Like `randomBytes`, for a list of texts. */
  randomTexts(name: string): RandomBlocks<TextList>
  /** Returns the number of values, texts or bytes of the section. */
  countOf(name: string): number
  /** Returns a value that is equal for two names when both are aliases of one section. */
  identity(name: string): unknown
  readonly bytes: number
  close(): void
}

/** How many texts of a list in memory are encoded at once. */
const textsPerBlock = 4096

export class MemorySections implements Sections {
  readonly entries: ReadonlyMap<string, Section>
  readonly bytes: number

  constructor(entries: ReadonlyMap<string, Section>) {
    this.entries = entries
    let bytes = 0
    for (const section of new Set(entries.values())) bytes += sectionBytes(section)
    this.bytes = bytes
  }

  has(name: string): boolean {
    return this.entries.has(name)
  }

  read(name: string): Section {
    const section = this.entries.get(name)
    if (section === undefined) throw new Error(`the segment has no section ${name}`)
    return section
  }

  readOrdinals(name: string): Uint32Array {
    return readWords(this, name)
  }

  readRange(name: string, from: number, to: number): Uint8Array {
    return readBytes(this, name).subarray(from, to)
  }

  blocks(name: string): () => Section | undefined {
    let rest: Section | undefined = this.read(name)
    return () => {
      const section = rest
      rest = undefined
      return section
    }
  }

  textBlocks(name: string): () => FrontCoded | undefined {
    const texts = readTexts(this, name)
    let next = 0
    return () => {
      const first = next
      next = Math.min(next + textsPerBlock, texts.ends.length)
      return first === next ? undefined : FrontCoded.of(texts, first, next)
    }
  }

  randomBytes(name: string): RandomBlocks<Uint8Array> {
    const bytes = readBytes(this, name)
    return { starts: Uint32Array.of(0, bytes.length), block: () => bytes }
  }

  randomTexts(name: string): RandomBlocks<TextList> {
    const texts = readTexts(this, name)
    return { starts: Uint32Array.of(0, texts.ends.length), block: () => texts }
  }

  countOf(name: string): number {
    const section = this.read(name)
    return 'ends' in section ? section.ends.length : section.length
  }

  identity(name: string): unknown {
    return this.read(name)
  }

  close(): void {}
}

export function sectionBytes(section: Section | Ordinals): number {
  return 'ends' in section ? section.bytes.length + section.ends.byteLength : section.byteLength
}

function wrongKind(name: string): Error {
  return new Error(`section ${name} is of another kind`)
}

type Check<T extends Section> = (section: Section) => section is T

const isBytes = (section: Section) => section instanceof Uint8Array
const isWords = (section: Section) => section instanceof Uint32Array
const isNumbers = (section: Section) => section instanceof Float64Array
const isExact = (section: Section) => section instanceof BigInt64Array
const isTexts = (section: Section): section is TextList => 'ends' in section

function reader<T extends Section>(is: Check<T>): (sections: Sections, name: string) => T {
  return (sections, name) => {
    const section = sections.read(name)
    if (is(section)) return section
    throw wrongKind(name)
  }
}

export const readBytes = reader<Uint8Array>(isBytes)
export const readWords = reader<Uint32Array>(isWords)
export const readNumbers = reader<Float64Array>(isNumbers)
export const readExact = reader<BigInt64Array>(isExact)
export const readTexts = reader<TextList>(isTexts)

function blockReader<T extends Section>(
  is: Check<T>,
): (sections: Sections, name: string) => () => T | undefined {
  return (sections, name) => {
    const next = sections.blocks(name)
    return () => {
      const block = next()
      if (block === undefined || is(block)) return block
      throw wrongKind(name)
    }
  }
}

export const byteBlocks = blockReader<Uint8Array>(isBytes)
export const wordBlocks = blockReader<Uint32Array>(isWords)
export const numberBlocks = blockReader<Float64Array>(isNumbers)
export const textParts = blockReader<TextList>(isTexts)
