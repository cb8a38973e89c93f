/**
 * Rows of the live tail: a ring that forgets its oldest, and what waits while somebody reads. Both are bounded in rows
 * and in bytes, and what found no room is counted.
 */
export interface TailRow {
  /** Counts up from 1 in the page. */
  readonly id: number
  readonly time: number
  readonly before: unknown
  /** Null where nothing comes after, such as behind an output. */
  readonly after: readonly unknown[] | null
  readonly bytes: number
}

interface TailState {
  readonly rows: readonly TailRow[]
  readonly waiting: readonly TailRow[]
  readonly isPaused: boolean
  /** Found no room while paused, or was left out by the node. */
  readonly dropped: number
  readonly seen: number
}

export const noRows: TailState = { rows: [], waiting: [], isPaused: false, dropped: 0, seen: 0 }
const tailLimits = { rows: 10_000, bytes: 5 * 1024 * 1024 }

export function withRows(state: TailState, added: readonly TailRow[], limits = tailLimits): TailState {
  if (added.length === 0) return state
  const seen = state.seen + added.length
  if (!state.isPaused) return { ...state, seen, rows: lastOf([...state.rows, ...added], limits) }
  // What waits stays in order: later rows are the ones to go.
  let bytes = state.waiting.reduce((sum, row) => sum + row.bytes, 0)
  const waiting = [...state.waiting]
  let { dropped } = state
  for (const row of added) {
    bytes += row.bytes
    if (waiting.length < limits.rows && bytes <= limits.bytes) waiting.push(row)
    else dropped += 1
  }
  return { ...state, seen, waiting, dropped }
}

export function paused(state: TailState): TailState {
  return { ...state, isPaused: true }
}

export function resumed(state: TailState, limits = tailLimits): TailState {
  return { ...state, isPaused: false, waiting: [], rows: lastOf([...state.rows, ...state.waiting], limits) }
}

function lastOf(rows: readonly TailRow[], limits: typeof tailLimits): readonly TailRow[] {
  let bytes = 0
  let from = rows.length
  while (from > 0 && rows.length - from < limits.rows) {
    bytes += rows[from - 1]!.bytes
    if (bytes > limits.bytes) break
    from -= 1
  }
  return from === 0 ? rows : rows.slice(from)
}
