/** `/_node/pipelines`: what each pipeline is, as opposed to how it does. Pipelines that were never built are left out. */
import { HttpProblem } from '../../http/problem.ts'
import type { Router } from '../../http/router.ts'
import type { Handler } from '../../http/service.ts'
import { type Body, enveloped } from './envelope.ts'
import { instanceId } from './identities.ts'
import { sizes } from './pipeline-stats.ts'
import { type NodeView, type PipelineView, userPipelines } from './view.ts'

export function addInfoRoutes(router: Router<Handler>, node: NodeView): void {
  const built = () => userPipelines(node.agent).filter(({ summary }) => summary !== undefined)
  router.add('GET', '/_node/pipelines', (request) => enveloped(node, request, { pipelines: infos(built()) }))
  router.add('GET', '/_node/pipelines/:id', (request) => {
    const found = built().filter(({ id }) => id === request.parameters['id'])
    if (found.length === 0) throw new HttpProblem(404, 'Not Found')
    return enveloped(node, request, { pipelines: infos(found) })
  })
}

function infos(pipelines: readonly PipelineView[]): Body {
  return Object.fromEntries(pipelines.map((pipeline) => [pipeline.id, info(pipeline)]))
}

function info(pipeline: PipelineView): Body {
  const { settings } = pipeline.config
  return {
    ephemeral_id: instanceId(pipeline),
    hash: pipeline.summary?.hash,
    ...sizes(pipeline),
    config_reload_automatic: settings.get('config.reload.automatic'),
    /** In nanoseconds here. */
    config_reload_interval: Math.trunc(settings.get('config.reload.interval') * 1e6),
    dead_letter_queue_enabled: settings.get('dead_letter_queue.enable'),
  }
}
