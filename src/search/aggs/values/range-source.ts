/** The ranges of a batch's documents, one call per range. */
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import type { Batch } from '../batch.ts'
import { openRanges, type RangeColumnView } from './columns.ts'
import type { BoundField } from './value-field.ts'

/** Both bounds are inclusive; `entry` is the same for all ranges of one document. */
type TakeRange = (doc: number, owner: number, from: number, to: number, entry: number) => void

export class RangeSource {
  readonly field: BoundField
  #leaf: SearchLeaf | undefined
  #column: RangeColumnView | null = null

  constructor(field: BoundField) {
    this.field = field
  }

  read({ leaf, docs, owners, length }: Batch, take: TakeRange): void {
    if (this.#leaf !== leaf) {
      this.#leaf = leaf
      this.#column = openRanges(leaf, this.field)
    }
    if (this.#column === null) return
    const { from, to, starts, present } = this.#column
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      if (starts === null) {
        if (present === null || present.has(doc)) take(doc, owners[i]!, from[doc]!, to[doc]!, i)
        continue
      }
      for (let at = starts[doc]!; at < starts[doc + 1]!; at++) take(doc, owners[i]!, from[at]!, to[at]!, i)
    }
  }
}
