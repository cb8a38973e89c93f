/**
 * Writes CBOR (RFC 8949) into memory that grows, in the forms Jackson writes with Logstash's settings: integers always
 * in eight bytes, maps and arrays of unknown length. Texts always have a known length; Jackson cuts long ones in pieces.
 */

const firstCapacity = 512

export class CborWriter {
  #bytes = Buffer.allocUnsafe(firstCapacity)
  #size = 0

  /** What was written; valid until the next write. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }

  openArray(): void {
    this.#byte(0x9f)
  }

  openMap(): void {
    this.#byte(0xbf)
  }

  /** Ends the array or map that was opened last. */
  close(): void {
    this.#byte(0xff)
  }

  null(): void {
    this.#byte(0xf6)
  }

  boolean(value: boolean): void {
    this.#byte(value ? 0xf5 : 0xf4)
  }

  double(value: number): void {
    this.#reserve(9)
    this.#bytes[this.#size] = 0xfb
    this.#bytes.writeDoubleBE(value, this.#size + 1)
    this.#size += 9
  }

  /** An integer of 64 bits. */
  long(value: bigint): void {
    this.#reserve(9)
    this.#bytes[this.#size] = value < 0n ? 0x3b : 0x1b
    this.#bytes.writeBigUInt64BE(value < 0n ? -1n - value : value, this.#size + 1)
    this.#size += 9
  }

  /**
   * An integer of any size: tag 2 or 3 and the bytes of Java's `BigInteger`. After tag 3 Jackson before 2.20 means the
   * negated number, where RFC 8949 means it minus one; Logstash's files have the former.
   */
  bigInteger(value: bigint): void {
    this.#byte(value < 0n ? 0xc3 : 0xc2)
    let hex = (value < 0n ? -value : value).toString(16)
    if (hex.length % 2 === 1) hex = `0${hex}`
    // Java's bytes are signed: a set first bit needs a zero byte before it.
    if (Number.parseInt(hex.slice(0, 2), 16) > 127) hex = `00${hex}`
    const bytes = Buffer.from(hex, 'hex')
    this.#length(0x40, bytes.length)
    this.#reserve(bytes.length)
    this.#size += bytes.copy(this.#bytes, this.#size)
  }

  text(text: string): void {
    const bytes = Buffer.byteLength(text, 'utf8')
    this.#length(0x60, bytes)
    this.#reserve(bytes)
    this.#size += this.#bytes.write(text, this.#size, 'utf8')
  }

  #length(kind: number, length: number): void {
    if (length < 24) return this.#byte(kind | length)
    this.#reserve(5)
    if (length < 0x100) {
      this.#bytes[this.#size] = kind | 24
      this.#bytes[this.#size + 1] = length
      this.#size += 2
    } else if (length < 0x10000) {
      this.#bytes[this.#size] = kind | 25
      this.#bytes.writeUInt16BE(length, this.#size + 1)
      this.#size += 3
    } else {
      this.#bytes[this.#size] = kind | 26
      this.#bytes.writeUInt32BE(length, this.#size + 1)
      this.#size += 5
    }
  }

  #byte(byte: number): void {
    this.#reserve(1)
    this.#bytes[this.#size++] = byte
  }

  #reserve(more: number): void {
    const needed = this.#size + more
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2))
    this.#bytes.copy(larger, 0, 0, this.#size)
    this.#bytes = larger
  }
}
