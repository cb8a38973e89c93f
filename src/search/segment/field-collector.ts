/** Collects one field of a segment that is being built, and makes its sections at the end. */
import { BitSet } from './bit-set.ts'
import { ByteDictionary, sortedTexts } from './byte-dictionary.ts'
import type { FieldInput, FieldSpec } from './document.ts'
import { GrowingFloat64, GrowingUint32 } from './growing-array.ts'
import { PostingsWriter } from './postings-writer.ts'
import type { Section } from './sections.ts'
import type { PostingsParts } from './term-index.ts'
import { hashText, TermScratch } from './term-scratch.ts'
import { layOut, type TextLeaf, textsInOrder } from './text-leaf.ts'
import { type TextSource, TokenCollector } from './token-collector.ts'
import { placing, ValueDocs } from './value-docs.ts'

/** What stands about a field in the segment's table. */
export interface FieldEntry {
  readonly name: string
  /** What its inverted index keeps. */
  readonly keeps: 'docs' | 'freqs' | 'positions' | null
  /** Where postings come from: they are written, derived from the terms by document, or those of values. */
  readonly postings: 'written' | 'derived' | 'values' | null
  readonly docCount: number
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
}

export type Put = (part: string, section: Section) => void

export class FieldCollector {
  readonly name: string
  readonly spec: FieldSpec
  /** Where the values of a text come from, besides tokens that come ready. */
  textSource: TextSource | undefined
  /** Where terms come from, besides `terms`; its dictionary is that of the field. */
  termLeaf: TextLeaf | undefined
  readonly #present = new GrowingUint32()
  #tokens: TokenCollector | undefined
  #dictionary: ByteDictionary | undefined
  #scratch: TermScratch | undefined
  /** Terms by document, each once. */
  readonly #termDocs = new ValueDocs()
  readonly #termIds = new GrowingUint32()
  /** The same with repetitions, for fields that count them or have no terms by document. */
  readonly #occurrenceDocs = new GrowingUint32()
  readonly #occurrenceIds = new GrowingUint32()
  readonly #numberDocs = new ValueDocs()
  readonly #numbers = new GrowingFloat64()
  #exact: bigint[] | undefined
  readonly #pointDocs = new ValueDocs()
  readonly #latitudes = new GrowingFloat64()
  readonly #longitudes = new GrowingFloat64()
  readonly #rangeDocs = new ValueDocs()
  readonly #rangeFrom = new GrowingFloat64()
  readonly #rangeTo = new GrowingFloat64()

  constructor(name: string, spec: FieldSpec) {
    this.name = name
    this.spec = spec
  }

  get dictionary(): ByteDictionary {
    this.#dictionary ??= new ByteDictionary()
    return this.#dictionary
  }

  get isEmpty(): boolean {
    return (
      this.#present.length === 0 &&
      (this.termLeaf?.docs.length ?? 0) === 0 &&
      (this.textSource?.leaf.docs.length ?? 0) === 0
    )
  }

  add(doc: number, input: FieldInput): void {
    this.#present.push(doc)
    if (input.terms !== undefined) this.#addTerms(doc, input.terms)
    if (input.tokens !== undefined && this.spec.index !== null) {
      this.#tokens ??= new TokenCollector(this.spec.index, this.spec.norms)
      this.#tokens.add(doc, input.tokens)
    }
    if (input.numbers !== undefined) this.#addNumbers(doc, input.numbers, input.exact)
    for (const [latitude, longitude] of input.points ?? []) {
      this.#pointDocs.push(doc)
      this.#latitudes.push(latitude)
      this.#longitudes.push(longitude)
    }
    for (const [from, to] of input.ranges ?? []) {
      this.#rangeDocs.push(doc)
      this.#rangeFrom.push(from)
      this.#rangeTo.push(to)
    }
  }

  /** The only number of a document. */
  addNumber(doc: number, value: number): void {
    this.#present.push(doc)
    this.#numberDocs.push(doc)
    this.#numbers.push(value)
    this.#exact?.push(BigInt(Math.trunc(value)))
  }

