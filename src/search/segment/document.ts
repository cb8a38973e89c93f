/**
 * A document ready to be indexed: the fields that the mapping made of its JSON. This is all a segment builder sees;
 * it knows nothing of types, formats and analyzers.
 */

/** How a field is indexed; the same for all documents of a segment. */
export interface FieldSpec {
  /** How much the postings hold, like Lucene's IndexOptions; null for a field that is not indexed. */
  readonly index: 'docs' | 'freqs' | 'positions' | null
  readonly norms: boolean
  /** Whether the field has sorted-set doc values: the ordinals of its terms by document. */
  readonly ordinals: boolean
}

export interface IndexedDocument {
  readonly id: string
  readonly routing: string | undefined
  /** The JSON text as it was sent; empty when `_source` is not stored. */
  readonly source: Uint8Array
  readonly seqNo: number
  readonly version: number
  readonly primaryTerm: number
  readonly fields: FieldInputs
  /** Nested objects at any depth. An inner one comes before the one that contains it, as in Lucene's block join. */
  readonly nested: readonly NestedDocument[]
}

export interface NestedDocument {
  readonly path: string
  readonly fields: FieldInputs
}

/** Inputs by full path; a field is here when the document has a value for it. */
export type FieldInputs = ReadonlyMap<string, FieldInput>

export interface FieldInput {
  readonly spec: FieldSpec
  /** Terms of fields that are not analysed, one per value; the same term may occur several times. */
  readonly terms?: readonly string[] | undefined
  /** Tokens of an analysed text, of all its values one after the other. */
  readonly tokens?: TokenList | undefined
  readonly numbers?: readonly number[] | undefined
  /** The same numbers as bigints, when the field can hold integers beyond 2^53. */
  readonly exact?: readonly bigint[] | undefined
  readonly points?: readonly (readonly [latitude: number, longitude: number])[] | undefined
  /** Both ends are inclusive. */
  readonly ranges?: readonly (readonly [from: number, to: number])[] | undefined
}

export interface TokenList {
  /** The terms in the order of the tokens; with `ids`, each distinct term once in any order. */
  readonly terms: readonly string[]
  /** The index in `terms` of each token, where there are very many tokens. */
  readonly ids?: ArrayLike<number> | undefined
  /** Positions in ascending order; tokens at the same position have the same number. */
  readonly positions: ArrayLike<number>
  /** The field length that the norm encodes. */
  readonly length: number
}
