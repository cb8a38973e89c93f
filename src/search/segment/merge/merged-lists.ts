/**
 * Lists of texts and columns that were merged a moment ago. A text and its keyword often have the same terms, and the
 * same column; these are one section in every segment then, and stay one in the merged.
 */
import type { FieldPart } from './merge-part.ts'
import type { MergedTexts, SectionOf } from './merge-texts.ts'

/** Sections of all parts, in a row. */
export type ListKey = readonly unknown[]

interface Known {
  readonly key: ListKey
  /** Its full name in the merged segment. */
  readonly section: string
}

export interface KnownList extends Known {
  readonly texts: MergedTexts
}

export interface KnownColumn extends Known {
  /** Documents of each text. */
  readonly counts: Uint32Array
}

/** Multi-fields stand next to what they are of. */
const remembered = 2

export class MergedLists {
  #lists: KnownList[] = []
  #columns: KnownColumn[] = []

  list(key: ListKey): KnownList | undefined {
    return this.#lists.find((known) => isSame(known.key, key))
  }

  column(key: ListKey): KnownColumn | undefined {
    return this.#columns.find((known) => isSame(known.key, key))
  }

  addList(list: KnownList): void {
    this.#lists = [list, ...this.#lists].slice(0, remembered)
  }

  addColumn(column: KnownColumn): void {
    this.#columns = [column, ...this.#columns].slice(0, remembered)
  }
}

/**
 * Of a list. Where documents are dropped, `column` decides which texts stay, and lists are the same only if it is too;
 * without one they are not.
 */
export function listKey(parts: readonly FieldPart[], list: SectionOf, column?: SectionOf): ListKey {
  return parts.flatMap((part, place) => [
    part.segment,
    identityOf(part, list(part, place)),
    part.numbers === null
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
