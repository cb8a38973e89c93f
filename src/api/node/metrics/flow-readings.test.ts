import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventKeys, pluginKey } from '../../../metrics/pipeline-keys.ts'
import { count, freshBoard, grokId, testAgent, testPipeline } from '../testing.ts'
import { EventTotals } from './event-totals.ts'
import { FlowReadings } from './flow-readings.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Seconds pass; in each of them so many events, workers busy for so long. */
function pass(
  readings: FlowReadings,
  pipeline: ReturnType<typeof testPipeline>,
  secondsPassed: number,
  events: number,
  busyMillis: number,
): void {
  for (let s = 0; s < secondsPassed; s++) {
    vi.advanceTimersByTime(1000)
    const { board } = pipeline
    for (const key of [eventKeys.in, eventKeys.filtered, pluginKey('my_input', 'out')])
      count(board, 0, key, events)
    count(board, 0, eventKeys.out, events / 2)
    count(board, 0, pluginKey(grokId, 'in'), events)
    count(board, 1, pluginKey(grokId, 'nanos'), (busyMillis * 1e6) / 2)
    count(board, 1, eventKeys.nanos, busyMillis * 1e6)
    count(board, 0, eventKeys.pushNanos, 250e6)
    readings.observe()
  }
}

describe('flow of a pipeline', () => {
  it('is what the counters did in the window', () => {
    const pipeline = testPipeline('main')
    const agent = testAgent(pipeline)
    const readings = new FlowReadings(agent, new EventTotals(agent))
    pass(readings, pipeline, 60, 20, 600)
    const { pipeline: flow, plugins } = readings.pipeline(pipeline)!
    const all = (value: number) => ({ current: value, last_1_minute: value, lifetime: value })
    expect(flow).toEqual({
      input_throughput: all(20),
      filter_throughput: all(20),
      output_throughput: all(10),
      queue_backpressure: all(0.25),
      worker_concurrency: all(0.6),
      // Of three workers.
      worker_utilization: all(20),
    })
    expect(plugins.get('my_input')).toEqual({ throughput: all(20) })
    expect(plugins.get(grokId)).toEqual({ worker_utilization: all(10), worker_millis_per_event: all(15) })
    expect(readings.utilization('main')).toEqual(all(20))
    expect(readings.utilization('nobody')).toEqual({})
    // Filters and outputs are not mixed up for the node either.
    expect(readings.node()).toEqual({
      input_throughput: all(20),
      filter_throughput: all(20),
      output_throughput: all(10),
      queue_backpressure: all(0.25),
      worker_concurrency: all(0.6),
    })
  })

  it('begins anew with a reload, while that of the node goes on', () => {
    const pipeline = testPipeline('main')
    const agent = testAgent(pipeline)
    const readings = new FlowReadings(agent, new EventTotals(agent))
    pass(readings, pipeline, 100, 10, 0)
    pipeline.board = freshBoard()
    pipeline.startedAt = Date.now()
    pass(readings, pipeline, 5, 30, 0)
    expect(readings.pipeline(pipeline)!.pipeline['input_throughput']).toEqual({ current: 30, lifetime: 30 })
    expect(readings.node()['input_throughput']).toMatchObject({ current: 20, lifetime: 10.95 })
  })

  it('shows a hanging batch while it hangs', () => {
    const pipeline = testPipeline('main')
    const agent = testAgent(pipeline)
    const readings = new FlowReadings(agent, new EventTotals(agent))
    const { board } = pipeline
    board!.row(0)[board!.column(eventKeys.busySince)] = performance.timeOrigin + performance.now()
    pass(readings, pipeline, 30, 0, 0)
    expect(readings.pipeline(pipeline)!.pipeline['worker_concurrency']).toEqual({ current: 1, lifetime: 1 })
  })

  it('does not exist before the pipeline does', () => {
    const pipeline = testPipeline('main')
    pipeline.board = undefined
    const agent = testAgent(pipeline)
    const readings = new FlowReadings(agent, new EventTotals(agent))
    readings.observe()
    expect(readings.pipeline(pipeline)).toBeUndefined()
  })
})
