import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finish } from '../../scheduling/steps.ts'
import { CardinalityAccumulator } from '../numbers/cardinality.ts'
import { hashText } from '../numbers/value-hash.ts'
import { one } from '../test-aggs.ts'
import { applyPipelines } from './apply.ts'
import {
  bucket,
  histogram,
  inHistogram,
  many,
  metric,
  node,
  numbersOf,
  pipeline,
  request,
  value,
} from './test-results.ts'

const v = { buckets_path: 'v' }
const day = 86_400_000

describe('derivative', () => {
  it('is missing in the first bucket and null around gaps', () => {
    expect(inHistogram('derivative', v, histogram([550, 60, 375]))).toEqual([
      undefined,
      { value: -490 },
      { value: 315 },
    ])
    expect(numbersOf(inHistogram('derivative', v, histogram([1, null, 4, 6])))).toEqual([
      ...[undefined, null, null, 2],
    ])
    const zeros = { buckets_path: 'v', gap_policy: 'insert_zeros' }
    expect(numbersOf(inHistogram('derivative', zeros, histogram([1, null, 4])))).toEqual([undefined, -1, 4])
  })

  it('reads counts and other derivatives', () => {
    const counts = many([bucket(0, 3), bucket(1, 0), bucket(2, 4)])
    expect(numbersOf(inHistogram('derivative', { buckets_path: '_count' }, counts))).toEqual([
      undefined,
      -3,
      4,
    ])
    const second = pipeline('second', 'derivative', { buckets_path: 'first' })
    const first = pipeline('first', 'derivative', v)
    const result = histogram([1, 2, 5, 10])
    finish(applyPipelines(new Map([['h', result]]), request([second, first])))
    const seconds = result.buckets!.map(({ aggs }) => aggs.get('second')?.toJson())
    expect(numbersOf(seconds)).toEqual([undefined, undefined, 2, 2])
  })

  it('is normalized per unit', () => {
    const keys = [0, 31 * day, 59 * day]
    const json = { buckets_path: 'v', unit: 'day', format: '0.0' }
    expect(inHistogram('derivative', json, histogram([550, 60, 375], keys))).toEqual([
      undefined,
      {
        value: -490,
        value_as_string: '-490.0',
        normalized_value: -490 / 31,
        normalized_value_as_string: '-15.8',
      },
      {
        value: 315,
        value_as_string: '315.0',
        normalized_value: 11.25,
        normalized_value_as_string: '11.2',
      },
    ])
    expect(() => pipeline('p', 'derivative', { buckets_path: 'v', unit: 'fortnight' })).toThrow(
      'failed to parse setting [DerivativePipelineAggregationBuilder.unit] with value [fortnight] as a time value: unit is missing or unrecognized',
    )
  })

  it('has a prefix of its own with typed_keys', () => {
    const result = histogram([1, 2])
    finish(applyPipelines(new Map([['h', result]]), request([pipeline('p', 'derivative', v)])))
    expect(result.buckets![1]!.aggs.get('p')!.typedName).toBe('derivative')
  })
})

