/** Writes event values as MessagePack, each in its shortest form; times as their ISO 8601 text. */
import { Timestamp } from '../../../event/timestamp.ts'
import { fieldNames, LsFloat, readField, type Value } from '../../../event/value.ts'

const maxDepth = 256

export function pack(value: Value): Buffer {
  const writer = new MsgpackWriter()
  writer.write(value, 0)
  return writer.bytes()
}

class MsgpackWriter {
  #buffer = Buffer.allocUnsafe(1024)
  #at = 0

  bytes(): Buffer {
    return Buffer.from(this.#buffer.subarray(0, this.#at))
  }

  write(value: Value | undefined, depth: number): void {
    if (depth > maxDepth) throw new RangeError('the value is nested too deeply')
    if (value === null || value === undefined) this.#byte(0xc0)
    else if (typeof value === 'boolean') this.#byte(value ? 0xc3 : 0xc2)
    else if (typeof value === 'string') this.#text(value)
    else if (typeof value === 'number') this.#number(value)
    else if (typeof value === 'bigint') this.#big(value)
    else if (value instanceof LsFloat) this.#double(value.value)
    else if (value instanceof Timestamp) this.#text(value.toString())
    else if (Array.isArray(value)) {
      this.#head(value.length, 0x90, 16, 0xdc)
      for (const item of value) this.write(item, depth + 1)
    } else {
      const names = fieldNames(value)
      this.#head(names.length, 0x80, 16, 0xde)
      for (const name of names) {
        this.#text(name)
        this.write(readField(value, name), depth + 1)
      }
    }
  }

  #reserve(length: number): void {
    if (this.#at + length <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#at + length, this.#buffer.length * 2))
    larger.set(this.#buffer.subarray(0, this.#at))
    this.#buffer = larger
  }

  #byte(value: number): void {
    this.#reserve(1)
    this.#buffer[this.#at++] = value
  }

  #unsigned(code: number, value: number, length: 1 | 2 | 4): void {
    this.#reserve(1 + length)
    this.#buffer[this.#at++] = code
    this.#at = this.#buffer.writeUIntBE(value, this.#at, length)
  }

  #signed(code: number, value: number, length: 1 | 2 | 4): void {
    this.#reserve(1 + length)
    this.#buffer[this.#at++] = code
    this.#at = this.#buffer.writeIntBE(value, this.#at, length)
  }

  /** Count of items: within the code up to `few`, else in two or four bytes. */
  #head(count: number, code: number, few: number, codeOfTwo: number): void {
    if (count < few) this.#byte(code | count)
    else if (count <= 0xffff) this.#unsigned(codeOfTwo, count, 2)
    else this.#unsigned(codeOfTwo + 1, count, 4)
  }

  #text(text: string): void {
    const length = Buffer.byteLength(text)
    if (length > 31 && length <= 0xff) this.#unsigned(0xd9, length, 1)
    else this.#head(length, 0xa0, 32, 0xda)
    this.#reserve(length)
    this.#at += this.#buffer.write(text, this.#at, 'utf8')
  }

  #number(value: number): void {
    if (!Number.isInteger(value)) this.#double(value)
    else if (value >= 0) {
      if (value <= 0x7f) this.#byte(value)
      else if (value <= 0xff) this.#unsigned(0xcc, value, 1)
      else if (value <= 0xffff) this.#unsigned(0xcd, value, 2)
      else if (value <= 0xffff_ffff) this.#unsigned(0xce, value, 4)
      else this.#big(BigInt(value))
    } else if (value >= -32) this.#byte(value & 0xff)
    else if (value >= -0x80) this.#signed(0xd0, value, 1)
    else if (value >= -0x8000) this.#signed(0xd1, value, 2)
    else if (value >= -0x8000_0000) this.#signed(0xd2, value, 4)
    else this.#big(BigInt(value))
  }

  /** Eight bytes; what does not fit is written as a float, which is near enough. */
  #big(value: bigint): void {
    if (value >= 1n << 64n || value < -(1n << 63n)) {
      this.#double(Number(value))
      return
    }
    this.#reserve(9)
    this.#buffer[this.#at++] = value >= 0n ? 0xcf : 0xd3
    this.#at =
      value >= 0n
        ? this.#buffer.writeBigUInt64BE(value, this.#at)
        : this.#buffer.writeBigInt64BE(value, this.#at)
  }

  #double(value: number): void {
    this.#reserve(9)
    this.#buffer[this.#at++] = 0xcb
    this.#at = this.#buffer.writeDoubleBE(value, this.#at)
  }
}
