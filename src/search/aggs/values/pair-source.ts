/** Values that are pairs of numbers, latitude and longitude or the bounds of a range: one call per pair. */
import type { Batch } from '../batch.ts'
import { openPoints, openRanges, type PairColumn } from './columns.ts'
import { LeafColumn, type OpenColumn } from './leaf-column.ts'
import type { BoundField } from './value-field.ts'

/** `entry` is the same for all pairs of one document. */
type TakePair = (doc: number, owner: number, first: number, second: number, entry: number) => void

export class PairSource {
  readonly #column: LeafColumn<PairColumn>

  constructor(field: BoundField, open: OpenColumn<PairColumn>) {
    this.#column = new LeafColumn(field, open)
  }

  read({ leaf, docs, owners, length }: Batch, take: TakePair): void {
    const column = this.#column.of(leaf)
    if (column === null) return
    const { first, second, starts, present } = column
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      if (starts === null) {
        if (present === null || present.has(doc)) take(doc, owners[i]!, first[doc]!, second[doc]!, i)
        continue
      }
      for (let at = starts[doc]!; at < starts[doc + 1]!; at++) {
        take(doc, owners[i]!, first[at]!, second[at]!, i)
      }
    }
  }
}

/** Gives latitude and longitude. */
export function pointSource(field: BoundField): PairSource {
  return new PairSource(field, openPoints)
}

/** Gives the bounds, both inclusive. */
export function rangeSource(field: BoundField): PairSource {
  return new PairSource(field, openRanges)
}