  #addTerms(doc: number, terms: readonly string[]): void {
    this.#scratch ??= new TermScratch()
    const scratch = this.#scratch
    const { index, ordinals } = this.spec
    const seen = ordinals && terms.length > 1 ? new Set<number>() : undefined
    for (const term of terms) {
      const length = scratch.write(term)
      const hash = hashText(scratch.view, 0, length)
      const id = this.dictionary.idOf(scratch.bytes, scratch.view, 0, length, hash)
      if (index !== null && !(ordinals && index === 'docs')) {
        this.#occurrenceDocs.push(doc)
        this.#occurrenceIds.push(id)
      }
      if (!ordinals || seen?.has(id)) continue
      seen?.add(id)
      this.#termDocs.push(doc)
      this.#termIds.push(id)
    }
  }

  #addNumbers(doc: number, numbers: readonly number[], exact: readonly bigint[] | undefined): void {
    if (exact !== undefined && this.#exact === undefined) {
      this.#exact = Array.from(this.#numbers.view(), (value) => BigInt(Math.trunc(value)))
    }
    const order = numbers.length === 1 ? undefined : numbers.map((_, i) => i)
    order?.sort((a, b) => (exact === undefined ? numbers[a]! - numbers[b]! : Number(exact[a]! - exact[b]!)))
    for (let i = 0; i < numbers.length; i++) {
      const from = order?.[i] ?? i
      this.#numberDocs.push(doc)
      this.#numbers.push(numbers[from]!)
      this.#exact?.push(exact?.[from] ?? BigInt(Math.trunc(numbers[from]!)))
    }
  }

  finish(docCount: number, put: Put): FieldEntry {
    const present = this.#finishPresent(docCount, put)
    if (this.#numbers.length > 0) this.#finishNumbers(docCount, put)
    if (this.#latitudes.length > 0) {
      const { place, starts } = placing(this.#pointDocs, docCount)
      put('latitudes', place(this.#latitudes.view()))
      put('longitudes', place(this.#longitudes.view()))
      if (starts !== null) put('points.starts', starts)
    }
    if (this.#rangeFrom.length > 0) {
      const { place, starts } = placing(this.#rangeDocs, docCount)
      put('ranges.from', place(this.#rangeFrom.view()))
      put('ranges.to', place(this.#rangeTo.view()))
      if (starts !== null) put('ranges.starts', starts)
    }
    const terms = this.#finishText(docCount, put) ?? this.#finishTerms(docCount, put) ?? noTerms
    return { name: this.name, docCount: present, ...terms }
  }

  #finishPresent(docCount: number, put: Put): number {
    const leafDocs = (this.termLeaf ?? this.textSource?.leaf)?.docs.view() ?? nothing
    const present = this.#present.view()
    // A list without repetition as long as there are documents has all of them.
    if (present.length === docCount) return docCount
    const set = BitSet.of(docCount, present)
    for (let i = 0; i < leafDocs.length; i++) set.words[leafDocs[i]! >>> 5]! |= 1 << (leafDocs[i]! & 31)
    const { count } = set
    if (count < docCount) put('present', set.words)
    return count
  }

  #finishText(docCount: number, put: Put): TermFigures | undefined {
    const { index } = this.spec
    const hasValues = this.textSource !== undefined && this.textSource.leaf.docs.length > 0
    if (index === null || (this.#tokens === undefined && !hasValues)) return undefined
    this.#tokens ??= new TokenCollector(index, this.spec.norms)
    const built = this.#tokens.build(docCount, this.textSource)
    const { sumDocFreq, sumTotalFreq, values } = built
    put('text', built.texts)
    putPostings(put, built.parts)
    if (values === undefined) {
      if (built.norms !== null) put('norms', built.norms)
      return { keeps: index, postings: 'written', sumDocFreq, sumTotalFreq }
    }
    put('values', values.laidOut.column)
    put('values.text', values.laidOut.texts)
    put('values.doc.freqs', values.docFreqs)
    if (index !== 'docs') put('values.total.freqs', values.totalFreqs)
    if (built.norms !== null) put('values.norms', built.norms)
    return { keeps: index, postings: 'values', sumDocFreq, sumTotalFreq }
  }

  #finishTerms(docCount: number, put: Put): TermFigures | undefined {
    const { index, ordinals } = this.spec
    const leaf = this.termLeaf
    const hasLeaf = leaf !== undefined && leaf.docs.length > 0
    if (this.#dictionary === undefined || (!hasLeaf && this.#present.length === 0)) return undefined
    if (hasLeaf && this.#termIds.length === 0 && !leaf.isMultiple) {
      const { texts, counts, column } = leaf.laidOut(docCount)
      put('text', texts)
      put('doc.freqs', counts)
      put('ordinals', column)
      const sum = leaf.docs.length
      return { keeps: index, postings: 'derived', sumDocFreq: sum, sumTotalFreq: sum }
    }
    if (hasLeaf) this.#takeLeaf(leaf)
    if (!ordinals || index === 'freqs') return this.#finishOccurrences(docCount, put)
    return this.#finishOrdinals(docCount, put)
  }

  /** Puts the terms of the leaf between those that came ready. */
  #takeLeaf(leaf: TextLeaf): void {
    const own = { docs: this.#termDocs.docs.view().slice(), ids: this.#termIds.view().slice() }
    const { docs, ids } = { docs: leaf.docs.view(), ids: leaf.ids.view() }
    this.#termDocs.clear()
    this.#termIds.length = 0
    let at = 0
    const takeOwn = (before: number) => {
      for (; at < own.docs.length && own.docs[at]! < before; at++) {
        this.#termDocs.push(own.docs[at]!)
        this.#termIds.push(own.ids[at]!)
      }
    }
    for (let i = 0; i < docs.length; ) {
      const doc = docs[i]!
      takeOwn(doc)
      const first = i
      for (; i < docs.length && docs[i] === doc; i++) {
        let isRepeated = false
        for (let k = first; k < i && !isRepeated; k++) isRepeated = ids[k] === ids[i]
        if (isRepeated) continue
        this.#termDocs.push(doc)
        this.#termIds.push(ids[i]!)
      }
    }
    takeOwn(docsBeyond)
  }

  #finishOrdinals(docCount: number, put: Put): TermFigures {
    const docs = this.#termDocs.docs.view()
    const ids = this.#termIds.view()
    const { texts, counts, column } = layOut(this.dictionary, docs, ids, docCount)
    put('text', texts)
    put('doc.freqs', counts)
    const starts = this.#termDocs.starts(docCount)
    const figures = { sumDocFreq: ids.length, sumTotalFreq: ids.length }
    if (starts === null) put('ordinals', column)
    else {
      put('ordinals', this.#ordinalsWith(starts))
      put('ordinals.starts', starts)
    }
    return { keeps: this.spec.index, postings: 'derived', ...figures }
  }

  #ordinalsWith(starts: Uint32Array): Uint32Array {
    const ids = this.#termIds.view()
    const places = placesOf(this.dictionary, ids)
    const values = new Uint32Array(ids.length)
    for (let i = 0; i < ids.length; i++) values[i] = places[ids[i]!]! + 1
    for (let doc = 0; doc + 1 < starts.length; doc++) {
      if (starts[doc + 1]! - starts[doc]! > 1) values.subarray(starts[doc], starts[doc + 1]).sort()
    }
    return values
  }

  #finishOccurrences(docCount: number, put: Put): TermFigures | undefined {
    const { index, ordinals } = this.spec
    if (index === null) return undefined
    const ids = this.#occurrenceIds.view()
    const docs = this.#occurrenceDocs.view()
    const places = placesOf(this.dictionary, ids)
    const texts = orderedTexts(this.dictionary, ids)
    const ends = new Uint32Array(texts.ends.length + 1)
    for (let i = 0; i < ids.length; i++) ends[places[ids[i]!]! + 1]! += 1
    for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!
    const sorted = new Uint32Array(ids.length)
    for (let i = 0; i < ids.length; i++) sorted[ends[places[ids[i]!]!]!++] = docs[i]!
    const writer = new PostingsWriter(index)
    for (let term = 0, at = 0; term < texts.ends.length; term++) {
      writer.addOccurrences(sorted, nothing, at, ends[term]!)
      writer.end()
      at = ends[term]!
    }
    put('text', texts)
    putPostings(put, writer.finish())
    if (ordinals) {
      const starts = this.#termDocs.starts(docCount)
      const termIds = this.#termIds.view()
      if (starts === null)
        put('ordinals', layOut(this.dictionary, this.#termDocs.docs.view(), termIds, docCount).column)
      else {
        put('ordinals', this.#ordinalsWith(starts))
        put('ordinals.starts', starts)
      }
    }
    const { sumDocFreq, sumTotalFreq } = writer
    return { keeps: index, postings: 'written', sumDocFreq, sumTotalFreq }
  }

  #finishNumbers(docCount: number, put: Put): void {
    const { place, starts } = placing(this.#numberDocs, docCount)
    put('numbers', place(this.#numbers.view()))
    if (starts !== null) put('numbers.starts', starts)
    if (this.#exact === undefined) return
    const exact = new BigInt64Array(starts === null ? docCount : this.#exact.length)
    const docs = this.#numberDocs.docs.view()
    this.#exact.forEach((value, i) => {
      exact[starts === null ? docs[i]! : i] = value
    })
    put('exact', exact)
  }
}

type TermFigures = Pick<FieldEntry, 'keeps' | 'postings' | 'sumDocFreq' | 'sumTotalFreq'>

const noTerms: TermFigures = { keeps: null, postings: null, sumDocFreq: 0, sumTotalFreq: 0 }
const nothing = new Uint32Array(0)
const docsBeyond = 0x1_0000_0000

function orderOf(dictionary: ByteDictionary, ids: Uint32Array): Uint32Array {
  const used = new Uint8Array(dictionary.size)
  for (let i = 0; i < ids.length; i++) used[ids[i]!] = 1
  return sortedTexts(dictionary, dictionary.size, (id) => used[id] === 1)
}

/** Terms that occur, in order. */
function orderedTexts(dictionary: ByteDictionary, ids: Uint32Array) {
  return textsInOrder(dictionary, orderOf(dictionary, ids))
}

/** By term: its place among those that occur. */
function placesOf(dictionary: ByteDictionary, ids: Uint32Array): Uint32Array {
  const order = orderOf(dictionary, ids)
  const places = new Uint32Array(dictionary.size)
  for (let i = 0; i < order.length; i++) places[order[i]!] = i
  return places
}

function putPostings(put: Put, parts: PostingsParts): void {
  for (const [part, section] of postingsSections(parts)) put(part, section)
}

export function* postingsSections(parts: PostingsParts): Iterable<readonly [string, Section]> {
  yield ['doc.freqs', parts.docFreqs]
  if (parts.keeps !== 'docs') yield ['total.freqs', parts.totalFreqs]
  yield ['postings', parts.postings]
  yield ['postings.ends', parts.postingEnds]
  if (parts.keeps !== 'positions') return
  yield ['positions', parts.positions]
  yield ['positions.ends', parts.positionEnds]
}
