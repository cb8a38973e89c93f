/**
 * Sliced scrolls and points in time (`slice`). With at least as many slices as shards a slice is part of one
 * shard, chosen by a hash of the id or of a number; with fewer, a slice is a set of whole shards.
 */

import { DocSet } from '../../query/exec/doc-set.ts'
import { illegalArgument } from '../../request/errors.ts'
import { checkSlices } from '../../request/slice-limit.ts'
import { sliceHashOfId, sliceHashOfNumber, sliceOf } from '../../routing/slice-hash.ts'
import type { LeafReader } from '../../segment/segment.ts'
import type { SliceRequest } from '../request/search-request.ts'
import type { SearchIndex } from '../search-index.ts'

export function checkSlice({ max }: SliceRequest, { limits }: SearchIndex): void {
  checkSlices(max, limits.maxSlices)
}

/** Undefined when the slice has nothing of the shard; otherwise which part of how many. */
export function sliceOfShard(
  { id, max }: SliceRequest,
  shard: number,
  shards: number,
): { readonly part: number; readonly parts: number } | undefined {
  if (max < shards) return shard % max === id ? { part: 0, parts: 1 } : undefined
  if (id % shards !== shard) return undefined
  const parts = Math.floor(max / shards) + (max % shards > id % shards ? 1 : 0)
  return { part: Math.floor(id / shards), parts }
}

/** The documents of the set that belong to the slice. */
export function sliceDocs(
  docs: DocSet,
  leaf: LeafReader,
  field: string,
  part: number,
  parts: number,
  index: SearchIndex,
): DocSet {
  if (parts <= 1) return docs
  const { segment } = leaf
  const numbers = field === '_id' ? null : columnOf(leaf, field, index)
  const all = docs.array()
  const kept = new Uint32Array(all.length)
  let count = 0
  for (let i = 0; i < all.length; i++) {
    const doc = all[i]!
    const hash = field === '_id' ? sliceHashOfId(segment.id(doc)) : numbers!(doc)
    if (sliceOf(hash, parts) === part) kept[count++] = doc
  }
  return DocSet.ofSorted(docs.size, kept.subarray(0, count))
}

const buffer = new DataView(new ArrayBuffer(8))

/** The 64 bits of a double as an integer that rises with it. */
function sortableBits(value: number): bigint {
  buffer.setFloat64(0, value)
  const bits = buffer.getBigInt64(0)
  return bits ^ ((bits >> 63n) & 0x7fff_ffff_ffff_ffffn)
}

function columnOf(leaf: LeafReader, name: string, index: SearchIndex): (doc: number) => bigint {
  const mapped = index.mapping.field(name)
  if (mapped === undefined) throw illegalArgument(`field ${name} not found`)
  if (!mapped.hasDocValues) throw illegalArgument(`cannot load numeric doc values on ${name}`)
  if (mapped.family !== 'number' && mapped.family !== 'date') {
    throw illegalArgument(`cannot load numeric doc values on ${name}`)
  }
  const isFloat = ['double', 'float', 'half_float', 'scaled_float'].includes(mapped.type)
  const field = leaf.segment.fields.get(mapped.name)
  return (doc) => {
    const column = field?.numbers
    if (column === null || column === undefined || !(field!.present?.has(doc) ?? true)) return 0n
    const at = column.starts === null ? doc : column.starts[doc]!
    const value = column.values[at]!
    const bits = column.exact?.[at] ?? (isFloat ? sortableBits(value) : BigInt(Math.trunc(value)))
    return sliceHashOfNumber(bits)
  }
}
