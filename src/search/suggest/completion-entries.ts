/**
 * The completions of one analysed key in the order in which Lucene's suggester stores them (NRTSuggesterBuilder):
 * its entries are added by document to a java.util.PriorityQueue with the heaviest first, and are written in the
 * order of the array of that heap. Entries of equal weight are found in this order, so it decides which of them a
 * page shows.
 */

/** The terms of a key: the weight and the documents of each. */
export interface KeyTerm {
  readonly ordinal: number
  readonly weight: number
  readonly docs: Uint32Array
}

interface KeyEntry {
  readonly term: KeyTerm
  readonly doc: number
}

/** Keys with more entries of different weights are read by term and document. */
const maxHeapEntries = 65_536

export function* keyEntries(terms: readonly KeyTerm[]): Generator<KeyEntry, void, void> {
  const [first] = terms
  const size = terms.reduce((sum, { docs }) => sum + docs.length, 0)
  if (first === undefined) return
  if (terms.length === 1 || size > maxHeapEntries) {
    for (const term of terms) for (const doc of term.docs) yield { term, doc }
    return
  }
  const entries = terms.flatMap((term) => Array.from(term.docs, (doc): KeyEntry => ({ term, doc })))
  entries.sort((one, other) => one.doc - other.doc)
  if (terms.some(({ weight }) => weight !== first.weight)) yield* heapOf(entries)
  else yield* entries
}

/** The array of a binary heap after all entries were added in turn, the heaviest at its root. */
function heapOf(entries: readonly KeyEntry[]): readonly KeyEntry[] {
  const heap: KeyEntry[] = []
  for (const entry of entries) {
    let at = heap.length
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (entry.term.weight <= heap[parent]!.term.weight) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = entry
  }
  return heap
}
