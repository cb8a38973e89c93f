/**
 * The buffered rows of one field for a range of documents: values in document order, texts as dictionary ids,
 * nothing sorted. Rows are immutable plain data, so that sections can be made of them (`field-sections.ts`) at any
 * time and in any thread.
 */
import type { FieldSpec } from '../document.ts'
import type { TextList } from '../encoding/sections.ts'
import type { DocIdList } from './doc-id-list.ts'
import type { TextColumnRows } from './text-column.ts'

/** Documents `[from, to)`. */
export interface DocRange {
  readonly from: number
  readonly to: number
}

export interface FieldRows {
  readonly name: string
  readonly spec: FieldSpec
  /** Documents with a value, except those whose value is only in the column. */
  readonly present: Uint32Array
  /** A column of texts that are the field's terms, or texts to be analysed. */
  readonly termColumn: TextColumnRows | undefined
  readonly text: TextRows | undefined
  readonly dictionary: TextList | undefined
  /** Terms by document, each once. */
  readonly terms: IdRows
  /** Terms with repetitions, for fields that count them or have no doc values. */
  readonly occurrences: IdRows
  readonly tokens: TokenRows | undefined
  readonly numbers: NumberRows
  readonly points: PairRows
  readonly ranges: PairRows
}

/** Texts for the standard analyzer. */
export interface TextRows {
  readonly column: TextColumnRows
  /** The position gap between two values of one document (`position_increment_gap`). */
  readonly positionGap: number
}

export interface IdRows {
  readonly docs: Uint32Array
  readonly ids: Uint32Array
}

interface NumberRows {
  readonly docs: Uint32Array
  readonly values: Float64Array
  readonly exact: readonly bigint[] | undefined
}

export interface PairRows {
  readonly docs: Uint32Array
  readonly first: Float64Array
  readonly second: Float64Array
}

/** Preanalysed tokens, one entry each, and the field lengths of their documents. */
export interface TokenRows {
  readonly terms: TextList
  readonly docs: Uint32Array
  readonly ids: Uint32Array
  readonly positions: Uint32Array
  readonly lengthDocs: Uint32Array
  readonly lengths: Uint32Array
}

/** The slice of rows, sorted by document, that belongs to a range. */
export class RowCut {
  readonly docs: Uint32Array
  readonly #from: number
  readonly #to: number

  constructor(rows: DocIdList, { from, to }: DocRange) {
    this.#from = rows.before(from)
    this.#to = rows.before(to)
    this.docs = rows.cut(this.#from, this.#to, from)
  }

  /** Slices values that are parallel to the documents. */
  of<Values extends Uint32Array | Float64Array>(rows: { view(): Values }): Values {
    return rows.view().subarray(this.#from, this.#to) as Values
  }

  ofList<Value>(rows: readonly Value[] | undefined): readonly Value[] | undefined {
    return rows?.slice(this.#from, this.#to)
  }
}

export function hasRowsIn(docs: DocIdList, { from, to }: DocRange): boolean {
  return docs.before(from) < docs.before(to)
}

/** Returns whether some document occurs twice. */
export function hasRepeated(docs: Uint32Array): boolean {
  for (let i = 1; i < docs.length; i++) if (docs[i] === docs[i - 1]) return true
  return false
}
