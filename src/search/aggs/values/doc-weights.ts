/** `_doc_count`: a pre-aggregated document stands for several and counts as many in every bucket. */
import type { SearchLeaf } from '../../collect/sort/sort-key.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import type { Segment } from '../../segment/segment.ts'

const known = new WeakMap<Segment, Float64Array>()

/** Documents processed per step. */
const stepDocs = 32 * 1024

/** Loads the weights of a segment, so that `weightsOf` has them. */
export function* loadWeights({ reader: { segment } }: SearchLeaf): Steps<void> {
  const field = segment.fields.get('_doc_count')
  if (field === undefined || field.numbers === null || known.has(segment)) return
  const { values, starts } = field.numbers
  const weights = new Float64Array(segment.docCount).fill(1)
  for (let doc = 0; doc < weights.length; doc++) {
    if (doc % stepDocs === stepDocs - 1) yield
    if (starts !== null) {
      if (starts[doc] !== starts[doc + 1]) weights[doc] = values[starts[doc]!]!
    } else if (field.present === null || field.present.has(doc)) weights[doc] = values[doc]!
  }
  known.set(segment, weights)
}

/** By document; null when every document counts once. */
export function weightsOf(leaf: SearchLeaf): Float64Array | null {
  const { segment } = leaf.reader
  const field = segment.fields.get('_doc_count')
  if (field === undefined || field.numbers === null) return null
  if (!known.has(segment)) finish(loadWeights(leaf))
  return known.get(segment)!
}
