/**
 * The texts documents have at one place of their JSON, each distinct one once, and by document which they are. The
 * fields that are made of them (a text and its keyword, usually) share it.
 */
import type { ByteDictionary } from './byte-dictionary.ts'
import { hasRepeated, RowCut, type Stretch } from './field-rows.ts'
import { GrowingUint32 } from './growing-array.ts'
import { RowDocs } from './row-docs.ts'
import type { TextList } from './sections.ts'
import { sortedTexts } from './sorted-texts.ts'

export class TextLeaf {
  readonly dictionary: ByteDictionary
  /** In rising order, and for each its value. */
  readonly docs: RowDocs
  readonly ids: GrowingUint32

  constructor(dictionary: ByteDictionary, expected = 0) {
    this.dictionary = dictionary
    this.docs = new RowDocs(expected)
    this.ids = new GrowingUint32(true, expected)
  }

  add(doc: number, id: number): void {
    this.docs.push(doc)
    this.ids.push(id)
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
