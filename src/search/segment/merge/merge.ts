/**
 * Merges several segments into one, in the given order and without deleted documents. It works field by field and
 * streams one section after the other, so that memory stays small however large the segments are. Documents are not
 * analysed again, and stored-field blocks are copied unless a document in them is deleted.
 */
import { BitSet } from '../encoding/bit-set.ts'
import { readWords, textParts } from '../encoding/sections.ts'
import { TextBlockBuilder } from '../encoding/text-block-builder.ts'
import type { FieldInfo } from '../field-info.ts'
import { IdFilter } from '../id-filter.ts'
import { CopiedSection, FileSections, SectionStream, type WrittenSection } from '../segment-file.ts'
import type { SegmentReader, SegmentTable } from '../segment-reader.ts'
import { mergedDoubles, mergedWords } from './merge-columns.ts'
import { FieldMerge } from './merge-field.ts'
import { dropped, type MergePart } from './merge-part.ts'
import { mergedStoredFields } from './merge-stored-fields.ts'
import { MergedSectionCache } from './merged-section-cache.ts'

export interface MergeInput {
  readonly segment: SegmentReader
  /** Live docs; null when nothing is deleted. */
  readonly live: BitSet | null
}

/** Returns the number of documents of the merged segment. */
export function mergedDocCount(inputs: readonly MergeInput[]): number {
  return partsOf(inputs).docCount
}

/** Returns the document map of each input; undefined for inputs that are left out. */
export function mergedNumbers(
  inputs: readonly MergeInput[],
): readonly ((doc: number) => number | undefined)[] {
  return partsOf(inputs).parts.map(({ base, docMap }) => (doc) => {
    if (docMap === null) return base + doc
    return docMap[doc] === dropped ? undefined : docMap[doc]
  })
}

/** Yields the sections of a merge that is written to a file. `fieldDone` is called when the memory of a field is free. */
export function* mergedSections(
  inputs: readonly MergeInput[],
  fieldDone: () => void = () => {},
): Iterable<WrittenSection> {
  const { parts, docCount } = partsOf(inputs)
  const table = new Table(docCount)
  yield* fieldSections(parts, table, fieldDone)
  yield* documentSections(parts, table)
  yield* mergedStoredFields(parts)
  yield ['table', Buffer.from(JSON.stringify(table.json()))]
}

function partsOf(inputs: readonly MergeInput[]): { parts: MergePart[]; docCount: number } {
  const parts: MergePart[] = []
  let docCount = 0
  for (const { segment, live } of inputs) {
    const base = docCount
    if (live === null) {
      docCount += segment.docCount
      parts.push({ segment, base, docMap: null })
      continue
    }
    const { roots } = segment
    const docMap = new Uint32Array(segment.docCount)
    for (let doc = 0; doc < docMap.length; doc++) {
      // A nested document lives as long as its root document.
      const isKept = roots === null ? live.has(doc) : live.has(roots.next(doc))
      docMap[doc] = isKept ? docCount++ : dropped
    }
    parts.push({ segment, base, docMap })
  }
  return { parts, docCount }
}

class Table {
  readonly docCount: number
  readonly fields: FieldInfo[] = []
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

function* fieldSections(
  parts: readonly MergePart[],
  table: Table,
  fieldDone: () => void,
): Iterable<WrittenSection> {
  const names = new Set(parts.flatMap(({ segment }) => [...segment.fields.keys()]))
  const lists = new MergedSectionCache()
  const { docCount } = table
  for (const name of names) {
    const merge = new FieldMerge(name, parts, { prefix: `f${table.fields.length}`, docCount, lists })
    if (merge.isEmpty) continue
    yield* merge.sections()
    table.fields.push(merge.entry())
    fieldDone()
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
  for (const { segment, base, docMap } of parts) {
    for (const [doc, routing] of segment.table.routings) {
      const place = docMap === null ? base + doc : docMap[doc]!
      if (place !== dropped) table.routings.push([place, routing])
    }
    if (!segment.sections.has('nested')) continue
    const paths = segment.table.nestedPaths.map((path) => {
      const known = table.nestedPaths.indexOf(path)
      return known >= 0 ? known : table.nestedPaths.push(path) - 1
    })
    const nestedOf = readWords(segment.sections, 'nested')
    for (let doc = 0; doc < nestedOf.length; doc++) {
      const place = docMap === null ? base + doc : docMap[doc]!
      if (place !== dropped && nestedOf[doc] !== 0) nested[place] = paths[nestedOf[doc]! - 1]! + 1
    }
  }
  if (table.nestedPaths.length === 0) return
  const roots = new BitSet(docCount)
  for (let doc = 0; doc < docCount; doc++) if (nested[doc] === 0) roots.add(doc)
  yield ['roots', roots.words]
  yield ['nested', nested]
}

/** From this many blocks on, the last one, which is not full, does not matter. */
const minCopiedBlocks = 4

function* mergedIds(parts: readonly MergePart[]): Iterable<WrittenSection> {
  const out = new TextBlockBuilder()
  for (const { segment, docMap } of parts) {
    const { sections } = segment
    if (
      docMap === null &&
      sections instanceof FileSections &&
      sections.form('ids').blocks >= minCopiedBlocks
    ) {
      yield ['ids', out.take()]
      yield ['ids', new CopiedSection(sections, 'ids')]
      continue
    }
    const next = textParts(sections, 'ids')
    let doc = 0
    for (let block = next(); block !== undefined; block = next()) {
      const { bytes, ends } = block
      for (let i = 0, start = 0; i < ends.length; i++, doc++) {
        if (docMap === null || docMap[doc] !== dropped) out.add(bytes, start, ends[i]!)
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
  for (const { segment, docMap } of parts) {
    const next = textParts(segment.sections, 'ids')
    let doc = 0
    for (let block = next(); block !== undefined; block = next()) {
      if (docMap === null) {
        filter.addAll(block)
        continue
      }
      const { bytes, ends } = block
      for (let i = 0, start = 0; i < ends.length; i++, doc++) {
        if (docMap[doc] !== dropped) filter.add(bytes, start, ends[i]!)
        start = ends[i]!
      }
    }
  }
  return filter
}
