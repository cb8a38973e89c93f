import { expect, it } from 'vitest'
import { noRows, paused, resumed, type TailRow, withRows } from './tail-buffer.ts'

const row = (id: number, bytes = 10): TailRow => ({ id, time: 0, before: null, after: null, bytes })
const rows = (from: number, count: number) => Array.from({ length: count }, (_, index) => row(from + index))
const limits = { rows: 5, bytes: 1000 }

it('forgets the oldest rows', () => {
  const state = withRows(noRows, rows(1, 8), limits)
  expect(state.rows.map(({ id }) => id)).toEqual([4, 5, 6, 7, 8])
  expect(state.seen).toBe(8)
})

it('forgets by bytes too', () => {
  expect(withRows(noRows, [row(1, 900), row(2, 90), row(3, 90)], limits).rows.map(({ id }) => id)).toEqual([
    2, 3,
  ])
})

it('keeps what comes during a pause waiting, and counts what finds no room', () => {
  const state = withRows(paused(withRows(noRows, rows(1, 2), limits)), rows(3, 7), limits)
  expect([state.rows.length, state.waiting.length, state.dropped]).toEqual([2, 5, 2])
  expect(resumed(state, limits).rows.map(({ id }) => id)).toEqual([3, 4, 5, 6, 7])
  expect(resumed(state, limits).waiting).toEqual([])
})
