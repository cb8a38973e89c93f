/**
 * The layout of a column: a value at its document's number, or with `starts` offsets when some document has several.
 */
import { hasRepeated } from '../writer/field-rows.ts'

/** Returns the `starts` offsets for values with these documents, or null when no document has two. */
export function startsOf(docs: Uint32Array, docCount: number): Uint32Array | null {
  if (!hasRepeated(docs)) return null
  const starts = new Uint32Array(docCount + 1)
  for (let i = 0; i < docs.length; i++) starts[docs[i]! + 1]! += 1
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  return starts
}

export function placeValues(
  docs: Uint32Array,
  docCount: number,
): { place: (values: Float64Array) => Float64Array; starts: Uint32Array | null } {
  const starts = startsOf(docs, docCount)
  if (starts !== null) return { place: (values) => values.slice(), starts }
  const place = (values: Float64Array): Float64Array => {
    if (values.length === docCount) return values.slice()
    const column = new Float64Array(docCount)
    // Documents without a value get one that exists, so that the column packs well.
    if (values.length > 0) column.fill(values[0]!)
    for (let i = 0; i < values.length; i++) column[docs[i]!] = values[i]!
    return column
  }
  return { place, starts }
}
