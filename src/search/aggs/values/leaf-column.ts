/** A column of a field, opened when the first batch of a leaf comes. */
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import type { BoundField } from './value-field.ts'

export type OpenColumn<Column> = (leaf: SearchLeaf, field: BoundField) => Column | null

export class LeafColumn<Column> {
  readonly #field: BoundField
  readonly #open: OpenColumn<Column>
  #leaf: SearchLeaf | undefined
  #column: Column | null = null

  constructor(field: BoundField, open: OpenColumn<Column>) {
    this.#field = field
    this.#open = open
  }

  /** Null when no document of the leaf has the field. */
  of(leaf: SearchLeaf): Column | null {
    if (this.#leaf !== leaf) {
      this.#leaf = leaf
      this.#column = this.#open(leaf, this.#field)
    }
    return this.#column
  }
}
