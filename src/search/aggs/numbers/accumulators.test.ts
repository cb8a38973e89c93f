import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ValueCountAccumulator } from './counts.ts'
import { ExtendedStatsAccumulator } from './extended-stats.ts'
import { MaxAccumulator, MinAccumulator } from './extremes.ts'
import { GeoBoundsAccumulator, GeoCentroidAccumulator } from './geo.ts'
import { StatsAccumulator } from './stats.ts'
import { StringStatsAccumulator } from './string-stats.ts'
import { AvgAccumulator, SumAccumulator, WeightedAvgAccumulator } from './sums.ts'

interface Adding {
  add(bucket: number, value: number): void
}

function filled<K extends Adding>(accumulator: K, values: readonly number[], bucket = 0): K {
  for (const value of values) accumulator.add(bucket, value)
  return accumulator
}

const format = (value: number) => `<${value}>`

describe('single-value metrics', () => {
  const values = [1, 51, 101, 151]

  it.each([
    ['sum', new SumAccumulator(), 304],
    ['avg', new AvgAccumulator(), 76],
    ['min', new MinAccumulator(), 1],
    ['max', new MaxAccumulator(), 151],
    ['value_count', new ValueCountAccumulator(), 4],
  ])('%s', (_, accumulator, expected) => {
    filled<Adding>(accumulator, values, 3)
    expect(accumulator.result(3).toJson()).toEqual({ value: expected })
    expect(accumulator.result(3).number('value')).toBe(expected)
    expect(accumulator.result(3).number('other')).toBeUndefined()
  })

  it.each([
    ['sum', new SumAccumulator(), 0],
    ['avg', new AvgAccumulator(), null],
    ['min', new MinAccumulator(), null],
    ['max', new MaxAccumulator(), null],
    ['value_count', new ValueCountAccumulator(), 0],
    ['weighted_avg', new WeightedAvgAccumulator(), null],
  ])('%s of nothing', (_, accumulator, expected) => {
    expect(accumulator.result(0).toJson()).toEqual({ value: expected })
  })

  it('print value_as_string when there is a format and a value', () => {
    expect(filled(new AvgAccumulator(format), [1, 2]).result(0).toJson()).toEqual({
      value: 1.5,
      value_as_string: '<1.5>',
    })
    expect(new MinAccumulator(format).result(0).toJson()).toEqual({ value: null })
    expect(new SumAccumulator(format).result(0).toJson()).toEqual({ value: 0, value_as_string: '<0>' })
  })

  it('use Kahan summation', () => {
    expect(filled(new SumAccumulator(), Array<number>(10).fill(0.1)).result(0).number('value')).toBe(1)
    const large = [1e16, 1, 1, 1, 1]
    expect(filled(new SumAccumulator(), large).result(0).number('value')).toBe(1e16 + 4)
    expect(filled(new SumAccumulator(), [1, Infinity, 2]).result(0).number('value')).toBe(Infinity)
    expect(filled(new SumAccumulator(), [Infinity, -Infinity]).result(0).number('value')).toBeNaN()
  })

  it('weighted_avg weighs its values', () => {
    const accumulator = new WeightedAvgAccumulator()
    accumulator.add(0, 1, 2)
    accumulator.add(0, 2, 3)
    accumulator.add(0, 3, 3)
    expect(accumulator.result(0).toJson()).toEqual({ value: 2.125 })
  })
})

describe('stats', () => {
  it('prints its members in order', () => {
    const json = filled(new StatsAccumulator(), [1, 51, 101, 151]).result(0).toJson()
    expect(JSON.stringify(json)).toBe('{"count":4,"min":1,"max":151,"avg":76,"sum":304}')
    expect(JSON.stringify(new StatsAccumulator().result(7).toJson())).toBe(
      '{"count":0,"min":null,"max":null,"avg":null,"sum":0}',
    )
    expect(Object.keys(filled(new StatsAccumulator(format), [2]).result(0).toJson())).toEqual([
      ...['count', 'min', 'max', 'avg', 'sum'],
      ...['min_as_string', 'max_as_string', 'avg_as_string', 'sum_as_string'],
    ])
  })

  it('extended_stats has the numbers of the Elasticsearch documentation', () => {
    const result = filled(new ExtendedStatsAccumulator(), [51, 101, 151]).result(0)
    expect(result.toJson()).toMatchObject({
      count: 3,
      min: 51,
      max: 151,
      avg: 101,
      sum: 303,
      sum_of_squares: 35603,
      variance: 1666.6666666666667,
      variance_sampling: 2500,
      std_deviation: 40.824829046386306,
      std_deviation_sampling: 50,
      std_deviation_bounds: {
        upper: 182.6496580927726,
        lower: 19.35034190722739,
        upper_sampling: 201,
        lower_sampling: 1,
      },
    })
    expect(result.number('std_upper')).toBe(182.6496580927726)
    expect(result.number('std_lower_sampling')).toBe(1)
    expect(result.number('avg')).toBe(101)
    expect(result.number('nothing')).toBeUndefined()
  })

  it('extended_stats prints members in order, null without values', () => {
    const numbers = [
      ...['count', 'min', 'max', 'avg', 'sum', 'sum_of_squares', 'variance', 'variance_population'],
      ...['variance_sampling', 'std_deviation', 'std_deviation_population', 'std_deviation_sampling'],
      'std_deviation_bounds',
    ]
    expect(Object.keys(filled(new ExtendedStatsAccumulator(), [1]).result(0).toJson())).toEqual(numbers)
    const empty = new ExtendedStatsAccumulator().result(0).toJson()
    expect(Object.keys(empty)).toEqual(numbers)
    expect(empty).toMatchObject({ count: 0, sum: 0, variance: null, std_deviation_bounds: { upper: null } })
    expect(filled(new ExtendedStatsAccumulator(undefined, 3), [1, 2]).result(0).number('std_upper')).toBe(3)
    const texts = filled(new ExtendedStatsAccumulator(format), [1, 2]).result(0).toJson()
    expect(texts['sum_of_squares_as_string']).toBe('<5>')
    expect(texts['std_deviation_bounds_as_string']).toMatchObject({ upper: '<2.5>', lower: '<0.5>' })
  })

  it('agrees with a naive model after merging', () => {
    const entries = fc.array(fc.tuple(fc.nat(5), fc.integer({ min: -1000, max: 1000 })), { maxLength: 60 })
    fc.assert(
      fc.property(
        entries,
        entries,
        fc.array(fc.nat(5), { minLength: 6, maxLength: 6 }),
        (own, other, map) => {
          const one = new ExtendedStatsAccumulator()
          const two = new ExtendedStatsAccumulator()
          for (const [bucket, value] of own) one.add(bucket, value)
          for (const [bucket, value] of other) two.add(bucket, value)
          one.merge(two, Uint32Array.from(map))
          const all = [...own, ...other.map(([bucket, value]) => [map[bucket]!, value] as const)]
          for (let bucket = 0; bucket < 6; bucket++) {
            const values = all.filter(([at]) => at === bucket).map(([, value]) => value)
            const sum = values.reduce((total, value) => total + value, 0)
            const result = one.result(bucket)
            expect(result.number('count')).toBe(values.length)
            expect(result.number('sum')).toBe(sum)
            expect(result.number('min')).toBe(Math.min(...values))
            expect(result.number('max')).toBe(Math.max(...values))
            if (values.length === 0) continue
            const variance = values.reduce((total, value) => total + (value - sum / values.length) ** 2, 0)
            expect(result.number('variance')).toBeCloseTo(variance / values.length, 4)
          }
        },
      ),
    )
  })
})

