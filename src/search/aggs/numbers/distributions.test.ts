import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CardinalityKeeper } from './cardinality.ts'
import { precisionOf } from './distinct-set.ts'
import { MedianAbsoluteDeviationKeeper, PercentileRanksKeeper, PercentilesKeeper } from './percentiles.ts'
import { TDigest } from './t-digest.ts'
import { hashBigInt, hashNumber, hashText } from './value-hash.ts'

const usual = [1, 5, 25, 50, 75, 95, 99]
const four = [1, 51, 101, 151]

function valuesOf(keeper: PercentilesKeeper | PercentileRanksKeeper, values: readonly number[]): unknown {
  for (const value of values) keeper.add(0, value)
  return keeper.result(0).toJson()['values']
}

function keyed(points: readonly string[], values: readonly (number | null)[]): Record<string, unknown> {
  return Object.fromEntries(points.map((point, at) => [point, values[at]]))
}

const keys = ['1.0', '5.0', '25.0', '50.0', '75.0', '95.0', '99.0']

describe('percentiles', () => {
  it('of few values: those that are there, or in between', () => {
    const nearest = new PercentilesKeeper({ points: usual })
    expect(valuesOf(nearest, four)).toEqual(keyed(keys, [1, 1, 51, 101, 151, 151, 151]))
    const interpolated = new PercentilesKeeper({ points: usual, manner: 'interpolated' })
    expect(valuesOf(interpolated, four)).toEqual(keyed(keys, [1, 1, 26, 76, 126, 151, 151]))
    expect(nearest.result(0).number('50')).toBe(101)
    expect(nearest.result(0).number('50.0')).toBe(101)
    expect(nearest.result(0).number('x')).toBeUndefined()
  })

  it('of three values', () => {
    const keeper = new PercentilesKeeper({ points: usual })
    expect(valuesOf(keeper, [151, 51, 101])).toEqual(keyed(keys, [51, 51, 51, 101, 151, 151, 151]))
  })

  it('of nothing', () => {
    const keeper = new PercentilesKeeper({ points: [1, 99.9] })
    expect(keeper.result(0).toJson()).toEqual({ values: { '1.0': null, '99.9': null } })
    const list = new PercentilesKeeper({ points: [50], isKeyed: false })
    expect(list.result(0).toJson()).toEqual({ values: [{ key: 50, value: null }] })
    expect(keeper.result(0).number('50')).toBeNaN()
  })

  it('with texts', () => {
    const format = (value: number) => `${value}ms`
    const object = new PercentilesKeeper({ points: [50], format })
    expect(valuesOf(object, [3])).toEqual({ '50.0': 3, '50.0_as_string': '3ms' })
    const list = new PercentilesKeeper({ points: [50], format, isKeyed: false })
    expect(valuesOf(list, [3])).toEqual([{ key: 50, value: 3, value_as_string: '3ms' }])
  })

  it('of an HDR histogram: upper ends of its stretches', () => {
    const keeper = new PercentilesKeeper({ points: usual, hdrDigits: 3 })
    expect(valuesOf(keeper, four)).toEqual(
      keyed(keys, [1, 1, 1, 51.0302734375, 101.0615234375, 151.1240234375, 151.1240234375]),
    )
    expect(() => keeper.add(0, -1)).toThrow('Negative values are not supported by HDR aggregation')
    const zeros = new PercentilesKeeper({ points: [50], hdrDigits: 3 })
    expect(valuesOf(zeros, [0, 0, 5])).toEqual({ '50.0': 0 })
    expect(zeros.result(4).toJson()).toEqual({ values: { '50.0': null } })
  })

  it.each([0, 1, 2, 3, 4, 5])('of an HDR histogram of %i digits with many values', (hdrDigits) => {
    // Over several powers of two, more than are kept together.
    const values = Array.from({ length: 20_000 }, (_, at) => ((at * 7919) % 20_011) / 7)
    const points = Array.from({ length: 101 }, (_, percent) => percent)
    const keeper = new PercentilesKeeper({ points, hdrDigits })
    const ranks = new PercentileRanksKeeper({ points, hdrDigits })
    for (const value of values) {
      keeper.add(3, value)
      ranks.add(3, value)
    }
    const width = (value: number) => {
      const stretches = 2 ** (Math.ceil(Math.log2(2 * 10 ** hdrDigits)) - 1)
      return 2 ** Math.floor(Math.log2(value)) / stretches
    }
    const lower = (value: number) => (value === 0 ? 0 : Math.floor(value / width(value)) * width(value))
    const lowers = values.map(lower).sort((one, other) => one - other)
    const unit = width(Math.min(...values.filter((value) => value > 0)))
    const found = points.map((percent) => keeper.result(3).number(String(percent)))
    expect(found).toEqual(
      points.map((percent) => {
        const at = lowers[Math.max(1, Math.ceil((percent / 100) * values.length)) - 1]!
        return percent === 0 || at === 0 ? at : at + width(at) - unit
      }),
    )
    expect(points.map((value) => ranks.result(3).number(String(value)))).toEqual(
      points.map((value) => (100 * lowers.filter((each) => each <= lower(value)).length) / values.length),
    )
    const merged = new PercentilesKeeper({ points, hdrDigits })
    merged.add(0, 1)
    merged.merge(keeper, Uint32Array.of(0, 0, 0, 1))
    expect(merged.result(1).toJson()).toEqual(keeper.result(3).toJson())
  })

  it.each([undefined, 3])('answer for many points in steps, HDR digits %s', (hdrDigits) => {
    const points = Array.from({ length: 1000 }, (_, at) => at / 10)
    for (const keeper of [
      new PercentilesKeeper({ points, hdrDigits }),
      new PercentileRanksKeeper({ points, hdrDigits }),
    ]) {
      for (let at = 0; at < 10_000; at++) keeper.add(0, (at * 7919) % 10_007)
      const steps = keeper.resultSteps(0)
      let taken = 1
      let next = steps.next()
      for (; !next.done; next = steps.next()) taken++
      expect(taken).toBeGreaterThan(60)
      expect(next.value.toJson()).toEqual(keeper.result(0).toJson())
      expect(next.value.number('50')).toBe(keeper.result(0).number('50'))
    }
  })

  it('stays near the truth for many values', () => {
    const keeper = new PercentilesKeeper({ points: usual })
    const count = 50_000
    // A full cycle through 0 … 49999 in a scattered order.
    for (let at = 0; at < count; at++) keeper.add(0, (at * 7919) % count)
    const result = keeper.result(0)
    for (const percent of [0.1, 1, 5, 25, 50, 75, 95, 99, 99.9]) {
      const wanted = (percent / 100) * count
      const error = Math.abs(result.number(String(percent))! - wanted) / count
      expect(error).toBeLessThan((4 * 0.01 * percent * (100 - percent)) / 10_000 + 0.0001)
    }
    expect(result.number('0')).toBe(0)
    expect(result.number('100')).toBe(count - 1)
  })

  it('merges lists and digests alike', () => {
    const shares = fc.array(fc.nat(1000), { minLength: 1, maxLength: 300 })
    fc.assert(
      fc.property(shares, shares, (own, other) => {
        const both = new PercentilesKeeper({ points: usual })
        const one = new PercentilesKeeper({ points: usual })
        const two = new PercentilesKeeper({ points: usual })
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
    const large = new PercentilesKeeper({ points: [50] })
    const small = new PercentilesKeeper({ points: [50] })
    for (let at = 0; at < 10_000; at++) large.add(0, at)
    small.add(0, 10_000)
    small.merge(large, Uint32Array.of(0))
    expect(small.result(0).number('50')).toBeCloseTo(5000, -2)
    expect(small.result(0).number('100')).toBe(10_000)
  })
})

describe('percentile_ranks', () => {
  it('counts what is below and half of what is equal', () => {
    const keeper = new PercentileRanksKeeper({ points: [0, 1, 50, 51, 151, 200] })
    expect(valuesOf(keeper, four)).toEqual(
      keyed(['0.0', '1.0', '50.0', '51.0', '151.0', '200.0'], [0, 12.5, 25, 37.5, 87.5, 100]),
    )
  })

  it('in between neighbours', () => {
    const keeper = new PercentileRanksKeeper({ points: [-24, 1, 26, 51, 151, 176], manner: 'interpolated' })
    expect(valuesOf(keeper, four)).toEqual(
      keyed(['-24.0', '1.0', '26.0', '51.0', '151.0', '176.0'], [0, 12.5, 25, 37.5, 87.5, 100]),
    )
  })

  it('of nothing, of an HDR histogram', () => {
    expect(new PercentileRanksKeeper({ points: [1] }).result(0).toJson()).toEqual({ values: { '1.0': null } })
    const hdr = new PercentileRanksKeeper({ points: [1, 51, 60, 500], hdrDigits: 3 })
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
  it('of few and of no values', () => {
    const keeper = new MedianAbsoluteDeviationKeeper()
    for (const value of [1, 1, 2, 2, 4, 6, 9]) keeper.add(0, value)
    expect(keeper.result(0).toJson()).toEqual({ value: 1 })
    expect(keeper.result(1).toJson()).toEqual({ value: null })
  })
})

describe('cardinality', () => {
  it('is exact up to the threshold', () => {
    const words = fc.array(fc.oneof(fc.string(), fc.integer(), fc.double({ noNaN: true })), {
      maxLength: 200,
    })
    fc.assert(
      fc.property(words, words, (own, other) => {
        const hash = (value: string | number) =>
          typeof value === 'string' ? hashText(value) : hashNumber(value)
        const one = new CardinalityKeeper()
        const two = new CardinalityKeeper()
        for (const value of own) one.add(2, hash(value))
        for (const value of other) two.add(0, hash(value))
        one.merge(two, Uint32Array.of(2))
        const distinct = new Set([...own, ...other])
        expect(one.result(2).toJson()).toEqual({ value: distinct.size })
        expect(one.result(0).toJson()).toEqual({ value: 0 })
      }),
    )
  })

  it.each([
    ['numbers', (at: number) => hashNumber(at)],
    ['fractions', (at: number) => hashNumber(at / 7)],
    ['texts', (at: number) => hashText(`user-${at}`)],
    ['long integers', (at: number) => hashBigInt(2n ** 60n + BigInt(at))],
  ])('is near beyond: %s', (_, hash) => {
    const keeper = new CardinalityKeeper()
    for (let at = 0; at < 100_000; at++) keeper.add(0, hash(at % 60_000))
    const value = keeper.result(0).number('value')!
    expect(Math.abs(value - 60_000) / 60_000).toBeLessThan(0.03)
  })

  it('merges registers with lists', () => {
    const large = new CardinalityKeeper(100)
    const small = new CardinalityKeeper(100)
    for (let at = 0; at < 5000; at++) large.add(0, hashNumber(at))
    for (let at = 0; at < 50; at++) small.add(0, hashNumber(at))
    small.merge(large, Uint32Array.of(0))
    expect(small.result(0).number('value')).toBe(large.result(0).number('value'))
  })

  it('spends as much as the reference on a threshold', () => {
    expect([0, 100, 3000, 40_000].map(precisionOf)).toEqual([4, 10, 14, 18])
  })

  it('knows one zero', () => {
    expect(hashNumber(-0)).toBe(hashNumber(0))
  })
})
