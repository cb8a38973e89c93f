/**
 * The `batch` section of a pipeline: how many events and bytes its workers take at a time. Averages and
 * percentiles of the last minutes come from histograms captured now and then; minutes that are not full yet
 * are left out.
 */
import type { Board } from '../../../metrics/board.ts'
import { type Capture, CaptureHistory, minutes } from '../../../metrics/flow/capture-history.ts'
import { type HistogramShape, lowerBound, merged, quantile } from '../../../metrics/histogram.ts'
import { batchBytes, batchEvents, eventKeys } from '../../../metrics/pipeline-keys.ts'
import type { Body } from '../envelope.ts'
import { type AgentView, type PipelineView, userPipelines } from '../view.ts'

/** Places in a capture: batches, events, bytes, then the buckets of both histograms. */
const batches = 0
const events = 1
const bytes = 2
const eventBuckets = 3
const byteBuckets = eventBuckets + batchEvents.shape.buckets
const width = byteBuckets + batchBytes.shape.buckets

export class BatchReadings {
  readonly #agent: AgentView
  readonly #histories = new WeakMap<Board, CaptureHistory>()

  constructor(agent: AgentView) {
    this.#agent = agent
  }

  observe(): void {
    const now = performance.now()
    for (const { board, startedAt } of userPipelines(this.#agent)) {
      if (board === undefined) continue
      const history = this.#historyOf(board, startedAt)
      if (history.isDue(now)) history.add(capture(board))
    }
  }

  /** Undefined when batches are not measured. */
  read({ board, startedAt, config }: PipelineView): Body | undefined {
    if (board === undefined || config.settings.get('pipeline.batch.metrics.sampling_mode') === 'disabled')
      return undefined
    const now = capture(board)
    const baselines = this.#historyOf(board, startedAt).baselines(now.at)
    const [latestEvents, latestBytes] = latest(board)
    const largestEvents = largest(board, batchEvents.key, batchEvents.shape)
    const largestBytes = largest(board, batchBytes.key, batchBytes.shape)
    const ofEvents = { shape: batchEvents.shape, start: eventBuckets, largest: largestEvents }
    const ofBytes = { shape: batchBytes.shape, start: byteBuckets, largest: largestBytes }
    const recent = baselines.filter(([name]) => name !== 'lifetime')
    return {
      event_count: {
        current: latestEvents,
        average: windows(baselines, (before) => average(now, before, events)),
        p50: windows(recent, (before) => percentile(now, before, ofEvents, 0.5)),
        p90: windows(recent, (before) => percentile(now, before, ofEvents, 0.9)),
      },
      byte_size: {
        current: latestBytes,
        average: windows(baselines, (before) => average(now, before, bytes)),
        p50: windows(baselines, (before) => percentile(now, before, ofBytes, 0.5)),
        p90: windows(baselines, (before) => percentile(now, before, ofBytes, 0.9)),
        max: windows(baselines, (before) => maximum(now, before, ofBytes)),
      },
    }
  }

  #historyOf(board: Board, startedAt: number): CaptureHistory {
    const known = this.#histories.get(board)
    if (known !== undefined) return known
    const age = Math.max(0, Date.now() - startedAt)
    const first = { at: performance.now() - age, values: new Float64Array(width) }
    const history = new CaptureHistory(first, minutes)
    this.#histories.set(board, history)
    return history
  }
}

function capture(board: Board): Capture {
  const values = new Float64Array(width)
  values[events] = board.sum(eventKeys.in)
  values[bytes] = board.sum(eventKeys.bytes)
  values[batches] = board.sum(eventKeys.batches)
  values.set(merged(board.wide(batchEvents.key), batchEvents.shape).subarray(1), eventBuckets)
  values.set(merged(board.wide(batchBytes.key), batchBytes.shape).subarray(1), byteBuckets)
  return { at: performance.now(), values }
}

/** Events and bytes of the batch that began last, whichever worker has it. */
function latest(board: Board): [events: number, bytes: number] {
  const times = board.values(eventKeys.lastAt)
  const row = times.indexOf(Math.max(...times))
  return [board.values(eventKeys.lastEvents)[row] ?? 0, board.values(eventKeys.lastBytes)[row] ?? 0]
}

function largest(board: Board, key: string, shape: HistogramShape): number {
  return merged(board.wide(key), shape)[0] ?? 0
}

function windows(
  baselines: readonly (readonly [name: string, before: Capture])[],
  read: (before: Capture) => number | undefined,
): Body {
  const body: Body = {}
  for (const [name, before] of baselines) {
    const value = read(before)
    if (value !== undefined) body[name] = Math.round(value)
  }
  return body
}

function average(now: Capture, before: Capture, place: number): number | undefined {
  const count = now.values[batches]! - before.values[batches]!
  return count > 0 ? (now.values[place]! - before.values[place]!) / count : undefined
}

interface Buckets {
  readonly shape: HistogramShape
  readonly start: number
  /** Ever seen. */
  readonly largest: number
}

/** What was added to a histogram between two captures, with its largest value in front. */
function between(now: Capture, before: Capture, { shape, start, largest }: Buckets): Float64Array {
  const cells = new Float64Array(shape.buckets + 1)
  let last = -1
  for (let bucket = 0; bucket < shape.buckets; bucket++) {
    const count = now.values[start + bucket]! - before.values[start + bucket]!
    cells[bucket + 1] = count
    if (count > 0) last = bucket
  }
  // The largest value of a window is known to its bucket only.
  if (last >= 0)
    cells[0] = last === shape.buckets - 1 ? largest : Math.min(largest, lowerBound(shape, last + 1) - 1)
  return cells
}

function percentile(now: Capture, before: Capture, buckets: Buckets, share: number): number | undefined {
  return quantile(between(now, before, buckets), buckets.shape, share)
}

function maximum(now: Capture, before: Capture, buckets: Buckets): number | undefined {
  const cells = between(now, before, buckets)
  return cells.some((count) => count > 0) ? cells[0] : undefined
}
