import { expect, it } from 'vitest'
import { suggestion } from './did-you-mean.ts'

it('names that are similar are suggested', () => {
  expect(suggestion('siz', ['size', 'from'])).toBe(' -> did you mean [size]?')
  expect(suggestion('fielda', ['fieldb', 'fieldc'])).toBe(' -> did you mean any of [fieldb, fieldc]?')
  expect(suggestion('zzz', ['size'])).toBe('')
})
