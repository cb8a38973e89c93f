/**
 * Remembers the term lists and columns merged last. A text field and its keyword multi-field often have identical
 * lists and columns, which are one section in every input; this keeps them one section in the output.
 */
import type { FieldPart } from './merge-part.ts'
import type { MergedTexts, SectionOf } from './merge-texts.ts'

/** The identities of the input sections. */
type ListKey = readonly unknown[]

interface Known {
  readonly key: ListKey
  /** The section's full name in the merged segment. */
  readonly section: string
}

interface KnownList extends Known {
  readonly texts: MergedTexts
}

interface KnownColumn extends Known {
  /** The number of documents of each text. */
  readonly counts: Uint32Array
}

/** A multi-field comes right behind its parent field. */
const maxRemembered = 2

export class MergedSectionCache {
  #lists: KnownList[] = []
  #columns: KnownColumn[] = []

  list(key: ListKey): KnownList | undefined {
    return this.#lists.find((known) => isSame(known.key, key))
  }

  column(key: ListKey): KnownColumn | undefined {
    return this.#columns.find((known) => isSame(known.key, key))
  }

  addList(list: KnownList): void {
    this.#lists = [list, ...this.#lists].slice(0, maxRemembered)
  }

  addColumn(column: KnownColumn): void {
    this.#columns = [column, ...this.#columns].slice(0, maxRemembered)
  }
}

/**
 * Returns the key of a term list. Where documents are dropped, `column` decides which texts survive, so lists are
 * equal only if their columns are; without a column they never are.
 */
export function listKey(parts: readonly FieldPart[], list: SectionOf, column?: SectionOf): ListKey {
  return parts.flatMap((part, place) => [
    part.segment,
    identityOf(part, list(part, place)),
    part.docMap === null
      ? null
      : column === undefined
        ? Symbol('unlike')
        : identityOf(part, column(part, place)),
  ])
}

export function columnKey(parts: readonly FieldPart[], list: SectionOf, column: SectionOf): ListKey {
  return [
    ...listKey(parts, list, column),
    ...parts.map((part, place) => identityOf(part, column(part, place))),
  ]
}

function identityOf({ field: { sections } }: FieldPart, section: string): unknown {
  return sections.has(section) ? sections.identity(section) : undefined
}

function isSame(left: ListKey, right: ListKey): boolean {
  return left.length === right.length && left.every((value, i) => value === right[i])
}
