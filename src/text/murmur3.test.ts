import { describe, expect, it } from 'vitest'
import { murmur3, murmur3Number } from './murmur3.ts'

describe('murmur3', () => {
  // Test vectors that the x86 32 bit variant is known by.
  it.each([
    ['', 0, 0],
    ['', 1, 0x514e28b7],
    ['test', 0, 0xba6bd213],
    ['test', 0x9747b28c, 0x704b81dc],
    ['Hello, world!', 0, 0xc0363e43],
    ['Hello, world!', 0x9747b28c, 0x24884cba],
    ['The quick brown fox jumps over the lazy dog', 0, 0x2e4ff723],
  ])('hashes %j with seed %i', (text, seed, hash) => {
    expect(murmur3(Buffer.from(text), seed) >>> 0).toBe(hash)
  })

  it('hashes a number as its decimal text', () => {
    const numbers = [0, 2 ** 31, 2 ** 53, -1, -0, 1.5, 1e300, -2.25, Number.MIN_VALUE]
    for (let power = 1; power <= 1e9; power *= 10)
      numbers.push(power - 1, power, power + 1, 5 * power + 7, Math.floor(1.234567891 * power))
    for (const number of numbers)
      for (const seed of [0, 42, -1_234_567])
        expect(murmur3Number(number, seed), String(number)).toBe(murmur3(Buffer.from(String(number)), seed))
  })
})
