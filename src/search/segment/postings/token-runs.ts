/**
 * The tokens of a field in document order, run-length encoded: a run is a range of consecutive tokens at consecutive
 * positions of one document. A value that many documents share is analysed once, and each document has a run that
 * refers to its tokens. The counting sort by term goes over the runs twice, so that only the result is materialised
 * per occurrence.
 */
import { analyzeBytes, type TokenSink } from '../../analysis/byte-analyzer.ts'
import { hashBytes } from '../../analysis/tokenizers/standard-bytes.ts'
import { GrowingUint32 } from '../encoding/growing-array.ts'
import type { TextList } from '../encoding/sections.ts'
import { sortedTexts } from '../encoding/string-radix-sort.ts'
import { ByteDictionary } from '../writer/byte-dictionary.ts'
import type { TokenRows } from '../writer/field-rows.ts'
import { textsInOrder } from '../writer/text-column.ts'

export class TokenRuns implements TokenSink {
  readonly terms = new ByteDictionary()
  /** Term ids in the order in which tokens came. */
  readonly #tokens = new GrowingUint32()
  // Indexed by run, documents ascending: the run's tokens are `[from, to)`, the first is at the position.
  readonly #docs = new GrowingUint32()
  readonly #from = new GrowingUint32()
  readonly #to = new GrowingUint32()
  readonly #positions = new GrowingUint32()

  expect(hashes: Int32Array, count: number): void {
    this.terms.prefetch(hashes, 0, 1, count)
  }

  token(_bytes: Uint8Array, view: DataView, from: number, to: number, hash: number): void {
    this.push(this.terms.idOf(view, from, to, hash))
  }

  push(term: number): void {
    this.#tokens.push(term)
  }

  /** The number of tokens. */
  get length(): number {
    return this.#tokens.length
  }

  analyze({ bytes, ends }: TextList, id: number): void {
    analyzeBytes(bytes, id === 0 ? 0 : ends[id - 1]!, ends[id]!, this)
  }

  add(doc: number, from: number, to: number, position: number): void {
    if (from === to) return
    this.#docs.push(doc)
    this.#from.push(from)
    this.#to.push(to)
    this.#positions.push(position)
  }

  /** Sorts by term with a counting sort, which is stable: documents and positions stay in order within a term. */
  sorted(): SortedOccurrences {
    const { terms } = this
    const tokens = this.#tokens.view()
    const [docs, froms, tos] = [this.#docs.view(), this.#from.view(), this.#to.view()]
    const starts = this.#positions.view()
    const places = new Uint32Array(terms.size)
    for (let run = 0; run < docs.length; run++) {
      const to = tos[run]!
      for (let at = froms[run]!; at < to; at++) places[tokens[at]!]! += 1
    }
    const order = sortedTexts(terms, terms.size)
    const ends = new Uint32Array(order.length)
    let sum = 0
    // Counts become start offsets.
    for (let i = 0; i < order.length; i++) {
      const count = places[order[i]!]!
      places[order[i]!] = sum
      sum += count
      ends[i] = sum
    }
    const sortedDocs = new Uint32Array(sum)
    const sortedPositions = new Uint32Array(sum)
    for (let run = 0; run < docs.length; run++) {
      const doc = docs[run]!
      const to = tos[run]!
      let position = starts[run]!
      for (let at = froms[run]!; at < to; at++) {
        const place = places[tokens[at]!]!++
        sortedDocs[place] = doc
        sortedPositions[place] = position++
      }
    }
    return { texts: textsInOrder(terms, order), docs: sortedDocs, positions: sortedPositions, ends }
  }
}

export interface SortedOccurrences {
  readonly texts: TextList
  readonly docs: Uint32Array
  readonly positions: Uint32Array
  /** The end offset of the occurrences of each term. */
  readonly ends: Uint32Array
}

/** Passes on preanalysed tokens, with ids of this field's dictionary. */
export class PreanalyzedTokens {
  readonly #tokens: TokenRows
  readonly #view: DataView
  /** The id plus one; 0 for terms not seen yet. */
  readonly #numbers: Uint32Array
  #next = 0

  constructor(tokens: TokenRows) {
    this.#tokens = tokens
    const { bytes, ends } = tokens.terms
    this.#view = new DataView(bytes.buffer, bytes.byteOffset)
    this.#numbers = new Uint32Array(ends.length)
  }

  /** Passes on the tokens of documents before `end` that were not passed on yet. */
  addBefore(end: number, runs: TokenRuns): void {
    const { docs, positions } = this.#tokens
    let next = this.#next
    while (next < docs.length && docs[next]! < end) {
      const doc = docs[next]!
      const position = positions[next]!
      const from = runs.length
      const first = next
      while (docs[next] === doc && positions[next] === position + next - first) this.#token(next++, runs)
      runs.add(doc, from, runs.length, position)
    }
    this.#next = next
  }

  #token(at: number, runs: TokenRuns): void {
    const { ids, terms } = this.#tokens
    const id = ids[at]!
    if (this.#numbers[id] === 0) {
      const [from, to] = [id === 0 ? 0 : terms.ends[id - 1]!, terms.ends[id]!]
      const hash = hashBytes(terms.bytes, from, to)
      this.#numbers[id] = runs.terms.idOf(this.#view, from, to, hash) + 1
    }
    runs.push(this.#numbers[id]! - 1)
  }
}
