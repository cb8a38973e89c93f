/**
 * The counters of one filter or output in one worker: events, time, a histogram of the time per event, and
 * which plugin is at work. Called twice per batch and plugin, never per event.
 */
import type { Board } from '../../metrics/board.ts'
import { record } from '../../metrics/histogram.ts'
import {
  eventKeys,
  latencyKey,
  latencyShape,
  latencyUnitNanos,
  pluginKey,
} from '../../metrics/pipeline-keys.ts'

/** Nanoseconds of a monotonic clock. */
export function clock(): number {
  return performance.now() * 1e6
}

export class StageMeter {
  #row: Float64Array
  #in: number
  #out: number
  #nanos: number
  /** -1 for a plugin without a histogram. */
  #latency: number
  #dropped: number
  #stage: number
  #position: number

  /** `position`: among filters and outputs in source order, from 1. */
  constructor(board: Board, row: number, id: string, position: number) {
    this.#row = board.row(row)
    this.#in = board.column(pluginKey(id, 'in'))
    this.#out = board.column(pluginKey(id, 'out'))
    this.#nanos = board.column(pluginKey(id, 'nanos'))
    this.#latency = board.has(latencyKey(id)) ? board.column(latencyKey(id)) : -1
    this.#dropped = board.column(eventKeys.dropped)
    this.#stage = board.column(eventKeys.stage)
    this.#position = position
  }

  /** A batch goes in; the time is to be given to `stop`. */
  start(count: number): number {
    this.#row[this.#in]! += count
    this.#row[this.#stage] = this.#position
    return clock()
  }

  stop(started: number, taken: number, left: number): void {
    const row = this.#row
    const nanos = clock() - started
    row[this.#out]! += left
    row[this.#nanos]! += nanos
    row[this.#stage] = 0
    if (left < taken) row[this.#dropped]! += taken - left
    if (this.#latency >= 0) record(row, this.#latency, latencyShape, nanos / taken / latencyUnitNanos, taken)
  }

  /** Events a filter had held back. */
  flushed(count: number): void {
    this.#row[this.#out]! += count
  }
}
