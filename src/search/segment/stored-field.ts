/** One field of a segment over its sections, decoded part by part on first use. */
import { BitSet } from './bit-set.ts'
import type { FieldEntry } from './field-collector.ts'
import { alignedBuffer, unpackNumbers, unpackOrdinals } from './packed-numbers.ts'
import type { Sections } from './sections.ts'
import type {
  NumberColumn,
  OrdinalColumn,
  PointColumn,
  RangeColumn,
  SegmentField,
  SortedNumbers,
  TermIndex,
} from './segment.ts'
import { StoredTermIndex } from './term-index.ts'

const none = new Uint8Array(0)
const noNumbers = new Uint32Array(0)

export class StoredField implements SegmentField {
  readonly name: string
  /** What its inverted index keeps. */
  readonly keeps: FieldEntry['keeps']
  readonly docCount: number
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
  readonly #entry: FieldEntry
  readonly #prefix: string
  readonly #sections: Sections
  readonly #segmentDocs: number
  #terms: TermIndex | null | undefined
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
    this.#entry = entry
    this.#prefix = prefix
    this.#sections = sections
    this.#segmentDocs = segmentDocs
  }

  #has(part: string): boolean {
    return this.#sections.has(`${this.#prefix}.${part}`)
  }

  #read(part: string): Uint8Array {
    return this.#sections.read(`${this.#prefix}.${part}`)
  }

  #starts(part: string): Uint32Array | null {
    return this.#has(part) ? new Uint32Array(alignedBuffer(this.#read(part))) : null
  }

  get terms(): TermIndex | null {
    if (this.#terms !== undefined) return this.#terms
    if (!this.#has('text')) {
      this.#terms = null
      return null
    }
    const { keeps, size } = this.#entry
    const docFreqs = keeps === null ? noNumbers : unpackOrdinals(this.#read('doc.freqs'))
    this.#terms = new StoredTermIndex({
      size,
      keeps: keeps ?? 'docs',
      text: this.#read('text'),
      textEnds: new Uint32Array(alignedBuffer(this.#read('text.ends'))),
      docFreqs,
      totalFreqs: this.#has('total.freqs') ? unpackOrdinals(this.#read('total.freqs')) : docFreqs,
      postings: keeps === null ? none : this.#read('postings'),
      postingEnds: this.#starts('postings.ends') ?? noNumbers,
      positions: keeps === 'positions' ? this.#read('positions') : none,
      positionEnds: this.#starts('positions.ends') ?? noNumbers,
    })
    return this.#terms
  }

  get ordinals(): OrdinalColumn | null {
    if (this.#ordinals === undefined) {
      this.#ordinals = this.#has('ordinals')
        ? { values: unpackOrdinals(this.#read('ordinals')), starts: this.#starts('ordinals.starts') }
        : null
    }
    return this.#ordinals
  }

  get numbers(): NumberColumn | null {
    if (this.#numbers === undefined) this.#numbers = this.#has('numbers') ? this.#numberColumn() : null
    return this.#numbers
  }

  #numberColumn(): NumberColumn {
    const values = unpackNumbers(this.#read('numbers'))
    const starts = this.#starts('numbers.starts')
    const exact = this.#has('exact') ? new BigInt64Array(alignedBuffer(this.#read('exact'))) : null
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
            latitudes: unpackNumbers(this.#read('latitudes')),
            longitudes: unpackNumbers(this.#read('longitudes')),
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
            from: unpackNumbers(this.#read('ranges.from')),
            to: unpackNumbers(this.#read('ranges.to')),
            starts: this.#starts('ranges.starts'),
          }
        : null
    }
    return this.#ranges
  }

  get norms(): Uint8Array | null {
    if (this.#norms === undefined) this.#norms = this.#has('norms') ? this.#read('norms') : null
    return this.#norms
  }

  get present(): BitSet | null {
    if (this.#present === undefined) {
      this.#present = this.#has('present')
        ? new BitSet(this.#segmentDocs, new Uint32Array(alignedBuffer(this.#read('present'))))
        : null
    }
    return this.#present
  }
}

function sortNumbers(
  values: Float64Array,
  starts: Uint32Array | null,
  present: BitSet | null,
  docCount: number,
): SortedNumbers {
  const docOf = new Uint32Array(starts === null ? (present?.count ?? docCount) : values.length)
  const places = new Uint32Array(docOf.length)
  let count = 0
  for (let doc = 0; doc < docCount; doc++) {
    if (present !== null && !present.has(doc)) continue
    const from = starts === null ? doc : starts[doc]!
    const to = starts === null ? doc + 1 : starts[doc + 1]!
    for (let at = from; at < to; at++) {
      docOf[count] = doc
      places[count++] = at
    }
  }
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  order.sort((a, b) => values[places[a]!]! - values[places[b]!]! || a - b)
  const sortedValues = new Float64Array(count)
  const docs = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    sortedValues[i] = values[places[order[i]!]!]!
    docs[i] = docOf[order[i]!]!
  }
  return { values: sortedValues, docs }
}
