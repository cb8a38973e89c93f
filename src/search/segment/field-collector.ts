/** Collects one field of a segment that is being built, and writes its sections at the end. */
import { encodeLength } from '../scoring/length-norm.ts'
import { BitSet } from './bit-set.ts'
import type { FieldInput, FieldSpec } from './document.ts'
import { GrowingFloat64, GrowingUint32 } from './growing-array.ts'
import { packNumbers, packOrdinals } from './packed-numbers.ts'
import { bytesOf } from './sections.ts'
import { TermCollector } from './term-collector.ts'
import type { TermIndexParts } from './term-index.ts'

/** What stands about a field in the segment's table. */
export interface FieldEntry {
  readonly name: string
  readonly keeps: 'docs' | 'freqs' | 'positions' | null
  readonly size: number
  readonly docCount: number
  readonly sumDocFreq: number
  readonly sumTotalFreq: number
}

/** Documents of values, in the order of the values. */
class ValueDocs {
  readonly docs = new GrowingUint32()
  isMultiple = false

  push(doc: number): void {
    const { docs } = this
    if (docs.length > 0 && docs.at(docs.length - 1) === doc) this.isMultiple = true
    docs.push(doc)
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

export class FieldCollector {
  readonly name: string
  readonly #spec: FieldSpec
  #present = new GrowingUint32()
  #terms: TermCollector | undefined
  #ordinalDocs = new ValueDocs()
  #ordinalIds = new GrowingUint32()
  #numberDocs = new ValueDocs()
  #numbers = new GrowingFloat64()
  #exact: bigint[] | undefined
  #pointDocs = new ValueDocs()
  #latitudes = new GrowingFloat64()
  #longitudes = new GrowingFloat64()
  #rangeDocs = new ValueDocs()
  #rangeFrom = new GrowingFloat64()
  #rangeTo = new GrowingFloat64()
  #lengths: GrowingUint32 | undefined

  constructor(name: string, spec: FieldSpec) {
    this.name = name
    this.#spec = spec
  }

  add(doc: number, input: FieldInput): void {
    this.#present.push(doc)
    if (input.terms !== undefined) this.#addTerms(doc, input.terms)
    if (input.tokens !== undefined) {
      this.#terms ??= new TermCollector(this.#spec.index)
      this.#terms.addTokens(doc, input.tokens)
      if (this.#spec.norms) {
        this.#lengths ??= new GrowingUint32()
        while (this.#lengths.length < doc) this.#lengths.push(0)
        this.#lengths.push(input.tokens.length)
      }
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

  #addTerms(doc: number, terms: readonly string[]): void {
    this.#terms ??= new TermCollector(this.#spec.index)
    const seen = terms.length > 1 ? new Set<number>() : undefined
    for (const term of terms) {
      const id = this.#terms.idOf(term)
      if (this.#spec.index !== null) this.#terms.add(doc, id)
      if (!this.#spec.ordinals || seen?.has(id)) continue
      seen?.add(id)
      this.#ordinalDocs.push(doc)
      this.#ordinalIds.push(id)
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

  /** Writes sections named `prefix.…`. */
  finish(docCount: number, prefix: string, sections: Map<string, Uint8Array>): FieldEntry {
    const put = (part: string, bytes: Uint8Array) => sections.set(`${prefix}.${part}`, bytes)
    const present = this.#present.view()
    if (present.length < docCount) put('present', bytesOf(BitSet.of(docCount, present).words))
    let size = 0
    if (this.#terms !== undefined) {
      const { parts, ordinals } = this.#terms.build()
      size = parts.size
      putTerms(put, parts, this.#terms.keeps)
      if (this.#ordinalIds.length > 0) this.#finishOrdinals(docCount, ordinals, put)
    }
    if (this.#numbers.length > 0) this.#finishNumbers(docCount, put)
    if (this.#latitudes.length > 0) {
      const { place, starts } = placing(this.#pointDocs, docCount)
      put('latitudes', packNumbers(place(this.#latitudes.view())))
      put('longitudes', packNumbers(place(this.#longitudes.view())))
      if (starts !== null) put('points.starts', bytesOf(starts))
    }
    if (this.#rangeFrom.length > 0) {
      const { place, starts } = placing(this.#rangeDocs, docCount)
      put('ranges.from', packNumbers(place(this.#rangeFrom.view())))
      put('ranges.to', packNumbers(place(this.#rangeTo.view())))
      if (starts !== null) put('ranges.starts', bytesOf(starts))
    }
    if (this.#lengths !== undefined) {
      const norms = new Uint8Array(docCount)
      const lengths = this.#lengths.view()
      for (let i = 0; i < lengths.length; i++) norms[i] = encodeLength(lengths[i]!)
      put('norms', norms)
    }
    return {
      name: this.name,
      keeps: this.#terms?.keeps ?? null,
      size,
      docCount: present.length,
      sumDocFreq: this.#terms?.sumDocFreq ?? 0,
      sumTotalFreq: this.#terms?.sumTotalFreq ?? 0,
    }
  }

  #finishOrdinals(docCount: number, ordinals: Uint32Array, put: Put): void {
    const ids = this.#ordinalIds.view()
    const docs = this.#ordinalDocs.docs.view()
    const starts = this.#ordinalDocs.starts(docCount)
    if (starts === null) {
      const values = new Uint32Array(docCount)
      for (let i = 0; i < ids.length; i++) values[docs[i]!] = ordinals[ids[i]!]! + 1
      put('ordinals', packOrdinals(values))
      return
    }
    const values = new Uint32Array(ids.length)
    for (let i = 0; i < ids.length; i++) values[i] = ordinals[ids[i]!]! + 1
    for (let doc = 0; doc < docCount; doc++) {
      if (starts[doc + 1]! - starts[doc]! > 1) values.subarray(starts[doc], starts[doc + 1]).sort()
    }
    put('ordinals', packOrdinals(values))
    put('ordinals.starts', bytesOf(starts))
  }

  #finishNumbers(docCount: number, put: Put): void {
    const { place, starts } = placing(this.#numberDocs, docCount)
    put('numbers', packNumbers(place(this.#numbers.view())))
    if (starts !== null) put('numbers.starts', bytesOf(starts))
    if (this.#exact === undefined) return
    const exact = new BigInt64Array(starts === null ? docCount : this.#exact.length)
    const docs = this.#numberDocs.docs.view()
    this.#exact.forEach((value, i) => {
      exact[starts === null ? docs[i]! : i] = value
    })
    put('exact', bytesOf(exact))
  }
}

export type Put = (part: string, bytes: Uint8Array) => void

export function putTerms(put: Put, parts: TermIndexParts, keeps: FieldSpec['index']): void {
  put('text', parts.text)
  put('text.ends', bytesOf(parts.textEnds))
  if (keeps === null) return
  put('doc.freqs', packOrdinals(parts.docFreqs))
  if (keeps !== 'docs') put('total.freqs', packOrdinals(parts.totalFreqs))
  put('postings', parts.postings)
  put('postings.ends', bytesOf(parts.postingEnds))
  if (keeps !== 'positions') return
  put('positions', parts.positions)
  put('positions.ends', bytesOf(parts.positionEnds))
}

/** How values come to stand in a column: each at its document's number, or in a row with `starts`. */
function placing(
  documents: ValueDocs,
  docCount: number,
): { place: (values: Float64Array) => Float64Array; starts: Uint32Array | null } {
  const starts = documents.starts(docCount)
  if (starts !== null) return { place: (values) => values.slice(), starts }
  const docs = documents.docs.view()
  const place = (values: Float64Array): Float64Array => {
    const column = new Float64Array(docCount)
    // Documents without a value get one that is there anyway, so that the column packs well.
    if (values.length > 0 && values.length < docCount) column.fill(values[0]!)
    for (let i = 0; i < values.length; i++) column[docs[i]!] = values[i]!
    return column
  }
  return { place, starts }
}
