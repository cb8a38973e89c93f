import { expect, it } from 'vitest'
import { closestWord } from './closest-word.ts'

it.each([
  ['ouput', 'output'],
  ['otuput', 'output'],
  ['Filter', 'filter'],
  ['inptu', 'input'],
  ['codec', undefined],
  ['x', undefined],
  ['', undefined],
])('%s → %s', (word, meant) => {
  expect(closestWord(word, ['input', 'filter', 'output'])).toBe(meant)
})

it('prefers the nearest', () => {
  expect(closestWord('host', ['port', 'hosts', 'most'])).toBe('hosts')
})
