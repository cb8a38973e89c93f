/**
 * Several segments into one, without their deleted documents, in the order given. Works field by field, and reads
 * and writes one section after the other, so that it takes little memory however large the segments are; documents
 * are not read again, and blocks of their texts are copied as they are unless a document in them is gone.
 */
import { BitSet } from '../encoding/bit-set.ts'
import { readWords, textParts } from '../encoding/sections.ts'
import { TextChunk } from '../encoding/text-chunk.ts'
import type { FieldEntry } from '../field-entry.ts'
import { IdFilter } from '../id-filter.ts'
import { CopiedSection, FileSections, SectionStream, type WrittenSection } from '../segment-file.ts'
import type { SegmentTable, StoredSegment } from '../stored-segment.ts'
import { mergedDoubles, mergedWords } from './merge-columns.ts'
import { FieldMerge } from './merge-field.ts'
import { dropped, type MergePart } from './merge-part.ts'
import { mergedSource } from './merge-source.ts'
import { MergedLists } from './merged-lists.ts'

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

/** The sections of a merge that goes to a file. */
export function* mergedSections(inputs: readonly MergeInput[]): Iterable<WrittenSection> {
  const { parts, docCount } = partsOf(inputs)
  const table = new Table(docCount)
  yield* fieldSections(parts, table)
  yield* documentSections(parts, table)
  yield* mergedSource(parts)
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
  const lists = new MergedLists()
  const { docCount } = table
  for (const name of names) {
    const merge = new FieldMerge(name, parts, { prefix: `f${table.fields.length}`, docCount, lists })
    if (merge.isEmpty) continue
    yield* merge.sections()
    table.fields.push(merge.entry())
  }
}

function* documentSections(parts: readonly MergePart[], table: Table): Iterable<WrittenSection> {
  yield* mergedIds(parts)
  yield ['id.filter', new SectionStream([mergedIdFilter(parts, table.docCount).bytes])]
  const { docCount } = table
  yield* mergedDoubles('seq.nos', parts, () => 'seq.nos', docCount)
  yield* mergedDoubles('versions', parts, () => 'versions', docCount)
  yield* mergedWords('primary.terms', parts)
  const hasNested = parts.some(({ segment }) => segment.sections.has('nested'))
  const nested = new Uint32Array(hasNested ? docCount : 0)
  for (const { segment, base, numbers } of parts) {
    for (const [doc, routing] of segment.table.routings) {
      const place = numbers === null ? base + doc : numbers[doc]!
      if (place !== dropped) table.routings.push([place, routing])
    }
    if (!segment.sections.has('nested')) continue
    const paths = segment.table.nestedPaths.map((path) => {
      const known = table.nestedPaths.indexOf(path)
      return known >= 0 ? known : table.nestedPaths.push(path) - 1
    })
    const nestedOf = readWords(segment.sections, 'nested')
    for (let doc = 0; doc < nestedOf.length; doc++) {
      const place = numbers === null ? base + doc : numbers[doc]!
      if (place !== dropped && nestedOf[doc] !== 0) nested[place] = paths[nestedOf[doc]! - 1]! + 1
    }
  }
  if (table.nestedPaths.length === 0) return
  const roots = new BitSet(docCount)
  for (let doc = 0; doc < docCount; doc++) if (nested[doc] === 0) roots.add(doc)
  yield ['roots', roots.words]
  yield ['nested', nested]
}

/** With so many blocks the last, which is not full, does not matter. */
const worthCopying = 4

function* mergedIds(parts: readonly MergePart[]): Iterable<WrittenSection> {
  const out = new TextChunk()
  for (const { segment, numbers } of parts) {
    const { sections } = segment
    if (numbers === null && sections instanceof FileSections && sections.form('ids').blocks >= worthCopying) {
      yield ['ids', out.take()]
      yield ['ids', new CopiedSection(sections, 'ids')]
      continue
    }
    const next = textParts(sections, 'ids')
    let doc = 0
    for (let block = next(); block !== undefined; block = next()) {
      const { bytes, ends } = block
      for (let i = 0, start = 0; i < ends.length; i++, doc++) {
        if (numbers === null || numbers[doc] !== dropped) out.add(bytes, start, ends[i]!)
        start = ends[i]!
        if (out.isFull) yield ['ids', out.take()]
      }
    }
  }
  yield ['ids', out.take()]
}

/** Ids of blocks that are copied as they are have to be decoded for it all the same. */
function mergedIdFilter(parts: readonly MergePart[], docCount: number): IdFilter {
  const filter = IdFilter.ofSize(docCount)
  for (const { segment, numbers } of parts) {
    const next = textParts(segment.sections, 'ids')
    let doc = 0
    for (let block = next(); block !== undefined; block = next()) {
      if (numbers === null) {
        filter.addAll(block)
        continue
      }
      const { bytes, ends } = block
      for (let i = 0, start = 0; i < ends.length; i++, doc++) {
        if (numbers[doc] !== dropped) filter.add(bytes, start, ends[i]!)
        start = ends[i]!
      }
    }
  }
  return filter
}
