/** `missing` of a sort: a column in which documents without a value get a given one. */

import { compareUtf8 } from '../../../text/utf8-order.ts'
import { mapOf } from '../../segment/map-of-maps.ts'
import type { Terms } from '../../segment/segment.ts'
import type { SortColumn } from './sort-column.ts'

const cache = new WeakMap<SortColumn, Map<number | bigint | string, SortColumn>>()

export function withMissing(column: SortColumn, value: number | bigint | string): SortColumn {
  if (column.present === null) return column
  const known = mapOf(cache, column)
  let filled = known.get(value)
  if (filled === undefined) {
    filled = typeof value === 'string' ? fillTerms(column, value) : fillNumbers(column, value)
    if (known.size > 8) known.clear()
    known.set(value, filled)
  }
  return filled
}

function fillNumbers(column: SortColumn, value: number | bigint): SortColumn {
  const present = column.present!
  const values = column.values.slice()
  const exact = column.exact?.slice() ?? null
  for (let doc = 0; doc < values.length; doc++) {
    if (present.has(doc)) continue
    values[doc] = Number(value)
    if (exact !== null) exact[doc] = BigInt(typeof value === 'number' ? Math.trunc(value) : value)
  }
  return { ...column, values, exact, present: null }
}

/** Ordinals are spaced to odd numbers, so that a text that is no term of the segment fits between two. */
function fillTerms(column: SortColumn, value: string): SortColumn {
  const terms = column.terms!
  const present = column.present!
  const found = terms.find(value)
  const place = found === -1 ? terms.lowerBound(value) * 2 : found * 2 + 1
  const values = new Uint32Array(column.values.length)
  for (let doc = 0; doc < values.length; doc++) {
    values[doc] = present.has(doc) ? column.values[doc]! * 2 + 1 : place
  }
  return { values, exact: null, terms: new SpacedTerms(terms, value, place), present: null }
}

class SpacedTerms implements Terms {
  readonly size: number
  readonly #terms: Terms
  readonly #extra: string
  readonly #place: number

  constructor(terms: Terms, extra: string, place: number) {
    this.size = terms.size * 2 + 1
    this.#terms = terms
    this.#extra = extra
    this.#place = place
  }

  term(ordinal: number): string {
    return ordinal % 2 === 0 ? this.#extra : this.#terms.term((ordinal - 1) / 2)
  }

  find(term: string): number {
    if (term === this.#extra) return this.#place
    const found = this.#terms.find(term)
    return found === -1 ? -1 : found * 2 + 1
  }

  lowerBound(term: string): number {
    const found = this.find(term)
    if (found !== -1) return found
    const bound = this.#terms.lowerBound(term) * 2
    // The extra text may lie in the same gap, before or after this one.
    return bound === this.#place && compareUtf8(term, this.#extra) > 0 ? bound + 1 : bound
  }
}
