/** Walks along a list of texts, in memory or block by block in a file, and knows what each shares with the one before. */
import { type Sections, type TextList, textBlocks } from './sections.ts'

const nothing: TextList = { bytes: new Uint8Array(0), ends: new Uint32Array(0) }

export class TextCursor {
  /** How many texts there are. */
  readonly size: number
  /** The text is `bytes[start, end)`; it stays there when the cursor moves on. */
  bytes = nothing.bytes
  start = 0
  end = 0
  /** Its number; -1 before the first. */
  ordinal = -1
  /** How many bytes are the same as those of the text before. */
  shared = 0
  readonly #blocks: () => TextList | undefined
  #ends = nothing.ends
  #known: Uint32Array | undefined
  #place = -1

  constructor(sections: Sections, name: string) {
    this.size = sections.countOf(name)
    this.#blocks = textBlocks(sections, name)
  }

  /** False when there is none left. */
  next(): boolean {
    const { bytes, start, end } = this
    this.#place += 1
    if (this.#place >= this.#ends.length && !this.#open()) return false
    this.ordinal += 1
    this.start = this.#place === 0 ? 0 : this.end
    this.end = this.#ends[this.#place]!
    // A block does not know the text before its first.
    if (this.#place > 0 && this.#known !== undefined) this.shared = this.#known[this.#place]!
    else this.shared = sharedBytes(bytes, start, end, this.bytes, this.start, this.end)
    return true
  }

  #open(): boolean {
    const block = this.#blocks()
    // One without texts is all there is of an empty list.
    if (block === undefined || block.ends.length === 0) return false
    this.bytes = block.bytes
    this.#ends = block.ends
    this.#known = block.shared
    this.#place = 0
    return true
  }
}

function sharedBytes(
  left: Uint8Array,
  leftStart: number,
  leftEnd: number,
  right: Uint8Array,
  rightStart: number,
  rightEnd: number,
): number {
  const most = Math.min(leftEnd - leftStart, rightEnd - rightStart)
  let same = 0
  while (same < most && left[leftStart + same] === right[rightStart + same]) same++
  return same
}