describe('string_stats', () => {
  it('computes lengths, entropy and distribution', () => {
    const accumulator = new StringStatsAccumulator(undefined, true)
    accumulator.add(0, 'aab1')
    accumulator.add(0, '1a')
    const json = accumulator.result(0).toJson()
    expect(json).toMatchObject({ count: 2, min_length: 2, max_length: 4, avg_length: 3 })
    expect(json['entropy']).toBeCloseTo(1.4591479170272448, 12)
    expect((json['distribution'] as { text: string }).text).toBe(`{"a":0.5,"1":${2 / 6},"b":${1 / 6}}`)
  })

  it('counts characters of all planes, ties in order of first occurrence', () => {
    const texts = fc.array(
      fc.tuple(
        fc.nat(2),
        fc.oneof(fc.string(), fc.constantFrom('é1', 'ab', '😀b', '\ud83d', '\ude00', 'abc'.repeat(300))),
      ),
    )
    fc.assert(
      fc.property(texts, (added) => {
        const accumulator = new StringStatsAccumulator(undefined, true)
        for (const [bucket, text] of added) accumulator.add(bucket, text)
        for (const bucket of [0, 1, 2]) {
          const own = added.filter(([each]) => each === bucket).map(([, text]) => text)
          if (own.length === 0) continue
          const characters = own.flatMap((text) => [...text])
          const counts = new Map<string, number>()
          for (const each of characters) counts.set(each, (counts.get(each) ?? 0) + 1)
          const members = [...counts]
            .sort(([, one], [, other]) => other - one)
            .map(([each, count]) => `${JSON.stringify(each)}:${count / characters.length}`)
          const { distribution } = accumulator.result(bucket).toJson() as { distribution: { text: string } }
          expect(distribution.text).toBe(`{${members.join(',')}}`)
        }
      }),
    )
  })

  it('is null without values', () => {
    expect(new StringStatsAccumulator(undefined, true).result(0).toJson()).toEqual({
      count: 0,
      min_length: null,
      max_length: null,
      avg_length: null,
      entropy: 0,
      distribution: null,
    })
    expect(new StringStatsAccumulator().result(0).toJson()).not.toHaveProperty('distribution')
  })

  it('merges two accumulators', () => {
    const one = new StringStatsAccumulator()
    const two = new StringStatsAccumulator()
    two.add(0, 'abc')
    two.add(1, 'x')
    one.merge(two, Uint32Array.of(4, 4))
    expect(one.result(4).toJson()).toEqual({
      count: 2,
      min_length: 1,
      max_length: 3,
      avg_length: 2,
      entropy: 2,
    })
  })
})

describe('geo', () => {
  it('geo_bounds crosses the antimeridian when that is narrower', () => {
    const accumulator = new GeoBoundsAccumulator()
    accumulator.add(0, 10, 170)
    accumulator.add(0, -10, -170)
    expect(accumulator.result(0).toJson()).toEqual({
      bounds: { top_left: { lat: 10, lon: 170 }, bottom_right: { lat: -10, lon: -170 } },
    })
    const flat = new GeoBoundsAccumulator(false)
    flat.merge(accumulator, Uint32Array.of(2))
    expect(flat.result(2).toJson()).toEqual({
      bounds: { top_left: { lat: 10, lon: -170 }, bottom_right: { lat: -10, lon: 170 } },
    })
    expect(accumulator.result(1).toJson()).toEqual({})
  })

  it('geo_centroid averages the points', () => {
    const accumulator = new GeoCentroidAccumulator()
    accumulator.add(0, 10, 20)
    accumulator.add(0, 20, 40)
    expect(accumulator.result(0).toJson()).toEqual({ location: { lat: 15, lon: 30 }, count: 2 })
    expect(accumulator.result(1).toJson()).toEqual({ count: 0 })
  })
})
