/**
 * Front coding (prefix compression): each text of a sorted list is stored as the number of bytes it shares with the
 * text before and the suffix that follows. Lists are stored and merged in this form, so a merge never touches shared
 * bytes twice. Unlike Lucene's block tree there is no trie on top; dictionaries are searched by binary search once
 * they are decoded.
 */
import { copyBytes } from './copy-bytes.ts'
import type { TextList } from './sections.ts'

export class FrontCoded {
  readonly shared: Uint32Array
  readonly rest: Uint32Array
  /** The suffixes of all texts, one after the other. */
  readonly suffixes: Uint8Array

  constructor(shared: Uint32Array, rest: Uint32Array, suffixes: Uint8Array) {
    this.shared = shared
    this.rest = rest
    this.suffixes = suffixes
  }

  /** Encodes the texts `[first, last)`. */
  static of({ bytes, ends }: TextList, first: number, last: number): FrontCoded {
    const count = last - first
    const shared = new Uint32Array(count)
    const rest = new Uint32Array(count)
    let start = first === 0 ? 0 : ends[first - 1]!
    const suffixes = new Uint8Array(ends[last - 1]! - start)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const suffixView = new DataView(suffixes.buffer)
    let length = 0
    let previous = start
    for (let i = 0; i < count; i++) {
      const end = ends[first + i]!
      const max = Math.min(start - previous, end - start)
      let same = 0
      // Compares whole words as far as possible; the lowest bit that differs is in the first byte that differs.
      for (let different = 0; different === 0 && same + 4 <= max; ) {
        different = view.getInt32(previous + same, true) ^ view.getInt32(start + same, true)
        same += different === 0 ? 4 : (31 - Math.clz32(different & -different)) >> 3
      }
      while (same < max && bytes[previous + same] === bytes[start + same]) same++
      shared[i] = same
      rest[i] = end - start - same
      copyBytes(view, start + same, end, suffixView, length)
      length += rest[i]!
      previous = start
      start = end
    }
    return new FrontCoded(shared, rest, suffixes.subarray(0, length))
  }

  texts(): TextList {
    const { shared, rest, suffixes } = this
    const ends = new Uint32Array(shared.length)
    let total = 0
    for (let i = 0; i < ends.length; i++) {
      total += shared[i]! + rest[i]!
      ends[i] = total
    }
    const bytes = new Uint8Array(total)
    let from = 0
    let previous = 0
    let at = 0
    for (let i = 0; i < ends.length; i++) {
      const start = at
      for (let k = shared[i]!; k > 0; k--) bytes[at++] = bytes[previous++]!
      for (let k = rest[i]!; k > 0; k--) bytes[at++] = suffixes[from++]!
      previous = start
    }
    return { bytes, ends }
  }
}

/** Limits of a block: bytes of suffixes, and bytes of whole texts. */
const maxSuffixes = 128 * 1024
const maxText = 512 * 1024

/** Takes sorted texts one by one until there are enough for a block. */
export class FrontCodedWriter {
  #shared = new Uint32Array(1024)
  #rest = new Uint32Array(1024)
  #count = 0
  #suffixes = new Uint8Array(maxSuffixes + 4096)
  #suffixView = new DataView(this.#suffixes.buffer)
  #length = 0
  #textLength = 0

  get isFull(): boolean {
    return this.#length >= maxSuffixes || this.#textLength >= maxText
  }

  /** Adds the text in the first `length` bytes, of which `shared` equal those of the text added before. */
  add(view: DataView, length: number, shared: number): void {
    if (this.#count === this.#shared.length) {
      this.#shared = twice(this.#shared)
      this.#rest = twice(this.#rest)
    }
    // The first text of a block is whole, because blocks are readable alone.
    const same = this.#count === 0 ? 0 : shared
    const rest = length - same
    if (this.#length + rest > this.#suffixes.length) {
      const larger = new Uint8Array(this.#length + rest + maxSuffixes)
      larger.set(this.#suffixes.subarray(0, this.#length))
      this.#suffixes = larger
      this.#suffixView = new DataView(larger.buffer)
    }
    this.#shared[this.#count] = same
    this.#rest[this.#count++] = rest
    copyBytes(view, same, length, this.#suffixView, this.#length)
    this.#length += rest
    this.#textLength += length
  }

  /** Removes the text added last. */
  undo(): void {
    this.#count -= 1
    this.#length -= this.#rest[this.#count]!
    this.#textLength -= this.#rest[this.#count]! + this.#shared[this.#count]!
  }

  /** Returns the block; it is valid until the next text is added. */
  take(): FrontCoded {
    const taken = new FrontCoded(
      this.#shared.subarray(0, this.#count),
      this.#rest.subarray(0, this.#count),
      this.#suffixes.subarray(0, this.#length),
    )
    this.#count = 0
    this.#length = 0
    this.#textLength = 0
    return taken
  }
}

function twice(words: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(words.length * 2)
  larger.set(words)
  return larger
}
