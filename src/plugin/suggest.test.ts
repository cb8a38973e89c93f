import { expect, test } from 'vitest'
import { damerauLevenshtein as editDistance } from '../text/edit-distance.ts'
import { suggest } from './suggest.ts'

test.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['kitten', 'sitting', 3],
  ['ca', 'abc', 3],
  ['', 'abc', 3],
])('distance of %j and %j', (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance)
  expect(editDistance(right, left)).toBe(distance)
})

test('the nearest name', () => {
  expect(suggest('add_filed', ['add_field', 'add_tag', 'remove_field'])).toBe('add_field')
  expect(suggest('Grok', ['grok', 'json'])).toBe('grok')
})

test('nothing when no name is near, or the text is absurd', () => {
  expect(suggest('zzzz', ['grok', 'json'])).toBeUndefined()
  expect(suggest('', ['a'])).toBeUndefined()
  expect(suggest('x'.repeat(10_000), ['x'.repeat(64)])).toBeUndefined()
})
