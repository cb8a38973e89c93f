/**
 * A document ready to be indexed: what the mapping made of its JSON. This is all a segment builder gets; it
 * knows nothing of types, formats and analyzers.
 */

/** How a field is indexed; the same for all documents of a segment. */
export interface FieldSpec {
  /** What the inverted index keeps; null without one. */
  readonly index: 'docs' | 'freqs' | 'positions' | null
  readonly norms: boolean
  /** Terms by document. */
  readonly ordinals: boolean
}

export interface IndexedDocument {
  readonly id: string
  readonly routing: string | undefined
  /** JSON text as it was sent; empty when it is not kept. */
  readonly source: Uint8Array
  readonly seqNo: number
  readonly version: number
  readonly primaryTerm: number
  readonly fields: FieldInputs
  /** Nested objects at any depth, inner ones before those they belong to. */
  readonly nested: readonly NestedDocument[]
}

export interface NestedDocument {
  readonly path: string
  readonly fields: FieldInputs
}

/** By full path; a field stands here when the document has a value for it. */
export type FieldInputs = ReadonlyMap<string, FieldInput>

export interface FieldInput {
  readonly spec: FieldSpec
  /** Terms of fields that are not analysed, one per value; repetitions allowed. */
  readonly terms?: readonly string[] | undefined
  /** Tokens of an analysed text, all values in a row. */
  readonly tokens?: TokenList | undefined
  readonly numbers?: readonly number[] | undefined
  /** The same numbers exactly, when the field can hold integers beyond 2^53. */
  readonly exact?: readonly bigint[] | undefined
  readonly points?: readonly (readonly [latitude: number, longitude: number])[] | undefined
  /** Both ends inclusive. */
  readonly ranges?: readonly (readonly [from: number, to: number])[] | undefined
}

export interface TokenList {
  /** One after the other as they stand; with `ids` each once, in any order. */
  readonly terms: readonly string[]
  /** Which of `terms` the tokens are, where there are very many of them. */
  readonly ids?: ArrayLike<number> | undefined
  /** Rising; the same position twice for terms that stand in one place. */
  readonly positions: ArrayLike<number>
  /** What the length norm is made of. */
  readonly length: number
}
