/** Validates the pipeline aggregations of a request before it runs; all problems are reported at once. */
import { SearchError } from '../../request/search-error.ts'
import { pipelineOrder } from './order.ts'
import type { AggLevel, AggNode } from './pipeline.ts'

/** The top level has no parent. */
export function pipelineProblems(top: AggLevel): readonly string[] {
  const problems: string[] = []
  checkLevel(top, undefined, problems)
  checkInside(top, problems)
  return problems
}

/** Throws Elasticsearch's validation error when there are problems. */
export function validatePipelines(top: AggLevel): void {
  const problems = pipelineProblems(top)
  if (problems.length === 0) return
  const list = problems.map((problem, at) => `${at + 1}: ${problem};`).join('')
  throw new SearchError('action_request_validation_exception', `Validation Failed: ${list}`)
}

function checkLevel(level: AggLevel, parent: AggNode | undefined, problems: string[]): void {
  const place = { parent, siblings: level.aggs, problem: (text: string) => void problems.push(text) }
  try {
    for (const pipeline of pipelineOrder(level)) pipeline.check(place)
  } catch (error) {
    if (!(error instanceof SearchError) || error.type !== 'illegal_argument_exception') throw error
    problems.push(error.message)
  }
}

function checkInside(level: AggLevel, problems: string[]): void {
  for (const node of level.aggs) {
    checkLevel(node, node, problems)
    checkInside(node, problems)
  }
}
