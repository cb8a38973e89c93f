/**
 * A shape is everything between the values of similar JSON documents: names, braces, commas, quotes. A document of a
 * shape is stored as its values alone, each with its terminator: the quote behind a string, a comma behind anything
 * else. That is little more than half of the bytes and takes half the time to compress. The document is restored
 * byte for byte.
 */
import { backslash, comma, quote } from '../../../text/ascii.ts'
import { ByteWriter } from '../encoding/byte-writer.ts'
import { copyBytes } from '../encoding/copy-bytes.ts'

/** The same byte four times, for testing four bytes at once. */
const quotes = quote * 0x01010101
const backslashes = backslash * 0x01010101
/** The maximum bytes of constants in one document. */
const maxConstants = 4096

export class SourceShape {
  /** The constants in front of every value and behind the last, concatenated. */
  readonly #constants: DataView
  /** The end offset of each constant. */
  readonly #ends: Uint32Array
  /** 1 when a string follows the constant, otherwise 0. */
  readonly #isText: Uint8Array
  /** The number of constants, then each with its length in front. */
  readonly definition: Uint8Array
  /** How many bytes documents are longer than their values. */
  readonly #more: number

  constructor(constants: readonly Uint8Array[], definition = written(constants)) {
    const ends = new Uint32Array(constants.length)
    const isText = new Uint8Array(constants.length)
    let [end, bare] = [0, 0]
    for (let i = 0; i < constants.length; i++) {
      const constant = constants[i]!
      ends[i] = end += constant.length
      isText[i] = constant[constant.length - 1] === quote ? 1 : 0
      if (i < constants.length - 1) bare += 1 - isText[i]!
    }
    const all = new Uint8Array(end)
    for (let i = 0; i < constants.length; i++) all.set(constants[i]!, ends[i]! - constants[i]!.length)
    this.#constants = new DataView(all.buffer)
    this.#ends = ends
    this.#isText = isText
    this.definition = definition
    this.#more = end - bare
  }

  /** Returns where the definition that begins at `from` ends. */
  static definitionEnd(bytes: Uint8Array, from: number): number {
    return eachConstant(bytes, from, () => {})
  }

  /** Decodes the shape whose definition begins at `from`. */
  static at(bytes: Uint8Array, from: number): SourceShape {
    const constants: Uint8Array[] = []
    const end = eachConstant(bytes, from, (start, to) => constants.push(copyOf(bytes, start, to)))
    return new SourceShape(constants, copyOf(bytes, from, end))
  }

  /** Returns whether the definition that begins at `from` is that of this shape; none begins with another. */
  isAt(bytes: Uint8Array, from: number): boolean {
    const { definition } = this
    for (let i = 0; i < definition.length; i++) if (bytes[from + i] !== definition[i]) return false
    return true
  }

