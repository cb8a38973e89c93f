import { describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import type { PlannedPlugin } from '../plan/plan.ts'
import { Tap } from './tap.ts'
import type { TapOrder, WatchReport } from './watch-order.ts'

type Tapped = Extract<WatchReport, { kind: 'tapped' }>

const at = (id: string) => ({ id }) as PlannedPlugin
const batchOf = (size: number) => Array.from({ length: size }, (_, n) => new Event({ n }))

function tapping(order: Partial<TapOrder> = {}) {
  const reports: Tapped[] = []
  const tap = new Tap(
    { tap: 1, at: 'mine', sample: 1, text: undefined, ...order },
    (report) => reports.push(report as Tapped),
    (text) => text,
  )
  const shown = () => reports.flatMap(({ events }) => events.map((text) => JSON.parse(text) as { n: number }))
  const sum = (name: 'seen' | 'shown' | 'dropped') =>
    reports.reduce((all, { counts }) => all + counts[name], 0)
  return { tap, shown, sum }
}

describe('a tap', () => {
  it('shows one of so many, whatever the sizes of the batches', () => {
    const { tap, shown, sum } = tapping({ sample: 7 })
    for (const size of [1, 3, 20, 0, 4, 5, 16]) tap.delivering(at('mine'), batchOf(size))
    tap.tick()
    expect(shown().map(({ n }) => n)).toEqual([7, 14, 21, 28, 35, 42, 49])
    expect([sum('seen'), sum('shown'), sum('dropped')]).toEqual([49, 7, 0])
  })

  it('looks at its own plugin only', () => {
    const { tap, shown } = tapping()
    tap.delivering(at('other'), batchOf(3))
    expect(tap.filtering(at('other'), batchOf(3))).toBeUndefined()
    tap.decoded(at('mine'), batchOf(3), 2)
    expect(shown().map(({ n }) => n)).toEqual([1])
  })

  it('shows 200 a second, counts the rest, and leaves out more in the next second', () => {
    const { tap, shown, sum } = tapping()
    for (let batch = 0; batch < 10; batch++) tap.delivering(at('mine'), batchOf(100))
    tap.tick()
    expect([shown().length, sum('shown'), sum('seen'), sum('dropped')]).toEqual([200, 200, 1000, 800])
    for (let batch = 0; batch < 10; batch++) tap.delivering(at('mine'), batchOf(100))
    tap.tick()
    // One of five now: evenly spread, and none is too many.
    expect([shown().length, sum('dropped')]).toEqual([400, 800])
    expect(shown().at(-1)?.n).toBe(2000)
  })

  it('tells at once what comes after a pause, and together what comes quickly', async () => {
    const { tap, shown } = tapping()
    tap.delivering(at('mine'), batchOf(1))
    expect(shown()).toHaveLength(1)
    for (let batch = 0; batch < 5; batch++) tap.delivering(at('mine'), batchOf(1))
    expect(shown()).toHaveLength(1)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(shown()).toHaveLength(6)
  })

  it('shows what a filter made of an event, before and after', () => {
    const { tap, shown } = tapping({ sample: 2 })
    const batch = batchOf(4)
    const after = tap.filtering(at('mine'), batch)!
    batch[1]!.set('[seen]', true)
    after(batch.slice(0, 3))
    expect(shown()).toMatchObject([
      { n: 2, before: { n: 1 }, after: [{ n: 1, seen: true }] },
      { n: 4, before: { n: 3 }, after: [] },
    ])
  })
})
