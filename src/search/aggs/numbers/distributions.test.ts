import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CardinalityAccumulator } from './cardinality.ts'
import { precisionOf } from './distinct-set.ts'
import {
  MedianAbsoluteDeviationAccumulator,
  PercentileRanksAccumulator,
  PercentilesAccumulator,
} from './percentiles.ts'
import { TDigest } from './t-digest.ts'
import { hashBigInt, hashDouble, hashInteger, hashText } from './value-hash.ts'

const usual = [1, 5, 25, 50, 75, 95, 99]
const four = [1, 51, 101, 151]

function valuesOf(
  accumulator: PercentilesAccumulator | PercentileRanksAccumulator,
  values: readonly number[],
): unknown {
  for (const value of values) accumulator.add(0, value)
  return accumulator.result(0).toJson()['values']
}

function keyed(points: readonly string[], values: readonly (number | null)[]): Record<string, unknown> {
  return Object.fromEntries(points.map((point, at) => [point, values[at]]))
}

const keys = ['1.0', '5.0', '25.0', '50.0', '75.0', '95.0', '99.0']

describe('percentiles', () => {
  it('returns existing or interpolated values for few values', () => {
    const nearest = new PercentilesAccumulator({ points: usual })
    expect(valuesOf(nearest, four)).toEqual(keyed(keys, [1, 1, 51, 101, 151, 151, 151]))
    const interpolated = new PercentilesAccumulator({ points: usual, quantileMethod: 'interpolated' })
    expect(valuesOf(interpolated, four)).toEqual(keyed(keys, [1, 1, 26, 76, 126, 151, 151]))
    expect(nearest.result(0).number('50')).toBe(101)
    expect(nearest.result(0).number('50.0')).toBe(101)
    expect(nearest.result(0).number('x')).toBeUndefined()
  })

  it('computes the quantiles of three values', () => {
    const accumulator = new PercentilesAccumulator({ points: usual })
    expect(valuesOf(accumulator, [151, 51, 101])).toEqual(keyed(keys, [51, 51, 51, 101, 151, 151, 151]))
  })

  it('is null without values', () => {
    const accumulator = new PercentilesAccumulator({ points: [1, 99.9] })
    expect(accumulator.result(0).toJson()).toEqual({ values: { '1.0': null, '99.9': null } })
    const list = new PercentilesAccumulator({ points: [50], isKeyed: false })
    expect(list.result(0).toJson()).toEqual({ values: [{ key: 50, value: null }] })
    expect(accumulator.result(0).number('50')).toBeNaN()
  })

  it('formats values as text', () => {
    const format = (value: number) => `${value}ms`
    const object = new PercentilesAccumulator({ points: [50], format })
    expect(valuesOf(object, [3])).toEqual({ '50.0': 3, '50.0_as_string': '3ms' })
    const list = new PercentilesAccumulator({ points: [50], format, isKeyed: false })
    expect(valuesOf(list, [3])).toEqual([{ key: 50, value: 3, value_as_string: '3ms' }])
  })

  it('returns the highest equivalent value of an HDR histogram', () => {
    const accumulator = new PercentilesAccumulator({ points: usual, hdrDigits: 3 })
    expect(valuesOf(accumulator, four)).toEqual(
      keyed(keys, [1, 1, 1, 51.0302734375, 101.0615234375, 151.1240234375, 151.1240234375]),
    )
    expect(() => accumulator.add(0, -1)).toThrow('Negative values are not supported by HDR aggregation')
    const zeros = new PercentilesAccumulator({ points: [50], hdrDigits: 3 })
    expect(valuesOf(zeros, [0, 0, 5])).toEqual({ '50.0': 0 })
    expect(zeros.result(4).toJson()).toEqual({ values: { '50.0': null } })
  })

  it.each([0, 1, 2, 3, 4, 5])('of an HDR histogram of %i digits with many values', (hdrDigits) => {
    // Values over several powers of two, more than one group of sub-buckets.
    const values = Array.from({ length: 20_000 }, (_, at) => ((at * 7919) % 20_011) / 7)
    const points = Array.from({ length: 101 }, (_, percent) => percent)
    const accumulator = new PercentilesAccumulator({ points, hdrDigits })
    const ranks = new PercentileRanksAccumulator({ points, hdrDigits })
    for (const value of values) {
      accumulator.add(3, value)
      ranks.add(3, value)
    }
    const width = (value: number) => {
      const subBuckets = 2 ** (Math.ceil(Math.log2(2 * 10 ** hdrDigits)) - 1)
      return 2 ** Math.floor(Math.log2(value)) / subBuckets
    }
    const lower = (value: number) => (value === 0 ? 0 : Math.floor(value / width(value)) * width(value))
    const lowers = values.map(lower).sort((one, other) => one - other)
    const unit = width(Math.min(...values.filter((value) => value > 0)))
    const found = points.map((percent) => accumulator.result(3).number(String(percent)))
    expect(found).toEqual(
      points.map((percent) => {
        const at = lowers[Math.max(1, Math.ceil((percent / 100) * values.length)) - 1]!
        return percent === 0 || at === 0 ? at : at + width(at) - unit
      }),
    )
    expect(points.map((value) => ranks.result(3).number(String(value)))).toEqual(
      points.map((value) => (100 * lowers.filter((each) => each <= lower(value)).length) / values.length),
    )
    const merged = new PercentilesAccumulator({ points, hdrDigits })
    merged.add(0, 1)
    merged.merge(accumulator, Uint32Array.of(0, 0, 0, 1))
    expect(merged.result(1).toJson()).toEqual(accumulator.result(3).toJson())
  })

  it.each([undefined, 3])('answer for many points in steps, HDR digits %s', (hdrDigits) => {
    const points = Array.from({ length: 1000 }, (_, at) => at / 10)
    for (const accumulator of [
      new PercentilesAccumulator({ points, hdrDigits }),
      new PercentileRanksAccumulator({ points, hdrDigits }),
    ]) {
      for (let at = 0; at < 10_000; at++) accumulator.add(0, (at * 7919) % 10_007)
      const steps = accumulator.resultSteps(0)
      let taken = 1
      let next = steps.next()
      for (; !next.done; next = steps.next()) taken++
      expect(taken).toBeGreaterThan(60)
      expect(next.value.toJson()).toEqual(accumulator.result(0).toJson())
      expect(next.value.number('50')).toBe(accumulator.result(0).number('50'))
    }
  })

  it('stays close to the exact quantiles for many values', () => {
    const accumulator = new PercentilesAccumulator({ points: usual })
    const count = 50_000
    // A full cycle through 0 … 49999 in a scattered order.
    for (let at = 0; at < count; at++) accumulator.add(0, (at * 7919) % count)
    const result = accumulator.result(0)
    for (const percent of [0.1, 1, 5, 25, 50, 75, 95, 99, 99.9]) {
      const wanted = (percent / 100) * count
      const error = Math.abs(result.number(String(percent))! - wanted) / count
      expect(error).toBeLessThan((4 * 0.01 * percent * (100 - percent)) / 10_000 + 0.0001)
    }
    expect(result.number('0')).toBe(0)
    expect(result.number('100')).toBe(count - 1)
  })

  it('merges exact lists and digests', () => {
    const shares = fc.array(fc.nat(1000), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(shares, shares, (own, other) => {
        const both = new PercentilesAccumulator({ points: usual })
        const one = new PercentilesAccumulator({ points: usual })
        const two = new PercentilesAccumulator({ points: usual })
        for (const value of own) one.add(0, value)
        for (const value of other) two.add(1, value)
        one.merge(two, Uint32Array.of(5, 0))
        for (const value of [...own, ...other]) both.add(0, value)
        expect(one.result(0).toJson()).toEqual(both.result(0).toJson())
        const sorted = [...own, ...other].sort((a, b) => a - b)
        const median = sorted[Math.floor(sorted.length / 2)]
        expect(one.result(0).number('50')).toBe(median)
      }),
    )
    const large = new PercentilesAccumulator({ points: [50] })
    const small = new PercentilesAccumulator({ points: [50] })
    for (let at = 0; at < 10_000; at++) large.add(0, at)
    small.add(0, 10_000)
    small.merge(large, Uint32Array.of(0))
    expect(small.result(0).number('50')).toBeCloseTo(5000, -2)
    expect(small.result(0).number('100')).toBe(10_000)
  })
})

