/** Columns of several segments in a row. Where every document has at most one value they go block by block. */
import { GrowingUint32 } from './growing-array.ts'
import { dropped, type FieldPart, type MergePart } from './merge-part.ts'
import { blockValues } from './section-blocks.ts'
import type { ColumnStarts, SegmentField } from './segment.ts'
import type { WrittenSection } from './segment-file.ts'

export type NumbersOf = (field: SegmentField) => (ColumnStarts & { readonly values: Float64Array }) | null

/** The blocks of a part's column; undefined when it has none. */
export type BlocksOf<Part, Block> = (part: Part, place: number) => (() => Block | undefined) | undefined

interface Merged<Values> {
  readonly values: Values
  readonly starts: Uint32Array | null
}

/** By value that stays: the part it is in, its place there and its new document. */
function eachValue(
  parts: readonly FieldPart[],
  columnOf: (field: SegmentField) => ColumnStarts | null,
  visit: (part: number, at: number, to: number) => void,
): void {
  parts.forEach(({ field, base, numbers, segment }, part) => {
    const column = columnOf(field)
    if (column === null) return
    const { starts } = column
    const { present } = field
    for (let doc = 0; doc < segment.docCount; doc++) {
      const to = numbers === null ? base + doc : numbers[doc]!
      if (to === dropped) continue
      if (starts === null) {
        if (present === null || present.has(doc)) visit(part, doc, to)
      } else for (let at = starts[doc]!; at < starts[doc + 1]!; at++) visit(part, at, to)
    }
  })
}

function startsOf(docs: Uint32Array, docCount: number): Uint32Array {
  const starts = new Uint32Array(docCount + 1)
  for (let i = 0; i < docs.length; i++) starts[docs[i]! + 1]! += 1
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  return starts
}

/** Where values come to stand: by document, or in a row when some document has several. */
function targets(
  parts: readonly FieldPart[],
  docCount: number,
  columnOf: (field: SegmentField) => ColumnStarts | null,
): { count: number; starts: Uint32Array | null } {
  if (parts.every(({ field }) => (columnOf(field)?.starts ?? null) === null)) {
    return { count: docCount, starts: null }
  }
  const docs = new GrowingUint32()
  let isMultiple = false
  eachValue(parts, columnOf, (_part, _at, to) => {
    if (docs.length > 0 && docs.at(docs.length - 1) === to) isMultiple = true
    docs.push(to)
  })
  if (!isMultiple) return { count: docCount, starts: null }
  return { count: docs.length, starts: startsOf(docs.view(), docCount) }
}

/** Where some part has several values in a document. */
export function mergedNumbers(
  parts: readonly FieldPart[],
  docCount: number,
  columnOf: NumbersOf,
): Merged<Float64Array> {
  const { count, starts } = targets(parts, docCount, columnOf)
  const values = new Float64Array(count)
  const columns = parts.map(({ field }) => columnOf(field)?.values)
  let next = 0
  let filled = 0
  eachValue(parts, columnOf, (part, at, to) => {
    const value = columns[part]![at]!
    // Documents without a value get one that is there anyway, so that the column packs well.
    if (starts === null && to > filled) values.fill(filled === 0 ? value : values[filled - 1]!, filled, to)
    filled = to + 1
    values[starts === null ? to : next++] = value
  })
  if (starts === null && filled > 0 && filled < count) values.fill(values[filled - 1]!, filled)
  return { values, starts }
}

/** Where some part has several values in a document. */
export function mergedOrdinals(
  parts: readonly FieldPart[],
  docCount: number,
  ordinals: readonly Uint32Array[],
): Merged<Uint32Array> {
  const columnOf = ({ ordinals: column }: SegmentField) => column
  const { count, starts } = targets(parts, docCount, columnOf)
  const values = new Uint32Array(count)
  const columns = parts.map(({ field }) => field.ordinals?.values)
  let next = 0
  eachValue(parts, columnOf, (part, at, to) => {
    const value = columns[part]![at]!
    if (value === 0) return
    values[starts === null ? to : next++] = ordinals[part]![value - 1]! + 1
  })
  return { values, starts }
}

