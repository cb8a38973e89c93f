/** The points of a batch's documents, one call per point. */
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import type { Batch } from '../batch.ts'
import { openPoints, type PointColumnView } from './columns.ts'
import type { BoundField } from './value-field.ts'

type TakePoint = (doc: number, owner: number, latitude: number, longitude: number, entry: number) => void

export class PointSource {
  readonly field: BoundField
  #leaf: SearchLeaf | undefined
  #column: PointColumnView | null = null

  constructor(field: BoundField) {
    this.field = field
  }

  read({ leaf, docs, owners, length }: Batch, take: TakePoint): void {
    if (this.#leaf !== leaf) {
      this.#leaf = leaf
      this.#column = openPoints(leaf, this.field)
    }
    if (this.#column === null) return
    const { latitudes, longitudes, starts, present } = this.#column
    for (let i = 0; i < length; i++) {
      const doc = docs[i]!
      if (starts === null) {
        if (present === null || present.has(doc)) take(doc, owners[i]!, latitudes[doc]!, longitudes[doc]!, i)
        continue
      }
      for (let at = starts[doc]!; at < starts[doc + 1]!; at++) {
        take(doc, owners[i]!, latitudes[at]!, longitudes[at]!, i)
      }
    }
  }
}
