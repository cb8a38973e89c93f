import { constants, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Inflater, inputMargin, outputMargin } from './inflate.ts'

const inflater = new Inflater()

function padded(stream: Uint8Array): Uint8Array {
  const input = new Uint8Array(stream.length + inputMargin)
  input.set(stream)
  return input
}

/** The bytes behind those that are wanted must stay as they were, except for the margin. */
function startOf(stream: Uint8Array, wanted: number): Buffer {
  const output = new Uint8Array(wanted + outputMargin + 64).fill(0xa5)
  inflater.inflate(padded(stream), output, wanted)
  expect(output.subarray(wanted + outputMargin).every((byte) => byte === 0xa5)).toBe(true)
  return Buffer.from(output.subarray(0, wanted))
}

const words = fc
  .array(fc.constantFrom('GET ', '/api/v1/', 'orders', '200', ' "', 'é', '{"a":', '\n', 'x'.repeat(300)), {
    maxLength: 2000,
  })
  .map((parts) => Buffer.from(parts.join('')))
const bytes = fc.uint8Array({ maxLength: 5000 }).map((each) => Buffer.from(each))
const skewed = fc
  .array(fc.nat(20), { maxLength: 5000 })
  // Rare bytes get codes that are longer than the table has bits.
  .map((each) => Buffer.from(each.map((value, i) => (i % 97 === 0 ? i & 0xff : value >> 2))))
const ways = fc.record({
  level: fc.constantFrom(0, 1, 6, 9),
  strategy: fc.constantFrom(constants.Z_DEFAULT_STRATEGY, constants.Z_FIXED, constants.Z_HUFFMAN_ONLY),
  finishFlush: fc.constantFrom(constants.Z_FULL_FLUSH, constants.Z_FINISH),
})

it('decompresses as much of what zlib compressed as is wanted', () => {
  fc.assert(
    fc.property(
      fc.oneof(words, bytes, skewed),
      ways,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (plain, way, share) => {
        const stream = deflateRawSync(plain, way)
        const wanted = Math.floor(plain.length * share)
        expect(startOf(stream, wanted)).toEqual(plain.subarray(0, wanted))
        expect(startOf(stream, plain.length)).toEqual(plain)
      },
    ),
    { numRuns: 300 },
  )
})

it('decodes codes that are longer than its table has bits', () => {
  // Each byte is half as frequent as the one before it, so that codes get as long as they may.
  const plain = Buffer.concat(
    Array.from({ length: 15 }, (_, byte) => Buffer.alloc(2 ** (14 - byte), 65 + byte)),
  )
  const mixed = Buffer.from(plain.map((_, i) => plain[(i * 7919) % plain.length]!))
  const stream = deflateRawSync(mixed, { strategy: constants.Z_HUFFMAN_ONLY })
  expect(startOf(stream, mixed.length)).toEqual(mixed)
})

it('reads a stream that begins anywhere in memory', () => {
  const plain = Buffer.from('one two three one two three one two three')
  const stream = deflateRawSync(plain)
  const memory = new Uint8Array(stream.length + inputMargin + 5)
  memory.set(stream, 5)
  const output = new Uint8Array(plain.length + outputMargin)
  inflater.inflate(memory.subarray(5), output, plain.length)
  expect(Buffer.from(output.subarray(0, plain.length))).toEqual(plain)
})

it('refuses a stream that ends before as much as is wanted', () => {
  const plain = Buffer.from('some text that is too short')
  for (const way of [{ level: 0 }, { level: 6 }, { strategy: constants.Z_FIXED }]) {
    const stream = deflateRawSync(plain, { ...way, finishFlush: constants.Z_FULL_FLUSH })
    expect(() => startOf(stream, plain.length + 1)).toThrow(RangeError)
    for (let length = 0; length < stream.length - 5; length++)
      expect(() => startOf(stream.subarray(0, length), plain.length)).toThrow(RangeError)
  }
})

it.each([
  ['a kind of block that is not defined', [0b110]],
  ['a stored block with a wrong length', [0b000, 4, 0, 4, 0]],
  ['more codes than there are symbols', [0b1111_1101, 0xff, 0xff]],
  ['a distance to before the start', [0b0000_0011, 0b0000_0010, 0]],
])('refuses %s', (_title, stream) => {
  expect(() => startOf(Uint8Array.from(stream), 100)).toThrow(RangeError)
})

it('stays within its memory whatever the stream is', () => {
  fc.assert(
    fc.property(fc.oneof(words, bytes), fc.nat(), fc.nat(255), (plain, place, byte) => {
      const stream = deflateRawSync(plain, { finishFlush: constants.Z_FULL_FLUSH })
      stream[place % stream.length]! ^= byte
      try {
        startOf(stream, plain.length)
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
      }
    }),
    { numRuns: 500 },
  )
})
