/**
 * The texts documents have at one place of their JSON, each distinct one once, and by document which they are. The
 * fields that are made of them (a text and its keyword, usually) share it.
 */
import { ByteDictionary, sortedTexts } from './byte-dictionary.ts'
import { GrowingUint32 } from './growing-array.ts'
import type { TextList } from './sections.ts'

/** Cuts a text into tokens that stand at the positions 0, 1, 2 … */
export interface ByteAnalyzer {
  analyze(bytes: Uint8Array, from: number, to: number, out: TokenSink): void
}

export interface TokenSink {
  /** `hash` is `hashBytes` of the bytes. */
  token(bytes: Uint8Array, view: DataView, from: number, to: number, hash: number): void
}

export class TextLeaf {
  readonly dictionary: ByteDictionary
  /** In rising order, and for each its value. */
  readonly docs = new GrowingUint32()
  readonly ids = new GrowingUint32()
  /** Some document has several. */
  isMultiple = false
  #laidOut: LaidOut | undefined

  constructor(dictionary = new ByteDictionary()) {
    this.dictionary = dictionary
  }

  add(doc: number, id: number): void {
    const { docs } = this
    if (docs.length > 0 && docs.at(docs.length - 1) === doc) this.isMultiple = true
    docs.push(doc)
    this.ids.push(id)
  }

  /** Values in order and by document, once all documents are there. For leaves without several values only. */
  laidOut(docCount: number): LaidOut {
    this.#laidOut ??= layOut(this.dictionary, this.docs.view(), this.ids.view(), docCount)
    return this.#laidOut
  }
}

export interface LaidOut {
  /** Numbers of the values that occur, sorted. */
  readonly order: Uint32Array
  readonly texts: TextList
  /** How many documents each has, in that order. */
  readonly counts: Uint32Array
  /** By document: the place of its value in that order, plus one; 0 for none. */
  readonly column: Uint32Array
}

export function layOut(
  dictionary: ByteDictionary,
  docs: Uint32Array,
  ids: Uint32Array,
  docCount: number,
): LaidOut {
  const used = new Uint32Array(dictionary.size)
  for (let i = 0; i < ids.length; i++) used[ids[i]!]! += 1
  const order = sortedTexts(dictionary, dictionary.size, (id) => used[id] !== 0)
  const places = new Uint32Array(dictionary.size)
  const counts = new Uint32Array(order.length)
  for (let i = 0; i < order.length; i++) {
    places[order[i]!] = i + 1
    counts[i] = used[order[i]!]!
  }
  const column = new Uint32Array(docCount)
  for (let i = 0; i < ids.length; i++) column[docs[i]!] = places[ids[i]!]!
  return { order, texts: textsInOrder(dictionary, order), counts, column }
}

export function textsInOrder({ bytes, ends }: TextList, order: Uint32Array): TextList {
  let length = 0
  for (let i = 0; i < order.length; i++) {
    const id = order[i]!
    length += ends[id]! - (id === 0 ? 0 : ends[id - 1]!)
  }
  const sorted = new Uint8Array(length)
  const sortedEnds = new Uint32Array(order.length)
  let at = 0
  for (let i = 0; i < order.length; i++) {
    const id = order[i]!
    const end = ends[id]!
    const start = id === 0 ? 0 : ends[id - 1]!
    if (end - start > 48) {
      sorted.set(bytes.subarray(start, end), at)
      at += end - start
    } else for (let k = start; k < end; k++) sorted[at++] = bytes[k]!
    sortedEnds[i] = at
  }
  return { bytes: sorted, ends: sortedEnds }
}
