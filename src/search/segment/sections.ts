/**
 * A segment is a set of named sections, whether they lie in memory or in a file: columns of numbers, lists of texts,
 * plain bytes. Readers ask for the ones they need when they need them. In memory they are as they are used; how each
 * kind is written is the file's business (`section-codec.ts`).
 */
export type Section = Uint8Array | Uint32Array | Float64Array | BigInt64Array | TextList

/** Texts as UTF-8, one after the other. */
export interface TextList {
  readonly bytes: Uint8Array
  /** Where each ends. */
  readonly ends: Uint32Array
}

export interface Sections {
  has(name: string): boolean
  /** Must not be written to. */
  read(name: string): Section
  /** A part of a section of bytes. */
  readRange(name: string, from: number, to: number): Uint8Array
  readonly bytes: number
  close(): void
}

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

  readRange(name: string, from: number, to: number): Uint8Array {
    return readBytes(this, name).subarray(from, to)
  }

  close(): void {}
}

export function sectionBytes(section: Section): number {
  return 'ends' in section ? section.bytes.length + section.ends.byteLength : section.byteLength
}

function wrongKind(name: string): Error {
  return new Error(`section ${name} is of another kind`)
}

export function readBytes(sections: Sections, name: string): Uint8Array {
  const section = sections.read(name)
  if (section instanceof Uint8Array) return section
  throw wrongKind(name)
}

export function readWords(sections: Sections, name: string): Uint32Array {
  const section = sections.read(name)
  if (section instanceof Uint32Array) return section
  throw wrongKind(name)
}

export function readNumbers(sections: Sections, name: string): Float64Array {
  const section = sections.read(name)
  if (section instanceof Float64Array) return section
  throw wrongKind(name)
}

export function readExact(sections: Sections, name: string): BigInt64Array {
  const section = sections.read(name)
  if (section instanceof BigInt64Array) return section
  throw wrongKind(name)
}

export function readTexts(sections: Sections, name: string): TextList {
  const section = sections.read(name)
  if ('ends' in section) return section
  throw wrongKind(name)
}
