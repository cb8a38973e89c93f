import { hostname } from 'node:os'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, LsFloat } from '../../event/value.ts'
import { filterFor, type TestOptions, testEvent } from '../../plugin/testing.ts'
import { Meter } from './metrics/meter.ts'
import { quantile, Reservoir } from './metrics/reservoir.ts'
import { Timer } from './metrics/timer.ts'
import metrics from './metrics.ts'

async function report(options: TestOptions, events: Fields[]) {
  const { instance, filter } = filterFor(metrics, options)
  const passed = await filter(events.map(testEvent))
  const flushed = (await instance.flush?.(false)) ?? []
  return { passed, flushed, instance, filter }
}

describe('metrics filter', () => {
  it('counts events by name and reports in an event of its own', async () => {
    const { passed, flushed } = await report({ meter: ['http_%{code}'], add_tag: 'metric' }, [
      { code: 200 },
      { code: 200 },
      { code: 500 },
    ])
    expect(passed.map((event) => event.get('tags'))).toEqual([undefined, undefined, undefined])
    expect(flushed).toHaveLength(1)
    expect(flushed[0]!.toHash()).toMatchObject({
      message: hostname(),
      http_200: { count: 2, rate_1m: new LsFloat(0), rate_5m: new LsFloat(0), rate_15m: new LsFloat(0) },
      http_500: { count: 1 },
      tags: ['metric'],
    })
  })

  it('measures values', async () => {
    const { flushed } = await report(
      { timer: { took: '%{ms}' }, percentiles: [50, 100], rates: [1] },
      [1, 2, 3, 4].map((ms) => ({ ms })),
    )
    expect(flushed[0]!.get('took')).toEqual({
      count: 4,
      rate_1m: new LsFloat(0),
      min: new LsFloat(1),
      max: new LsFloat(4),
      stddev: Math.sqrt(Math.sqrt(5 / 3)),
      mean: 2.5,
      p50: 2.5,
      p100: new LsFloat(4),
    })
  })

  it('reports only as often as it should, and never about nothing', async () => {
    const { flushed, instance } = await report({ meter: 'm', flush_interval: 10 }, [{}])
    expect(flushed).toEqual([])
    expect(await instance.flush?.(false)).toHaveLength(1)
    expect(await instance.flush?.(false)).toEqual([])
    expect((await report({ meter: 'm' }, [])).flushed).toEqual([])
  })

  it('begins anew after clear_interval', async () => {
    const { instance, filter } = await report({ meter: 'm', clear_interval: 10 }, [{}])
    expect((await instance.flush?.(false))![0]!.get('[m][count]')).toBe(1)
    expect(await instance.flush?.(false)).toEqual([])
    await filter([testEvent({})])
    expect((await instance.flush?.(false))![0]!.get('[m][count]')).toBe(1)
  })

  it('leaves old events out', async () => {
    const { flushed } = await report({ meter: 'm', ignore_older_than: 60 }, [
      { '@timestamp': new Timestamp(Date.now() - 61_000) },
      { '@timestamp': Timestamp.now() },
    ])
    expect(flushed[0]!.get('[m][count]')).toBe(1)
  })

  it('knows three rates only', () => {
    expect(() => filterFor(metrics, { rates: [1, 2] })).toThrow(
      'Invalid rates configuration. possible rates are 1, 5, 15. Rates: [1, 2].',
    )
  })
})

describe('a meter', () => {
  it('averages per second, more slowly over longer times', () => {
    const meter = new Meter(0)
    for (let i = 0; i < 50; i++) meter.mark(1)
    expect(meter.rate(1, 4.9)).toBe(0)
    expect(meter.rate(1, 5)).toBe(10)
    const decayed = 10 * Math.exp(-1 / 12)
    expect(meter.rate(1, 10)).toBeCloseTo(decayed, 10)
    expect(meter.rate(15, 10)).toBeCloseTo(10 * Math.exp(-1 / 180), 10)
    expect(meter.rate(1, 1e9)).toBeCloseTo(0)
  })
})

describe('a sample', () => {
  it('holds everything while there is little', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true }), { maxLength: 1028 }), (given) => {
        // Nothing tells the order of the two zeros.
        const values = given.map((value) => (value === 0 ? 0 : value))
        const reservoir = new Reservoir(0)
        for (const [i, value] of values.entries()) reservoir.add(value, i)
        expect(reservoir.sorted()).toEqual([...values].sort((a, b) => a - b))
      }),
    )
  })

  it('prefers the present when there is much', () => {
    const reservoir = new Reservoir(0)
    for (let i = 0; i < 5000; i++) reservoir.add(1, i / 100)
    for (let i = 0; i < 5000; i++) reservoir.add(2, 4000 + i / 100)
    expect(reservoir.sorted().length).toBe(1028)
    expect(reservoir.sorted()[0]).toBe(2)
  })

  it('is asked for quantiles', () => {
    expect(quantile([], 0.5)).toBe(0)
    expect(quantile([1, 2, 3], 0)).toBe(1)
    expect(quantile([1, 2, 3], 0.5)).toBe(2)
    expect(quantile([1, 2, 3], 1)).toBe(3)
    expect(quantile([10, 20, 30, 40], 0.3)).toBe(15)
  })

  it('of durations has no negative ones', () => {
    const timer = new Timer(0)
    timer.update(-1, 0)
    timer.update(Number.NaN, 0)
    expect(timer.count).toBe(0)
  })
})
