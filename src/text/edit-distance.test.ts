import { expect, it } from 'vitest'
import { damerauLevenshtein, levenshtein, nearestText } from './edit-distance.ts'

it.each([
  ['', '', 0, 0],
  ['', 'abc', 3, 3],
  ['kitten', 'sitting', 3, 3],
  ['flaw', 'lawn', 2, 2],
  ['ca', 'ac', 2, 1],
  ['ca', 'abc', 3, 3],
  ['output', 'ouptut', 2, 1],
])('counts the edits from %j to %j: %d, with swaps %d', (left, right, plain, withSwaps) => {
  expect(levenshtein(left, right)).toBe(plain)
  expect(levenshtein(right, left)).toBe(plain)
  expect(damerauLevenshtein(left, right)).toBe(withSwaps)
  expect(damerauLevenshtein(right, left)).toBe(withSwaps)
})

it('finds the nearest candidate, the first of equals, within the limit', () => {
  expect(nearestText('grok', ['mutate', 'grab', 'groks', 'grokk'], 2)).toBe('groks')
  expect(nearestText('grok', ['mutate', 'date'], 2)).toBeUndefined()
  expect(nearestText('gork', ['grok'], 1)).toBeUndefined()
  expect(nearestText('gork', ['grok'], 1, damerauLevenshtein)).toBe('grok')
})