export function mergedExact(parts: readonly FieldPart[], docCount: number): BigInt64Array {
  const columnOf = ({ numbers }: SegmentField) => numbers
  const { count, starts } = targets(parts, docCount, columnOf)
  const values = new BigInt64Array(count)
  let next = 0
  eachValue(parts, columnOf, (part, at, to) => {
    const column = parts[part]!.field.numbers!
    values[starts === null ? to : next++] = column.exact?.[at] ?? BigInt(Math.trunc(column.values[at]!))
  })
  return values
}

/** A column that is written block by block, in the order of the documents. */
class ColumnOutput<Values extends Float64Array | Uint32Array> {
  readonly values: Values
  filled = 0
  #written = 0
  readonly #name: string

  constructor(name: string, values: Values) {
    this.#name = name
    this.values = values
  }

  get docs(): number {
    return this.#written + this.filled
  }

  take(): WrittenSection {
    const { values, filled } = this
    this.#written += filled
    this.filled = 0
    return [this.#name, values.subarray(0, filled)]
  }

  /** The same value for all documents in front of that one. */
  *fillTo(doc: number, value: number): Iterable<WrittenSection> {
    while (this.docs < doc) {
      const more = Math.min(blockValues - this.filled, doc - this.docs)
      this.values.fill(value, this.filled, this.filled + more)
      this.filled += more
      if (this.filled === blockValues) yield this.take()
    }
  }
}

/**
 * Numbers by document. Those of documents without a value mean nothing: they get one that is there anyway, so that the
 * column packs well.
 */
export function* mergedDoubles<Part extends MergePart>(
  name: string,
  parts: readonly Part[],
  blocksOf: BlocksOf<Part, Float64Array>,
  docCount: number,
): Iterable<WrittenSection> {
  const out = new ColumnOutput(name, new Float64Array(blockValues))
  let last: number | undefined
  for (const [place, part] of parts.entries()) {
    const { base, numbers } = part
    const next = blocksOf(part, place)
    let doc = 0
    for (let block = next?.(); block !== undefined; block = next?.()) {
      last ??= block[0]!
      if (doc === 0) yield* out.fillTo(base, last)
      for (let i = 0; i < block.length; i++, doc++) {
        if (numbers !== null && numbers[doc] === dropped) continue
        out.values[out.filled++] = block[i]!
        if (out.filled === blockValues) yield out.take()
      }
      last = block[block.length - 1]!
    }
  }
  yield* out.fillTo(docCount, last ?? 0)
  yield out.take()
}

/**
 * Numbers of texts plus one by document, 0 for none: `placesOf` has the new numbers by the old ones. `counts` learns how many documents have each.
 */
export function* mergedPlaces<Part extends MergePart>(
  name: string,
  parts: readonly Part[],
  blocksOf: BlocksOf<Part, Uint32Array>,
  placesOf: readonly Uint32Array[],
  { counts, docCount }: { readonly counts: Uint32Array; readonly docCount: number },
): Iterable<WrittenSection> {
  const out = new ColumnOutput(name, new Uint32Array(blockValues))
  for (let part = 0; part < parts.length; part++) {
    const { base, numbers } = parts[part]!
    const places = placesOf[part]!
    yield* out.fillTo(base, 0)
    const next = blocksOf(parts[part]!, part)
    let doc = 0
    for (let block = next?.(); block !== undefined; block = next?.()) {
      for (let i = 0; i < block.length; i++, doc++) {
        if (numbers !== null && numbers[doc] === dropped) continue
        const value = block[i]!
        if (value === 0) out.values[out.filled++] = 0
        else {
          const place = places[value - 1]!
          counts[place]! += 1
          out.values[out.filled++] = place + 1
        }
        if (out.filled === blockValues) yield out.take()
      }
    }
  }
  yield* out.fillTo(docCount, 0)
  yield out.take()
}

/** Whole numbers by document, which every document has. */
export function* mergedWords(
  name: string,
  parts: readonly MergePart[],
  blocksOf: BlocksOf<MergePart, Uint32Array>,
): Iterable<WrittenSection> {
  const out = new ColumnOutput(name, new Uint32Array(blockValues))
  for (const [place, part] of parts.entries()) {
    const { numbers } = part
    const next = blocksOf(part, place)
    let doc = 0
    for (let block = next?.(); block !== undefined; block = next?.()) {
      for (let i = 0; i < block.length; i++, doc++) {
        if (numbers !== null && numbers[doc] === dropped) continue
        out.values[out.filled++] = block[i]!
        if (out.filled === blockValues) yield out.take()
      }
    }
  }
  yield out.take()
}