describe('pipelines over consecutive buckets', () => {
  it('cumulative_sum adds up the buckets so far', () => {
    expect(numbersOf(inHistogram('cumulative_sum', v, histogram([550, null, 60, 375])))).toEqual([
      ...[550, 550, 610, 985],
    ])
    const json = { buckets_path: 'v', format: '0.00' }
    expect(inHistogram('cumulative_sum', json, histogram([1]))).toEqual([
      { value: 1, value_as_string: '1.00' },
    ])
  })

  it('cumulative_cardinality reads a cardinality with meta', () => {
    const { buckets } = one(
      'date_histogram',
      { field: 'sold', calendar_interval: 'day' },
      {
        c: { cardinality: { field: 'shop' }, meta: { by: 'me' } },
        p: { cumulative_cardinality: { buckets_path: 'c' } },
      },
    )
    expect(numbersOf((buckets as { p: unknown }[]).map(({ p }) => p))).toEqual([2, 2, 2, 3])
  })

  it('cumulative_cardinality counts the distinct values so far', () => {
    const users = [['a', 'b'], ['b'], [], ['c', 'a']]
    const accumulator = new CardinalityAccumulator()
    users.forEach((names, at) => {
      for (const name of names) accumulator.add(at, hashText(name))
    })
    const counted = (at: number) => ({ typedName: 'cardinality', ...accumulator.result(at) })
    const result = many(users.map((names, at) => bucket(at, names.length, { v: counted(at) })))
    expect(numbersOf(inHistogram('cumulative_cardinality', v, result))).toEqual([2, 2, 2, 3])
    expect(result.buckets![0]!.aggs.get('p')!.typedName).toBe('simple_long_value')
    expect(() => inHistogram('cumulative_cardinality', v, histogram([1]))).toThrow(
      'buckets_path must reference a cardinality aggregation, got: [avg] at aggregation [v]',
    )
  })

  it('serial_diff subtracts the value lag buckets before', () => {
    expect(numbersOf(inHistogram('serial_diff', { ...v, lag: 2 }, histogram([1, 2, 4, 8])))).toEqual([
      ...[undefined, undefined, 3, 6],
    ])
    expect(numbersOf(inHistogram('serial_diff', v, histogram([1, null, 4, 8])))).toEqual([
      ...[undefined, undefined, undefined, 4],
    ])
    expect(() => pipeline('p', 'serial_diff', { ...v, lag: 0 })).toThrow(
      'Lag must be a positive, non-zero integer.  Value supplied was0 in [p]: [lag].',
    )
  })

  it('moving_fn looks at the buckets before', () => {
    const moving = (script: string, more = {}) =>
      numbersOf(
        inHistogram('moving_fn', { ...v, window: 3, script, ...more }, histogram([1, 2, 3, null, 4, 5])),
      )
    expect(moving('MovingFunctions.sum(values)')).toEqual([0, 1, 3, undefined, 6, 9])
    expect(moving('MovingFunctions.max(values)')).toEqual([null, 1, 2, undefined, 3, 4])
    expect(moving('MovingFunctions.min(values)')).toEqual([null, 1, 1, undefined, 1, 2])
    expect(moving('MovingFunctions.unweightedAvg(values)', { shift: 1 })).toEqual([
      1,
      1.5,
      2,
      undefined,
      3,
      4,
    ])
    expect(moving('MovingFunctions.stdDev(values, MovingFunctions.unweightedAvg(values))')[2]).toBe(0.5)
    expect(moving('MovingFunctions.ewma(values, 0.5)')[2]).toBe(1.5)
    expect(moving('MovingFunctions.holt(values, 0.5, 0.5)')[2]).toBe(1.5)
    expect(moving('return values.length > 0 ? values[values.length - 1] : Double.NaN')).toEqual([
      ...[null, 1, 2, undefined, 3, 4],
    ])
    expect(() => pipeline('p', 'moving_fn', { ...v, script: 'values.length' })).toThrow('Required [window]')
    expect(() => pipeline('p', 'moving_fn', { ...v, script: 'values.length', window: 0 })).toThrow(
      '[window] must be a positive, non-zero integer.',
    )
  })

  it('moving_avg computes each of its models', () => {
    const moving = (more: object) =>
      numbersOf(inHistogram('moving_avg', { ...v, ...more }, histogram([1, 2, 3, 4])))
    expect(moving({ window: 2 })).toEqual([undefined, 1, 1.5, 2.5])
    expect(moving({ model: 'linear', window: 2 })).toEqual([undefined, 0.5, 1.25, 2])
    expect(moving({ model: 'ewma', settings: { alpha: 0.5 } })).toEqual([undefined, 1, 1.5, 2.25])
    expect(() => moving({ model: 'magic' })).toThrow(
      'Unknown model [magic] specified for moving_avg aggregation [p]',
    )
  })

  it('holt_winters follows the seasons', () => {
    const seasons = Array.from({ length: 12 }, (_, at) => [10, 20, 30][at % 3]!)
    const json = { ...v, model: 'holt_winters', window: 9, settings: { period: 3, type: 'add' } }
    const answers = numbersOf(inHistogram('moving_avg', json, histogram(seasons)))
    expect(answers.slice(0, 6)).toEqual(Array(6).fill(undefined))
    for (let at = 6; at < 12; at++) expect(answers[at]).toBeCloseTo(seasons[at]!, 6)
  })

  it('normalize applies each of its methods', () => {
    const normal = (method: string) =>
      numbersOf(inHistogram('normalize', { ...v, method }, histogram([5, 5, 10, 50, 10, 20])))
    expect(normal('rescale_0_1')).toEqual([0, 0, 5 / 45, 1, 5 / 45, 15 / 45])
    expect(normal('rescale_0_100')).toEqual([0, 0, 500 / 45, 100, 500 / 45, 1500 / 45])
    expect(normal('percent_of_sum')).toEqual([0.05, 0.05, 0.1, 0.5, 0.1, 0.2])
    expect(normal('z-score').map((z) => z!.toFixed(2))).toEqual([
      ...['-0.68', '-0.68', '-0.39', '1.94', '-0.39', '0.19'],
    ])
    expect(() => normal('loud')).toThrow('invalid method [loud]')
  })

  it('agree with naive models', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: -99, max: 99 })), { maxLength: 30 }), (values) => {
        const sums = numbersOf(inHistogram('cumulative_sum', v, histogram(values)))
        const derivatives = numbersOf(inHistogram('derivative', v, histogram(values)))
        values.forEach((number, at) => {
          const so = values.slice(0, at + 1).reduce<number>((sum, one) => sum + (one ?? 0), 0)
          expect(sums[at]).toBe(so)
          const before = values[at - 1]
          if (at === 0) expect(derivatives[at]).toBeUndefined()
          else expect(derivatives[at]).toBe(number === null || before == null ? null : number - before)
        })
      }),
    )
  })
})

