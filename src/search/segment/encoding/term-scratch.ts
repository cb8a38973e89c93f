/** Reused memory in which texts are encoded as UTF-8, like Lucene's BytesRefBuilder, and the hash of term bytes. */
const encoder = new TextEncoder()
const padding = 8

export class TermScratch {
  bytes = new Uint8Array(256)
  view = new DataView(this.bytes.buffer)
  /** Set by callers that fill the memory themselves. */
  length = 0

  /** Makes room and keeps the content. */
  grow(length: number): void {
    const { bytes } = this
    this.reserve(length)
    if (this.bytes !== bytes) this.bytes.set(bytes)
  }

  reserve(length: number): void {
    if (length + padding <= this.bytes.length) return
    this.bytes = new Uint8Array(Math.max(length + padding, this.bytes.length * 2))
    this.view = new DataView(this.bytes.buffer)
  }

  /** Encodes a text as UTF-8 from the first byte on and returns its length. */
  write(text: string): number {
    this.reserve(text.length * 3)
    const { bytes } = this
    // Short ASCII, as most terms are, is quicker to encode by hand.
    if (text.length <= 24) {
      let at = 0
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (code > 127) break
        bytes[at] = code
      }
      if (at === text.length) return at
    }
    return encoder.encodeInto(text, bytes).written
  }
}

const hashSeed = (Math.random() * 0x1_0000_0000) | 0

/** Mixes a word of four bytes into a hash. */
export function mixWord(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e37_79b1)
  return mixed ^ (mixed >>> 15)
}

/** Hashes `[from, to)` word by word with `mixWord`; the last word is padded with zeros. */
export function hashText(view: DataView, from: number, to: number): number {
  let hash = hashSeed
  let at = from
  for (; at + 4 <= to; at += 4) hash = mixWord(hash, view.getInt32(at, true))
  const left = to - at
  if (left > 0) {
    let word = view.getUint8(at)
    if (left > 1) word |= view.getUint8(at + 1) << 8
    if (left > 2) word |= view.getUint8(at + 2) << 16
    hash = mixWord(hash, word)
  }
  return finishHash(hash, to - from)
}

export function finishHash(hash: number, length: number): number {
  const mixed = Math.imul(hash ^ length, 0x85eb_ca6b)
  return mixed ^ (mixed >>> 13)
}

export { hashSeed }
