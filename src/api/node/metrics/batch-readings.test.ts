import { describe, expect, it, vi } from 'vitest'
import { record } from '../../../metrics/histogram.ts'
import { batchBytes, batchEvents, eventKeys } from '../../../metrics/pipeline-keys.ts'
import { count, testAgent, testPipeline, testSettings } from '../testing.ts'
import type { PipelineView } from '../view.ts'
import { BatchReadings } from './batch-readings.ts'

function batch({ board }: PipelineView, row: number, events: number, bytes: number, at: number): void {
  const cells = board!.row(row)
  count(board, row, eventKeys.batches, 1)
  count(board, row, eventKeys.in, events)
  count(board, row, eventKeys.bytes, bytes)
  cells[board!.column(eventKeys.lastEvents)] = events
  cells[board!.column(eventKeys.lastBytes)] = bytes
  cells[board!.column(eventKeys.lastAt)] = at
  record(cells, board!.column(batchEvents.key), batchEvents.shape, events, 1)
  record(cells, board!.column(batchBytes.key), batchBytes.shape, bytes, 1)
}

describe('batches', () => {
  it('have a latest one, averages, percentiles and a largest one', () => {
    const pipeline = testPipeline('main')
    const readings = new BatchReadings(testAgent(pipeline))
    batch(pipeline, 1, 100, 9000, 10)
    batch(pipeline, 0, 50, 4000, 30)
    batch(pipeline, 1, 90, 8000, 20)
    expect(readings.read(pipeline)).toMatchObject({
      event_count: { current: 50, average: { lifetime: 80 }, p50: {}, p90: {} },
      byte_size: { current: 4000, average: { lifetime: 7000 }, max: { lifetime: 9000 } },
    })
  })

  it('of the last minute are told from those before', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    try {
      const pipeline = testPipeline('main')
      const readings = new BatchReadings(testAgent(pipeline))
      for (let second = 0; second < 200; second++) {
        batch(pipeline, 0, second < 100 ? 1000 : 10, second < 100 ? 50_000 : 700, second)
        readings.observe()
        vi.advanceTimersByTime(1000)
      }
      const { event_count, byte_size } = readings.read(pipeline) as Record<
        string,
        Record<string, Record<string, number>>
      >
      expect(event_count!['average']).toEqual({ last_1_minute: 10, lifetime: 505 })
      expect(event_count!['p90']).toEqual({ last_1_minute: expect.any(Number) })
      expect(Math.abs(event_count!['p90']!['last_1_minute']! - 10)).toBeLessThanOrEqual(2)
      expect(byte_size!['max']!['lifetime']).toBe(50_000)
      expect(byte_size!['max']!['last_1_minute']).toBeGreaterThanOrEqual(700)
      expect(byte_size!['max']!['last_1_minute']).toBeLessThan(900)
    } finally {
      vi.useRealTimers()
    }
  })

  it('are left out when nobody wants them measured', () => {
    const settings = testSettings({ 'pipeline.batch.metrics.sampling_mode': 'disabled' })
    const pipeline = testPipeline('main', settings)
    expect(new BatchReadings(testAgent(pipeline)).read(pipeline)).toBeUndefined()
  })
})
