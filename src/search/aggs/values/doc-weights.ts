/**
 * `_doc_count`: a document may stand for several that were put together before they came here, and then counts as
 * many in every bucket it is in.
 */
import type { SearchLeaf } from '../../collect/sort-key.ts'
import type { Segment } from '../../segment/segment.ts'

const known = new WeakMap<Segment, Float64Array>()

/** By document; null when all of the segment count once. */
export function weightsOf({ reader: { segment } }: SearchLeaf): Float64Array | null {
  const field = segment.fields.get('_doc_count')
  if (field === undefined || field.numbers === null) return null
  let weights = known.get(segment)
  if (weights === undefined) {
    const { values, starts } = field.numbers
    weights = new Float64Array(segment.docCount).fill(1)
    for (let doc = 0; doc < weights.length; doc++) {
      if (starts !== null) {
        if (starts[doc] !== starts[doc + 1]) weights[doc] = values[starts[doc]!]!
      } else if (field.present === null || field.present.has(doc)) weights[doc] = values[doc]!
    }
    known.set(segment, weights)
  }
  return weights
}
