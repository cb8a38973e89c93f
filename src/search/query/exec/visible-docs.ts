/** The documents of a segment that searches may return. */
import type { LeafReader } from '../../segment/segment.ts'
import { DocSet } from './doc-set.ts'

const masks = new WeakMap<LeafReader, { readonly set: DocSet | null }>()

/** Returns the live root documents, or null when every document is one. */
export function visible(leaf: LeafReader): DocSet | null {
  const known = masks.get(leaf)
  if (known !== undefined) return known.set
  const { live, segment } = leaf
  let set: DocSet | null = null
  if (live !== null && segment.roots !== null) set = DocSet.ofBits(segment.roots.clone().and(live))
  else if (live !== null) set = DocSet.ofBits(live)
  else if (segment.roots !== null) set = DocSet.ofBits(segment.roots)
  masks.set(leaf, { set })
  return set
}
