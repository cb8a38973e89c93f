import fc from 'fast-check'
import { expect, it } from 'vitest'
import { murmur3x64 } from './murmur3-x64.ts'
import { high, multiply64, murmur3x64Half } from './murmur3-x64-half.ts'

const joined = (upper: number, lower: number) =>
  (BigInt.asUintN(32, BigInt(upper)) << 32n) | BigInt.asUintN(32, BigInt(lower))

it('is the first half of the hash of any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      const low = murmur3x64Half(bytes, bytes.length)
      expect(joined(high, low)).toBe(murmur3x64(bytes)[0])
    }),
  )
})

it('hashes the first bytes of a longer array', () => {
  const low = murmur3x64Half(Buffer.from('hello world'), 5)
  expect(joined(high, low)).toBe(0xcbd8a7b341bd9b02n)
})

it('multiplies numbers of 64 bits', () => {
  const half = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })
  fc.assert(
    fc.property(half, half, half, half, (a, b, c, d) => {
      const low = multiply64(a, b, c, d)
      expect(joined(high, low)).toBe(BigInt.asUintN(64, joined(a, b) * joined(c, d)))
    }),
  )
})
