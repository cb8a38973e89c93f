import { describe, expect, it } from 'vitest'
import { murmur3, murmur3Number } from './murmur3.ts'

describe('murmur3', () => {
  // Values published with the algorithm and its ports.
  it.each([
    ['', 0],
    ['test', 0xba6bd213],
    ['Hello, world!', 0xc0363e43],
    ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
  ])('hashes %j', (text, hash) => {
    expect(murmur3(Buffer.from(text), 0) >>> 0).toBe(hash)
  })

  it('hashes a number as its decimal text', () => {
    const numbers = [0, 2 ** 31, 2 ** 53, -1, -0, 1.5, 1e300, -2.25, Number.MIN_VALUE]
    for (let power = 1; power <= 1e9; power *= 10)
      numbers.push(power - 1, power, power + 1, 5 * power + 7, Math.floor(1.234567891 * power))
    for (let number = 1; number < 1e8; number = Math.ceil(number * 1.003))
      numbers.push(number, number * 10 - 1)
    for (const number of numbers)
      for (const seed of [0, 42, -1_234_567])
        expect(murmur3Number(number, seed), String(number)).toBe(murmur3(Buffer.from(String(number)), seed))
  })
})
