/**
 * Orders the pipeline aggregations of a level topologically by what they read, otherwise as in the request,
 * and checks their paths.
 */
import { illegalArgument } from '../../request/errors.ts'
import { type PathElement, parsePath } from './buckets-path.ts'
import type { AggLevel, AggNode, PipelineAggregation } from './pipeline.ts'

const orders = new WeakMap<AggLevel, readonly PipelineAggregation[]>()

export function pipelineOrder(level: AggLevel): readonly PipelineAggregation[] {
  let order = orders.get(level)
  if (order === undefined) orders.set(level, (order = resolve(level)))
  return order
}

function resolve({ aggs, pipelines }: AggLevel): readonly PipelineAggregation[] {
  const byName = new Map(pipelines.map((pipeline) => [pipeline.name, pipeline]))
  const nodes = new Map(aggs.map((node) => [node.name, node]))
  const done = new Set<PipelineAggregation>()
  const begun = new Set<PipelineAggregation>()
  const visit = (pipeline: PipelineAggregation): void => {
    if (done.has(pipeline)) return
    if (begun.has(pipeline)) {
      throw illegalArgument(`Cyclical dependency found with pipeline aggregator [${pipeline.name}]`)
    }
    begun.add(pipeline)
    for (const path of pipeline.bucketsPaths) {
      if (path === '_count' || path === '_key') continue
      const elements = parsePath(path)
      const first = elements[0]?.name ?? ''
      const node = nodes.get(first)
      if (node !== undefined) checkPath(node, elements, path)
      else {
        const other = byName.get(first)
        if (other === undefined) throw illegalArgument(`No aggregation found for path [${path}]`)
        visit(other)
      }
    }
    done.add(pipeline)
  }
  for (const pipeline of pipelines) visit(pipeline)
  return [...done]
}

function checkPath(start: AggNode, elements: readonly PathElement[], path: string): void {
  let node = start
  for (let at = 1; at < elements.length; at++) {
    const { name } = elements[at]!
    const isLast = at === elements.length - 1
    if (isLast && (name === '_key' || name === '_count' || name === '_bucket_count')) return
    const inner = node.aggs.find((one) => one.name === name)
    if (inner !== undefined) node = inner
    else if (!isLast || !node.pipelines.some((one) => one.name === name)) {
      throw illegalArgument(`No aggregation [${name}] found for path [${path}]`)
    }
  }
}
