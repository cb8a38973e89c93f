/** Turns the buffered rows of one field into sections: sorts terms, builds doc values, inverts. */
import { BitSet } from '../encoding/bit-set.ts'
import { GrowingUint32 } from '../encoding/growing-array.ts'
import type { Section, TextList } from '../encoding/sections.ts'
import { sortedTexts } from '../encoding/string-radix-sort.ts'
import { type FieldInfo, type Put, postingsSections, type TermFigures } from '../field-info.ts'
import { invertTokens } from '../postings/inverter.ts'
import { placeValues, startsOf } from '../postings/multi-value-layout.ts'
import { PostingsWriter } from '../postings/postings-writer.ts'
import { type FieldRows, hasRepeated, type IdRows, type PairRows } from './field-rows.ts'
import { sortColumn, sortedColumn, type TextColumnRows, textsInOrder } from './text-column.ts'

/** Calls `put` with each section by its name within the field. */
export function fieldSections(rows: FieldRows, docCount: number, put: Put): FieldInfo {
  const present = putDocsWithField(rows, docCount, put)
  putNumbers(rows, docCount, put)
  putPairs(rows.points, docCount, put, ['latitudes', 'longitudes', 'points.starts'])
  putPairs(rows.ranges, docCount, put, ['ranges.from', 'ranges.to', 'ranges.starts'])
  const terms = putText(rows, docCount, put) ?? putTerms(rows, docCount, put) ?? noTerms
  return { name: rows.name, docCount: present, ...terms }
}

/** One field with its sections, named as `FieldReader` looks them up. */
export interface FieldParts {
  readonly entry: FieldInfo
  readonly sections: ReadonlyMap<string, Section>
}

export const partPrefix = 'f'

export function fieldParts(rows: FieldRows, docCount: number): FieldParts {
  const sections = new Map<string, Section>()
  const entry = fieldSections(rows, docCount, (part, section) =>
    sections.set(`${partPrefix}.${part}`, section),
  )
  return { entry, sections }
}

const noTerms: TermFigures = { keeps: null, postings: null, sumDocFreq: 0, sumTotalFreq: 0 }
const nothing = new Uint32Array(0)

function putDocsWithField(
  { present, termColumn, text, numbers }: FieldRows,
  docCount: number,
  put: Put,
): number {
  // A list without repetition that is as long as there are documents has all of them.
  if (present.length === docCount) return docCount
  const columnDocs = (termColumn ?? text?.column)?.docs ?? nothing
  if (hasAll(columnDocs, docCount) || hasAll(numbers.docs, docCount)) return docCount
  const set = BitSet.of(docCount, present)
  set.addAll(columnDocs)
  set.addAll(numbers.docs)
  const { count } = set
  if (count < docCount) put('present', set.words)
  return count
}

/** Returns whether the ascending documents are all documents, each once. */
function hasAll(docs: Uint32Array, docCount: number): boolean {
  return docs.length === docCount && !hasRepeated(docs)
}

function putNumbers({ numbers: { docs, values, exact } }: FieldRows, docCount: number, put: Put): void {
  if (values.length === 0) return
  const { place, starts } = placeValues(docs, docCount)
  put('numbers', place(values))
  if (starts !== null) put('numbers.starts', starts)
  if (exact === undefined) return
  const all = new BigInt64Array(starts === null ? docCount : exact.length)
  exact.forEach((value, i) => {
    all[starts === null ? docs[i]! : i] = value
  })
  put('exact', all)
}

function putPairs(
  { docs, first, second }: PairRows,
  docCount: number,
  put: Put,
  names: readonly [string, string, string],
): void {
  if (docs.length === 0) return
  const { place, starts } = placeValues(docs, docCount)
  put(names[0], place(first))
  put(names[1], place(second))
  if (starts !== null) put(names[2], starts)
}

function putText(rows: FieldRows, docCount: number, put: Put): TermFigures | undefined {
  const { index, norms } = rows.spec
  const text = rows.text !== undefined && rows.text.column.docs.length > 0 ? rows.text : undefined
  if (index === null || (rows.tokens === undefined && text === undefined)) return undefined
  const built = invertTokens({ keeps: index, hasNorms: norms, tokens: rows.tokens, text, docCount })
  const { termDocs, sumDocFreq, sumTotalFreq, values } = built
  put('text', built.texts)
  for (const [part, section] of postingsSections(built.parts)) put(part, section)
  if (values === undefined) {
    if (built.norms !== null) put('norms', built.norms)
    return { keeps: index, postings: 'written', termDocs, sumDocFreq, sumTotalFreq }
  }
  put('values', values.laidOut.column)
  put('values.text', values.laidOut.texts)
  put('values.doc.freqs', values.docFreqs)
  if (index !== 'docs') put('values.total.freqs', values.totalFreqs)
  if (built.norms !== null) put('values.norms', built.norms)
  return { keeps: index, postings: 'values', termDocs, sumDocFreq, sumTotalFreq }
}

