import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packDoubles, packWords, unpackDoubles, unpackWords } from './packed-numbers.ts'

const count = 20_000
/** A permutation of the numbers below `count`. */
const shuffled = (i: number) => (i * 7919) % count
const columns: Record<string, (i: number) => number> = {
  'all the same': () => 77,
  'in no order': (i) => shuffled(i) + 1_000_000,
  rising: (i) => i * 3 + (shuffled(i) & 1),
  'small but for a few': (i) => (i % 1000 === 999 ? 4_000_000_000 : 1),
  'all bits': (i) => Math.imul(i + 1, 0x9e37_79b1) >>> 0,
  'small at first, large then': (i) => (i < count / 2 ? i % 3 : shuffled(i) * 100_000),
}

describe('packed integer columns', () => {
  it.each(Object.entries(columns))('round-trip: %s', (_name, valueAt) => {
    for (const length of [0, 1, 100, 5000, count]) {
      const values = Uint32Array.from({ length }, (_, i) => valueAt(i))
      expect(unpackWords(packWords(values))).toEqual(values)
    }
  })

  it('round-trip for any values', () => {
    fc.assert(
      fc.property(fc.uint32Array(), (values) => {
        expect(unpackWords(packWords(values))).toEqual(values)
      }),
    )
  })

  it('take the bits of the largest distance when they are unordered', () => {
    const values = Uint32Array.from({ length: count }, (_, i) => shuffled(i))
    const head = 12
    expect(packWords(values).length).toBe(head + (count * 15) / 8)
  })

  it('take about a byte each when they ascend in small steps', () => {
    const values = Uint32Array.from({ length: count }, (_, i) => i * 3 + (shuffled(i) & 1))
    expect(packWords(values).length).toBeLessThan(count * 1.01)
  })
})

it.each([
  ['whole numbers', (i: number) => shuffled(i) - 5000],
  ['decimals', (i: number) => shuffled(i) / 1000],
  ['floats of 32 bits', (i: number) => Math.fround(shuffled(i) / 100)],
  ['any doubles', (i: number) => Math.sqrt(i) * 1e9],
  ['negative zero', (i: number) => (i === 9 ? -0 : i)],
] as const)('round-trip doubles: %s', (_name, valueAt) => {
  const values = Float64Array.from({ length: count }, (_, i) => valueAt(i))
  expect(unpackDoubles(packDoubles(values))).toEqual(values)
})
