/** The positions of a term in the documents of a leaf, which spans and intervals are built on. */

import { lowerBound } from '../../../segment/encoding/binary-search.ts'
import type { LeafReader, PostingPositions } from '../../../segment/segment.ts'
import { DocSet } from '../doc-set.ts'
import { postingsOf } from '../terms/term-query.ts'

const nowhere = new Uint32Array(0)

export class TermPositions {
  readonly docs: Uint32Array
  readonly #positions: PostingPositions | null

  constructor(leaf: LeafReader, field: string, term: string) {
    const postings = postingsOf(leaf, field, term)
    this.#positions = postings?.positions ?? null
    this.docs = postings === undefined || this.#positions === null ? nowhere : postings.docs
  }

  /** Rising; empty for documents without the term. */
  at(doc: number): Uint32Array {
    const place = lowerBound(this.docs, doc, 0)
    if (place >= this.docs.length || this.docs[place] !== doc) return nowhere
    const { starts, values } = this.#positions!
    return values.subarray(starts[place]!, starts[place + 1]!)
  }
}

/** The documents in all lists. */
export function inAll({ segment }: LeafReader, lists: readonly Uint32Array[]): Uint32Array {
  let found = DocSet.all(segment.docCount)
  for (const list of [...lists].sort((a, b) => a.length - b.length)) {
    found = found.and(DocSet.ofSorted(segment.docCount, list))
  }
  return lists.length === 0 ? nowhere : found.array()
}

/** The documents in any list. */
export function inAny({ segment }: LeafReader, lists: readonly Uint32Array[]): Uint32Array {
  const { docCount } = segment
  return DocSet.union(
    docCount,
    lists.map((list) => DocSet.ofSorted(docCount, list)),
  ).array()
}
