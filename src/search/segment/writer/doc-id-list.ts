/**
 * The document numbers of buffered rows, ascending. Most fields have one value in every document: as long as row n
 * is document n, only the count is stored (the identity is implicit).
 */
import { lowerBound } from '../encoding/binary-search.ts'
import type { BuilderMemory } from '../encoding/builder-memory.ts'
import { GrowingUint32, nextCapacity } from '../encoding/growing-array.ts'

/** The identity 0, 1, 2 …, shared by all lists; written elements never change. */
let identity: Uint32Array = new Uint32Array(0)
/** The longest shared identity; longer ones are made on demand. */
const maxSharedDocs = 1024 * 1024

function firstNumbers(length: number): Uint32Array {
  if (length <= identity.length) return identity.subarray(0, length)
  let room = identity.length
  while (room < length) room = nextCapacity(room, 0)
  const numbers = new Uint32Array(
    new SharedArrayBuffer(Math.min(room, Math.max(length, maxSharedDocs)) * Uint32Array.BYTES_PER_ELEMENT),
  )
  for (let i = 0; i < numbers.length; i++) numbers[i] = i
  if (numbers.length <= maxSharedDocs) identity = numbers
  return numbers.subarray(0, length)
}

export class DocIdList {
  readonly #memory: BuilderMemory
  readonly #expected: number
  /** Undefined while row and document number are equal. */
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

  /** Appends documents that are in `rows`, `step` apart. */
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

  /** Removes the rows of the last document. */
  forget(doc: number): void {
    const docs = this.#docs
    if (docs === undefined) this.#count = Math.min(this.#count, doc)
    else while (docs.length > 0 && docs.at(docs.length - 1) === doc) docs.length -= 1
  }

  /** Returns how many rows come before those of a document. */
  before(doc: number): number {
    return this.#docs === undefined ? Math.min(doc, this.#count) : rowsBefore(this.#docs, doc)
  }

  /** Returns the documents of rows `[from, to)`, each reduced by `less`. */
  cut(from: number, to: number, less: number): Uint32Array {
    if (from === to) return noDocs
    if (this.#docs === undefined) return firstNumbers(to - less).subarray(from - less)
    if (less === 0) return this.#docs.view().subarray(from, to)
    const docs = this.#docs.view().slice(from, to)
    for (let i = 0; i < docs.length; i++) docs[i]! -= less
    return docs
  }
}

/** Removes the rows of the last document from the list and from the arrays parallel to it. */
export function forgetRows(doc: number, docs: DocIdList, ...beside: readonly { length: number }[]): void {
  docs.forget(doc)
  for (const rows of beside) rows.length = docs.length
}

const noDocs = new Uint32Array(0)

function rowsBefore(docs: GrowingUint32, doc: number): number {
  const { length } = docs
  // Most ranges end where the rows end.
  if (length === 0 || docs.at(length - 1) < doc) return length
  return lowerBound(docs.view(), doc, 0)
}
