import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Fields } from '../../event/value.ts'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import sleep from './sleep.ts'

const waits: number[] = []
vi.mock('node:timers/promises', () => ({
  // A timer that never ends by itself when it is asked for a day, so that only abort can end it.
  setTimeout: (milliseconds: number, _: unknown, { signal }: { signal: AbortSignal }) => {
    waits.push(Math.round(milliseconds))
    now += milliseconds
    if (milliseconds < 86_400_000) return Promise.resolve()
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  },
}))

let now = 0
beforeEach(() => {
  waits.length = 0
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})

async function waited(options: TestOptions, events: Fields[]): Promise<number[]> {
  await runFilter(sleep, options, events)
  return waits
}

const times = ['2020-01-01T00:00:00.000Z', '2020-01-01T00:00:02.000Z', '2020-01-01T00:00:01.000Z']
const timed = [...times, '2020-01-01T00:00:05.500Z'].map((time) => ({ '@timestamp': time }))

describe('sleep', () => {
  it('waits for every event, once for the batch', async () => {
    expect(await waited({ time: '1' }, [{}, {}, {}])).toEqual([3000])
  })

  it('takes numbers and fractions', async () => {
    expect(await waited({ time: 0.25 }, [{}])).toEqual([250])
  })

  it('takes the time from the event', async () => {
    expect(await waited({ time: '%{s}' }, [{ s: 2 }, { s: '0.5x' }, { s: 'none' }, { s: -1 }, {}])).toEqual([
      2500,
    ])
  })

  it('waits at every n-th event, counting over batches', async () => {
    const { filter } = filterFor(sleep, { time: '1', every: '3' })
    const batch = [testEvent({}), testEvent({})]
    await filter(batch)
    expect(waits).toEqual([])
    await filter(batch)
    await filter(batch)
    expect(waits).toEqual([1000, 1000])
  })

  it('replays events at their own pace, never backwards', async () => {
    expect(await waited({ replay: true }, timed)).toEqual([6500])
  })

  it('replays faster, and not at all at speed zero', async () => {
    expect(await waited({ replay: true, time: '2' }, timed)).toEqual([3250])
    waits.length = 0
    expect(await waited({ replay: true, time: '0' }, timed)).toEqual([])
  })

  it('decorates every event', async () => {
    expect(await runFilter(sleep, { time: '0', add_tag: ['x'] }, [{ n: 1 }, { n: 2 }])).toEqual([
      { n: 1, tags: ['x'] },
      { n: 2, tags: ['x'] },
    ])
  })

  it('ends when the pipeline has to stop', async () => {
    const { filter, environment } = filterFor(sleep, { time: '86400' })
    const done = filter([testEvent({ n: 1 })])
    environment.stop()
    expect(await done).toHaveLength(1)
    expect(waits).toEqual([86_400_000])
  })

  it('does not wait after a stop', async () => {
    const { filter, environment } = filterFor(sleep, { time: '1' })
    environment.stop()
    await filter([testEvent({})])
    expect(waits).toEqual([])
  })

  it('needs a time unless it replays', () => {
    expect(() => filterFor(sleep, {})).toThrow("Missing required parameter 'time' for input/eventlog")
  })
})
