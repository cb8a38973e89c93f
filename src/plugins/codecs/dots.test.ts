import { expect, it } from 'vitest'
import { codecFor, encodeWith } from '../../plugin/testing.ts'
import dots from './dots.ts'

it('writes a dot per event', () => {
  expect(encodeWith(codecFor(dots), [{ a: 1 }, {}]).join('')).toBe('..')
})
