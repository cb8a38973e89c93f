/**
 * `/_node` and its parts: what the node, its process and each pipeline are, as opposed to how they do. Lists of
 * parts as in the stats. Pipelines that were never built are left out.
 */
import { HttpProblem } from '../../../http/problem.ts'
import type { Reply } from '../../../http/respond.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler, HttpRequest } from '../../../http/service.ts'
import { type Body, envelope, enveloped } from '../envelope.ts'
import { jvmInfo, osInfo } from '../metrics/machine-info.ts'
import { type NodeView, type PipelineView, userPipelines } from '../view.ts'
import { instanceId } from './identities.ts'
import { chosenPipeline } from './one-pipeline.ts'
import { isOldShape, namesIn } from './parts.ts'
import { sizes } from './pipeline-stats.ts'

type Part = (node: NodeView, request: HttpRequest) => unknown

const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['pipeline', (node, request) => oldInfo(node, request)],
  ['pipelines', (node, request) => infos(built(node), request)],
  ['os', () => osInfo()],
  ['jvm', ({ memory }) => jvmInfo(memory)],
])

export function addInfoRoutes(router: Router<Handler>, node: NodeView): void {
  router.add('GET', '/_node', (request) => {
    if (isOldShape(node.settings)) return reply(node, request, ['pipeline', 'os', 'jvm'])
    const { pipeline } = envelope(node)
    return enveloped(node, request, {
      pipeline: { ...(pipeline as Body), ...reloading(node, 1000) },
      ...wanted(node, request, ['pipelines', 'os', 'jvm']),
    })
  })
  router.add('GET', '/_node/:parts', (request) => reply(node, request, namesIn(request)))
  router.add('GET', '/_node/pipelines', (request) => reply(node, request, ['pipelines']))
  router.add('GET', '/_node/pipelines/:id', (request) => {
    const found = built(node).filter(({ id }) => id === request.parameters['id'])
    if (found.length === 0) throw new HttpProblem(404, 'Not Found')
    return enveloped(node, request, { pipelines: infos(found, request) })
  })
  router.add('GET', '/_node/pipelines/:id/_plugins', (request) => {
    const found = built(node).find(({ id }) => id === request.parameters['id'])
    if (found === undefined) throw new HttpProblem(404, 'Not Found')
    return enveloped(node, request, { plugins: writtenPlugins(found) })
  })
}

/** What the configuration says of each plugin, for people who look at a running pipeline. */
function writtenPlugins({ summary }: PipelineView): Body[] {
  const places = new Map(summary?.graph.vertices.map(({ id, meta }) => [id, meta?.source]))
  return (summary?.plugins ?? []).map(({ id, type, name, explicitId, options = [], summary, codec }) => ({
    id,
    type,
    name,
    explicit_id: explicitId,
    summary,
    ...(codec !== undefined && { codec: codec.name }),
    source: places.get(id) ?? null,
    options,
  }))
}

function reply(node: NodeView, request: HttpRequest, names: readonly string[]): Reply {
  return enveloped(node, request, wanted(node, request, names))
}

function wanted(node: NodeView, request: HttpRequest, names: readonly string[]): Body {
  const found = [...parts].filter(([name]) => names.includes(name))
  if (found.length === 0) throw new HttpProblem(404, 'Not Found')
  return Object.fromEntries(found.map(([name, part]) => [name, part(node, request)]))
}

function built({ agent }: NodeView): PipelineView[] {
  return userPipelines(agent).filter(({ summary }) => summary !== undefined)
}

function infos(pipelines: readonly PipelineView[], { query }: HttpRequest): Body {
  const hasGraph = query.flag('graph')
  query.flag('vertices')
  return Object.fromEntries(
    pipelines.map((pipeline) => [
      pipeline.id,
      { ...info(pipeline), ...(hasGraph && { graph: graph(pipeline) }) },
    ]),
  )
}

function info(pipeline: PipelineView): Body {
  const { settings } = pipeline.config
  return {
    ephemeral_id: instanceId(pipeline),
    hash: pipeline.summary?.hash,
    ...sizes(pipeline),
    batch_output_chunking_growth_threshold_factor: settings.get(
      'pipeline.batch.output_chunking.growth_threshold_factor',
    ),
    config_reload_automatic: settings.get('config.reload.automatic'),
    /** In nanoseconds here. */
    config_reload_interval: Math.trunc(settings.get('config.reload.interval') * 1e6),
    ...deadLetters(pipeline),
  }
}

function deadLetters({ id, config: { settings } }: PipelineView): Body {
  if (!settings.get('dead_letter_queue.enable')) return { dead_letter_queue_enabled: false }
  return {
    dead_letter_queue_enabled: true,
    dead_letter_queue_path: `${settings.get('path.dead_letter_queue')}/${id}`,
  }
}

function graph({ summary }: PipelineView): Body {
  return { hash: summary?.hash, type: 'lir', version: '0.0.0', graph: summary?.graph }
}

/** The interval is in seconds in the 5.x shape. */
function reloading({ settings }: NodeView, millisPerUnit: number): Body {
  return {
    config_reload_automatic: settings.get('config.reload.automatic'),
    config_reload_interval: Math.trunc(settings.get('config.reload.interval') / millisPerUnit),
  }
}

function oldInfo(node: NodeView, request: HttpRequest): Body {
  const pipeline = chosenPipeline(node, request)
  const { pipeline: defaults } = envelope(node)
  return {
    ...(pipeline === undefined ? (defaults as Body) : sizes(pipeline)),
    ...reloading(node, 1000),
    dead_letter_queue_enabled: (pipeline?.config ?? node).settings.get('dead_letter_queue.enable'),
    ...(pipeline !== undefined && { id: pipeline.id }),
  }
}
