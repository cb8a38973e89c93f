/**
 * What stands between the values of documents that are alike: names, braces, commas, quotes. Such a document is kept
 * as its values alone, each with its end: the quote behind a text, a comma behind any other. That is little more than
 * half of it, and takes half the time to compress. The document comes back byte for byte.
 */
import { ByteWriter } from './byte-writer.ts'

const quote = 34
const comma = 44
/** Of names and braces between two values, in one document. */
const mostConstants = 4096

export class SourceShape {
  /** In front of every value, and behind the last. */
  readonly #constants: readonly Uint8Array[]
  /** How many constants, then each with its length in front. */
  readonly definition: Uint8Array
  /** How much longer documents are than their values. */
  readonly #more: number

  constructor(constants: readonly Uint8Array[], definition = written(constants)) {
    this.#constants = constants
    this.definition = definition
    this.#more = 0
    for (let i = 0; i < constants.length; i++) {
      this.#more += constants[i]!.length
      if (i > 0 && !isQuoted(constants[i - 1]!)) this.#more -= 1
    }
  }

  /** The one whose definition begins there. */
  static at(bytes: Uint8Array, from: number): SourceShape {
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
    if (count > mostConstants) throw new RangeError('a shape of documents has too many parts')
    const constants: Uint8Array[] = []
    for (let i = 0; i < count; i++) {
      const length = varint()
      if (at + length > bytes.length) throw new RangeError('a shape of documents ends too early')
      constants.push(copyOf(bytes, at, at + length))
      at += length
    }
    return new SourceShape(constants, copyOf(bytes, from, at))
  }

  /** The document that has these values. */
  document(values: Uint8Array): Uint8Array {
    const constants = this.#constants
    const length = values.length + this.#more
    if (length < 0) throw new RangeError('a document has too few values for its shape')
    const document = new Uint8Array(length)
    let at = 0
    let from = 0
    for (let i = 0; i < constants.length; i++) {
      const constant = constants[i]!
      if (at + constant.length > length) break
      for (let k = 0; k < constant.length; k++) document[at++] = constant[k]!
      if (i === constants.length - 1) break
      if (isQuoted(constant)) {
        const end = endOfText(values, from)
        while (from <= end) document[at++] = values[from++]!
      } else {
        while (from < values.length && values[from] !== comma) document[at++] = values[from++]!
        from++
      }
    }
    if (at !== length || from !== values.length)
      throw new RangeError('the values of a document are not those of its shape')
    return document
  }
}

/** In memory of its own, also out of a buffer, whose `slice` shares it. */
function copyOf(bytes: Uint8Array, from: number, to: number): Uint8Array {
  return new Uint8Array(bytes.subarray(from, to))
}

/** A value behind a quote is a text. */
function isQuoted(constant: Uint8Array): boolean {
  return constant[constant.length - 1] === quote
}

/** The place of the quote at its end. */
function endOfText(values: Uint8Array, from: number): number {
  for (let at = from; at < values.length; at++) {
    const byte = values[at]
    if (byte === quote) return at
    if (byte === backslash) at++
  }
  throw new RangeError('a text of a document has no end')
}

const backslash = 92

function written(constants: readonly Uint8Array[]): Uint8Array {
  const writer = new ByteWriter()
  writer.varint(constants.length)
  for (const constant of constants) {
    writer.varint(constant.length)
    writer.bytes(constant)
  }
  return writer.finish()
}

/** What is kept of a document: all of it, or its values. */
export interface SourceEntry {
  readonly bytes: Uint8Array
  readonly shape: SourceShape | undefined
}

export function documentOf({ bytes, shape }: SourceEntry): Uint8Array {
  return shape === undefined ? bytes : shape.document(bytes)
}

/** The values of a document that is along a shape, and where they are. */
export interface SourceValues {
  readonly shape: SourceShape
  readonly view: DataView
  readonly start: number
  readonly length: number
}
