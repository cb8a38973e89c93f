/**
 * A dictionary-encoded column of the strings at one leaf of the JSON: each distinct string once, and its id by
 * document. The fields made of them (usually a text and its keyword) share the column. Strings are pending until
 * those of some documents are there: looking them up in one dictionary after the other is quicker than alternating
 * between dictionaries.
 */
import type { BuilderMemory } from '../encoding/builder-memory.ts'
import { copyBytes } from '../encoding/copy-bytes.ts'
import { GrowingUint32 } from '../encoding/growing-array.ts'
import type { TextList } from '../encoding/sections.ts'
import { sortedTexts } from '../encoding/string-radix-sort.ts'
import type { ByteDictionary } from './byte-dictionary.ts'
import { DocIdList } from './doc-id-list.ts'
import { type DocRange, hasRepeated, RowCut } from './field-rows.ts'

/** Words per pending string: document, start, end, hash. A string with a known id has the id, and -1. */
const pendingWords = 4
const hashPlace = pendingWords - 1
const initialPending = 16

export class TextColumn {
  readonly dictionary: ByteDictionary
  /** Documents in ascending order, parallel to their ids. */
  readonly docs: DocIdList
  readonly ids: GrowingUint32
  /** Whether some text may be too long for the field that has them as terms. */
  hasLongTexts = false
  #waiting = new Int32Array(initialPending * pendingWords)
  #waitingLength = 0

  constructor(dictionary: ByteDictionary, memory: BuilderMemory, expected = 0) {
    this.dictionary = dictionary
    this.docs = new DocIdList(memory, expected)
    this.ids = new GrowingUint32(memory, expected)
  }

  /** Adds a string at this place of the memory that `resolvePending` will be given. */
  addPending(doc: number, from: number, to: number, hash: number): void {
    const at = this.#waitingLength
    if (at === this.#waiting.length) this.#grow()
    const waiting = this.#waiting
    waiting[at] = doc
    waiting[at + 1] = from
    waiting[at + 2] = to
    waiting[at + hashPlace] = hash
    this.#waitingLength = at + pendingWords
  }

  /** Adds a string with a known id, behind the pending ones. */
  add(doc: number, id: number): void {
    this.addPending(doc, id, -1, 0)
  }

  #grow(): void {
    const larger = new Int32Array(this.#waiting.length * 2)
    larger.set(this.#waiting)
    this.#waiting = larger
  }

  /** Removes the pending strings of the last document. */
  dropPending(doc: number): void {
    while (this.#waitingLength > 0 && this.#waiting[this.#waitingLength - pendingWords] === doc)
      this.#waitingLength -= pendingWords
  }

  /** Looks up the ids of all pending strings; until then they are not in the rows. */
  resolvePending(view: DataView): void {
    const waiting = this.#waiting
    const length = this.#waitingLength
    const { dictionary, ids } = this
    dictionary.prefetch(waiting, hashPlace, pendingWords, length)
    const numbers = ids.room(length / pendingWords)
    let row = ids.length
    for (let at = 0; at < length; at += pendingWords) {
      const from = waiting[at + 1]!
      const to = waiting[at + 2]!
      numbers[row++] = to < 0 ? from : dictionary.idOf(view, from, to, waiting[at + hashPlace]!)
    }
    ids.length = row
    this.docs.pushAll(waiting, pendingWords, length)
    this.#waitingLength = 0
  }

  rows(range: DocRange): TextColumnRows {
    const cut = new RowCut(this.docs, range)
    return {
      dictionary: this.dictionary.texts(),
      docs: cut.docs,
      ids: cut.of(this.ids),
      isMultiple: hasRepeated(cut.docs),
    }
  }
}

/** The rows of a column for a range of documents. */
export interface TextColumnRows {
  readonly dictionary: TextList
  readonly docs: Uint32Array
  readonly ids: Uint32Array
  /** Whether some document has several values. */
  readonly isMultiple: boolean
}

/** Returns the rows without texts of more than so many UTF-16 units. */
export function withoutLongTexts(rows: TextColumnRows, maxLength: number): TextColumnRows {
  const { dictionary, docs, ids } = rows
  const isShort = (id: number) => isWithin(dictionary, id, maxLength)
  const kept = docs.filter((_, i) => isShort(ids[i]!))
  return {
    dictionary,
    docs: kept,
    ids: ids.filter(isShort),
    isMultiple: rows.isMultiple && hasRepeated(kept),
  }
}

export function hasShortText({ dictionary, ids }: TextColumnRows, maxLength: number): boolean {
  return ids.some((id) => isWithin(dictionary, id, maxLength))
}

function isWithin({ bytes, ends }: TextList, id: number, maxLength: number): boolean {
  return isShortText(bytes, id === 0 ? 0 : ends[id - 1]!, ends[id]!, maxLength)
}

/** Returns whether UTF-8 text has at most so many UTF-16 units. */
export function isShortText(bytes: Uint8Array, from: number, to: number, maxLength: number): boolean {
  if (to - from <= maxLength) return true
  let length = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    // Bytes that continue a character do not count; those of four bytes are two units.
    if ((byte & 0xc0) !== 0x80) length += byte >= 0xf0 ? 2 : 1
  }
  return length <= maxLength
}

const known = new WeakMap<TextColumnRows, SortedTextColumn>()

/**
 * Returns dictionary and column sorted, computed once for all fields that share them. Only for columns with at most
 * one value per document.
 */
export function sortedColumn(column: TextColumnRows, docCount: number): SortedTextColumn {
  let found = known.get(column)
  if (found === undefined) {
    found = sortColumn(column.dictionary, column.docs, column.ids, docCount)
    known.set(column, found)
  }
  return found
}

export interface SortedTextColumn {
  /** Ids of the values that occur, in sorted order. */
  readonly order: Uint32Array
  readonly texts: TextList
  /** The number of documents of each value, in that order. */
  readonly counts: Uint32Array
  /** Indexed by document: the ordinal of its value plus one; 0 for none. */
  readonly column: Uint32Array
}

export function sortColumn(
  dictionary: TextList,
  docs: Uint32Array,
  ids: Uint32Array,
  docCount: number,
): SortedTextColumn {
  const size = dictionary.ends.length
  const used = new Uint32Array(size)
  for (let i = 0; i < ids.length; i++) used[ids[i]!]! += 1
  const order = sortedTexts(dictionary, size, (id) => used[id] !== 0)
  const counts = new Uint32Array(order.length)
  // Counts become ordinals.
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
