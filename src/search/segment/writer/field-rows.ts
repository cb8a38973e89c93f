/**
 * One field of a stretch of documents as they were collected: values in the order of the documents, texts numbered as
 * they came, nothing sorted. Plain data that nobody changes any more, so that sections can be made of it at any time
 * (`field-sections.ts`), any number of times, and in any thread.
 */
import type { FieldSpec } from '../document.ts'
import type { TextList } from '../encoding/sections.ts'
import type { RowDocs } from './row-docs.ts'
import type { LeafRows } from './text-leaf.ts'

/** Documents from `from` up to, not including, `to`. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

export interface FieldRows {
  readonly name: string
  readonly spec: FieldSpec
  /** Documents with a value, but for those whose value is in the leaf only. */
  readonly present: Uint32Array
  /** Values read straight from bytes: they are the field's terms, or texts to be analysed. */
  readonly termLeaf: LeafRows | undefined
  readonly text: TextRows | undefined
  readonly dictionary: TextList | undefined
  /** Terms by document, each once. */
  readonly terms: IdRows
  /** The same with repetitions, for fields that count them or have no terms by document. */
  readonly occurrences: IdRows
  readonly tokens: TokenRows | undefined
  readonly numbers: NumberRows
  readonly points: PairRows
  readonly ranges: PairRows
}

/** Texts for the standard analyzer. */
export interface TextRows {
  readonly leaf: LeafRows
  /** Positions between two values of one document. */
  readonly positionGap: number
}

export interface IdRows {
  readonly docs: Uint32Array
  readonly ids: Uint32Array
}

export interface NumberRows {
  readonly docs: Uint32Array
  readonly values: Float64Array
  readonly exact: readonly bigint[] | undefined
}

export interface PairRows {
  readonly docs: Uint32Array
  readonly first: Float64Array
  readonly second: Float64Array
}

/** Tokens that came ready, one entry each, and the lengths of the documents they are of. */
export interface TokenRows {
  readonly terms: TextList
  readonly docs: Uint32Array
  readonly ids: Uint32Array
  readonly positions: Uint32Array
  readonly lengthDocs: Uint32Array
  readonly lengths: Uint32Array
}

/** The part of rows, whose documents are in rising order, that belongs to a stretch. */
export class RowCut {
  readonly docs: Uint32Array
  readonly #from: number
  readonly #to: number

  constructor(rows: RowDocs, { from, to }: Stretch) {
    this.#from = rows.before(from)
    this.#to = rows.before(to)
    this.docs = rows.cut(this.#from, this.#to, from)
  }

  /** Of the values that stand beside the documents. */
  of<Values extends Uint32Array | Float64Array>(rows: { view(): Values }): Values {
    return rows.view().subarray(this.#from, this.#to) as Values
  }

  ofList<Value>(rows: readonly Value[] | undefined): readonly Value[] | undefined {
    return rows?.slice(this.#from, this.#to)
  }
}

export function hasRowsIn(docs: RowDocs, { from, to }: Stretch): boolean {
  return docs.before(from) < docs.before(to)
}

/** Whether some document stands there twice. */
export function hasRepeated(docs: Uint32Array): boolean {
  for (let i = 1; i < docs.length; i++) if (docs[i] === docs[i - 1]) return true
  return false
}
