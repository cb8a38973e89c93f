/**
 * The texts documents have at one place of their JSON, each distinct one once, and by document which they are. The
 * fields that are made of them (a text and its keyword, usually) share it. Texts wait until there are those of some
 * documents: looking them up one after the other in one dictionary is quicker than going from field to field.
 */
import type { BuilderMemory } from '../encoding/builder-memory.ts'
import { copyBytes } from '../encoding/copy-bytes.ts'
import { GrowingUint32 } from '../encoding/growing-array.ts'
import type { TextList } from '../encoding/sections.ts'
import { sortedTexts } from '../encoding/sorted-texts.ts'
import type { ByteDictionary } from './byte-dictionary.ts'
import { hasRepeated, RowCut, type Stretch } from './field-rows.ts'
import { RowDocs } from './row-docs.ts'

/** Of a text that waits: its document, where it begins and ends, its hash. One that is known has its number, and -1. */
const waitingWords = 4
const hashPlace = 3
const firstWaiting = 16

export class TextLeaf {
  readonly dictionary: ByteDictionary
  /** In rising order, and for each its value. */
  readonly docs: RowDocs
  readonly ids: GrowingUint32
  #waiting = new Int32Array(firstWaiting * waitingWords)
  #waitingLength = 0

  constructor(dictionary: ByteDictionary, memory: BuilderMemory, expected = 0) {
    this.dictionary = dictionary
    this.docs = new RowDocs(memory, expected)
    this.ids = new GrowingUint32(memory, expected)
  }

  /** The text is at this place of the memory that `settle` will be given. */
  wait(doc: number, from: number, to: number, hash: number): void {
    const at = this.#waitingLength
    if (at === this.#waiting.length) this.#grow()
    const waiting = this.#waiting
    waiting[at] = doc
    waiting[at + 1] = from
    waiting[at + 2] = to
    waiting[at + hashPlace] = hash
    this.#waitingLength = at + waitingWords
  }

  /** A text whose number is known already takes its place behind those that wait. */
  add(doc: number, id: number): void {
    this.wait(doc, id, -1, 0)
  }

  #grow(): void {
    const larger = new Int32Array(this.#waiting.length * 2)
    larger.set(this.#waiting)
    this.#waiting = larger
  }

  /** Takes back what waits for the last document. */
  drop(doc: number): void {
    while (this.#waitingLength > 0 && this.#waiting[this.#waitingLength - waitingWords] === doc)
      this.#waitingLength -= waitingWords
  }

  /** Gives all that wait their numbers; until then they are not in the rows. */
  settle(view: DataView): void {
    const waiting = this.#waiting
    const length = this.#waitingLength
    const { dictionary, ids } = this
    dictionary.approach(waiting, hashPlace, waitingWords, length)
    const numbers = ids.room(length / waitingWords)
    let row = ids.length
    for (let at = 0; at < length; at += waitingWords) {
      const from = waiting[at + 1]!
      const to = waiting[at + 2]!
      numbers[row++] = to < 0 ? from : dictionary.idOf(view, from, to, waiting[at + hashPlace]!)
    }
    ids.length = row
    this.docs.pushAll(waiting, waitingWords, length)
    this.#waitingLength = 0
  }

  rows(stretch: Stretch): LeafRows {
    const cut = new RowCut(this.docs, stretch)
    return {
      dictionary: this.dictionary.texts(),
      docs: cut.docs,
      ids: cut.of(this.ids),
      isMultiple: hasRepeated(cut.docs),
    }
  }
}

/** What a leaf has of a stretch of documents. */
export interface LeafRows {
  readonly dictionary: TextList
  readonly docs: Uint32Array
  readonly ids: Uint32Array
  /** Some document has several. */
  readonly isMultiple: boolean
}

const known = new WeakMap<LeafRows, LaidOut>()

/** Values in order and by document, made once for all fields that share them. Only where no document has several. */
export function laidOut(leaf: LeafRows, docCount: number): LaidOut {
  let found = known.get(leaf)
  if (found === undefined) {
    found = layOut(leaf.dictionary, leaf.docs, leaf.ids, docCount)
    known.set(leaf, found)
  }
  return found
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

export function layOut(dictionary: TextList, docs: Uint32Array, ids: Uint32Array, docCount: number): LaidOut {
  const size = dictionary.ends.length
  const used = new Uint32Array(size)
  for (let i = 0; i < ids.length; i++) used[ids[i]!]! += 1
  const order = sortedTexts(dictionary, size, (id) => used[id] !== 0)
  const counts = new Uint32Array(order.length)
  // What counted the uses takes the places.
  for (let i = 0; i < order.length; i++) {
    counts[i] = used[order[i]!]!
    used[order[i]!] = i + 1
  }
  const column = new Uint32Array(docCount)
  for (let i = 0; i < ids.length; i++) column[docs[i]!] = used[ids[i]!]!
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
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const sortedView = new DataView(sorted.buffer)
  let at = 0
  for (let i = 0; i < order.length; i++) {
    const id = order[i]!
    const end = ends[id]!
    const start = id === 0 ? 0 : ends[id - 1]!
    copyBytes(view, start, end, sortedView, at)
    at += end - start
    sortedEnds[i] = at
  }
  return { bytes: sorted, ends: sortedEnds }
}
