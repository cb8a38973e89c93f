import fc from 'fast-check'
import { expect, it } from 'vitest'
import { codeLengths, eachTableEntry, reversedCodes } from './prefix-code.ts'

const maxBits = 12
const frequencies = fc.array(fc.oneof(fc.nat(5), fc.nat(2 ** 30)), { minLength: 1, maxLength: 300 })

it.each([
  [[], []],
  [
    [0, 7],
    [0, 1],
  ],
  [
    [1, 1],
    [1, 1],
  ],
  // The example of Huffman's article has these weights, in hundredths.
  [
    [20, 18, 10, 10, 10, 6, 6, 4, 4, 4, 4, 3, 1],
    [2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 5, 5, 5],
  ],
])('weights %j', (weights, lengths) => {
  const found = [...codeLengths(weights, maxBits)]
  const cost = (each: readonly number[]) => each.reduce((sum, length, i) => sum + length * weights[i]!, 0)
  expect(cost(found)).toBe(cost(lengths))
})

it('gives every symbol that occurs a code, and no two symbols codes that begin alike', () => {
  fc.assert(
    fc.property(frequencies, (weights) => {
      const lengths = codeLengths(weights, maxBits)
      expect([...lengths].map((length) => length > 0)).toEqual(weights.map((weight) => weight > 0))
      expect(Math.max(...lengths)).toBeLessThanOrEqual(maxBits)
      const table = new Int32Array(1 << maxBits).fill(-1)
      eachTableEntry(lengths, maxBits, (symbol, first, step) => {
        for (let at = first; at < table.length; at += step) {
          if (table[at] !== -1) throw new Error(`${symbol} and ${table[at]} begin alike`)
          table[at] = symbol
        }
      })
      const codes = reversedCodes(lengths)
      expect(weights.findIndex((weight, symbol) => weight > 0 && table[codes[symbol]!] !== symbol)).toBe(-1)
    }),
    { numRuns: 30 },
  )
})

it('gives more frequent symbols codes that are no longer', () => {
  fc.assert(
    fc.property(frequencies, (weights) => {
      const lengths = codeLengths(weights, maxBits)
      const used = weights
        .map((weight, symbol) => ({ weight, length: lengths[symbol]! }))
        .filter(({ weight }) => weight > 0)
      used.sort((a, b) => a.weight - b.weight || b.length - a.length)
      for (let i = 1; i < used.length; i++) expect(used[i]!.length).toBeLessThanOrEqual(used[i - 1]!.length)
    }),
  )
})

it('refuses lengths that no prefix code has', () => {
  expect(() => eachTableEntry(Uint8Array.of(1, 1, 2), maxBits, () => {})).toThrow(RangeError)
  expect(() => eachTableEntry(Uint8Array.of(13), maxBits, () => {})).toThrow(RangeError)
})
