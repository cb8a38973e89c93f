/**
 * Rates of the node, of each pipeline and of its plugins. Counters are captured once a second by the reading
 * timer of the API and cost the workers nothing; a reload begins anew, as the counters do.
 */
import type { Board } from '../../../metrics/board.ts'
import { type Capture, CaptureHistory } from '../../../metrics/flow/capture-history.ts'
import {
  type FlowWindows,
  flowWindowsOf,
  milliseconds,
  type Reading,
  seconds,
} from '../../../metrics/flow/flow-rate.ts'
import { eventKeys, pluginKey } from '../../../metrics/pipeline-keys.ts'
import type { PipelineSummary } from '../../../threads/messages.ts'
import { type AgentView, type PipelineView, userPipelines } from '../view.ts'
import { busyMillis } from './counts.ts'
import type { EventTotals } from './event-totals.ts'

export type Flow = Readonly<Record<string, FlowWindows>>

export interface PipelineFlow {
  readonly pipeline: Flow
  /** Flows by the id of the plugin. */
  readonly plugins: ReadonlyMap<string, Flow>
}

/** Places of the counters every capture begins with. */
const columns = { in: 0, filtered: 1, out: 2, busy: 3, push: 4, queueEvents: 5, queueBytes: 6 } as const
const commonColumns = 7

export class FlowReadings {
  readonly #agent: AgentView
  readonly #totals: EventTotals
  readonly #node: CaptureHistory
  readonly #pipelines = new WeakMap<Board, PipelineHistory>()

  constructor(agent: AgentView, totals: EventTotals) {
    this.#agent = agent
    this.#totals = totals
    this.#node = new CaptureHistory({ at: performance.now(), values: new Float64Array(commonColumns) })
  }

  observe(): void {
    const now = performance.now()
    if (this.#node.isDue(now)) this.#node.add(this.#captureNode())
    for (const pipeline of userPipelines(this.#agent)) this.#historyOf(pipeline)?.observe(pipeline, now)
  }

  node(): Flow {
    return throughputs(this.#node, this.#captureNode())
  }

  /** Undefined for a pipeline that was never built. */
  pipeline(pipeline: PipelineView): PipelineFlow | undefined {
    return this.#historyOf(pipeline)?.flow(pipeline)
  }

  /** Percent of their time the workers of a pipeline were busy, by window. */
  utilization(pipelineId: string): Readonly<Record<string, number>> {
    const pipeline = this.#agent.pipelines.get(pipelineId)
    const windows = (pipeline && this.#historyOf(pipeline)?.utilization(pipeline)) ?? {}
    return Object.fromEntries(
      Object.entries(windows).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    )
  }

  #captureNode(): Capture {
    const events = this.#totals.read()
    const values = [
      events.in,
      events.filtered,
      events.out,
      events.duration_in_millis,
      events.queue_push_duration_in_millis,
    ]
    return { at: performance.now(), values: Float64Array.from(values) }
  }

  #historyOf({ board, summary, startedAt }: PipelineView): PipelineHistory | undefined {
    if (board === undefined || summary === undefined) return undefined
    const known = this.#pipelines.get(board)
    if (known !== undefined) return known
    const history = new PipelineHistory(board, summary, startedAt)
    this.#pipelines.set(board, history)
    return history
  }
}

/** The counters of one board through time, plugins included. */
class PipelineHistory {
  readonly #board: Board
  readonly #summary: PipelineSummary
  readonly #sources: { readonly column: number; readonly scale: number }[] = []
  readonly #placeOf = new Map<string, number>()
  readonly #history: CaptureHistory

  constructor(board: Board, summary: PipelineSummary, startedAt: number) {
    this.#board = board
    this.#summary = summary
    for (const { id, type } of summary.plugins) {
      this.#placeOf.set(id, commonColumns + this.#sources.length)
      if (type === 'input') this.#source(pluginKey(id, 'out'), 1)
      else {
        this.#source(pluginKey(id, 'nanos'), 1e-6)
        this.#source(pluginKey(id, 'in'), 1)
      }
    }
    const age = Math.max(0, Date.now() - startedAt)
    this.#history = new CaptureHistory({ at: performance.now() - age, values: this.#empty() })
  }

  #source(key: string, scale: number): void {
    this.#sources.push({ column: this.#board.column(key), scale })
  }

  #empty(): Float64Array {
    return new Float64Array(commonColumns + this.#sources.length)
  }

  observe(pipeline: PipelineView, now: number): void {
    if (this.#history.isDue(now)) this.#history.add(this.#capture(pipeline))
  }

  /** What is counted last is read first, so that no rate of a later step runs ahead of an earlier one. */
  #capture({ status, thread }: PipelineView): Capture {
    const board = this.#board
    const values = this.#empty()
    this.#sources.forEach(({ column, scale }, index) => {
      values[commonColumns + index] = board.sumAt(column) * scale
    })
    values[columns.out] = board.sum(eventKeys.out)
    values[columns.filtered] = board.sum(eventKeys.filtered)
    values[columns.in] = board.sum(eventKeys.in)
    values[columns.busy] = busyMillis(board, status === 'running')
    values[columns.push] = board.sum(eventKeys.pushNanos) / 1e6
    values[columns.queueEvents] = thread?.queue?.unreadEvents ?? 0
    values[columns.queueBytes] = thread?.queue?.queueBytes ?? 0
    return { at: performance.now(), values }
  }

  /** Asked for with every body, so nothing else is computed. */
  utilization(pipeline: PipelineView): FlowWindows {
    return flowWindowsOf(this.#history, this.#capture(pipeline), at(columns.busy), this.#workerPercent)
  }

  /** A hundredth of the time all workers together had, so that a rate per it is in percent. */
  readonly #workerPercent: Reading = ({ at }) => (at * this.#summary.workers) / 100

  flow(pipeline: PipelineView): PipelineFlow {
    const now = this.#capture(pipeline)
    const workerMillis = this.#workerPercent
    const rates = (numerator: Reading, denominator: Reading) =>
      flowWindowsOf(this.#history, now, numerator, denominator)
    const plugins = new Map<string, Flow>()
    for (const { id, type } of this.#summary.plugins) {
      const place = this.#placeOf.get(id) ?? 0
      if (type === 'input') plugins.set(id, { throughput: rates(at(place), seconds) })
      else {
        plugins.set(id, {
          worker_utilization: rates(at(place), workerMillis),
          worker_millis_per_event: rates(at(place), at(place + 1)),
        })
      }
    }
    return {
      pipeline: {
        ...throughputs(this.#history, now),
        worker_utilization: rates(at(columns.busy), workerMillis),
        ...(pipeline.thread?.queue !== undefined && {
          queue_persisted_growth_bytes: rates(at(columns.queueBytes), seconds),
          queue_persisted_growth_events: rates(at(columns.queueEvents), seconds),
        }),
      },
      plugins,
    }
  }
}

function throughputs(history: CaptureHistory, now: Capture): Flow {
  const rates = (numerator: Reading, denominator: Reading) =>
    flowWindowsOf(history, now, numerator, denominator)
  return {
    input_throughput: rates(at(columns.in), seconds),
    filter_throughput: rates(at(columns.filtered), seconds),
    output_throughput: rates(at(columns.out), seconds),
    queue_backpressure: rates(at(columns.push), milliseconds),
    worker_concurrency: rates(at(columns.busy), milliseconds),
  }
}

function at(place: number): Reading {
  return ({ values }) => values[place] ?? 0
}
