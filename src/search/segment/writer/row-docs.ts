/**
 * The documents of rows that are collected, in rising order. Most fields have one value in every document: as long as
 * row and document are the same number, only how many there are is kept.
 */
import type { BuilderMemory } from '../encoding/builder-memory.ts'
import { GrowingUint32, nextRoom } from '../encoding/growing-array.ts'

/** 0, 1, 2 … for all rows that are so; nobody changes what is there. */
let inOrder: Uint32Array = new Uint32Array(0)
/** More are made when they are needed. */
const maxKept = 1024 * 1024

function firstNumbers(length: number): Uint32Array {
  if (length <= inOrder.length) return inOrder.subarray(0, length)
  let room = inOrder.length
  while (room < length) room = nextRoom(room, 0)
  const numbers = new Uint32Array(
    new SharedArrayBuffer(Math.min(room, Math.max(length, maxKept)) * Uint32Array.BYTES_PER_ELEMENT),
  )
  for (let i = 0; i < numbers.length; i++) numbers[i] = i
  if (numbers.length <= maxKept) inOrder = numbers
  return numbers.subarray(0, length)
}

export class RowDocs {
  readonly #memory: BuilderMemory
  readonly #expected: number
  /** Undefined while row and document are the same. */
  #docs: GrowingUint32 | undefined
  #count = 0

  constructor(memory: BuilderMemory, expected = 0) {
    this.#memory = memory
    this.#expected = expected
  }

  get length(): number {
    return this.#docs === undefined ? this.#count : this.#docs.length
  }

  push(doc: number): void {
    if (this.#docs === undefined) {
      if (doc === this.#count) {
        this.#count++
        return
      }
      this.#docs = new GrowingUint32(this.#memory, this.#expected)
      for (let i = 0; i < this.#count; i++) this.#docs.push(i)
    }
    this.#docs.push(doc)
  }

  /** Documents that stand in `rows`, `step` apart. */
  pushAll(rows: Int32Array, step: number, length: number): void {
    if (this.#docs === undefined) {
      let at = 0
      for (let doc = this.#count; at < length && rows[at] === doc; at += step) doc++
      if (at >= length) {
        this.#count += length / step
        return
      }
    }
    for (let at = 0; at < length; at += step) this.push(rows[at]!)
  }

  /** Takes back the rows of the last document. */
  forget(doc: number): void {
    const docs = this.#docs
    if (docs === undefined) this.#count = Math.min(this.#count, doc)
    else while (docs.length > 0 && docs.at(docs.length - 1) === doc) docs.length -= 1
  }

  /** How many rows come before those of a document. */
  before(doc: number): number {
    return this.#docs === undefined ? Math.min(doc, this.#count) : lowerBound(this.#docs, doc)
  }

  /** The documents of the rows from one to another, less a number that all of them reach. */
  cut(from: number, to: number, less: number): Uint32Array {
    if (from === to) return noDocs
    if (this.#docs === undefined) return firstNumbers(to - less).subarray(from - less)
    if (less === 0) return this.#docs.view().subarray(from, to)
    const docs = this.#docs.view().slice(from, to)
    for (let i = 0; i < docs.length; i++) docs[i]! -= less
    return docs
  }
}

/** Takes back what the last document has, given the documents and what stands beside them. */
export function forgetRows(doc: number, docs: RowDocs, ...beside: readonly { length: number }[]): void {
  docs.forget(doc)
  for (const rows of beside) rows.length = docs.length
}

const noDocs = new Uint32Array(0)

function lowerBound(docs: GrowingUint32, doc: number): number {
  let low = 0
  let high = docs.length
  // Most stretches end where the rows end.
  if (high === 0 || docs.at(high - 1) < doc) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (docs.at(middle) < doc) low = middle + 1
    else high = middle
  }
  return low
}
