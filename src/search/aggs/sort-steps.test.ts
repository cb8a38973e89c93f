import { expect, it } from 'vitest'
import { finish } from '../scheduling/steps.ts'
import { filterSteps, sortSteps } from './sort-steps.ts'

const lengths = [0, 1, 2, 511, 512, 513, 2047, 2048, 2049, 4096, 4097, 50_000]

it.each(lengths)('%i doubles are in order', (length) => {
  const list = Float64Array.from({ length }, (_, i) => ((Math.imul(i, 0x9e37_79b1) >>> 8) - 1e6) / 7)
  const sorted = finish(sortSteps(list.slice(), (one, other) => one - other))
  expect([...sorted]).toEqual([...list].sort((one, other) => one - other))
})

it('the sort is stable', () => {
  const list = Uint32Array.from({ length: 20_000 }, (_, i) => i)
  const keyOf = (number: number) => (Math.imul(number, 0x9e37_79b1) >>> 0) % 10
  const sorted = [...finish(sortSteps(list.slice(), (one, other) => keyOf(one) - keyOf(other)))]
  expect(sorted).toEqual([...list].sort((one, other) => keyOf(one) - keyOf(other)))
})

it.each(lengths)('of %i numbers those are left that pass', (length) => {
  const list = Uint32Array.from({ length }, (_, i) => i)
  const isKept = (number: number) => number % 3 === 1
  expect([...finish(filterSteps(list, isKept))]).toEqual([...list].filter(isKept))
})
