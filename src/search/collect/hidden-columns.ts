/** Columns of what every document has besides its fields: `_id`, `_seq_no`, `_version`. */
import { BitSet } from '../segment/bit-set.ts'
import type { Segment, TermIndex } from '../segment/segment.ts'
import { compareUtf8, utf8Order } from '../segment/utf8-order.ts'
import type { SortColumn } from './sort-column.ts'

const kept = new WeakMap<Segment, Map<string, SortColumn>>()

/** Undefined for other names. */
export function hiddenColumn(segment: Segment, name: string): SortColumn | undefined {
  let columns = kept.get(segment)
  if (columns === undefined) {
    columns = new Map()
    kept.set(segment, columns)
  }
  let column = columns.get(name)
  if (column === undefined) {
    column = make(segment, name)
    if (column !== undefined) columns.set(name, column)
  }
  return column
}

export function isHiddenColumn(name: string): boolean {
  return name === '_id' || name === '_seq_no' || name === '_version'
}

function make(segment: Segment, name: string): SortColumn | undefined {
  if (name === '_seq_no') return { values: segment.seqNos, exact: null, terms: null, present: null }
  if (name === '_version') return { values: segment.versions, exact: null, terms: null, present: null }
  if (name !== '_id') return undefined
  const ids: string[] = []
  const docs: number[] = []
  for (let doc = 0; doc < segment.docCount; doc++) {
    if (segment.roots !== null && !segment.roots.has(doc)) continue
    ids.push(segment.id(doc))
    docs.push(doc)
  }
  // An id may stand in a segment twice, once deleted.
  const distinct = [...new Set(ids)]
  const order = utf8Order(distinct)
  const sorted = Array.from(order, (place) => distinct[place]!)
  const ordinals = new Map(sorted.map((id, ordinal) => [id, ordinal]))
  const values = new Uint32Array(segment.docCount)
  ids.forEach((id, i) => {
    values[docs[i]!] = ordinals.get(id)!
  })
  const present = segment.roots === null ? null : BitSet.of(segment.docCount, docs)
  return { values, exact: null, terms: new IdTerms(sorted), present }
}

class IdTerms implements TermIndex {
  readonly size: number
  readonly #ids: readonly string[]

  constructor(ids: readonly string[]) {
    this.size = ids.length
    this.#ids = ids
  }

  term(ordinal: number): string {
    return this.#ids[ordinal]!
  }

  find(term: string): number {
    const at = this.lowerBound(term)
    return this.#ids[at] === term ? at : -1
  }

  lowerBound(term: string): number {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareUtf8(this.#ids[middle]!, term) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  docFreq(): number {
    return 1
  }

  totalFreq(): number {
    return 1
  }

  postings(): never {
    throw new Error('ids have no postings')
  }
}
