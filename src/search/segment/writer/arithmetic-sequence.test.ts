import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BuilderMemory } from '../encoding/builder-memory.ts'
import { ArithmeticSequence } from './arithmetic-sequence.ts'

const even = fc
  .tuple(fc.nat(1e9), fc.constantFrom(0, 1, 2, -1), fc.nat(20))
  .map(([first, step, count]) => Array.from({ length: count }, (_, i) => first + step * i))

test('returns the numbers that were pushed, arithmetic or not', () => {
  fc.assert(
    fc.property(fc.array(even, { maxLength: 4 }), fc.nat(), fc.nat(), (parts, one, other) => {
      const all = parts.flat()
      const collected = new ArithmeticSequence(new BuilderMemory(), all.length)
      for (const number of all) collected.push(number)
      expect(all.map((_, i) => collected.at(i))).toEqual(all)
      const [from, to] = [one % (all.length + 1), other % (all.length + 1)].sort((a, b) => a - b) as [
        number,
        number,
      ]
      expect([...collected.cut(from, to)]).toEqual(all.slice(from, to))
    }),
  )
})

test('does not change a cut when more numbers are pushed', () => {
  const collected = new ArithmeticSequence(new BuilderMemory())
  for (const number of [5, 6, 7]) collected.push(number)
  const cut = collected.cut(0, 3)
  for (const number of [8, 1, 1]) collected.push(number)
  const later = collected.cut(1, 5)
  collected.push(9)
  expect([...cut]).toEqual([5, 6, 7])
  expect([...later]).toEqual([6, 7, 8, 1])
})
