/**
 * The tokens of a field in the order of documents, as runs: neighbouring tokens of one document at neighbouring
 * positions. A value that many documents have is analysed once, and its tokens are named by a run of each. Sorting by
 * term goes over the runs twice, so that nothing but the result is ever there occurrence by occurrence.
 */
import { analyzeBytes, type TokenSink } from '../../analysis/byte-analyzer.ts'
import { hashBytes } from '../../analysis/tokenizers/standard-bytes.ts'
import { GrowingUint32 } from '../encoding/growing-array.ts'
import type { TextList } from '../encoding/sections.ts'
import { sortedTexts } from '../encoding/sorted-texts.ts'
import { ByteDictionary } from '../writer/byte-dictionary.ts'
import type { TokenRows } from '../writer/field-rows.ts'
import { textsInOrder } from '../writer/text-leaf.ts'

export class TokenRuns implements TokenSink {
  readonly terms = new ByteDictionary()
  /** Terms in a row, as they came. */
  readonly #tokens = new GrowingUint32()
  // By run, documents rising: its tokens are `from` up to, not including, `to`; the first stands at the position.
  readonly #docs = new GrowingUint32()
  readonly #from = new GrowingUint32()
  readonly #to = new GrowingUint32()
  readonly #positions = new GrowingUint32()

  expect(hashes: Int32Array, count: number): void {
    this.terms.approach(hashes, 0, 1, count)
  }

  token(_bytes: Uint8Array, view: DataView, from: number, to: number, hash: number): void {
    this.push(this.terms.idOf(view, from, to, hash))
  }

  push(term: number): void {
    this.#tokens.push(term)
  }

  /** How many tokens came. */
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

  /** By counting, so that the order of documents and positions within a term stays. */
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
    // What counted the occurrences takes the place of the first.
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
  /** Where the occurrences of each term end. */
  readonly ends: Uint32Array
}

/** Hands on tokens that came ready, numbered by those terms of theirs that occur here. */
export class ReadyTokens {
  readonly #tokens: TokenRows
  readonly #view: DataView
  /** Plus one; 0 for those not seen yet. */
  readonly #numbers: Uint32Array
  #next = 0

  constructor(tokens: TokenRows) {
    this.#tokens = tokens
    const { bytes, ends } = tokens.terms
    this.#view = new DataView(bytes.buffer, bytes.byteOffset)
    this.#numbers = new Uint32Array(ends.length)
  }

  /** Those of documents in front of that one that were not handed on yet. */
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
