/**
 * Reads CBOR (RFC 8949) item by item, as far as Jackson writes it: integers, floats, text, bytes, arrays and maps of
 * known or unknown length, tags, and the string references of tags 25 and 256 (http://cbor.schmorp.de/stringref).
 * Lengths are checked against what is left, so that damaged bytes end in a `MalformedCbor` and never in a large buffer.
 */

export class MalformedCbor extends Error {
  override readonly name = 'MalformedCbor'
}

/** Major types of the first three bits. */
export const cborKind = {
  unsigned: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  array: 4,
  map: 5,
  tag: 6,
  simple: 7,
} as const

/** Length of an array, map or text that ends with a break. */
export const unknownLength = -1

const breakByte = 0xff
const unknownLengthInfo = 31
const stringReference = 25

export class CborReader {
  readonly #bytes: Buffer
  readonly #view: DataView
  #at = 0
  /** Strings that tag 25 may refer to; undefined outside of tag 256. */
  #references: string[] | undefined

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  /** Major type of the next item, which stays to be read. */
  peekKind(): number {
    return this.#byteAt(this.#at) >> 5
  }

  /** Takes the end of an item of unknown length, if it is there. */
  takeBreak(): boolean {
    if (this.#byteAt(this.#at) !== breakByte) return false
    this.#at += 1
    return true
  }

  /** Number of items of an array or of pairs of a map, or `unknownLength`. */
  readLength(kind: 4 | 5): number {
    const info = this.#first(kind)
    if (info === unknownLengthInfo) return unknownLength
    const length = this.#number(info)
    // Each item has at least one byte.
    if (length > this.#bytes.length - this.#at) this.#fail('a length goes past the end')
    return length
  }

  /** The value of an integer, positive or negative. */
  readInteger(): bigint {
    const kind = this.peekKind()
    const argument = this.#bigArgument(this.#first(kind))
    return kind === cborKind.negative ? -1n - argument : argument
  }

  readTag(): number {
    return this.#number(this.#first(cborKind.tag))
  }

  readText(): string {
    const info = this.#first(cborKind.text)
    if (info === unknownLengthInfo) return this.#chunks(cborKind.text).toString('utf8')
    const bytes = this.#take(this.#number(info))
    const text = bytes.toString('utf8')
    this.#remember(text, bytes.length)
    return text
  }

  readBytes(): Buffer {
    const info = this.#first(cborKind.bytes)
    if (info === unknownLengthInfo) return this.#chunks(cborKind.bytes)
    const bytes = this.#take(this.#number(info))
    this.#remember(bytes.toString('latin1'), bytes.length)
    return bytes
  }

  /** `true`, `false`, `null` or a float. */
  readSimple(): boolean | null | number {
    const info = this.#first(cborKind.simple)
    switch (info) {
      case 20:
        return false
      case 21:
        return true
      case 22:
      case 23:
        return null
      case 25:
        return halfFloat(this.#number(25))
      case 26:
        return this.#view.getFloat32(this.#skip(4))
      case 27:
        return this.#view.getFloat64(this.#skip(8))
      default:
        return this.#fail(`the simple value ${info} has no meaning`)
    }
  }

  /** Inside of tag 256: strings are remembered from here on. */
  openNamespace(): string[] | undefined {
    const outer = this.#references
    this.#references = []
    return outer
  }

  closeNamespace(outer: string[] | undefined): void {
    this.#references = outer
  }

  /** What stands in a place where only a text can be: the text itself, or a reference to an earlier one. */
  readKey(): string {
    const kind = this.peekKind()
    if (kind === cborKind.tag) return this.readReference(this.readTag())
    if (kind !== cborKind.text) return this.#fail('a name is no text')
    return this.readText()
  }

  readReference(tag: number): string {
    if (tag !== stringReference) return this.#fail(`the tag ${tag} stands before a name`)
    const index = Number(this.readInteger())
    const text = this.#references?.[index]
    if (text === undefined) return this.#fail(`there is no string ${index} to refer to`)
    return text
  }

  /** A string is worth a reference only when the reference is shorter. */
  #remember(text: string, length: number): void {
    if (this.#references === undefined) return
    const next = this.#references.length
    const shortest = next < 24 ? 3 : next < 256 ? 4 : next < 65_536 ? 5 : 7
    if (length >= shortest) this.#references.push(text)
  }

  #chunks(kind: number): Buffer {
    const chunks: Buffer[] = []
    while (!this.takeBreak()) chunks.push(this.#take(this.#number(this.#first(kind))))
    return Buffer.concat(chunks)
  }

  /** Consumes the first byte of an item and gives its lower five bits. */
  #first(kind: number): number {
    const byte = this.#byteAt(this.#at)
    if (byte >> 5 !== kind) this.#fail(`expected an item of kind ${kind}`)
    this.#at += 1
    return byte & 31
  }

  #number(info: number): number {
    if (info < 24) return info
    switch (info) {
      case 24:
        return this.#view.getUint8(this.#skip(1))
      case 25:
        return this.#view.getUint16(this.#skip(2))
      case 26:
        return this.#view.getUint32(this.#skip(4))
      case 27: {
        const value = this.#view.getBigUint64(this.#skip(8))
        if (value > BigInt(this.#bytes.length)) this.#fail('a length goes past the end')
        return Number(value)
      }
      default:
        return this.#fail(`the length ${info} has no meaning`)
    }
  }

  #bigArgument(info: number): bigint {
    if (info === 27) return this.#view.getBigUint64(this.#skip(8))
    return BigInt(this.#number(info))
  }

  #take(length: number): Buffer {
    const from = this.#skip(length)
    return this.#bytes.subarray(from, from + length)
  }

  #skip(length: number): number {
    const from = this.#at
    if (length > this.#bytes.length - from) this.#fail('the bytes end inside of an item')
    this.#at = from + length
    return from
  }

  #byteAt(at: number): number {
    return at < this.#bytes.length ? this.#bytes[at]! : this.#fail('the bytes end where an item is expected')
  }

  #fail(what: string): never {
    throw new MalformedCbor(`${what} (byte ${this.#at} of ${this.#bytes.length})`)
  }
}

function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
