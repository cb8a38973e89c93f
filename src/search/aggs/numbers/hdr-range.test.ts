import { expect, it } from 'vitest'
import { HdrRange } from './hdr-range.ts'

/** A real OpenSearch 3.8 names these ranges for a negative value after none, 43.225 or 147; the others follow its steps. */
it.each([
  [[], '[6.668014432879854E240, 5.334411546303884E241)'],
  [[0], '[6.668014432879854E240, 5.334411546303884E241)'],
  [[43.225], '[32.0, 256.0)'],
  [[16], '[16.0, 128.0)'],
  [[147], '[128.0, 1024.0)'],
  [[853, 293], '[256.0, 2048.0)'],
  [[5.5, 9, 30], '[4.0, 32.0)'],
] as const)('covers after %j the range %s', (values, range) => {
  const covered = new HdrRange()
  for (const value of values) covered.record(value)
  expect(covered.refusal(-1)).toBe(
    `The value -1.0 is out of bounds for histogram, current covered range ${range} cannot be extended any further.\nCaused by: java.lang.ArrayIndexOutOfBoundsException: Negative values cannot be recorded`,
  )
})

it('is extended where it cannot be moved', () => {
  const covered = new HdrRange()
  for (const value of [1, 100, 0.3]) covered.record(value)
  expect(covered.refusal(-1)).toContain('[0.25, 128.0)')
})
