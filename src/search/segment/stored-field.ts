/** One field of a segment over its sections, decoded part by part on first use. */
import { BitSet } from './bit-set.ts'
import { DerivedTermIndex } from './derived-term-index.ts'
import type { FieldEntry } from './field-collector.ts'
import { readBytes, readExact, readNumbers, readTexts, readWords, type Sections } from './sections.ts'
import type {
  NumberColumn,
  OrdinalColumn,
  PointColumn,
  RangeColumn,
  SegmentField,
  SortedNumbers,
  TermIndex,
} from './segment.ts'
import { sortNumbers } from './sorted-numbers.ts'
import { type PostingsParts, StoredTermIndex } from './term-index.ts'
import { ValueTermIndex } from './value-term-index.ts'

const none = new Uint8Array(0)
const noNumbers = new Uint32Array(0)

export class StoredField implements SegmentField {
  readonly name: string
  /** What its inverted index keeps. */
  readonly keeps: FieldEntry['keeps']
  readonly docCount: number
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
  readonly entry: FieldEntry
  readonly prefix: string
  readonly sections: Sections
  readonly #segmentDocs: number
  #terms: TermIndex | null | undefined
  #values: { readonly column: Uint32Array; readonly count: number } | null | undefined
  #ordinals: OrdinalColumn | null | undefined
  #numbers: NumberColumn | null | undefined
  #points: PointColumn | null | undefined
  #ranges: RangeColumn | null | undefined
  #norms: Uint8Array | null | undefined
  #present: BitSet | null | undefined

  constructor(entry: FieldEntry, prefix: string, sections: Sections, segmentDocs: number) {
    this.name = entry.name
    this.keeps = entry.keeps
    this.docCount = entry.docCount
    this.sumDocFreq = entry.sumDocFreq
    this.sumTotalFreq = entry.sumTotalFreq
    this.entry = entry
    this.prefix = prefix
    this.sections = sections
    this.#segmentDocs = segmentDocs
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

  #starts(part: string): Uint32Array | null {
    return this.#has(part) ? this.#words(part) : null
  }

  get terms(): TermIndex | null {
    if (this.#terms === undefined) this.#terms = this.#has('text') ? this.#termIndex() : null
    return this.#terms
  }

  #termIndex(): TermIndex {
    const texts = readTexts(this.sections, `${this.prefix}.text`)
    const { postings } = this.entry
    if (postings === 'derived') {
      return new DerivedTermIndex(texts, this.#words('doc.freqs'), () => this.ordinals!)
    }
    const parts = this.#postingsParts()
    if (postings !== 'values') return new StoredTermIndex(texts, parts)
    const docFreqs = this.#words('values.doc.freqs')
    return new ValueTermIndex(texts, {
      parts,
      docFreqs,
      totalFreqs: this.#has('values.total.freqs') ? this.#words('values.total.freqs') : docFreqs,
      column: () => this.values!.column,
      valueCount: this.values!.count,
    })
  }

  #postingsParts(): PostingsParts {
    const keeps = this.keeps ?? 'docs'
    const docFreqs = this.#words('doc.freqs')
    return {
      keeps,
      docFreqs,
      totalFreqs: keeps === 'docs' ? docFreqs : this.#words('total.freqs'),
      postings: this.#bytes('postings'),
      postingEnds: this.#words('postings.ends'),
      positions: keeps === 'positions' ? this.#bytes('positions') : none,
      positionEnds: keeps === 'positions' ? this.#words('positions.ends') : noNumbers,
    }
  }

  /** For merging; undefined when postings are derived. */
  writtenPostings(): PostingsParts | undefined {
    const { postings } = this.entry
    return postings === 'written' || postings === 'values' ? this.#postingsParts() : undefined
  }

  /** How many texts the list of terms, or that of values, has. */
  sizeOf(list: string): number {
    return list === 'text' ? this.#words('doc.freqs').length : this.values!.count
  }

  /** Of a text whose index is one of values: by document its value plus one, and how many values there are. */
  get values(): { readonly column: Uint32Array; readonly count: number } | null {
    if (this.#values !== undefined) return this.#values
    if (this.entry.postings !== 'values') this.#values = null
    else {
      const column = this.#words('values')
      let count = 0
      for (let i = 0; i < column.length; i++) if (column[i]! > count) count = column[i]!
      this.#values = { column, count }
    }
    return this.#values
  }

  get ordinals(): OrdinalColumn | null {
    if (this.#ordinals === undefined) {
      this.#ordinals = this.#has('ordinals')
        ? { values: this.#words('ordinals'), starts: this.#starts('ordinals.starts') }
        : null
    }
    return this.#ordinals
  }

  get numbers(): NumberColumn | null {
    if (this.#numbers === undefined) this.#numbers = this.#has('numbers') ? this.#numberColumn() : null
    return this.#numbers
  }

  #numberColumn(): NumberColumn {
    const values = this.#numbersOf('numbers')
    const starts = this.#starts('numbers.starts')
    const exact = this.#has('exact') ? readExact(this.sections, `${this.prefix}.exact`) : null
    let sorted: SortedNumbers | undefined
    return {
      values,
      starts,
      exact,
      sorted: () => {
        sorted ??= sortNumbers(values, starts, this.present, this.#segmentDocs)
        return sorted
      },
    }
  }

  get points(): PointColumn | null {
    if (this.#points === undefined) {
      this.#points = this.#has('latitudes')
        ? {
            latitudes: this.#numbersOf('latitudes'),
            longitudes: this.#numbersOf('longitudes'),
            starts: this.#starts('points.starts'),
          }
        : null
    }
    return this.#points
  }

  get ranges(): RangeColumn | null {
    if (this.#ranges === undefined) {
      this.#ranges = this.#has('ranges.from')
        ? {
            from: this.#numbersOf('ranges.from'),
            to: this.#numbersOf('ranges.to'),
            starts: this.#starts('ranges.starts'),
          }
        : null
    }
    return this.#ranges
  }

  get norms(): Uint8Array | null {
    if (this.#norms === undefined)
      this.#norms = this.#has('norms') ? this.#bytes('norms') : this.#valueNorms()
    return this.#norms
  }

  /** By value, of an index of values. */
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
    if (this.#present === undefined) {
      this.#present = this.#has('present') ? new BitSet(this.#segmentDocs, this.#words('present')) : null
    }
    return this.#present
  }
}
