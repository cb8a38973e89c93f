/**
 * Counts how often a phrase occurs in one document. The work can be done in pieces, because a phrase of a hundred thousand
 * words in a document of a million is a request like any other.
 */
export interface PhraseMatcher {
  /** What was counted so far; final once `run` returned true. */
  readonly frequency: number
  /** `at[i]` is the document's index in the postings of the phrase's i-th place. */
  begin(places: readonly Place[], at: Uint32Array): void
  /** Compares about `limit` positions; returns whether the document is done. */
  run(limit: number): boolean
}

/** The postings of one position of the phrase: of its term, or of several terms merged. */
export interface Place {
  readonly docs: Uint32Array
  readonly starts: Uint32Array
  readonly values: Uint32Array
  readonly offset: number
}
