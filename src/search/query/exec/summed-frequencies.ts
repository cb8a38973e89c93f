/** How often any of several terms occurs, by document; each counts with its boost. */
import type { LeafReader, Postings } from '../../segment/segment.ts'
import type { Steps } from '../../steps.ts'
import { DocSet, lowerBound } from './doc-set.ts'
import { mergeScores, sum } from './merging.ts'
import type { ScoredDocs } from './query.ts'

export interface BoostedPostings {
  readonly postings: Postings
  readonly boost: number
}

/** Of all documents from `from` up to, not including, `to`. */
function frequenciesBetween(lists: readonly BoostedPostings[], from: number, to: number): ScoredDocs {
  return mergeScores(
    lists.map(({ postings: { docs, freqs }, boost }): ScoredDocs => {
      const first = lowerBound(docs, from, 0)
      const end = lowerBound(docs, to, first)
      const scores = new Float32Array(end - first)
      for (let i = first; i < end; i++) scores[i - first] = boost * (freqs === null ? 1 : freqs[i]!)
      return { docs: docs.subarray(first, end), scores }
    }),
    sum,
  )
}

/** Of those between the least and the greatest of a set, and maybe others. */
export function frequenciesAround(
  { segment }: LeafReader,
  lists: readonly BoostedPostings[],
  within: DocSet | null,
): ScoredDocs {
  const [from, to] = within === null ? [0, segment.docCount] : within.bounds
  return frequenciesBetween(lists, from, to)
}

/** Documents of any of the lists. */
export function* unionOfPostings({ segment }: LeafReader, lists: readonly BoostedPostings[]): Steps<DocSet> {
  const size = segment.docCount
  return yield* DocSet.unionSteps(
    size,
    lists.map(({ postings }) => DocSet.ofSorted(size, postings.docs)),
  )
}
