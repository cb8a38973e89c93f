/** Memory in which texts become bytes, used again for every text. */
const encoder = new TextEncoder()
const padding = 8

export class TermScratch {
  bytes = new Uint8Array(256)
  view = new DataView(this.bytes.buffer)
  /** For whoever fills it by hand. */
  length = 0

  /** Room for more, what is there stays. */
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

  /** Writes a text as UTF-8 from the first byte on; answers its length. */
  write(text: string): number {
    this.reserve(text.length * 3)
    const { bytes } = this
    // Short ASCII, as most terms are, is quicker by hand.
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

/** A word of four bytes into the hash of a text. */
export function mixWord(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e37_79b1)
  return mixed ^ (mixed >>> 15)
}

/** The hash of `bytes[from, to)` as `mixWord` makes it of whole words, the last filled up with zeros. */
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
