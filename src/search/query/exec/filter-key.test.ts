import { expect, test } from 'vitest'
import { keyOfTexts, shortKey } from './filter-key.ts'

test('filter keys are short, and differ when the lists do', () => {
  const many = Array.from({ length: 1000 }, (_, at) => `value ${at}`)
  const lists = [
    ['a b'],
    ['a', 'b'],
    many,
    many.slice(1),
    ['value 0value', ' 1', ...many.slice(2)],
    [...many.slice(0, -1), `value ${'9'.repeat(5000)}`],
    ['x'.repeat(5000)],
    ['x'.repeat(5001)],
  ]
  const keys = lists.map(keyOfTexts)
  expect(new Set(keys).size).toBe(lists.length)
  for (const key of [...keys, shortKey('y'.repeat(10_000))]) expect(key.length).toBeLessThan(5000)
  expect(keyOfTexts([...many])).toBe(keyOfTexts(many))
})
