/**
 * Runs the pipeline aggregations of a request over its results, from the inside out: first those in the buckets
 * of an aggregation, then those that stand directly in it.
 */
import type { AggResult, AggResults } from '../result.ts'
import { executionError } from './buckets-path.ts'
import { pipelineOrder } from './order.ts'
import type { AggLevel, AggNode, PipelineAggregation } from './pipeline.ts'

/** Changes the results in place. */
export function applyPipelines(results: AggResults, top: AggLevel): void {
  for (const node of top.aggs) {
    const result = results.get(node.name)
    if (result !== undefined && hasPipelines(node)) applyInside(result, node)
  }
  for (const pipeline of pipelineOrder(top)) addBeside(results, pipeline)
}

export function hasPipelines(level: AggLevel): boolean {
  return level.pipelines.length > 0 || level.aggs.some(hasPipelines)
}

function applyInside(result: AggResult, node: AggNode): void {
  const { buckets } = result
  const inner = node.aggs.filter(hasPipelines)
  const levels = () => (buckets ?? (result.single === undefined ? [] : [result.single])).values()
  if (inner.length > 0) {
    for (const { aggs } of levels()) {
      for (const one of inner) {
        const found = aggs.get(one.name)
        if (found !== undefined) applyInside(found, one)
      }
    }
  }
  for (const pipeline of pipelineOrder(node)) {
    if (pipeline.onBuckets === undefined) for (const { aggs } of levels()) addBeside(aggs, pipeline)
    else if (buckets !== undefined) pipeline.onBuckets(buckets, node.name)
    else {
      const reason = `${pipeline.kind} aggregation [${pipeline.name}] must be declared inside of a multi-bucket aggregation`
      throw executionError(reason)
    }
  }
}

function addBeside(results: AggResults, { name, fromSiblings }: PipelineAggregation): void {
  if (fromSiblings !== undefined) results.set(name, fromSiblings(results))
}
