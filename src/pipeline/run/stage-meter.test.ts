import { describe, expect, it } from 'vitest'
import { Board } from '../../metrics/board.ts'
import { cellsOf } from '../../metrics/histogram.ts'
import { eventKeys, latencyKey, latencyShape, pluginKey } from '../../metrics/pipeline-keys.ts'
import { clock, StageMeter } from './stage-meter.ts'

function board(...more: [string, number][]): Board {
  const counters = (['in', 'out', 'nanos'] as const).map((counter) => pluginKey('p', counter))
  return Board.create([...Object.values(eventKeys), ...counters, ...more], 2)
}

describe('the meter of a stage', () => {
  it('counts events, time, what is lost, and shows who is at work', () => {
    const counted = board([latencyKey('p'), cellsOf(latencyShape)])
    const meter = new StageMeter(counted, 1, 'p', 3)
    meter.start(10)
    expect(counted.values(eventKeys.stage)).toEqual([0, 3])
    // Ten events in 20 ms: 2 ms each.
    meter.stop(clock() - 20e6, 10, 7)
    meter.flushed(2)
    expect(counted.values(eventKeys.stage)).toEqual([0, 0])
    expect(counted.sum(pluginKey('p', 'in'))).toBe(10)
    expect(counted.sum(pluginKey('p', 'out'))).toBe(9)
    expect(counted.sum(pluginKey('p', 'nanos'))).toBeGreaterThanOrEqual(20e6)
    expect(counted.sum(eventKeys.dropped)).toBe(3)
    const [, cells] = counted.wide(latencyKey('p'))
    const [largest = 0, ...buckets] = cells!
    expect(largest).toBeGreaterThanOrEqual(8000)
    expect(buckets.reduce((sum, count) => sum + count, 0)).toBe(10)
    // 8000 quarters of a microsecond are in the bucket of 4096 to 8191, a slow machine's a few further on.
    expect(buckets.findIndex((count) => count > 0)).toBeGreaterThanOrEqual(13)
  })

  it('loses nothing where more comes out than went in, and does without a histogram', () => {
    const counted = board()
    const meter = new StageMeter(counted, 0, 'p', 1)
    meter.stop(meter.start(1), 1, 3)
    expect(counted.sum(eventKeys.dropped)).toBe(0)
    expect(counted.sum(pluginKey('p', 'out'))).toBe(3)
  })
})
