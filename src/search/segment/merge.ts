/**
 * Several segments into one, without their deleted documents, in the order given. Works field by field, and reads
 * and writes one section after the other, so that it takes little memory however large the segments are; documents
 * are not read again, and blocks of their texts are copied as they are unless a document in them is gone.
 */
import { BitSet } from './bit-set.ts'
import type { FieldEntry } from './field-entry.ts'
import { GrowingUint32 } from './growing-array.ts'
import { FieldMerge } from './merge-field.ts'
import { dropped, type MergePart } from './merge-part.ts'
import { TextBlockWriter, unpackTexts } from './packed-texts.ts'
import { MemorySections, readTexts, readWords, type Section } from './sections.ts'
import { PackedTexts, SectionStream, type WrittenSection } from './segment-file.ts'
import { SourceArena } from './source-arena.ts'
import { SourceReader, SourceWriter } from './source-blocks.ts'
import { type SegmentTable, StoredSegment } from './stored-segment.ts'

export interface MergeInput {
  readonly segment: StoredSegment
  /** Documents to keep; null for all. */
  readonly live: BitSet | null
}

/** How many documents there will be. */
export function mergedDocCount(inputs: readonly MergeInput[]): number {
  return partsOf(inputs).docCount
}

/** New numbers of the documents of each input; undefined for those that are left out. */
export function mergedNumbers(
  inputs: readonly MergeInput[],
): readonly ((doc: number) => number | undefined)[] {
  return partsOf(inputs).parts.map(({ base, numbers }) => (doc) => {
    if (numbers === null) return base + doc
    return numbers[doc] === dropped ? undefined : numbers[doc]
  })
}

/** A merge in memory, for segments that are there themselves. */
export function mergeSegments(name: string, inputs: readonly MergeInput[]): StoredSegment<MemorySections> {
  const { parts, docCount } = partsOf(inputs)
  const source = new SourceArena()
  for (const { segment, numbers } of parts) {
    for (let doc = 0; doc < segment.docCount; doc++) {
      if (numbers !== null && numbers[doc] === dropped) continue
      const text = segment.source(doc)
      source.place(text)
      source.keep(text.length)
    }
  }
  const sections = new Map<string, Section>()
  const table = new Table(docCount)
  for (const [part, section] of [...fieldSections(parts, table), ...documentSections(parts, table)]) {
    if (section instanceof SectionStream) continue
    sections.set(part, section instanceof PackedTexts ? unpackTexts(Buffer.concat(section.pieces)) : section)
  }
  return new StoredSegment(name, new MemorySections(sections), table.json(), source)
}

/** The sections of a merge that goes to a file. */
export function* mergedSections(inputs: readonly MergeInput[]): Iterable<WrittenSection> {
  const { parts, docCount } = partsOf(inputs)
  const table = new Table(docCount)
  yield* fieldSections(parts, table)
  yield* documentSections(parts, table)
  const source = new SourceWriter()
  yield ['source', new SectionStream(sourceBlocks(parts, source))]
  yield* source.figures()
  yield ['table', Buffer.from(JSON.stringify(table.json()))]
}

function partsOf(inputs: readonly MergeInput[]): { parts: MergePart[]; docCount: number } {
  const parts: MergePart[] = []
  let docCount = 0
  for (const { segment, live } of inputs) {
    const base = docCount
    if (live === null) {
      docCount += segment.docCount
      parts.push({ segment, base, numbers: null })
      continue
    }
    const { roots } = segment
    const numbers = new Uint32Array(segment.docCount)
    for (let doc = 0; doc < numbers.length; doc++) {
      // A nested document goes with the one it belongs to.
      const isKept = roots === null ? live.has(doc) : live.has(roots.next(doc))
      numbers[doc] = isKept ? docCount++ : dropped
    }
    parts.push({ segment, base, numbers })
  }
  return { parts, docCount }
}

class Table {
  readonly docCount: number
  readonly fields: FieldEntry[] = []
  readonly nestedPaths: string[] = []
  readonly routings: [doc: number, routing: string][] = []

  constructor(docCount: number) {
    this.docCount = docCount
  }

  json(): SegmentTable {
    const { docCount, fields, nestedPaths, routings } = this
    return { docCount, fields, nestedPaths, routings }
  }
}

