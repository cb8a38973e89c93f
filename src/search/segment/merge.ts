/**
 * Several segments into one, without their deleted documents, in the order given. Works field by field on the
 * columns and postings; documents are not read again but for their texts, which are copied.
 */
import { BitSet } from './bit-set.ts'
import { ByteWriter } from './byte-writer.ts'
import { type FieldEntry, type Put, putTerms } from './field-collector.ts'
import { GrowingFloat64, GrowingUint32 } from './growing-array.ts'
import { packNumbers, packOrdinals } from './packed-numbers.ts'
import { PostingsWriter } from './postings-writer.ts'
import { bytesOf, MemorySections } from './sections.ts'
import type { ColumnStarts, Segment, SegmentField } from './segment.ts'
import { SourceWriter } from './source-blocks.ts'
import { type SegmentTable, StoredSegment } from './stored-segment.ts'
import { compareUtf8 } from './utf8-order.ts'

export interface MergeInput {
  readonly segment: Segment
  /** Documents to keep; null for all. */
  readonly live: BitSet | null
}

const dropped = 0xffff_ffff

/** One segment on its way into the merged one: the new number of each document, `dropped` for deleted ones. */
interface Part {
  readonly segment: Segment
  readonly numbers: Uint32Array
}

export function mergeSegments(name: string, inputs: readonly MergeInput[]): StoredSegment<MemorySections> {
  const parts: Part[] = []
  let docCount = 0
  for (const { segment, live } of inputs) {
    const numbers = new Uint32Array(segment.docCount)
    const keeps = keptDocs(segment, live)
    for (let doc = 0; doc < segment.docCount; doc++) numbers[doc] = keeps(doc) ? docCount++ : dropped
    parts.push({ segment, numbers })
  }
  const sections = new Map<string, Uint8Array>()
  const names = new Set(parts.flatMap(({ segment }) => [...segment.fields.keys()]))
  const fields = [...names].map((field, i) =>
    mergeField(field, parts, docCount, (part, bytes) => sections.set(`f${i}.${part}`, bytes)),
  )
  const table = { docCount, fields, ...mergeDocuments(parts, docCount, sections) } satisfies SegmentTable
  sections.set('table', new TextEncoder().encode(JSON.stringify(table)))
  return new StoredSegment(name, new MemorySections(sections))
}

/** A nested document goes with the one it belongs to. */
function keptDocs(segment: Segment, live: BitSet | null): (doc: number) => boolean {
  if (live === null) return () => true
  const { roots } = segment
  return roots === null ? (doc) => live.has(doc) : (doc) => live.has(roots.next(doc))
}

function mergeDocuments(
  parts: readonly Part[],
  docCount: number,
  sections: Map<string, Uint8Array>,
): Pick<SegmentTable, 'nestedPaths' | 'routings'> {
  const source = new SourceWriter()
  const ids = new ByteWriter()
  const idEnds = new GrowingUint32()
  const seqNos = new GrowingFloat64()
  const versions = new GrowingFloat64()
  const primaryTerms = new GrowingUint32()
  const nested = new GrowingUint32()
  const nestedPaths: string[] = []
  const routings: [number, string][] = []
  const roots = new BitSet(docCount)
  for (const { segment, numbers } of parts) {
    for (let doc = 0; doc < numbers.length; doc++) {
      const to = numbers[doc]!
      if (to === dropped) continue
      source.add(segment.source(doc))
      ids.text(segment.id(doc))
      idEnds.push(ids.length)
      seqNos.push(segment.seqNos[doc]!)
      versions.push(segment.versions[doc]!)
      primaryTerms.push(segment.primaryTerms[doc]!)
      const routing = segment.routing(doc)
      if (routing !== undefined) routings.push([to, routing])
      const path = segment.nestedPath(doc)
      if (path === undefined) {
        roots.add(to)
        nested.push(0)
        continue
      }
      let place = nestedPaths.indexOf(path)
      if (place < 0) place = nestedPaths.push(path) - 1
      nested.push(place + 1)
    }
  }
  source.finish(sections)
  sections.set('ids', ids.finish())
  sections.set('ids.ends', bytesOf(idEnds.view().slice()))
  sections.set('seq.nos', packNumbers(seqNos.view()))
  sections.set('versions', packNumbers(versions.view()))
  sections.set('primary.terms', packOrdinals(primaryTerms.view()))
  if (nestedPaths.length > 0) {
    sections.set('roots', bytesOf(roots.words))
    sections.set('nested', packOrdinals(nested.view()))
  }
  return { nestedPaths, routings }
}