  /** Returns the length of a document whose values take so many bytes. */
  lengthOf(values: number): number {
    if (values + this.#more < 0) throw new RangeError('a document has too few values for its shape')
    return values + this.#more
  }

  /** Restores the document from its values. */
  document(values: Uint8Array): Uint8Array {
    // In Node.js's pool of small buffers, because memory of its own costs more than writing the document.
    const document = Buffer.allocUnsafe(this.lengthOf(values.length))
    const source = new DataView(values.buffer, values.byteOffset, values.length)
    const target = new DataView(document.buffer, document.byteOffset, document.length)
    this.write(source, 0, values.length, target, 0)
    return document
  }

  /** Returns the bytes that `write` may touch, even when it is given values of another shape. */
  roomFor(values: number): number {
    return values + this.#constants.byteLength
  }

  /** Writes the document whose values are at `from` to `to`; returns its length. */
  write(source: DataView, from: number, to: number, target: DataView, start: number): number {
    const ends = this.#ends
    const length = this.lengthOf(to - from)
    const end = start + length
    let [value, at, constant] = [from, start, 0]
    for (let i = 0; i < ends.length; i++) {
      const constantEnd = ends[i]!
      if (at + constantEnd - constant > end) break
      copyBytes(this.#constants, constant, constantEnd, target, at)
      at += constantEnd - constant
      constant = constantEnd
      if (i === ends.length - 1) break
      const isText = this.#isText[i] === 1
      const valueEnd = isText
        ? copyText(source, value, to, target, at)
        : copyBare(source, value, to, target, at)
      at += valueEnd - value
      value = isText ? valueEnd : valueEnd + 1
    }
    if (at !== end || value !== to)
      throw new RangeError('the values of a document are not those of its shape')
    return length
  }
}

/** Calls back with the place of each constant of a definition; returns where the definition ends. */
function eachConstant(bytes: Uint8Array, from: number, call: (start: number, end: number) => void): number {
  let at = from
  const varint = (): number => {
    let value = 0
    for (let bits = 0; bits <= 21; bits += 7) {
      const byte = bytes[at++]
      if (byte === undefined) break
      value += (byte & 0x7f) << bits
      if (byte < 0x80) return value
    }
    throw new RangeError('a shape of documents cannot be read')
  }
  const count = varint()
  if (count > maxConstants) throw new RangeError('a shape of documents has too many parts')
  for (let i = 0; i < count; i++) {
    const length = varint()
    if (at + length > bytes.length) throw new RangeError('a shape of documents ends too early')
    call(at, at + length)
    at += length
  }
  return at
}

/** Copies also from a Buffer, whose `slice` would share the memory. */
function copyOf(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(bytes.subarray(from, to))
}

/** Copies a string and its closing quote; returns the offset behind it in the source. */
function copyText(source: DataView, from: number, to: number, target: DataView, start: number): number {
  const shift = start - from
  let at = from
  for (;;) {
    for (; at + 4 <= to; at += 4) {
      const word = source.getInt32(at, true)
      if (!isPlain(word)) break
      target.setInt32(at + shift, word, true)
    }
    for (let byte = 0; byte !== backslash; at++) {
      if (at >= to) throw new RangeError('a text of a document has no end')
      byte = source.getUint8(at)
      target.setUint8(at + shift, byte)
      if (byte === quote) return at + 1
    }
    // A character behind a backslash ends no string.
    if (at < to) target.setUint8(at + shift, source.getUint8(at))
    at++
  }
}

/** Returns whether four bytes have neither a quote nor a backslash. */
function isPlain(word: number): boolean {
  const a = word ^ quotes
  const b = word ^ backslashes
  return ((((a - 0x01010101) & ~a) | ((b - 0x01010101) & ~b)) & 0x80808080) === 0
}

/** Copies up to the next comma; returns its offset in the source. */
function copyBare(source: DataView, from: number, to: number, target: DataView, start: number): number {
  const shift = start - from
  let at = from
  for (; at < to; at++) {
    const byte = source.getUint8(at)
    if (byte === comma) break
    target.setUint8(at + shift, byte)
  }
  return at
}

function written(constants: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter()
  writer.varint(constants.length)
  for (const constant of constants) {
    writer.varint(constant.length)
    writer.bytes(constant)
  }
  return writer.finish()
}

/** How a document is stored: whole, or as values with a shape. */
export interface SourceEntry {
  readonly bytes: Uint8Array
  readonly shape: SourceShape | undefined
}

export function documentOf({ bytes, shape }: SourceEntry): Uint8Array {
  return shape === undefined ? bytes : shape.document(bytes)
}

/** The values of a document with a shape, and where they are. */
export interface SourceValues {
  readonly shape: SourceShape
  readonly view: DataView
  readonly start: number
  readonly length: number
}

/** Returns the JSON, restored from its values where necessary. */
export function expandSource(source: Uint8Array | SourceValues): Uint8Array {
  if (source instanceof Uint8Array) return source
  const { shape, view, start, length } = source
  return shape.document(new Uint8Array(view.buffer, view.byteOffset + start, length))
}
