import { expect, it } from 'vitest'
import { inPairs, ratioOf } from './pairs.mjs'

it('turns the order round from pair to pair, and answers in the order of the states', async () => {
  const ran = []
  const slice = (name) => async () => {
    ran.push(name)
    return { name }
  }
  const pairs = await inPairs(3, slice('quiet'), slice('polled'))
  expect(ran.join(' ')).toBe('quiet polled polled quiet quiet polled')
  expect(pairs.map(([one, other]) => `${one.name} ${other.name}`)).toEqual(Array(3).fill('quiet polled'))
})

it('finds a small cost on a machine that drifts by much more', async () => {
  let slices = 0
  // A tenth slower from the first slice to the last, in waves; being polled costs one part in a hundred.
  const rate = (cost) => async () => {
    const drift = 1 - 0.1 * (slices / 60) + 0.02 * Math.sin(slices)
    slices += 1
    return { rate: (1000 * drift) / cost }
  }
  const { lower, median, upper } = ratioOf(await inPairs(30, rate(1), rate(1.01)), ({ rate: value }) => value)
  expect(median).toBeGreaterThan(1.005)
  expect(median).toBeLessThan(1.015)
  expect(lower).toBeLessThanOrEqual(median)
  expect(upper).toBeGreaterThanOrEqual(median)
})

it('takes quartiles between the samples', () => {
  const pairs = [1, 2, 3, 4].map((value) => [{ value }, { value: 1 }])
  expect(ratioOf(pairs, ({ value }) => value)).toEqual({ lower: 1.75, median: 2.5, upper: 3.25 })
})
