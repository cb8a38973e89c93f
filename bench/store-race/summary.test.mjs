import { expect, test } from 'vitest'
import { inTurn } from './alone.mjs'
import { crowdFigures, kindFigures, median, percentile, ratiosOf } from './summary.mjs'

test('median and percentiles', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
  expect(median([])).toBe(undefined)
  const hundred = Array.from({ length: 100 }, (_, n) => 100 - n)
  expect(percentile(hundred, 0.5)).toBe(50)
  expect(percentile(hundred, 0.95)).toBe(95)
  expect(percentile([7], 0.95)).toBe(7)
  expect(percentile([], 0.5)).toBe(undefined)
})

test('ratios are ours divided by theirs', () => {
  const figures = { millrace: { ms: 2 }, other: { ms: 4 }, failed: { error: 'x' } }
  expect(ratiosOf(figures, 'millrace', ['ms'])).toEqual({ other: { ms: 0.5 }, failed: { ms: undefined } })
})

test('a wrong answer has no speed', () => {
  const samples = new Map(
    ['OpenSearch', 'millrace'].map((name, at) => [
      name,
      new Map([['match', { wall: [2 + at, 4 + at, 3 + at], cpu: [2, 4, 1, 3] }]]),
    ]),
  )
  const kinds = [{ name: 'match', title: 'one word' }]
  const [right] = kindFigures(kinds, samples, new Map(), 'millrace')
  expect(right.figures.millrace).toMatchObject({ wallMs: 4, cpuMs: 2.5, cpuSpread: 3 })
  expect(right.ratios.OpenSearch).toEqual({ wallMs: 4 / 3, cpuMs: 1 })
  const wrong = new Map([['millrace', new Map([['match', { found: 'total 1 and 2' }]])]])
  const [failed] = kindFigures(kinds, samples, wrong, 'millrace')
  expect(failed.figures.millrace).toEqual({ error: 'total 1 and 2' })
  expect(failed.ratios.OpenSearch).toEqual({ wallMs: undefined, cpuMs: undefined })
})

test('a crowd: the middle turn for rates, all turns for waits', () => {
  const turn = (waits, elapsed) => ({ waits: new Map([['match', waits]]), elapsed, cpuMs: 30, documents: 10 })
  const turns = new Map([['millrace', [turn([1, 2], 1), turn([3], 1), turn([4, 5, 6], 1)]]])
  expect(crowdFigures(turns, [{ name: 'match' }]).millrace).toEqual({
    requestsPerSecond: 2,
    p50: 3,
    p95: 6,
    cpuMsPerRequest: 15,
    documentsPerSecond: 10,
    kinds: { match: { requests: 6, p50: 3, p95: 6 } },
  })
})

test('each subject is first in turn', () => {
  expect([0, 1, 2, 3].map((round) => inTurn(['a', 'b', 'c'], round).join(''))).toEqual([
    'abc',
    'bca',
    'cab',
    'abc',
  ])
})
