import { describe, expect, it } from 'vitest'
import { inRanges } from './step-size.ts'

describe('inRanges', () => {
  it.each([0, 1, 1024, 300_000])('covers all of %i numbers once, in order', (size) => {
    let next = 0
    const steps = [
      ...inRanges(size, (from, to) => {
        expect(from).toBe(next)
        expect(to).toBeGreaterThan(from)
        next = to
      }),
    ]
    expect(next).toBe(size)
    expect(steps.length).toBeGreaterThanOrEqual(Math.ceil(size / (128 * 1024)))
  })

  it('keeps steps short where an item takes a millisecond', () => {
    let longest = 0
    const steps = inRanges(200, (from, to) => {
      longest = Math.max(longest, to - from)
      const end = performance.now() + to - from
      while (performance.now() < end);
    })
    for (const _ of steps);
    // The first step knows no cost yet.
    expect(longest).toBeLessThanOrEqual(32)
  })
})
