/** Checks where a pipeline aggregation may appear, with Elasticsearch's error texts. */
import { parsePath } from './buckets-path.ts'
import type { AggNode, PipelinePlace } from './pipeline.ts'

export function checkHasParent(kind: string, name: string, { parent, problem }: PipelinePlace): void {
  if (parent === undefined)
    problem(`${kind} aggregation [${name}] must be declared inside of another aggregation`)
}

/** For pipelines that need consecutive buckets without gaps. */
export function checkInHistogram(kind: string, name: string, { parent, problem }: PipelinePlace): void {
  const histograms = 'a histogram, date_histogram or auto_date_histogram'
  if (parent === undefined) {
    problem(`${kind} aggregation [${name}] must have ${histograms} as parent but doesn't have a parent`)
  } else if (parent.kind === 'histogram' || parent.kind === 'date_histogram') {
    if ((parent.minDocCount ?? 0) !== 0) {
      problem(`parent histogram of ${kind} aggregation [${name}] must have min_doc_count of 0`)
    }
  } else if (parent.kind !== 'auto_date_histogram') {
    problem(`${kind} aggregation [${name}] must have ${histograms} as parent`)
  }
}

export function checkOnePath(name: string, paths: readonly string[], { problem }: PipelinePlace): void {
  if (paths.length !== 1) problem(`buckets_path must contain a single entry for aggregation [${name}]`)
}

/** For sibling pipelines. */
export function checkReadsBuckets(name: string, paths: readonly string[], place: PipelinePlace): void {
  const { siblings, problem } = place
  if (paths.length !== 1) return checkOnePath(name, paths, place)
  const path = paths[0]!
  const elements = parsePath(path)
  let level = siblings
  let node: AggNode | undefined
  for (const { name: wanted, key } of elements) {
    node = level.find((one) => one.name === wanted)
    if (node === undefined) break
    if (node.bucketing === 'many' ? key === undefined : node.bucketing === 'none' || node.aggs.length === 0)
      break
    level = node.aggs
  }
  if (node === undefined) {
    problem(`buckets_path aggregation does not exist for aggregation [${name}]: ${path}`)
  } else if (node.bucketing !== 'many') {
    problem(
      `Unable to find unqualified multi-bucket aggregation in buckets_path. Path must include a multi-bucket aggregation for aggregation [${name}] found :${node.kind} for buckets path: ${path}`,
    )
  }
}