interface FieldPart {
  readonly field: SegmentField
  readonly numbers: Uint32Array
  readonly docs: number
}

function mergeField(name: string, parts: readonly Part[], docCount: number, put: Put): FieldEntry {
  const fields = parts.flatMap(({ segment, numbers }): FieldPart[] => {
    const field = segment.fields.get(name)
    return field === undefined ? [] : [{ field, numbers, docs: segment.docCount }]
  })
  const present = new BitSet(docCount)
  for (const { field, numbers } of fields) {
    for (let doc = 0; doc < numbers.length; doc++) {
      if (numbers[doc] !== dropped && (field.present?.has(doc) ?? true)) present.add(numbers[doc]!)
    }
  }
  const { count } = present
  if (count < docCount) put('present', bytesOf(present.words))
  const keeps = fields.map(({ field }) => keepsOf(field)).find((found) => found !== undefined) ?? null
  const terms = mergeTerms(fields, keeps, put)
  mergeOrdinals(fields, terms.ordinals, docCount, put)
  mergeNumbers(fields, docCount, put)
  mergeColumn(fields, docCount, put, 'points.starts', [
    ['latitudes', ({ points }) => points && { starts: points.starts, values: points.latitudes }],
    ['longitudes', ({ points }) => points && { starts: points.starts, values: points.longitudes }],
  ])
  mergeColumn(fields, docCount, put, 'ranges.starts', [
    ['ranges.from', ({ ranges }) => ranges && { starts: ranges.starts, values: ranges.from }],
    ['ranges.to', ({ ranges }) => ranges && { starts: ranges.starts, values: ranges.to }],
  ])
  if (fields.some(({ field }) => field.norms !== null)) {
    const norms = new Uint8Array(docCount)
    for (const { field, numbers } of fields) {
      for (let doc = 0; doc < numbers.length; doc++) {
        if (numbers[doc] !== dropped) norms[numbers[doc]!] = field.norms?.[doc] ?? 0
      }
    }
    put('norms', norms)
  }
  return {
    name,
    keeps,
    size: terms.size,
    docCount: count,
    sumDocFreq: terms.sumDocFreq,
    sumTotalFreq: terms.sumTotalFreq,
  }
}

function keepsOf(field: SegmentField): FieldEntry['keeps'] | undefined {
  return 'keeps' in field ? (field.keeps as FieldEntry['keeps']) : undefined
}

interface MergedTerms {
  readonly size: number
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
  /** Per part: the new ordinal of each of its terms. */
  readonly ordinals: readonly Uint32Array[]
}

function mergeTerms(fields: readonly FieldPart[], keeps: FieldEntry['keeps'], put: Put): MergedTerms {
  const cursors = fields.map(({ field }) => ({
    terms: field.terms,
    at: 0,
    term: field.terms?.size ? field.terms.term(0) : undefined,
  }))
  const ordinals = fields.map(({ field }) => new Uint32Array(field.terms?.size ?? 0))
  const writer = new PostingsWriter(keeps)
  for (;;) {
    let least: string | undefined
    for (const { term } of cursors) {
      if (term !== undefined && (least === undefined || compareUtf8(term, least) < 0)) least = term
    }
    if (least === undefined) break
    const place = writer.size
    const having = cursors.flatMap(({ term, terms, at }, part) =>
      term === least && terms !== null ? [{ part, terms, at }] : [],
    )
    // A term whose documents are all deleted goes with them.
    const isLeft =
      keeps === null ||
      having.some(({ part, terms, at }) => hasKept(terms.postings(at).docs, fields[part]!.numbers))
    if (isLeft) writer.begin(least)
    for (const { part, terms, at } of having) {
      ordinals[part]![at] = place
      if (isLeft && keeps !== null) addPostings(writer, terms.postings(at), fields[part]!.numbers)
      const cursor = cursors[part]!
      cursor.at += 1
      cursor.term = cursor.at < terms.size ? terms.term(cursor.at) : undefined
    }
    if (isLeft) writer.end()
  }
  if (writer.size > 0) putTerms(put, writer.finish(), keeps)
  return { size: writer.size, sumDocFreq: writer.sumDocFreq, sumTotalFreq: writer.sumTotalFreq, ordinals }
}

function hasKept(docs: Uint32Array, numbers: Uint32Array): boolean {
  for (let i = 0; i < docs.length; i++) if (numbers[docs[i]!] !== dropped) return true
  return false
}

