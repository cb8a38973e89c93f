import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Deliveries } from './deliveries.ts'

describe('deliveries', () => {
  it('commit only what nothing before is missing of, whatever the order', () => {
    const order = fc
      .integer({ min: 1, max: 12 })
      .chain((count) => fc.shuffledSubarray([...Array(count).keys()], { minLength: count, maxLength: count }))
    fc.assert(
      fc.property(order, (leaving) => {
        const commits: number[] = []
        const deliveries = new Deliveries((end) => commits.push(end))
        const done = leaving.map((_, i) => i).map((i) => deliveries.track((i + 1) * 10))
        const out = new Set<number>()
        for (const i of leaving) {
          out.add(i)
          done[i]!()
          let expected = 0
          while (out.has(expected)) expected += 1
          expect(commits.at(-1) ?? 0).toBe(expected * 10)
        }
        expect(commits).toEqual([...commits].sort((a, b) => a - b))
      }),
    )
  })

  it('are settled when all are out', async () => {
    const deliveries = new Deliveries(() => undefined)
    await deliveries.settled()
    const [first, second] = [deliveries.track(1), deliveries.track(2)]
    let isSettled = false
    const settled = deliveries.settled().then(() => {
      isSettled = true
    })
    second()
    await Promise.resolve()
    expect(isSettled).toBe(false)
    first()
    await settled
  })
})
