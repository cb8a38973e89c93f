/** Trees of requests and results for tests, without documents. */

import { finish } from '../../scheduling/steps.ts'
import type { AggBucket, AggResult, AggResults } from '../result.ts'
import { applyPipelines } from './apply.ts'
import { pipelineKinds } from './kinds.ts'
import type { AggLevel, AggNode, PipelineAggregation } from './pipeline.ts'
import { validatePipelines } from './validate.ts'

export function metric(numbers: Readonly<Record<string, number>>, typedName = 'avg'): AggResult {
  return {
    typedName,
    number: (property) => (Object.hasOwn(numbers, property) ? numbers[property] : undefined),
    toJson: () => ({ ...numbers }),
  }
}

export function value(number: number): AggResult {
  return metric({ value: number })
}

export function bucket(
  key: number | string,
  docCount: number,
  aggs: Readonly<Record<string, AggResult>> = {},
): AggBucket {
  return {
    keyText: String(key),
    keyNumber: typeof key === 'number' ? key : Number.NaN,
    docCount,
    aggs: new Map(Object.entries(aggs)),
    toJson: () => ({ key, doc_count: docCount }),
  }
}

export function many(buckets: AggBucket[], typedName = 'histogram'): AggResult {
  return { typedName, buckets, toJson: () => ({}) }
}

export function one(single: AggBucket, typedName = 'filter'): AggResult {
  return { typedName, single, toJson: () => ({ doc_count: single.docCount }) }
}

/** A histogram whose buckets have a metric `v`; null makes an empty bucket. */
export function histogram(values: readonly (number | null)[], keys = values.map((_, at) => at)): AggResult {
  return many(
    values.map((number, at) =>
      number === null
        ? bucket(keys[at]!, 0, { v: value(Number.NaN) })
        : bucket(keys[at]!, 1, { v: value(number) }),
    ),
  )
}

export function node(
  name: string,
  kind: string,
  bucketing: AggNode['bucketing'] = 'many',
  inside: Partial<AggLevel> & { readonly minDocCount?: number } = {},
): AggNode {
  return { name, kind, bucketing, aggs: [], pipelines: [], ...inside }
}

export function pipeline(name: string, kind: string, json: unknown): PipelineAggregation {
  return pipelineKinds.get(kind)!(name, json, {})
}

/** The request of `histogram` with parent and sibling pipelines. */
export function request(
  inside: readonly PipelineAggregation[],
  beside: readonly PipelineAggregation[] = [],
): AggLevel {
  const h = node('h', 'histogram', 'many', { aggs: [node('v', 'avg', 'none')], pipelines: inside })
  return { aggs: [h], pipelines: beside }
}

/** Runs one parent pipeline `p` in the histogram and returns its result in each bucket. */
export function inHistogram(kind: string, json: unknown, result: AggResult): unknown[] {
  const level = request([pipeline('p', kind, json)])
  validatePipelines(level)
  finish(applyPipelines(new Map([['h', result]]), level))
  return result.buckets!.map(({ aggs }) => aggs.get('p')?.toJson())
}

/** Runs one sibling pipeline and returns its result. */
export function besideHistogram(kind: string, json: unknown, result: AggResult): AggResult {
  const level = request([], [pipeline('p', kind, json)])
  validatePipelines(level)
  const results: AggResults = new Map([['h', result]])
  finish(applyPipelines(results, level))
  return results.get('p')!
}

export function numbersOf(results: readonly unknown[]): (number | null | undefined)[] {
  return results.map((json) => (json as { value: number | null } | undefined)?.value)
}
