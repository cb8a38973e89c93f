/** Reads one field of a segment: decodes its sections on first use and keeps them in the decoded cache. */

import { BlockRanges, noBytes } from './byte-ranges.ts'
import type { DecodedCache } from './decoded-cache.ts'
import { type Decoded, DecodedParts, type Grow } from './decoded-parts.ts'
import { BitSet } from './encoding/bit-set.ts'
import { sortNumbers } from './encoding/numeric-sort.ts'
import type { Ordinals } from './encoding/ordinals.ts'
import {
  MemorySections,
  readBytes,
  readExact,
  readNumbers,
  readWords,
  type Section,
  type Sections,
  sectionBytes,
} from './encoding/sections.ts'
import type { FieldInfo } from './field-info.ts'
import { DerivedTermIndex } from './postings/derived-term-index.ts'
import { type StoredPostings, StoredTermIndex } from './postings/term-index.ts'
import { ValueTermIndex } from './postings/value-term-index.ts'
import type {
  NumberColumn,
  OrdinalColumn,
  PointColumn,
  RangeColumn,
  SegmentField,
  SortedNumbers,
  TermIndex,
} from './segment.ts'
import { buildZoneMap, type ZoneMap } from './zone-map.ts'

const noNumbers = new Uint32Array(0)

interface ValueColumn {
  readonly column: Ordinals
  readonly count: number
}

export class FieldReader implements SegmentField {
  readonly name: string
  /** How much the postings hold. */
  readonly keeps: FieldInfo['keeps']
  readonly docCount: number
  readonly termDocs: number
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
  readonly entry: FieldInfo
  readonly prefix: string
  readonly sections: Sections
  readonly #segmentDocs: number
  /**
   * The cache that counts decoded parts. Null for sections in memory, which cost nothing more, and for merges: a
   * merge runs without yielding, so nothing it decoded could be evicted before its end.
   */
  readonly #memory: DecodedCache | null
  readonly #parts: DecodedParts
  #zones: ZoneMap | null | undefined

  constructor(
    entry: FieldInfo,
    prefix: string,
    sections: Sections,
    segmentDocs: number,
    memory: DecodedCache | null = null,
  ) {
    this.name = entry.name
    this.keeps = entry.keeps
    this.docCount = entry.docCount
    this.termDocs = entry.termDocs ?? entry.docCount
    this.sumDocFreq = entry.sumDocFreq
    this.sumTotalFreq = entry.sumTotalFreq
    this.entry = entry
    this.prefix = prefix
    this.sections = sections
    this.#segmentDocs = segmentDocs
    this.#memory = sections instanceof MemorySections ? null : memory
    this.#parts = new DecodedParts(this.#memory)
  }

