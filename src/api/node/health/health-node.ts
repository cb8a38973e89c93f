/** The health of the node: a tree of indicators, each as ill as the worst of its children. */

import { outputLags } from '../metrics/output-lag.ts'
import { type NodeView, userPipelines } from '../view.ts'
import { healthState, type PipelineIndicator, pipelineIndicator } from './health-pipeline.ts'
import { groupSymptom, type HealthStatus, worst } from './health-status.ts'
import { storeIndicator } from './health-store.ts'

interface Group {
  readonly status: HealthStatus
  readonly symptom: string
  readonly indicators: Readonly<Record<string, { readonly status: HealthStatus }>>
}

export function nodeHealth(node: NodeView): Group {
  const store = storeIndicator(node.store())
  return group([
    ['pipelines', group(pipelineIndicators(node))],
    ...(store === undefined ? [] : ([['search_store', store]] as const)),
  ])
}

function pipelineIndicators({ agent, utilization }: NodeView): [id: string, PipelineIndicator][] {
  const now = Date.now()
  return userPipelines(agent).map((pipeline) => [
    pipeline.id,
    pipelineIndicator({
      state: healthState(pipeline.status),
      utilization: utilization(pipeline.id),
      recoveries: pipeline.recoveries,
      workerLosses: pipeline.losses.workerLosses,
      reason: pipeline.losses.lastReason,
      fullQueue: pipeline.thread?.queue?.isDiskFull ? pipeline.thread.queue.path : undefined,
      outputs: outputLags(pipeline, now),
      now,
    }),
  ])
}

/** `fromEntries` makes even an id such as `__proto__` a plain key. */
function group(members: readonly (readonly [name: string, { readonly status: HealthStatus }])[]): Group {
  return {
    status: worst(members.map(([, { status }]) => status)),
    symptom: groupSymptom(members.map(([name, { status }]) => [name, status])),
    indicators: Object.fromEntries(members),
  }
}
