/**
 * Runs the pipeline aggregations of a request over its results, innermost first: parent pipelines in the
 * buckets of an aggregation, then sibling pipelines.
 */
import type { Steps } from '../../scheduling/steps.ts'
import { type AggResult, type AggResults, levelsOf } from '../result.ts'
import { pipelineResultBytes, ResultBytes } from '../result-bytes.ts'
import { executionError } from './buckets-path.ts'
import { pipelineOrder } from './order.ts'
import type { AggLevel, AggNode, PipelineAggregation } from './pipeline.ts'

/** Changes the results in place. */
export function* applyPipelines(
  results: AggResults,
  top: AggLevel,
  bytes = new ResultBytes(undefined),
): Steps<void> {
  for (const node of top.aggs) {
    const result = results.get(node.name)
    if (result !== undefined && hasPipelines(node)) yield* applyInside(result, node, bytes)
  }
  for (const pipeline of pipelineOrder(top)) yield* addBeside(results, pipeline)
}

function hasPipelines(level: AggLevel): boolean {
  return level.pipelines.length > 0 || level.aggs.some(hasPipelines)
}

function* applyInside(result: AggResult, node: AggNode, bytes: ResultBytes): Steps<void> {
  const inner = node.aggs.filter(hasPipelines)
  if (inner.length > 0) {
    for (const { aggs } of levelsOf(result)) {
      for (const one of inner) {
        const found = aggs.get(one.name)
        if (found !== undefined) yield* applyInside(found, one, bytes)
      }
      yield
    }
  }
  for (const pipeline of pipelineOrder(node)) {
    bytes.add(levelsOf(result).length * pipelineResultBytes)
    if (pipeline.onBuckets === undefined) {
      for (const { aggs } of levelsOf(result)) {
        yield* addBeside(aggs, pipeline)
        yield
      }
    } else if (result.buckets !== undefined) yield* pipeline.onBuckets(result.buckets, node.name, result)
    else {
      const reason = `${pipeline.kind} aggregation [${pipeline.name}] must be declared inside of a multi-bucket aggregation`
      throw executionError(reason)
    }
  }
}

function* addBeside(results: AggResults, { name, fromSiblings }: PipelineAggregation): Steps<void> {
  if (fromSiblings !== undefined) results.set(name, yield* fromSiblings(results))
}
