import { expect, test } from 'vitest'
import { statistics } from './statistics.mjs'

test('odd and even numbers of samples', () => {
  expect(statistics([3, 1, 2])).toEqual({ min: 1, median: 2, spread: 3, noisy: true })
  expect(statistics([4, 5])).toEqual({ min: 4, median: 4.5, spread: 1.25, noisy: false })
  expect(statistics([7])).toEqual({ min: 7, median: 7, spread: 1, noisy: false })
})

test('noisy begins above 1.6', () => {
  expect(statistics([10, 16]).noisy).toBe(false)
  expect(statistics([10, 16.1]).noisy).toBe(true)
})
