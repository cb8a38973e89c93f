/**
 * Event counts of one pipeline, read from its board. Counters hold nanoseconds; the API shows whole
 * milliseconds. Work still in progress counts: a batch that hangs must show up while it hangs.
 */
import type { Board } from '../../../metrics/board.ts'
import { eventKeys } from '../../../metrics/pipeline-keys.ts'

export interface EventCounts {
  in: number
  filtered: number
  out: number
  duration_in_millis: number
  queue_push_duration_in_millis: number
}

export function noEvents(): EventCounts {
  return { in: 0, filtered: 0, out: 0, duration_in_millis: 0, queue_push_duration_in_millis: 0 }
}

export function eventCounts(board: Board | undefined, isRunning: boolean): EventCounts {
  if (board === undefined) return noEvents()
  // Threads go on counting meanwhile: what is counted last is read first, so that `in` is never behind.
  const out = whole(board.sum(eventKeys.out))
  const filtered = whole(board.sum(eventKeys.filtered))
  return {
    in: whole(board.sum(eventKeys.in)),
    filtered,
    out,
    duration_in_millis: whole(busyMillis(board, isRunning)),
    queue_push_duration_in_millis: millis(board.sum(eventKeys.pushNanos)),
  }
}

export function addCounts(total: EventCounts, more: EventCounts): void {
  for (const key of Object.keys(total) as (keyof EventCounts)[]) total[key] += more[key]
}

export function millis(nanos: number): number {
  return whole(nanos / 1e6)
}

export function whole(value: number): number {
  return Math.max(0, Math.trunc(value))
}

const longest = new WeakMap<Board, number>()

/**
 * Time the workers of a board have worked, with fractions. Threads read their clocks a little apart, so work in
 * progress may seem longer than it turns out to be; what was shown once is not taken back.
 */
export function busyMillis(board: Board, isRunning: boolean): number {
  const millis = board.sum(eventKeys.nanos) / 1e6 + (isRunning ? inProgress(board) : 0)
  const shown = Math.max(millis, longest.get(board) ?? 0)
  longest.set(board, shown)
  return shown
}

/** Milliseconds of work that is not finished yet. */
function inProgress(board: Board): number {
  if (!board.has(eventKeys.busySince)) return 0
  const now = performance.timeOrigin + performance.now()
  let sum = 0
  for (const since of board.values(eventKeys.busySince)) if (since > 0) sum += Math.max(0, now - since)
  return sum
}
