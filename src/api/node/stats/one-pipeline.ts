/** Which pipeline the 5.0 shape shows, as that knew only one: the one of `?id=`, else `main`, else the first. */
import { HttpProblem } from '../../../http/problem.ts'
import type { HttpRequest } from '../../../http/service.ts'
import { type NodeView, type PipelineView, userPipelines } from '../view.ts'

/** Undefined without any pipeline. */
export function chosenPipeline(node: NodeView, { query }: HttpRequest): PipelineView | undefined {
  const id = query.text('id')
  if (id !== undefined) return findPipeline(node, id)
  const pipelines = userPipelines(node.agent)
  return pipelines.find((pipeline) => pipeline.id === 'main') ?? pipelines[0]
}

export function findPipeline(node: NodeView, id: string): PipelineView {
  const pipeline = userPipelines(node.agent).find((known) => known.id === id)
  if (pipeline === undefined) throw new HttpProblem(404, 'Not Found')
  return pipeline
}