function* fieldSections(parts: readonly MergePart[], table: Table): Iterable<WrittenSection> {
  const names = new Set(parts.flatMap(({ segment }) => [...segment.fields.keys()]))
  for (const name of names) {
    const merge = new FieldMerge(name, parts, table.docCount)
    if (merge.isEmpty) continue
    const prefix = `f${table.fields.length}`
    for (const [part, section] of merge.sections()) yield [`${prefix}.${part}`, section]
    table.fields.push(merge.entry())
  }
}

function* documentSections(parts: readonly MergePart[], table: Table): Iterable<WrittenSection> {
  yield ['ids', new PackedTexts(mergedIds(parts))]
  yield ['seq.nos', documentNumbers(parts, table, ({ seqNos }) => seqNos)]
  yield ['versions', documentNumbers(parts, table, ({ versions }) => versions)]
  const terms = new Uint32Array(table.docCount)
  const nested = new GrowingUint32()
  let to = 0
  for (const { segment, numbers } of parts) {
    const { primaryTerms } = segment.fresh()
    for (const [doc, routing] of segment.table.routings) {
      const place = numbers === null ? to + doc : numbers[doc]!
      if (place !== dropped) table.routings.push([place, routing])
    }
    const paths = segment.table.nestedPaths.map((path) => {
      const known = table.nestedPaths.indexOf(path)
      return known >= 0 ? known : table.nestedPaths.push(path) - 1
    })
    const nestedOf = segment.roots === null ? null : readWords(segment.sections, 'nested')
    for (let doc = 0; doc < segment.docCount; doc++) {
      if (numbers !== null && numbers[doc] === dropped) continue
      terms[to++] = primaryTerms[doc]!
      nested.push(nestedOf === null || nestedOf[doc] === 0 ? 0 : paths[nestedOf[doc]! - 1]! + 1)
    }
  }
  yield ['primary.terms', terms]
  if (table.nestedPaths.length === 0) return
  const roots = new BitSet(table.docCount)
  for (let i = 0; i < nested.length; i++) if (nested.at(i) === 0) roots.add(i)
  yield ['roots', roots.words]
  yield ['nested', nested.view().slice()]
}

function documentNumbers(
  parts: readonly MergePart[],
  { docCount }: Table,
  read: (segment: StoredSegment) => Float64Array,
): Float64Array {
  const all = new Float64Array(docCount)
  let to = 0
  for (const { segment, numbers } of parts) {
    const values = read(segment.fresh())
    for (let doc = 0; doc < values.length; doc++) {
      if (numbers === null || numbers[doc] !== dropped) all[to++] = values[doc]!
    }
  }
  return all
}

function mergedIds(parts: readonly MergePart[]): readonly Uint8Array[] {
  const writer = new TextBlockWriter()
  for (const { segment, numbers } of parts) {
    const { bytes, ends } = readTexts(segment.sections, 'ids')
    for (let doc = 0, start = 0; doc < ends.length; doc++) {
      const end = ends[doc]!
      if (numbers === null || numbers[doc] !== dropped) writer.add(bytes, start, end)
      start = end
    }
  }
  return writer.finish()
}

function* sourceBlocks(parts: readonly MergePart[], writer: SourceWriter): Iterable<Uint8Array> {
  for (const { segment, numbers } of parts) {
    const source = segment.fresh().sourceTexts
    let from = 0
    if (source instanceof SourceReader) {
      for (let block = 0; block < source.blockCount; block++) {
        const to = source.firstDoc(block + 1)
        const isWhole = numbers === null || !hasDropped(numbers, from, to)
        if (isWhole) {
          const waiting = writer.finishBlock()
          if (waiting !== undefined) yield waiting
          const stored = source.stored(block)
          writer.take(stored, source.lengths(from, to))
          yield stored
        } else yield* written(source.read.bind(source), numbers, from, to, writer)
        from = to
      }
    }
    yield* written((doc) => source.read(doc), numbers, from, segment.docCount, writer)
  }
  const last = writer.finishBlock()
  if (last !== undefined) yield last
}

function* written(
  read: (doc: number) => Uint8Array,
  numbers: Uint32Array | null,
  from: number,
  to: number,
  writer: SourceWriter,
): Iterable<Uint8Array> {
  for (let doc = from; doc < to; doc++) {
    if (numbers !== null && numbers[doc] === dropped) continue
    const block = writer.add(read(doc))
    if (block !== undefined) yield block
  }
}

function hasDropped(numbers: Uint32Array, from: number, to: number): boolean {
  for (let doc = from; doc < to; doc++) if (numbers[doc] === dropped) return true
  return false
}
