/** Reads one field of a segment: decodes its sections on first use and keeps them in the decoded cache. */

import { BlockRanges, noBytes } from './byte-ranges.ts'
import { CachedValue, type DecodedCache } from './decoded-cache.ts'
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

/** A part that was decoded once; null when the field has no such part. */
type Part<T extends object> = CachedValue<T> | null | undefined

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
  #terms: Part<TermIndex>
  #values: Part<ValueColumn>
  #ordinals: Part<OrdinalColumn>
  #numbers: Part<NumberColumn>
  #zones: ZoneMap | null | undefined
  #points: Part<PointColumn>
  #ranges: Part<RangeColumn>
  #norms: Part<Uint8Array>
  #present: Part<BitSet>

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
  }

  #hold<T extends object>(part: T, bytes: number): CachedValue<T> {
    return this.#memory === null ? new CachedValue(part) : this.#memory.hold(part, bytes)
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
    if (this.#terms === null) return null
    const known = this.#terms?.value
    if (known !== undefined) return known
    if (!this.#has('text')) {
      this.#terms = null
      return null
    }
    let held: CachedValue<TermIndex> | undefined
    const grown = (more: number) => {
      if (held !== undefined) this.#memory?.grow(held, more)
    }
    const { index, bytes } = this.#termIndex(grown)
    held = this.#hold(index, bytes)
    this.#terms = held
    return index
  }

  /** The bytes are those at first; `grown` is told what the index takes later. */
  #termIndex(grown: (bytes: number) => void): { readonly index: TermIndex; readonly bytes: number } {
    const texts = this.sections.randomTexts(`${this.prefix}.text`)
    const { postings } = this.entry
    if (postings === 'derived') {
      const docFreqs = this.#words('doc.freqs')
      return {
        index: new DerivedTermIndex(texts, docFreqs, () => this.ordinals!, this.#memory, grown),
        bytes: bytesOf(docFreqs),
      }
    }
    const parts = this.#postingsParts()
    const { postingEnds, positionEnds } = parts
    const bytes = bytesOf(parts.docFreqs, parts.totalFreqs, postingEnds, positionEnds)
    if (postings !== 'values') return { index: new StoredTermIndex(texts, parts, this.#memory), bytes }
    const docFreqs = this.#words('values.doc.freqs')
    const given = {
      parts,
      docFreqs,
      totalFreqs: this.#has('values.total.freqs') ? this.#words('values.total.freqs') : docFreqs,
      column: () => this.values!.column,
      valueCount: this.values!.count,
      grown,
    }
    const index = new ValueTermIndex(texts, given, this.#memory)
    return { index, bytes: bytes + 2 * bytesOf(docFreqs) }
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
    if (this.#values === null) return null
    const known = this.#values?.value
    if (known !== undefined) return known
    if (this.entry.postings !== 'values') {
      this.#values = null
      return null
    }
    const count = this.sections.countOf(`${this.prefix}.values.text`)
    const column = this.sections.readOrdinals(`${this.prefix}.values`, count)
    const values = { column, count }
    this.#values = this.#hold(values, bytesOf(column))
    return values
  }

  get ordinals(): OrdinalColumn | null {
    if (this.#ordinals === null) return null
    const known = this.#ordinals?.value
    if (known !== undefined) return known
    if (!this.#has('ordinals')) {
      this.#ordinals = null
      return null
    }
    const size = this.sections.countOf(`${this.prefix}.text`)
    const column = {
      values: this.sections.readOrdinals(`${this.prefix}.ordinals`, size),
      starts: this.#starts('ordinals.starts'),
    }
    this.#ordinals = this.#hold(column, bytesOf(column.values, column.starts))
    return column
  }

  get numbers(): NumberColumn | null {
    if (this.#numbers === null) return null
    const known = this.#numbers?.value
    if (known !== undefined) return known
    this.#numbers = this.#has('numbers') ? this.#numberColumn() : null
    return this.#numbers === null ? null : this.#numbers.value!
  }

  get zones(): ZoneMap | null {
    if (this.#zones !== undefined) return this.#zones
    const { numbers } = this
    this.#zones = numbers === null ? null : buildZoneMap(numbers, this.present, this.#segmentDocs)
    return this.#zones
  }

  #numberColumn(): CachedValue<NumberColumn> {
    const values = this.#numbersOf('numbers')
    const starts = this.#starts('numbers.starts')
    const exact = this.#has('exact') ? readExact(this.sections, `${this.prefix}.exact`) : null
    let sorted: SortedNumbers | undefined
    const held: CachedValue<NumberColumn> = this.#hold(
      {
        values,
        starts,
        exact,
        sorted: () => {
          if (sorted === undefined) {
            sorted = sortNumbers(values, starts, this.present, this.#segmentDocs)
            this.#memory?.grow(held, bytesOf(sorted.values, sorted.docs))
          }
          return sorted
        },
      },
      bytesOf(values, starts, exact),
    )
    return held
  }

  get points(): PointColumn | null {
    if (this.#points === null) return null
    const known = this.#points?.value
    if (known !== undefined) return known
    if (!this.#has('latitudes')) {
      this.#points = null
      return null
    }
    const column = {
      latitudes: this.#numbersOf('latitudes'),
      longitudes: this.#numbersOf('longitudes'),
      starts: this.#starts('points.starts'),
    }
    this.#points = this.#hold(column, bytesOf(column.latitudes, column.longitudes, column.starts))
    return column
  }

  get ranges(): RangeColumn | null {
    if (this.#ranges === null) return null
    const known = this.#ranges?.value
    if (known !== undefined) return known
    if (!this.#has('ranges.from')) {
      this.#ranges = null
      return null
    }
    const column = {
      from: this.#numbersOf('ranges.from'),
      to: this.#numbersOf('ranges.to'),
      starts: this.#starts('ranges.starts'),
    }
    this.#ranges = this.#hold(column, bytesOf(column.from, column.to, column.starts))
    return column
  }

  get norms(): Uint8Array | null {
    if (this.#norms === null) return null
    const known = this.#norms?.value
    if (known !== undefined) return known
    const norms = this.#has('norms') ? this.#bytes('norms') : this.#valueNorms()
    this.#norms = norms === null ? null : this.#hold(norms, norms.length)
    return norms
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
    if (this.#present === null) return null
    const known = this.#present?.value
    if (known !== undefined) return known
    if (!this.#has('present')) {
      this.#present = null
      return null
    }
    const words = this.#words('present')
    const present = new BitSet(this.#segmentDocs, words)
    this.#present = this.#hold(present, bytesOf(words))
    return present
  }
}

function bytesOf(...sections: readonly (Section | Ordinals | null)[]): number {
  let bytes = 0
  for (const section of sections) if (section !== null) bytes += sectionBytes(section)
  return bytes
}
