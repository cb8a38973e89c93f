/** Rescoring and min_score over large segments, against scores computed one by one. */
import { describe, expect, it, vi } from 'vitest'
import { ChangedScores } from './match-scores.ts'
import { search, testIndex } from './test-search.ts'

const size = 3000
const rows = Array.from({ length: size }, (_, at) => ({
  id: String(at),
  first: 1 + ((at * 7919) % 2003),
  second: 1 + ((at * 104_729) % 1009),
  isOdd: at % 2 === 1,
  isDeleted: at % 97 === 0,
}))
const docs = rows.map(({ id, isDeleted, ...source }) => ({ id, isDeleted, source }))
const index = testIndex([[docs.slice(0, 1700), docs.slice(1700)]])
const live = rows.filter(({ isDeleted }) => !isDeleted)

const byField = (field: string, query: object = { match_all: {} }) => ({
  function_score: { query, field_value_factor: { field } },
})
const shown = (hits: readonly { _id: string; _score: number | null }[]) =>
  hits.map(({ _id, _score }) => [_id, _score])

describe('scores', () => {
  it.each([
    ['total', 500],
    ['max', 10_000],
    ['multiply', 1],
  ] as const)('of the best are put together with those of a second query: %s of %i', (mode, window) => {
    const rescore = {
      window_size: window,
      query: {
        rescore_query: byField('second', { constant_score: { filter: { term: { isOdd: true } } } }),
        query_weight: 2,
        rescore_query_weight: 3,
        score_mode: mode,
      },
    }
    const found = search(index, { query: byField('first'), rescore, size })
    const together = {
      total: (a: number, b: number) => a + b,
      max: Math.max,
      multiply: (a: number, b: number) => a * b,
    }
    const best = new Set(
      [...live].sort((a, b) => b.first - a.first || Number(a.id) - Number(b.id)).slice(0, window),
    )
    const expected = live.map((row) => {
      const score = row.first * 2
      return { id: row.id, score: best.has(row) && row.isOdd ? together[mode](score, row.second * 3) : score }
    })
    expected.sort((a, b) => b.score - a.score || Number(a.id) - Number(b.id))
    expect(shown(found.hits.hits)).toEqual(expected.map(({ id, score }) => [id, score]))
  })

  it('below min_score exclude their documents', () => {
    const found = search(index, { query: byField('first'), min_score: 900, size })
    const expected = live.filter(({ first }) => first >= 900)
    expected.sort((a, b) => b.first - a.first || Number(a.id) - Number(b.id))
    expect(shown(found.hits.hits)).toEqual(expected.map(({ id, first }) => [id, first]))
  })
})

it('a hundred rescores change scores in a time proportional to their number', () => {
  const changes = vi.spyOn(ChangedScores.prototype, 'of')
  try {
    const rescore = Array.from({ length: 100 }, () => ({
      window_size: 10,
      query: { rescore_query: { match_all: {} } },
    }))
    const found = search(index, { query: byField('first'), rescore, size: 10 })
    const best = [...live].sort((a, b) => b.first - a.first || Number(a.id) - Number(b.id)).slice(0, 10)
    // Each adds one to the ten best.
    expect(shown(found.hits.hits)).toEqual(best.map(({ id, first }) => [id, first + 100]))
    // There are two segments; each change asking those before it would be 10,000.
    expect(changes.mock.calls.length).toBeLessThan(1000)
  } finally {
    changes.mockRestore()
  }
})
