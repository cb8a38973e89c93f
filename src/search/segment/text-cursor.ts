/** Walks along a sorted list of texts, in memory or block by block in a file. */
import { readTextBlock } from './packed-texts.ts'
import type { TextList } from './sections.ts'
import { readTexts, type Sections } from './sections.ts'
import { FileSections } from './segment-file.ts'

const nothing: TextList = { bytes: new Uint8Array(0), ends: new Uint32Array(0) }

export class TextCursor {
  /** The text is `bytes[start, end)`. */
  bytes = nothing.bytes
  start = 0
  end = 0
  /** Its number; -1 before the first, and when there are no more. */
  ordinal = -1
  /** Its first six bytes as a number, which orders most texts. */
  key = 0
  #ends = nothing.ends
  #place = -1
  readonly #sections: Sections
  readonly #name: string
  #nextBlock = 0
  readonly #size: number

  constructor(sections: Sections, name: string) {
    this.#sections = sections
    this.#name = name
    if (sections instanceof FileSections) this.#size = sections.sizeOf(name)
    else {
      this.#size = 0
      this.#open(readTexts(sections, name))
    }
  }

  #open({ bytes, ends }: TextList): void {
    this.bytes = bytes
    this.#ends = ends
    this.#place = -1
    this.end = 0
  }

  /** False when there is none left. */
  next(): boolean {
    while (this.#place + 1 >= this.#ends.length) {
      if (this.#nextBlock >= this.#size) return false
      const { texts, next } = readTextBlock(
        (from, to) => this.#sections.readRange(this.#name, from, to),
        this.#nextBlock,
      )
      this.#nextBlock = next
      this.#open(texts)
    }
    this.#place += 1
    this.ordinal += 1
    this.start = this.end
    this.end = this.#ends[this.#place]!
    const { bytes, start } = this
    const length = this.end - start
    let key = 0
    for (let i = 0; i < 6; i++) key = key * 256 + (i < length ? bytes[start + i]! : 0)
    this.key = key
    return true
  }

  compare(other: TextCursor): number {
    if (this.key !== other.key) return this.key - other.key
    const { bytes: a, start: from } = this
    const { bytes: b, start: to } = other
    const length = this.end - from
    const otherLength = other.end - to
    const shared = Math.min(length, otherLength)
    for (let i = 0; i < shared; i++) {
      const difference = a[from + i]! - b[to + i]!
      if (difference !== 0) return difference
    }
    return length - otherLength
  }
}

/** Cursors on their texts, the least on top. */
export class CursorHeap {
  readonly #heap: { readonly cursor: TextCursor; readonly part: number }[] = []

  constructor(cursors: readonly (TextCursor | undefined)[]) {
    cursors.forEach((cursor, part) => {
      if (cursor?.next()) this.#heap.push({ cursor, part })
    })
    for (let i = (this.#heap.length >> 1) - 1; i >= 0; i--) this.#sink(i)
  }

  get top(): { readonly cursor: TextCursor; readonly part: number } | undefined {
    return this.#heap[0]
  }

  /** Moves the top cursor on. */
  advance(): void {
    const heap = this.#heap
    if (!heap[0]!.cursor.next()) {
      const last = heap.pop()!
      if (heap.length === 0) return
      heap[0] = last
    }
    this.#sink(0)
  }

  #sink(from: number): void {
    const heap = this.#heap
    const moved = heap[from]!
    let at = from
    for (;;) {
      let child = at * 2 + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++
      if (!before(heap[child]!, moved)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = moved
  }
}

type Entry = { readonly cursor: TextCursor; readonly part: number }

/** Equal texts come in the order of their parts. */
function before(left: Entry, right: Entry): boolean {
  const order = left.cursor.compare(right.cursor)
  return order < 0 || (order === 0 && left.part < right.part)
}
