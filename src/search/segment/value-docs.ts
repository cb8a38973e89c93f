/** Documents of values, in the order of the values, and how columns are laid out by them. */
import { GrowingUint32 } from './growing-array.ts'

export class ValueDocs {
  readonly docs = new GrowingUint32()
  isMultiple = false

  push(doc: number): void {
    const { docs } = this
    if (docs.length > 0 && docs.at(docs.length - 1) === doc) this.isMultiple = true
    docs.push(doc)
  }

  clear(): void {
    this.docs.length = 0
    this.isMultiple = false
  }

  /** `starts` of the column, or null when no document has two values. */
  starts(docCount: number): Uint32Array | null {
    if (!this.isMultiple) return null
    const starts = new Uint32Array(docCount + 1)
    const docs = this.docs.view()
    for (let i = 0; i < docs.length; i++) starts[docs[i]! + 1]! += 1
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    return starts
  }
}

/** How values come to stand in a column: each at its document's number, or in a row with `starts`. */
export function placing(
  documents: ValueDocs,
  docCount: number,
): { place: (values: Float64Array) => Float64Array; starts: Uint32Array | null } {
  const starts = documents.starts(docCount)
  if (starts !== null) return { place: (values) => values.slice(), starts }
  const docs = documents.docs.view()
  const place = (values: Float64Array): Float64Array => {
    if (values.length === docCount) return values.slice()
    const column = new Float64Array(docCount)
    // Documents without a value get one that is there anyway, so that the column packs well.
    if (values.length > 0) column.fill(values[0]!)
    for (let i = 0; i < values.length; i++) column[docs[i]!] = values[i]!
    return column
  }
  return { place, starts }
}
