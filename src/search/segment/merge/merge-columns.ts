/**
 * Concatenates the columns of several segments. A column with at most one value per document is streamed block by
 * block.
 */
import { GrowingUint32 } from '../encoding/growing-array.ts'
import { blockValues } from '../encoding/section-blocks.ts'
import { numberBlocks, type Sections, wordBlocks } from '../encoding/sections.ts'
import type { ColumnStarts, SegmentField } from '../segment.ts'
import { CopiedSection, FileSections, type WrittenSection } from '../segment-file.ts'
import { dropped, type FieldPart, type MergePart } from './merge-part.ts'

export type NumbersOf = (field: SegmentField) => (ColumnStarts & { readonly values: Float64Array }) | null

/** Returns the full name of a part's column, which may be absent. */
type ColumnOf<Part> = (part: Part, place: number) => string

interface Merged<Values> {
  readonly values: Values
  readonly starts: Uint32Array | null
}

/** Calls back for each value that survives, with its part, its index there and its new document. */
function eachValue(
  parts: readonly FieldPart[],
  columnOf: (field: SegmentField) => ColumnStarts | null,
  visit: (part: number, at: number, to: number) => void,
): void {
  parts.forEach(({ field, base, docMap, segment }, part) => {
    const column = columnOf(field)
    if (column === null) return
    const { starts } = column
    const { present } = field
    for (let doc = 0; doc < segment.docCount; doc++) {
      const to = docMap === null ? base + doc : docMap[doc]!
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

/** Computes where values are placed: at their document's number, or with `starts` when some document has several. */
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

/** Merges a numeric column in which some document has several values. */
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
    // Documents without a value repeat their neighbour's, so that the column packs well.
    if (starts === null && to > filled) values.fill(filled === 0 ? value : values[filled - 1]!, filled, to)
    filled = to + 1
    values[starts === null ? to : next++] = value
  })
  if (starts === null && filled > 0 && filled < count) values.fill(values[filled - 1]!, filled)
  return { values, starts }
}

/** Merges an ordinal column in which some document has several values. */
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

/** Writes a column block by block, in document order. */
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

  get room(): number {
    return blockValues - this.filled
  }

  *add(values: Values): Iterable<WrittenSection> {
    for (let from = 0; from < values.length; ) {
      const to = Math.min(values.length, from + this.room)
      this.values.set(values.subarray(from, to), this.filled)
      this.filled += to - from
      from = to
      if (this.room === 0) yield this.take()
    }
  }

  take(): WrittenSection {
    const { values, filled } = this
    this.#written += filled
    this.filled = 0
    return [this.#name, values.subarray(0, filled)]
  }

  *copy(section: CopiedSection, docs: number): Iterable<WrittenSection> {
    yield this.take()
    yield [this.#name, section]
    this.#written += docs
  }

  /** Fills the documents before `doc` with one value. */
  *fillTo(doc: number, value: number): Iterable<WrittenSection> {
    while (this.docs < doc) {
      const more = Math.min(this.room, doc - this.docs)
      this.values.fill(value, this.filled, this.filled + more)
      this.filled += more
      if (this.room === 0) yield this.take()
    }
  }
}

/** Returns the values of documents that survive; the first is that of `doc`. */
function keptOf<Values extends Float64Array | Uint32Array>(
  block: Values,
  doc: number,
  docMap: Uint32Array | null,
): Values {
  return docMap === null
    ? block
    : (block.filter((_value: number, i: number) => docMap[doc + i] !== dropped) as Values)
}

function remapOrdinals(
  values: Uint32Array,
  from: number,
  to: number,
  places: Uint32Array,
  counts: Uint32Array,
  into: Uint32Array,
  at: number,
): void {
  for (let i = from; i < to; i++) {
    const value = values[i]!
    if (value === 0) into[at++] = 0
    else {
      const place = places[value - 1]!
      counts[place]! += 1
      into[at++] = place + 1
    }
  }
}

/** Merges numbers by document. Documents without a value repeat a neighbour's, so that the column packs well. */
export function* mergedDoubles<Part extends MergePart>(
  name: string,
  parts: readonly Part[],
  columnOf: ColumnOf<Part>,
  docCount: number,
): Iterable<WrittenSection> {
  const out = new ColumnOutput<Float64Array>(name, new Float64Array(blockValues))
  let last: number | undefined
  for (const [place, part] of parts.entries()) {
    const { base, segment } = part
    const column = columnOf(part, place)
    if (!segment.sections.has(column)) continue
    if (out.docs < base) yield* out.fillTo(base, last ?? numberBlocks(segment.sections, column)()?.[0] ?? 0)
    last = (yield* addPart(out, part, column, numberBlocks)) ?? last
  }
  yield* out.fillTo(docCount, last ?? 0)
  yield out.take()
}

/**
 * Merges ordinals plus one by document, 0 for none. `placesOf` maps old ordinals to new ones; `counts` receives the
 * number of documents per ordinal.
 */
export function* mergedOrdinalBlocks<Part extends MergePart>(
  name: string,
  parts: readonly Part[],
  columnOf: ColumnOf<Part>,
  placesOf: readonly Uint32Array[],
  { counts, docCount }: { readonly counts: Uint32Array; readonly docCount: number },
): Iterable<WrittenSection> {
  const out = new ColumnOutput<Uint32Array>(name, new Uint32Array(blockValues))
  for (const [place, part] of parts.entries()) {
    const { base, docMap, segment } = part
    const column = columnOf(part, place)
    if (!segment.sections.has(column)) continue
    yield* out.fillTo(base, 0)
    const next = wordBlocks(segment.sections, column)
    for (let block = next(), doc = 0; block !== undefined; block = next()) {
      const docs = keptOf(block, doc, docMap)
      doc += block.length
      for (let from = 0; from < docs.length; ) {
        const to = Math.min(docs.length, from + out.room)
        remapOrdinals(docs, from, to, placesOf[place]!, counts, out.values, out.filled)
        out.filled += to - from
        from = to
        if (out.room === 0) yield out.take()
      }
    }
  }
  yield* out.fillTo(docCount, 0)
  yield out.take()
}

/** Merges integers that every document has. */
export function* mergedWords(name: string, parts: readonly MergePart[]): Iterable<WrittenSection> {
  const out = new ColumnOutput<Uint32Array>(name, new Uint32Array(blockValues))
  for (const part of parts) yield* addPart(out, part, name, wordBlocks)
  yield out.take()
}

/**
 * Adds a column of one part without its deleted documents: the section as it is where none is deleted, otherwise block
 * by block. Returns the last value that was read.
 */
function* addPart<Values extends Float64Array | Uint32Array>(
  out: ColumnOutput<Values>,
  { docMap, segment }: MergePart,
  column: string,
  blocksOf: (sections: Sections, name: string) => () => Values | undefined,
): Generator<WrittenSection, number | undefined> {
  const copied = docMap === null ? copyOf(segment.sections, column) : undefined
  if (copied !== undefined) {
    yield* out.copy(copied, segment.docCount)
    return undefined
  }
  let last: number | undefined
  const next = blocksOf(segment.sections, column)
  for (let block = next(), doc = 0; block !== undefined; block = next()) {
    yield* out.add(keptOf(block, doc, docMap))
    doc += block.length
    last = block[block.length - 1]
  }
  return last
}

/** Returns the section for copying as it is, unless that would leave many blocks that are hardly filled. */
function copyOf(sections: Sections, name: string): CopiedSection | undefined {
  if (!(sections instanceof FileSections)) return undefined
  const { count, blocks } = sections.form(name)
  return count * 2 >= blocks * blockValues ? new CopiedSection(sections, name) : undefined
}