describe('a t-digest', () => {
  it('is the same for values in bulk and one by one', () => {
    const values = Float64Array.from({ length: 20_000 }, (_, at) => ((at * 7919) % 20_011) ** 1.5)
    for (const compression of [10, 100, 1000]) {
      const one = new TDigest(compression)
      const bulk = new TDigest(compression)
      for (const value of values) one.add(value)
      for (let at = 0; at < values.length; at += 777) {
        bulk.addValues(values, at, Math.min(values.length, at + 777))
      }
      expect(bulk.count).toBe(one.count)
      for (let q = 0; q <= 1; q += 0.001) expect(bulk.quantile(q)).toBe(one.quantile(q))
    }
  })
})

describe('percentile_ranks', () => {
  it('counts the values below and half of the equal ones', () => {
    const accumulator = new PercentileRanksAccumulator({ points: [0, 1, 50, 51, 151, 200] })
    expect(valuesOf(accumulator, four)).toEqual(
      keyed(['0.0', '1.0', '50.0', '51.0', '151.0', '200.0'], [0, 12.5, 25, 37.5, 87.5, 100]),
    )
  })

  it('interpolates between neighbours', () => {
    const accumulator = new PercentileRanksAccumulator({
      points: [-24, 1, 26, 51, 151, 176],
      quantileMethod: 'interpolated',
    })
    expect(valuesOf(accumulator, four)).toEqual(
      keyed(['-24.0', '1.0', '26.0', '51.0', '151.0', '176.0'], [0, 12.5, 25, 37.5, 87.5, 100]),
    )
  })

  it('is null without values, also for an HDR histogram', () => {
    expect(new PercentileRanksAccumulator({ points: [1] }).result(0).toJson()).toEqual({
      values: { '1.0': null },
    })
    const hdr = new PercentileRanksAccumulator({ points: [1, 51, 60, 500], hdrDigits: 3 })
    expect(valuesOf(hdr, four)).toEqual(keyed(['1.0', '51.0', '60.0', '500.0'], [25, 50, 50, 100]))
  })

  it('is the inverse of percentiles in a large digest', () => {
    const digest = new TDigest(100)
    for (let at = 0; at < 20_000; at++) digest.add(((at * 7919) % 20_000) ** 2)
    for (const q of [0.01, 0.2, 0.5, 0.9, 0.999]) expect(digest.share(digest.quantile(q))).toBeCloseTo(q, 6)
    expect(digest.share(-1)).toBe(0)
    expect(digest.share(1e12)).toBe(1)
  })
})

