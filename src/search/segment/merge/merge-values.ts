/**
 * Merges value indices: the distinct values of all parts, then the terms with the values they occur in. A value that
 * several parts have was analysed the same way in each, so the tokens of the first part are taken.
 */
import { GrowingUint32 } from '../encoding/growing-array.ts'
import { readWords } from '../encoding/sections.ts'
import { PostingsCursor } from '../postings/postings-cursor.ts'
import { PostingsWriter } from '../postings/postings-writer.ts'
import type { Postings } from '../segment.ts'
import type { WrittenSection } from '../segment-file.ts'
import { mergeList, mergeOrdinalColumn } from './merge-ordinals.ts'
import { dropped, type FieldPart, type MergedField } from './merge-part.ts'
import { type MergedTexts, mergeTexts, own, type TextVisitor, UsedTexts } from './merge-texts.ts'
import type { ValueParts } from './value-index-parts.ts'

type Keeps = 'docs' | 'freqs' | 'positions'

interface ValueSums {
  readonly termDocs?: number
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
}

export function* mergeValues(
  given: ValueParts,
  merged: MergedField,
  keeps: Keeps,
): Generator<WrittenSection, ValueSums> {
  const { parts } = given
  const list = { sectionOf: given.list, name: 'values.text' }
  const column = { sectionOf: given.column, name: 'values' }
  const used = parts.map((part, place) => valuesUsed(given, part, place))
  const values = yield* mergeList(parts, merged, list, column, () => new UsedTexts(used))
  const counts = yield* mergeOrdinalColumn(parts, merged, list, column, values)
  const norms = mergedNorms(given, values, used)
  if (norms !== null) yield ['values.norms', norms]
  const places = parts.map((part, place) => newValues(given, part, place, values, used[place]!))
  const terms = new ValueTerms(parts, places, counts, keeps)
  yield* mergeTexts(parts, own('text'), 'text', terms)
  yield* terms.writer.take(true)
  yield ['values.doc.freqs', terms.docFreqs.view()]
  if (keeps !== 'docs') yield ['values.total.freqs', terms.totalFreqs.view()]
  const { sumDocFreq, sumTotalFreq } = terms
  if (norms === null) return { sumDocFreq, sumTotalFreq }
  let termDocs = 0
  for (let value = 0; value < norms.length; value++) if (norms[value] !== 0) termDocs += counts[value]!
  return { termDocs, sumDocFreq, sumTotalFreq }
}

/** Marks the values of documents that survive; null when all do. */
function valuesUsed(given: ValueParts, part: FieldPart, place: number): Uint8Array | null {
  const { field, docMap } = part
  if (docMap === null) return null
  const column = readWords(field.sections, given.column(part, place))
  const used = new Uint8Array(field.sections.countOf(given.list(part, place)))
  for (let doc = 0; doc < column.length; doc++) {
    if (docMap[doc] !== dropped && column[doc] !== 0) used[column[doc]! - 1] = 1
  }
  return used
}

function mergedNorms(
  { parts, representatives }: ValueParts,
  { size, ordinals }: MergedTexts,
  used: readonly (Uint8Array | null)[],
): Uint8Array | null {
  let norms: Uint8Array | null = null
  for (const [place, { field }] of parts.entries()) {
    const shown = representatives[place]
    const ownNorms = shown === undefined ? field.valueNorms : field.norms
    if (ownNorms === null) continue
    norms ??= new Uint8Array(size)
    const newPlaces = ordinals[place]!
    for (let value = 0; value < newPlaces.length; value++) {
      if (used[place] === null || used[place]![value] === 1)
        norms[newPlaces[value]!] = ownNorms[shown === undefined ? value : shown[value]!]!
    }
  }
  return norms
}

const none = 0xffff_ffff

/** Maps what the postings of a part refer to, values or documents, to merged values or `none`. */
function newValues(
  { representatives }: ValueParts,
  { segment }: FieldPart,
  place: number,
  { ordinals }: MergedTexts,
  used: Uint8Array | null,
): Uint32Array {
  const newPlaces = ordinals[place]!
  const shown = representatives[place]
  if (shown === undefined && used === null) return newPlaces
  const places = new Uint32Array(shown === undefined ? newPlaces.length : segment.docCount).fill(none)
  for (let value = 0; value < newPlaces.length; value++) {
    if (used !== null && used[value] === 0) continue
    places[shown === undefined ? value : shown[value]!] = newPlaces[value]!
  }
  return places
}

class ValueTerms implements TextVisitor {
  readonly writer: PostingsWriter
  readonly docFreqs = new GrowingUint32()
  readonly totalFreqs = new GrowingUint32()
  sumDocFreq = 0
  sumTotalFreq = 0
  readonly #cursors: readonly PostingsCursor[]
  readonly #places: readonly Uint32Array[]
  readonly #counts: Uint32Array
  readonly #keeps: Keeps
  // The values of the current term, and by value where it was found; 0 for values not found.
  #values: Uint32Array
  #count = 0
  #isSorted = true
  readonly #foundAt: Uint32Array
  #postings: Postings[] = []
  #ats: number[] = []

  constructor(
    parts: readonly FieldPart[],
    places: readonly Uint32Array[],
    counts: Uint32Array,
    keeps: Keeps,
  ) {
    this.writer = new PostingsWriter(keeps)
    this.#cursors = parts.map(({ field }) => new PostingsCursor(field))
    this.#places = places
    this.#counts = counts
    this.#keeps = keeps
    this.#values = new Uint32Array(counts.length)
    this.#foundAt = new Uint32Array(counts.length)
  }

  visit(part: number, ordinal: number): void {
    const cursor = this.#cursors[part]!
    cursor.moveTo(ordinal)
    const postings = cursor.read()
    const { docs } = postings
    const places = this.#places[part]!
    const values = this.#values
    for (let at = 0; at < docs.length; at++) {
      const value = places[docs[at]!]!
      if (value === none || this.#foundAt[value] !== 0) continue
      if (this.#count > 0 && value < values[this.#count - 1]!) this.#isSorted = false
      values[this.#count++] = value
      this.#postings.push(postings)
      this.#ats.push(at)
      this.#foundAt[value] = this.#count
    }
  }

  end(): boolean {
    if (this.#count === 0) return false
    const values = this.#values.subarray(0, this.#count)
    if (!this.#isSorted) values.sort()
    let docFreq = 0
    let totalFreq = 0
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!
      const found = this.#foundAt[value]! - 1
      this.#foundAt[value] = 0
      const { freqs, positions } = this.#postings[found]!
      const at = this.#ats[found]!
      const freq = freqs?.[at] ?? 1
      docFreq += this.#counts[value]!
      totalFreq += this.#counts[value]! * freq
      if (positions === null) this.writer.add(value, freq)
      else this.writer.add(value, freq, positions.values, positions.starts[at], positions.starts[at + 1])
    }
    this.writer.end()
    if (this.#keeps === 'docs') totalFreq = docFreq
    this.docFreqs.push(docFreq)
    this.totalFreqs.push(totalFreq)
    this.sumDocFreq += docFreq
    this.sumTotalFreq += totalFreq
    this.#count = 0
    this.#isSorted = true
    this.#postings.length = 0
    this.#ats.length = 0
    return true
  }

  get isFull(): boolean {
    return this.writer.isFull
  }

  take(): Iterable<WrittenSection> {
    return this.writer.take(false)
  }
}