function putTerms(rows: FieldRows, docCount: number, put: Put): TermFigures | undefined {
  const { dictionary, termColumn, present } = rows
  const { index, ordinals } = rows.spec
  const textColumn = termColumn !== undefined && termColumn.docs.length > 0 ? termColumn : undefined
  if (dictionary === undefined || (textColumn === undefined && present.length === 0)) return undefined
  if (textColumn !== undefined && rows.terms.ids.length === 0 && !textColumn.isMultiple) {
    const { texts, counts, column } = sortedColumn(textColumn, docCount)
    put('text', texts)
    put('doc.freqs', counts)
    put('ordinals', column)
    const sum = textColumn.docs.length
    return { keeps: index, postings: 'derived', sumDocFreq: sum, sumTotalFreq: sum }
  }
  const terms = textColumn === undefined ? rows.terms : together(rows.terms, textColumn)
  if (!ordinals || index === 'freqs') return putOccurrences(rows, dictionary, terms, docCount, put)
  const counts = putOrdinals(dictionary, terms, docCount, put)
  put('text', counts.texts)
  put('doc.freqs', counts.counts)
  const sum = terms.ids.length
  return { keeps: index, postings: 'derived', sumDocFreq: sum, sumTotalFreq: sum }
}

/** Merges the terms of the column with the terms that came parsed; a document has either the one or the other. */
function together(own: IdRows, textColumn: TextColumnRows): IdRows {
  const docs = new GrowingUint32()
  const ids = new GrowingUint32()
  let at = 0
  const takeOwn = (before: number) => {
    for (; at < own.docs.length && own.docs[at]! < before; at++) {
      docs.push(own.docs[at]!)
      ids.push(own.ids[at]!)
    }
  }
  for (let i = 0; i < textColumn.docs.length; ) {
    const doc = textColumn.docs[i]!
    takeOwn(doc)
    const first = i
    for (; i < textColumn.docs.length && textColumn.docs[i] === doc; i++) {
      let isRepeated = false
      for (let k = first; k < i && !isRepeated; k++) isRepeated = textColumn.ids[k] === textColumn.ids[i]
      if (isRepeated) continue
      docs.push(doc)
      ids.push(textColumn.ids[i]!)
    }
  }
  takeOwn(Number.POSITIVE_INFINITY)
  return { docs: docs.view(), ids: ids.view() }
}

function putOrdinals(dictionary: TextList, { docs, ids }: IdRows, docCount: number, put: Put) {
  const laid = sortColumn(dictionary, docs, ids, docCount)
  const starts = startsOf(docs, docCount)
  if (starts === null) put('ordinals', laid.column)
  else {
    put('ordinals', ordinalsWith(starts, laid.order, dictionary, ids))
    put('ordinals.starts', starts)
  }
  return laid
}

function ordinalsWith(
  starts: Uint32Array,
  order: Uint32Array,
  { ends }: TextList,
  ids: Uint32Array,
): Uint32Array {
  const places = ordinalsById(order, ends.length)
  const values = new Uint32Array(ids.length)
  for (let i = 0; i < ids.length; i++) values[i] = places[ids[i]!]! + 1
  for (let doc = 0; doc + 1 < starts.length; doc++) {
    const [from, to] = [starts[doc]!, starts[doc + 1]!]
    if (to - from > maxInsertionSort) values.subarray(from, to).sort()
    else if (to - from > 1) insertionSort(values, from, to)
  }
  return values
}

const maxInsertionSort = 16

/** Insertion sort. */
function insertionSort(values: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!
    let at = i
    for (; at > from && values[at - 1]! > value; at--) values[at] = values[at - 1]!
    values[at] = value
  }
}

function putOccurrences(
  { spec: { index, ordinals }, occurrences: { docs, ids } }: FieldRows,
  dictionary: TextList,
  terms: IdRows,
  docCount: number,
  put: Put,
): TermFigures | undefined {
  if (index === null) return undefined
  const size = dictionary.ends.length
  const used = new Uint8Array(size)
  for (let i = 0; i < ids.length; i++) used[ids[i]!] = 1
  const order = sortedTexts(dictionary, size, (id) => used[id] === 1)
  const places = ordinalsById(order, size)
  const ends = new Uint32Array(order.length + 1)
  for (let i = 0; i < ids.length; i++) ends[places[ids[i]!]! + 1]! += 1
  for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!
  const sorted = new Uint32Array(ids.length)
  for (let i = 0; i < ids.length; i++) sorted[ends[places[ids[i]!]!]!++] = docs[i]!
  const writer = new PostingsWriter(index)
  for (let term = 0, at = 0; term < order.length; term++) {
    writer.addOccurrences(sorted, nothing, at, ends[term]!)
    writer.end()
    at = ends[term]!
  }
  put('text', textsInOrder(dictionary, order))
  for (const [part, section] of postingsSections(writer.finish())) put(part, section)
  if (ordinals) putOrdinals(dictionary, terms, docCount, put)
  const { sumDocFreq, sumTotalFreq } = writer
  return { keeps: index, postings: 'written', sumDocFreq, sumTotalFreq }
}

/** Returns the ordinal of each text id. */
function ordinalsById(order: Uint32Array, size: number): Uint32Array {
  const places = new Uint32Array(size)
  for (let i = 0; i < order.length; i++) places[order[i]!] = i
  return places
}
