import { describe, expect, it } from 'vitest'
import { finish } from '../../scheduling/steps.ts'
import { applyPipelines } from './apply.ts'
import { pipelineKinds } from './kinds.ts'
import type { AggLevel } from './pipeline.ts'
import {
  besideHistogram,
  bucket,
  histogram,
  many,
  metric,
  node,
  one,
  pipeline,
  request,
} from './test-results.ts'
import { pipelineProblems, validatePipelines } from './validate.ts'

const path = { buckets_path: 'h>v' }

describe('sibling pipelines', () => {
  const answer = (kind: string, values: (number | null)[], more = {}) =>
    besideHistogram(kind, { ...path, ...more }, histogram(values))

  it.each([
    ['avg_bucket', { value: 4 }, 'simple_value'],
    ['sum_bucket', { value: 12 }, 'simple_value'],
    ['min_bucket', { value: 2, keys: ['1'] }, 'bucket_metric_value'],
    ['max_bucket', { value: 5, keys: ['0', '3'] }, 'bucket_metric_value'],
    ['stats_bucket', { count: 3, min: 2, max: 5, avg: 4, sum: 12 }, 'stats_bucket'],
  ])('%s', (kind, expected, typedName) => {
    const result = answer(kind, [5, 2, null, 5])
    expect(result.toJson()).toEqual(expected)
    expect(result.typedName).toBe(typedName)
  })

  it.each([
    ['avg_bucket', { value: null }],
    ['sum_bucket', { value: 0 }],
    ['min_bucket', { value: null, keys: [] }],
    ['stats_bucket', { count: 0, min: null, max: null, avg: null, sum: 0 }],
    ['percentiles_bucket', { values: { '50.0': null } }],
  ])('%s of nothing', (kind, expected) => {
    const more = kind === 'percentiles_bucket' ? { percents: [50] } : {}
    expect(answer(kind, [null], more).toJson()).toEqual(expected)
  })

  it('applies gap policy and format', () => {
    expect(answer('avg_bucket', [5, 2, null, 5], { gap_policy: 'insert_zeros' }).toJson()).toEqual({
      value: 3,
    })
    expect(answer('max_bucket', [1.5], { format: '0.00' }).toJson()).toEqual({
      value: 1.5,
      value_as_string: '1.50',
      keys: ['0'],
    })
  })

  it('extended_stats_bucket computes all its members', () => {
    expect(answer('extended_stats_bucket', [550, 60, 375], { sigma: 1 }).toJson()).toMatchObject({
      count: 3,
      sum_of_squares: 446725,
      variance: 41105.55555555556,
      std_deviation: 202.74505063146563,
    })
    expect(() => answer('extended_stats_bucket', [], { sigma: -1 })).toThrow(
      'sigma must be a non-negative double',
    )
  })

  it('percentiles_bucket returns existing values only', () => {
    const percents = [25, 50, 75]
    const result = answer('percentiles_bucket', [550, 60, 375], { percents })
    expect(result.toJson()).toEqual({ values: { '25.0': 375, '50.0': 375, '75.0': 550 } })
    expect(result.number!('50')).toBe(375)
    expect(answer('percentiles_bucket', [1], { percents: [50], keyed: false }).toJson()).toEqual({
      values: [{ key: 50, value: 1 }],
    })
    expect(() => answer('percentiles_bucket', [], { percents: [101] })).toThrow(
      'percents must only contain non-null doubles from 0.0-100.0 inclusive',
    )
  })

  it('reads counts, properties and values under single buckets', () => {
    const counts = many([bucket(0, 3), bucket(1, 5)])
    expect(besideHistogram('sum_bucket', { buckets_path: 'h>_count' }, counts).toJson()).toEqual({ value: 8 })
    expect(besideHistogram('sum_bucket', { buckets_path: 'h._count' }, counts).toJson()).toEqual({ value: 8 })
    const several = () => many([bucket(0, 1, { v: metric({ avg: 2, max: 3 }, 'stats') })])
    expect(besideHistogram('sum_bucket', { buckets_path: 'h>v.max' }, several()).toJson()).toEqual({
      value: 3,
    })
    expect(() => besideHistogram('sum_bucket', path, several())).toThrow(
      'buckets_path must reference either a number value or a single value numeric metric aggregation, but [v] contains multiple values. Please specify which to use.',
    )
    const level: AggLevel = {
      aggs: [node('f', 'filter', 'one', request([]))],
      pipelines: [pipeline('p', 'max_bucket', { buckets_path: 'f>h>v' })],
    }
    validatePipelines(level)
    const results = new Map([['f', one(bucket('', 3, { h: histogram([1, 7]) }))]])
    finish(applyPipelines(results, level))
    expect(results.get('p')!.toJson()).toEqual({ value: 7, keys: ['1'] })
  })

  it('reports a path that is not numeric', () => {
    const inner = many([bucket(0, 1, { v: many([], 'sterms') })])
    expect(() => besideHistogram('sum_bucket', path, inner)).toThrow(
      'buckets_path must reference either a number value or a single value numeric metric aggregation, got: [StringTerms] at aggregation [v]',
    )
  })

  it('runs in each bucket of another aggregation', () => {
    const level: AggLevel = {
      aggs: [
        node('t', 'terms', 'many', {
          aggs: request([pipeline('d', 'derivative', { buckets_path: 'v' })]).aggs,
          pipelines: [pipeline('best', 'max_bucket', { buckets_path: 'h>d' })],
        }),
      ],
      pipelines: [pipeline('all', 'sum_bucket', { buckets_path: 't>best' })],
    }
    validatePipelines(level)
    const results = new Map([
      [
        't',
        many(
          [bucket('a', 3, { h: histogram([1, 4, 5]) }), bucket('b', 2, { h: histogram([2, 3]) })],
          'sterms',
        ),
      ],
    ])
    finish(applyPipelines(results, level))
    const best = results.get('t')!.buckets!.map(({ aggs }) => aggs.get('best')!.toJson())
    expect(best).toEqual([
      { value: 3, keys: ['1'] },
      { value: 1, keys: ['1'] },
    ])
    expect(results.get('all')!.toJson()).toEqual({ value: 4 })
  })

  it('copies meta to the result', () => {
    const parse = pipelineKinds.get('sum_bucket')!
    const p = parse('p', path, { meta: { by: 'me' } })
    expect(finish(p.fromSiblings!(new Map([['h', histogram([1])]]))).meta).toEqual({ by: 'me' })
  })
})

