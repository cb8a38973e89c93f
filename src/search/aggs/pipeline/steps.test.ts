import { describe, expect, it } from 'vitest'
import { CardinalityAccumulator } from '../numbers/cardinality.ts'
import { hashInteger } from '../numbers/value-hash.ts'
import type { AggResult } from '../result.ts'
import { applyPipelines } from './apply.ts'
import { bucket, many, node, pipeline, request, value } from './test-results.ts'

/** More buckets than are sorted per step. */
const count = 20_000
const numbers = Array.from({ length: count }, (_, at) => (at * 7919) % 4001)

function histogram(): AggResult {
  return many(numbers.map((number, at) => bucket(at, 1, { v: value(number) })))
}

/** Counts the yields. */
function stepsOf(steps: ReturnType<typeof applyPipelines>): number {
  let taken = 1
  while (!steps.next().done) taken++
  return taken
}

function inside(kind: string, json: unknown) {
  const result = histogram()
  const taken = stepsOf(applyPipelines(new Map([['h', result]]), request([pipeline('p', kind, json)])))
  const buckets = result.buckets!
  const answers = buckets.map(({ aggs }) => aggs.get('p')?.number?.('value'))
  return { taken, answers, keys: buckets.map(({ keyNumber }) => keyNumber) }
}

const v = { buckets_path: 'v' }

describe('pipeline aggregations over many buckets', () => {
  it('cumulative_sum yields between buckets', () => {
    const { taken, answers } = inside('cumulative_sum', v)
    let sum = 0
    expect(answers).toEqual(numbers.map((number) => (sum += number)))
    expect(taken).toBeGreaterThan(300)
  })

  it('derivative yields between buckets', () => {
    const { taken, answers } = inside('derivative', v)
    expect(answers.slice(1)).toEqual(numbers.slice(1).map((number, at) => number - numbers[at]!))
    expect(taken).toBeGreaterThan(300)
    expect(inside('serial_diff', v).answers).toEqual(answers)
  })

  it('moving_fn yields between buckets', () => {
    const expected = numbers.map((_, at) =>
      at === 0 ? undefined : Math.max(...numbers.slice(Math.max(0, at - 3), at)),
    )
    const script = 'MovingFunctions.max(values)'
    const { taken, answers } = inside('moving_fn', { ...v, window: 3, script })
    expect(answers.slice(1)).toEqual(expected.slice(1))
    expect(taken).toBeGreaterThan(count)
    const averages = inside('moving_avg', { ...v, window: 1 })
    expect(averages.answers).toEqual([undefined, ...numbers.slice(0, -1)])
    expect(averages.taken).toBeGreaterThan(count)
  })

  it('normalize yields between buckets', () => {
    const { taken, answers } = inside('normalize', { ...v, method: 'rescale_0_1' })
    expect(answers).toEqual(numbers.map((number) => number / 4000))
    expect(taken).toBeGreaterThan(300)
  })

  it('bucket_sort is stable and yields between buckets', () => {
    const order = numbers
      .map((_, at) => at)
      .sort((one, other) => numbers[other]! - numbers[one]! || one - other)
    const all = inside('bucket_sort', { sort: [{ v: 'desc' }] })
    expect(all.keys).toEqual(order)
    expect(all.taken).toBeGreaterThan(300)
    expect(inside('bucket_sort', { sort: [{ v: 'desc' }], from: 10, size: 100 }).keys).toEqual(
      order.slice(10, 110),
    )
    expect(inside('bucket_sort', { from: 19_990, size: 100 }).keys).toHaveLength(10)
    const twice = inside('bucket_sort', { sort: [{ v: 'asc' }, { _key: 'desc' }] })
    expect(twice.keys).toEqual(order.toReversed())
  })

  it('bucket_script and bucket_selector yield between buckets', () => {
    const path = { buckets_path: { x: 'v' } }
    const kept = inside('bucket_selector', { ...path, script: 'params.x > 2000' })
    expect(kept.keys).toEqual(numbers.flatMap((number, at) => (number > 2000 ? [at] : [])))
    expect(kept.taken).toBeGreaterThan(count)
    const computed = inside('bucket_script', { ...path, script: 'params.x * 2' })
    expect(computed.answers).toEqual(numbers.map((number) => number * 2))
    expect(computed.taken).toBeGreaterThan(count)
  })

  it('sibling pipelines yield between buckets', () => {
    const results = new Map([['h', histogram()]])
    const percents = [0, 10, 50, 99, 100]
    const beside = [
      pipeline('p', 'percentiles_bucket', { buckets_path: 'h>v', percents }),
      pipeline('m', 'max_bucket', { buckets_path: 'h>v' }),
      pipeline('s', 'stats_bucket', { buckets_path: 'h>v' }),
    ]
    const taken = stepsOf(applyPipelines(results, request([], beside)))
    const sorted = numbers.toSorted((one, other) => one - other)
    const nearest = percents.map((percent) => sorted[Math.round((percent / 100) * (count - 1))])
    expect(percents.map((percent) => results.get('p')!.number!(String(percent)))).toEqual(nearest)
    const holders = numbers.flatMap((number, at) => (number === 4000 ? [String(at)] : []))
    expect(results.get('m')!.toJson()).toEqual({ value: 4000, keys: holders })
    expect(results.get('s')!.number!('sum')).toBe(numbers.reduce((sum, number) => sum + number))
    expect(taken).toBeGreaterThan(900)
  })

  it('pipelines yield in every bucket of a parent', () => {
    const outer = many(
      Array.from({ length: 100 }, (_, at) => bucket(at, 3, { h: many([bucket(0, 1), bucket(1, 2)]) })),
    )
    const h = node('h', 'histogram', 'many', {
      pipelines: [pipeline('c', 'cumulative_sum', { buckets_path: '_count' })],
    })
    const o = node('o', 'terms', 'many', {
      aggs: [h],
      pipelines: [pipeline('s', 'sum_bucket', { buckets_path: 'h>c' })],
    })
    const taken = stepsOf(applyPipelines(new Map([['o', outer]]), { aggs: [o], pipelines: [] }))
    expect(outer.buckets!.map(({ aggs }) => aggs.get('s')!.number!('value'))).toEqual(Array(100).fill(4))
    expect(taken).toBeGreaterThan(200)
  })

  it('cumulative_cardinality yields between buckets', () => {
    const accumulator = new CardinalityAccumulator()
    const buckets = Array.from({ length: 200 }, (_, at) => {
      for (const number of [at, at + 1]) accumulator.add(at, hashInteger(number))
      return bucket(at, 1, { c: { typedName: 'cardinality', ...accumulator.result(at) } })
    })
    const h = node('h', 'histogram', 'many', {
      aggs: [node('c', 'cardinality', 'none')],
      pipelines: [pipeline('p', 'cumulative_cardinality', { buckets_path: 'c' })],
    })
    const taken = stepsOf(applyPipelines(new Map([['h', many(buckets)]]), { aggs: [h], pipelines: [] }))
    expect(buckets.map(({ aggs }) => aggs.get('p')!.number!('value'))).toEqual(buckets.map((_, at) => at + 2))
    expect(taken).toBeGreaterThan(200)
  })
})
