/** `Zlib.crc32` and `Zlib.adler32`: check sums of a text, with one to go on from. */
import { textArgument } from '../arguments.ts'
import { bytesOf } from '../bytes.ts'
import { indexOf } from '../number.ts'
import { defineStatics, newModule, type RubyValue } from '../ruby-class.ts'

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array, from: number): number {
  let crc = ~from
  for (const byte of bytes) crc = (crc >>> 8) ^ table[(crc ^ byte) & 255]!
  return ~crc >>> 0
}

const adlerBase = 65521

function adler32(bytes: Uint8Array, from: number): number {
  let low = from & 0xffff
  let high = from >>> 16
  for (const byte of bytes) {
    low = (low + byte) % adlerBase
    high = (high + low) % adlerBase
  }
  return ((high << 16) | low) >>> 0
}

const data = (value: RubyValue | undefined): Uint8Array =>
  value === undefined || value === null ? new Uint8Array() : bytesOf(textArgument(value))

defineStatics(newModule('Zlib'), {
  'crc32 0-2': (_, [text, from]) => crc32(data(text), from === undefined ? 0 : indexOf(from)),
  'adler32 0-2': (_, [text, from]) => adler32(data(text), from === undefined ? 1 : indexOf(from)),
})
