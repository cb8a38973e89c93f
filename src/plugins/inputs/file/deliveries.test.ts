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

  it('keep their order over many pieces that become safe in any order', () => {
    const ends: number[] = []
    const deliveries = new Deliveries<number>((end) => ends.push(end))
    const dones = Array.from({ length: 5000 }, (_, n) => deliveries.track(n))
    for (let from = 0; from < dones.length; from += 50) for (let n = from + 49; n >= from; n--) dones[n]!()
    expect(ends).toHaveLength(100)
    expect(ends).toEqual([...ends].sort((one, other) => one - other))
    deliveries.track(5000)()
    expect(ends.at(-1)).toBe(5000)
  })

  it('take time in proportion to their number', () => {
    const deliveries = new Deliveries<number>(() => {})
    const dones = Array.from({ length: 200_000 }, (_, n) => deliveries.track(n))
    const begin = performance.now()
    for (const done of dones) done()
    expect(performance.now() - begin).toBeLessThan(3000)
  })
})