describe('invalid pipelines', () => {
  const v = { buckets_path: 'v' }
  const terms = (kind: string, json: unknown): AggLevel => ({
    aggs: [
      node('t', 'terms', 'many', {
        aggs: [node('v', 'avg', 'none')],
        pipelines: [pipeline('p', kind, json)],
      }),
    ],
    pipelines: [],
  })

  it.each<[string, AggLevel, string]>([
    [
      'derivative at the top',
      request([], [pipeline('p', 'derivative', { buckets_path: 'h>v' })]),
      "derivative aggregation [p] must have a histogram, date_histogram or auto_date_histogram as parent but doesn't have a parent",
    ],
    [
      'derivative in terms',
      terms('derivative', v),
      'derivative aggregation [p] must have a histogram, date_histogram or auto_date_histogram as parent',
    ],
    [
      'holes',
      {
        aggs: [
          node('h', 'date_histogram', 'many', {
            minDocCount: 1,
            aggs: [node('v', 'avg', 'none')],
            pipelines: [pipeline('p', 'cumulative_sum', v)],
          }),
        ],
        pipelines: [],
      },
      'parent histogram of cumulative_sum aggregation [p] must have min_doc_count of 0',
    ],
    [
      'bucket_script at the top',
      request([], [pipeline('p', 'bucket_script', { buckets_path: { a: 'h>v' }, script: 'params.a' })]),
      'bucket_script aggregation [p] must be declared inside of another aggregation',
    ],
    [
      'nothing there',
      request([], [pipeline('p', 'avg_bucket', { buckets_path: 'nope>v' })]),
      'No aggregation found for path [nope>v]',
    ],
    [
      'nothing further in',
      request([], [pipeline('p', 'avg_bucket', { buckets_path: 'h>nope' })]),
      'No aggregation [nope] found for path [h>nope]',
    ],
    [
      'a circle',
      request([
        pipeline('a', 'derivative', { buckets_path: 'b' }),
        pipeline('b', 'derivative', { buckets_path: 'a' }),
      ]),
      'Cyclical dependency found with pipeline aggregator [a]',
    ],
    [
      'two paths',
      request([], [pipeline('p', 'avg_bucket', { buckets_path: ['h>v', 'h>v'] })]),
      'buckets_path must contain a single entry for aggregation [p]',
    ],
    [
      'no buckets',
      {
        aggs: [node('m', 'avg', 'none')],
        pipelines: [pipeline('p', 'avg_bucket', { buckets_path: 'm' })],
      },
      'Unable to find unqualified multi-bucket aggregation in buckets_path. Path must include a multi-bucket aggregation for aggregation [p] found :avg for buckets path: m',
    ],
  ])('%s', (_, level, problem) => {
    expect(pipelineProblems(level)).toEqual([problem])
    expect(() => validatePipelines(level)).toThrow(`Validation Failed: 1: ${problem};`)
  })

  it.each([
    ['avg_bucket', {}, 'Missing required field [buckets_path] for avg_bucket aggregation [p]'],
    ['derivative', { ...v, typo: 'x' }, 'Unknown key for a VALUE_STRING in [p]: [typo].'],
    [
      'cumulative_sum',
      { ...v, fromat: 'x' },
      '[cumulative_sum] unknown field [fromat] did you mean [format]?',
    ],
    [
      'derivative',
      { ...v, gap_policy: 'jump' },
      'Invalid gap policy: [jump], accepted values: [insert_zeros, skip, keep_values]',
    ],
    [
      'bucket_script',
      { buckets_path: { a: 'v' } },
      'Missing required field [script] for bucket_script aggregation [p]',
    ],
    ['serial_diff', { ...v, lag: 'x' }, 'For input string: "x"'],
    ['derivative', { ...v, format: '0#0' }, 'Malformed pattern "0#0"'],
  ])('%s %j', (kind, json, reason) => {
    expect(() => pipeline('p', kind, json)).toThrow(reason)
  })

  it.each(['h>v[', 'h>[a]', "h>v['a'", 'h>.v', 'h>v.'])('the path %s', (text) => {
    expect(() =>
      validatePipelines(request([], [pipeline('p', 'avg_bucket', { buckets_path: text })])),
    ).toThrow(/^Invalid path element \[.*\] in path \[/)
  })
})