  #has(part: string): boolean {
    return this.sections.has(`${this.prefix}.${part}`)
  }

  #words(part: string): Uint32Array {
    return readWords(this.sections, `${this.prefix}.${part}`)
  }

  #numbersOf(part: string): Float64Array {
    return readNumbers(this.sections, `${this.prefix}.${part}`)
  }

  #bytes(part: string): Uint8Array {
    return readBytes(this.sections, `${this.prefix}.${part}`)
  }

  #byteRanges(part: string): BlockRanges {
    return new BlockRanges(this.sections.randomBytes(`${this.prefix}.${part}`), this.#memory)
  }

  #starts(part: string): Uint32Array | null {
    return this.#has(part) ? this.#words(part) : null
  }

  get terms(): TermIndex | null {
    return this.#parts.get('terms', (grow) => (this.#has('text') ? this.#termIndex(grow) : null))
  }

  #termIndex(grow: Grow): Decoded<TermIndex> {
    const texts = this.sections.randomTexts(`${this.prefix}.text`)
    const { postings } = this.entry
    if (postings === 'derived') {
      const docFreqs = this.#words('doc.freqs')
      return {
        value: new DerivedTermIndex(texts, docFreqs, () => this.ordinals!, this.#memory, grow),
        bytes: bytesOf(docFreqs),
      }
    }
    const parts = this.#postingsParts()
    const { postingEnds, positionEnds } = parts
    const bytes = bytesOf(parts.docFreqs, parts.totalFreqs, postingEnds, positionEnds)
    if (postings !== 'values') return { value: new StoredTermIndex(texts, parts, this.#memory), bytes }
    const docFreqs = this.#words('values.doc.freqs')
    const given = {
      parts,
      docFreqs,
      totalFreqs: this.#has('values.total.freqs') ? this.#words('values.total.freqs') : docFreqs,
      column: () => this.values!.column,
      valueCount: this.values!.count,
      grown: grow,
    }
    return { value: new ValueTermIndex(texts, given, this.#memory), bytes: bytes + 2 * bytesOf(docFreqs) }
  }

  #postingsParts(): StoredPostings {
    const keeps = this.keeps ?? 'docs'
    const docFreqs = this.#words('doc.freqs')
    return {
      keeps,
      docFreqs,
      totalFreqs: keeps === 'docs' ? docFreqs : this.#words('total.freqs'),
      postings: this.#byteRanges('postings'),
      postingEnds: this.#words('postings.ends'),
      positions: keeps === 'positions' ? this.#byteRanges('positions') : noBytes,
      positionEnds: keeps === 'positions' ? this.#words('positions.ends') : noNumbers,
    }
  }

  /** For a field with a value index: by document its value plus one, and the number of values. */
  get values(): ValueColumn | null {
    return this.#parts.get('values', () => {
      if (this.entry.postings !== 'values') return null
      const count = this.sections.countOf(`${this.prefix}.values.text`)
      const column = this.sections.readOrdinals(`${this.prefix}.values`, count)
      return { value: { column, count }, bytes: bytesOf(column) }
    })
  }

  get ordinals(): OrdinalColumn | null {
    return this.#parts.get('ordinals', () => {
      if (!this.#has('ordinals')) return null
      const size = this.sections.countOf(`${this.prefix}.text`)
      const values = this.sections.readOrdinals(`${this.prefix}.ordinals`, size)
      const starts = this.#starts('ordinals.starts')
      return { value: { values, starts }, bytes: bytesOf(values, starts) }
    })
  }

  get numbers(): NumberColumn | null {
    return this.#parts.get('numbers', (grow) => (this.#has('numbers') ? this.#numberColumn(grow) : null))
  }

  get zones(): ZoneMap | null {
    if (this.#zones !== undefined) return this.#zones
    const { numbers } = this
    this.#zones = numbers === null ? null : buildZoneMap(numbers, this.present, this.#segmentDocs)
    return this.#zones
  }

  #numberColumn(grow: Grow): Decoded<NumberColumn> {
    const values = this.#numbersOf('numbers')
    const starts = this.#starts('numbers.starts')
    const exact = this.#has('exact') ? readExact(this.sections, `${this.prefix}.exact`) : null
    let known: SortedNumbers | undefined
    const sorted = () => {
      if (known === undefined) {
        known = sortNumbers(values, starts, this.present, this.#segmentDocs)
        grow(bytesOf(known.values, known.docs))
      }
      return known
    }
    return { value: { values, starts, exact, sorted }, bytes: bytesOf(values, starts, exact) }
  }

  get points(): PointColumn | null {
    return this.#pair('latitudes', 'longitudes', 'points.starts', (latitudes, longitudes, starts) => ({
      latitudes,
      longitudes,
      starts,
    }))
  }

  get ranges(): RangeColumn | null {
    return this.#pair('ranges.from', 'ranges.to', 'ranges.starts', (from, to, starts) => ({
      from,
      to,
      starts,
    }))
  }

  /** Two numbers a value, with starts that they share. */
  #pair<Column extends object>(
    firstName: string,
    secondName: string,
    startsName: string,
    columnOf: (first: Float64Array, second: Float64Array, starts: Uint32Array | null) => Column,
  ): Column | null {
    return this.#parts.get(firstName, () => {
      if (!this.#has(firstName)) return null
      const first = this.#numbersOf(firstName)
      const second = this.#numbersOf(secondName)
      const starts = this.#starts(startsName)
      return { value: columnOf(first, second, starts), bytes: bytesOf(first, second, starts) }
    })
  }

  get norms(): Uint8Array | null {
    return this.#parts.get('norms', () => {
      const norms = this.#has('norms') ? this.#bytes('norms') : this.#valueNorms()
      return norms === null ? null : { value: norms, bytes: norms.length }
    })
  }

  /** Norms by value, for a field with a value index. */
  get valueNorms(): Uint8Array | null {
    return this.#has('values.norms') ? this.#bytes('values.norms') : null
  }

  #valueNorms(): Uint8Array | null {
    const ofValues = this.valueNorms
    if (this.values === null || ofValues === null) return null
    const { column } = this.values
    const norms = new Uint8Array(column.length)
    for (let doc = 0; doc < norms.length; doc++)
      if (column[doc] !== 0) norms[doc] = ofValues[column[doc]! - 1]!
    return norms
  }

  get present(): BitSet | null {
    return this.#parts.get('present', () => {
      if (!this.#has('present')) return null
      const words = this.#words('present')
      return { value: new BitSet(this.#segmentDocs, words), bytes: bytesOf(words) }
    })
  }
}

function bytesOf(...sections: readonly (Section | Ordinals | null)[]): number {
  let bytes = 0
  for (const section of sections) if (section !== null) bytes += sectionBytes(section)
  return bytes
}
