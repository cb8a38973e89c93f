import { describe, expect, it } from 'vitest'
import { sortedSteps } from './merge-sort.ts'
import { finish } from './steps.ts'

describe('merge sort in steps', () => {
  it.each([0, 1, 1024, 1025, 10_000])('sorts %i items like Array.prototype.sort', (length) => {
    const items = Array.from({ length }, (_, at) => ({ key: (at * 7919) % 101, at }))
    const byKey = (a: { key: number }, b: { key: number }) => a.key - b.key
    expect(finish(sortedSteps(items, byKey))).toEqual([...items].sort(byKey))
  })

  it('yields for every run and every part of a merge', () => {
    const items = Array.from({ length: 20_000 }, (_, at) => -at)
    expect([...sortedSteps(items, (a, b) => a - b)].length).toBeGreaterThan(30)
  })
})