function addPostings(
  writer: PostingsWriter,
  { docs, freqs, positions }: ReturnType<NonNullable<SegmentField['terms']>['postings']>,
  numbers: Uint32Array,
): void {
  for (let i = 0; i < docs.length; i++) {
    const to = numbers[docs[i]!]!
    if (to === dropped) continue
    if (positions === null) writer.add(to, freqs?.[i] ?? 1)
    else writer.add(to, freqs?.[i] ?? 1, positions.values, positions.starts[i], positions.starts[i + 1])
  }
}

function mergeOrdinals(
  fields: readonly FieldPart[],
  ordinals: readonly Uint32Array[],
  docCount: number,
  put: Put,
): void {
  if (fields.every(({ field }) => field.ordinals === null)) return
  const lists = new ValueLists(docCount)
  fields.forEach(({ field, numbers }, i) => {
    const column = field.ordinals
    if (column === null) return
    eachValue(column, numbers, field.present, (to, at) => {
      if (column.values[at] !== 0) lists.add(to, ordinals[i]![column.values[at]! - 1]! + 1)
    })
  })
  const { values, starts } = lists.finish(0)
  put('ordinals', packOrdinals(Uint32Array.from(values)))
  if (starts !== null) put('ordinals.starts', bytesOf(starts))
}

function mergeNumbers(fields: readonly FieldPart[], docCount: number, put: Put): void {
  mergeColumn(fields, docCount, put, 'numbers.starts', [['numbers', ({ numbers }) => numbers]])
  if (fields.every(({ field }) => (field.numbers?.exact ?? null) === null)) return
  const exact: bigint[] = []
  const targets: number[] = []
  let isMultiple = false
  for (const { field, numbers } of fields) {
    const column = field.numbers
    if (column === null) continue
    eachValue(column, numbers, field.present, (to, at) => {
      if (targets.at(-1) === to) isMultiple = true
      targets.push(to)
      exact.push(column.exact?.[at] ?? BigInt(Math.trunc(column.values[at]!)))
    })
  }
  const column = new BigInt64Array(isMultiple ? exact.length : docCount)
  exact.forEach((value, i) => {
    column[isMultiple ? i : targets[i]!] = value
  })
  put('exact', bytesOf(column))
}

type ColumnOf = (field: SegmentField) => (ColumnStarts & { readonly values: Float64Array }) | null

function mergeColumn(
  fields: readonly FieldPart[],
  docCount: number,
  put: Put,
  startsName: string,
  columns: readonly (readonly [name: string, of: ColumnOf])[],
): void {
  for (const [name, columnOf] of columns) {
    if (fields.every(({ field }) => columnOf(field) === null)) return
    const lists = new ValueLists(docCount)
    for (const { field, numbers } of fields) {
      const column = columnOf(field)
      if (column === null) continue
      eachValue(column, numbers, field.present, (to, at) => lists.add(to, column.values[at]!))
    }
    const { values, starts } = lists.finish(undefined)
    put(name, packNumbers(values))
    if (starts !== null) put(startsName, bytesOf(starts))
  }
}

/** Calls back with the new number of the document and the place of the value, in the order of documents. */
function eachValue(
  { starts }: ColumnStarts,
  numbers: Uint32Array,
  present: BitSet | null,
  visit: (to: number, at: number) => void,
): void {
  for (let doc = 0; doc < numbers.length; doc++) {
    const to = numbers[doc]!
    if (to === dropped) continue
    if (starts === null) {
      if (present === null || present.has(doc)) visit(to, doc)
      continue
    }
    for (let at = starts[doc]!; at < starts[doc + 1]!; at++) visit(to, at)
  }
}

/** Values by document as they come in, documents rising; laid out as a column at the end. */
class ValueLists {
  readonly #docCount: number
  #docs = new GrowingUint32()
  #values = new GrowingFloat64()
  #isMultiple = false

  constructor(docCount: number) {
    this.#docCount = docCount
  }

  add(doc: number, value: number): void {
    if (this.#docs.length > 0 && this.#docs.at(this.#docs.length - 1) === doc) this.#isMultiple = true
    this.#docs.push(doc)
    this.#values.push(value)
  }

  /** `missing` stands for documents without a value; without it, a value that is there anyway does. */
  finish(missing: number | undefined): { values: Float64Array; starts: Uint32Array | null } {
    const docs = this.#docs.view()
    const values = this.#values.view()
    if (this.#isMultiple) {
      const starts = new Uint32Array(this.#docCount + 1)
      for (let i = 0; i < docs.length; i++) starts[docs[i]! + 1]! += 1
      for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
      return { values: values.slice(), starts }
    }
    const column = new Float64Array(this.#docCount).fill(missing ?? values[0] ?? 0)
    for (let i = 0; i < docs.length; i++) column[docs[i]!] = values[i]!
    return { values: column, starts: null }
  }
}