describe('bucket_sort', () => {
  const keysAfter = (json: unknown, result = histogram([3, null, 1, 3, 2])) => {
    inHistogram('bucket_sort', json, result)
    return result.buckets!.map(({ keyText }) => keyText)
  }

  it('sorts, truncates and drops gaps', () => {
    expect(keysAfter({ sort: [{ v: { order: 'desc' } }] })).toEqual(['0', '3', '4', '2'])
    expect(keysAfter({ sort: ['v'] })).toEqual(['2', '4', '0', '3'])
    expect(keysAfter({ sort: [{ v: 'desc' }, { _key: { order: 'desc' } }] })).toEqual([
      '3',
      '0',
      '4',
      '2',
      '1',
    ])
    expect(keysAfter({ sort: [{ v: 'asc' }], gap_policy: 'insert_zeros', size: 2 })).toEqual(['1', '2'])
    expect(keysAfter({ from: 1, size: 2 })).toEqual(['1', '2'])
    expect(keysAfter({ from: 10 })).toEqual([])
    expect(keysAfter({ sort: '_key' }, many([bucket('b', 1), bucket('a', 1)]))).toEqual(['a', 'b'])
  })

  it('refuses invalid options', () => {
    expect(() => pipeline('p', 'bucket_sort', { from: -1 })).toThrow(
      '[from] must be a non-negative integer: [-1]',
    )
    expect(() => pipeline('p', 'bucket_sort', { size: 0 })).toThrow('[size] must be a positive integer: [0]')
    expect(() => keysAfter({})).toThrow(
      '[p] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort',
    )
    expect(() => pipeline('p', 'bucket_sort', { sort: [{ a: 'up' }] })).toThrow('Unknown SortOrder [up]')
  })
})

describe('bucket_script and bucket_selector', () => {
  it('compute with other values', () => {
    const result = many([
      bucket(0, 4, { a: value(2), b: value(8) }),
      bucket(1, 0, { a: value(Number.NaN), b: value(1) }),
      bucket(2, 2, { a: value(1), b: value(0) }),
    ])
    const level = request([
      pipeline('p', 'bucket_script', {
        buckets_path: { x: 'a', y: 'b', n: '_count' },
        script: { source: 'params.x / params.y * params.n * params.factor', params: { factor: 100 } },
        format: '0.00',
      }),
    ])
    const { aggs, ...rest } = level.aggs[0]!
    const withMetrics = { ...rest, aggs: [...aggs, { ...aggs[0]!, name: 'a' }, { ...aggs[0]!, name: 'b' }] }
    finish(applyPipelines(new Map([['h', result]]), { aggs: [withMetrics], pipelines: [] }))
    expect(result.buckets!.map((one) => one.aggs.get('p')?.toJson())).toEqual([
      { value: 100, value_as_string: '100.00' },
      undefined,
      { value: null },
    ])
  })

  it('select buckets', () => {
    const kept = (script: unknown, values: (number | null)[]) => {
      const result = histogram(values)
      inHistogram('bucket_selector', { buckets_path: { total: 'v' }, script }, result)
      return result.buckets!.map(({ keyText }) => Number(keyText))
    }
    expect(kept('params.total > 200', [550, 60, null, 375])).toEqual([0, 3])
    expect(kept({ source: 'total > 200', lang: 'expression' }, [550, 60, 375])).toEqual([0, 2])
    expect(kept({ source: 'params.total >= params.least', params: { least: 60 } }, [550, 60, 5])).toEqual([
      0, 1,
    ])
    expect(kept('params.total != null && !Double.isNaN(params.total)', [1, null])).toEqual([0])
    expect(() => kept('params.total', [1])).toThrow('runtime error')
  })

  it('read keys of buckets and properties', () => {
    const types = many([bucket('hat', 3, { sum: value(10) }), bucket('bag', 2, { sum: value(4) })], 'sterms')
    const result = many([bucket(0, 5, { types, s: metric({ avg: 7, max: 9 }) })])
    const script = pipeline('p', 'bucket_script', {
      buckets_path: {
        ...{ a: "types['hat']>sum", b: "types['bag']>sum" },
        ...{ c: 's.avg', d: 's[max]', n: 'types._bucket_count' },
      },
      script: '(params.a - params.b) * params.n + params.c + params.d',
    })
    const terms = node('types', 'terms', 'many', { aggs: [node('sum', 'sum', 'none')] })
    const h = node('h', 'histogram', 'many', {
      aggs: [terms, node('s', 'stats', 'none')],
      pipelines: [script],
    })
    finish(applyPipelines(new Map([['h', result]]), { aggs: [h], pipelines: [] }))
    expect(result.buckets![0]!.aggs.get('p')!.toJson()).toEqual({ value: 28 })
  })
})