describe('median_absolute_deviation', () => {
  it('is computed for few values and null for none', () => {
    const accumulator = new MedianAbsoluteDeviationAccumulator()
    for (const value of [1, 1, 2, 2, 4, 6, 9]) accumulator.add(0, value)
    expect(accumulator.result(0).toJson()).toEqual({ value: 1 })
    expect(accumulator.result(1).toJson()).toEqual({ value: null })
  })
})

describe('cardinality', () => {
  it.each([
    ['texts', fc.string({ unit: 'binary' }), hashText],
    ['numbers', fc.double({ noNaN: true }).filter((value) => !Object.is(value, -0)), hashDouble],
  ] as const)('is exact below the threshold: %s', (_, any, hashOf) => {
    const words = fc.array(any as fc.Arbitrary<string | number>, { maxLength: 200 })
    const hash = hashOf as (value: string | number) => number
    fc.assert(
      fc.property(words, words, (own, other) => {
        const one = new CardinalityAccumulator()
        const two = new CardinalityAccumulator()
        for (const value of own) one.add(2, hash(value))
        for (const value of other) two.add(0, hash(value))
        one.merge(two, Uint32Array.of(2))
        const distinct = new Set([...own, ...other])
        // Of 64 bits 25 are kept where few values are.
        expect(Math.abs(one.result(2).number('value')! - distinct.size)).toBeLessThanOrEqual(1)
        expect(one.result(0).toJson()).toEqual({ value: 0 })
      }),
    )
  })

  it.each([
    ['numbers', (at: number) => hashInteger(at)],
    ['fractions', (at: number) => hashDouble(at / 7)],
    ['texts', (at: number) => hashText(`user-${at}`)],
    ['long integers', (at: number) => hashBigInt(2n ** 60n + BigInt(at))],
  ])('is near beyond: %s', (_, hash) => {
    const accumulator = new CardinalityAccumulator()
    for (let at = 0; at < 100_000; at++) accumulator.add(0, hash(at % 60_000))
    const value = accumulator.result(0).number('value')!
    expect(Math.abs(value - 60_000) / 60_000).toBeLessThan(0.03)
  })

  it('merges registers with exact sets', () => {
    const large = new CardinalityAccumulator(100)
    const small = new CardinalityAccumulator(100)
    for (let at = 0; at < 5000; at++) large.add(0, hashInteger(at))
    for (let at = 0; at < 50; at++) small.add(0, hashInteger(at))
    small.merge(large, Uint32Array.of(0))
    expect(small.result(0).number('value')).toBe(large.result(0).number('value'))
  })

  it('uses the precision of Elasticsearch for a threshold', () => {
    expect([0, 100, 3000, 40_000].map(precisionOf)).toEqual([4, 10, 14, 18])
  })

  it('hashes an integer alike in all forms', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (value) => {
        expect(hashInteger(value)).toBe(hashBigInt(BigInt(value)))
      }),
    )
    expect(hashInteger(-0)).toBe(hashInteger(0))
  })
})
