/**
 * `/_node/stats` and its parts. A path may name several parts, separated by commas; unknown names are
 * ignored as long as one is known. The order of parts in a body is that of the table below.
 */
import type { ClusterStatus } from '../../../cluster/cluster-watch.ts'
import { HttpProblem } from '../../../http/problem.ts'
import type { Reply } from '../../../http/respond.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler, HttpRequest } from '../../../http/service.ts'
import { type Body, enveloped } from '../envelope.ts'
import { recentOsStats } from '../metrics/control-groups.ts'
import { queueDepth } from '../metrics/queue-depth.ts'
import { withoutInfinity } from '../metrics/without-infinity.ts'
import { type NodeView, type PipelineView, userPipelines } from '../view.ts'
import { chosenPipeline, findPipeline } from './one-pipeline.ts'
import { isOldShape, namesIn } from './parts.ts'
import { oldPipelineStats, pipelineStats } from './pipeline-stats.ts'

type Part = (node: NodeView, request: HttpRequest) => unknown

const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['jvm', ({ memory }) => memory.read()],
  ['mem', ({ memory }) => memory.read().mem],
  ['process', (node) => node.process.read()],
  ['events', ({ totals }) => totals.read()],
  ['flow', ({ flows }) => flows.node()],
  ['pipeline', oneInOldShape],
  ['pipelines', (node, request) => byId(node, request, userPipelines(node.agent))],
  ['reloads', ({ agent: { reloads } }) => ({ successes: reloads.successes, failures: reloads.failures })],
  ['os', () => recentOsStats()],
  ['ext', extras],
  ['queue', ({ agent }) => ({ events_count: waiting(userPipelines(agent)) })],
  // There is nothing to say as long as nothing downloads databases.
  ['geoip_download_manager', () => ({})],
])

const everything = ['jvm', 'process', 'events', 'flow', 'pipelines', 'reloads', 'os', 'queue']
const everythingOld = ['jvm', 'process', 'pipeline', 'reloads', 'os']

export function addStatsRoutes(router: Router<Handler>, node: NodeView): void {
  const all = isOldShape(node.settings) ? everythingOld : everything
  router.add('GET', '/_node/stats', (request) => reply(node, request, all))
  router.add('GET', '/_node/stats/:parts', (request) => reply(node, request, namesIn(request)))
  router.add('GET', '/_node/stats/pipelines/:id', (request) => {
    const chosen = [findPipeline(node, request.parameters['id'] ?? '')]
    return enveloped(node, request, { pipelines: byId(node, request, chosen) })
  })
}

function reply(node: NodeView, request: HttpRequest, names: readonly string[]): Reply {
  const wanted = [...parts].filter(([name]) => names.includes(name))
  if (wanted.length === 0) throw new HttpProblem(404, 'Not Found')
  return enveloped(
    node,
    request,
    Object.fromEntries(wanted.map(([name, part]) => [name, part(node, request)])),
  )
}

/** `fromEntries` makes even an id such as `__proto__` a plain key. */
function byId(node: NodeView, { query }: HttpRequest, pipelines: readonly PipelineView[]): Body {
  const options = { vertices: query.flag('vertices') }
  const isNumeric = query.flag('numeric')
  return Object.fromEntries(
    pipelines.map((pipeline) => {
      const stats = pipelineStats(pipeline, node, options)
      return [pipeline.id, isNumeric ? withoutInfinity(stats) : stats]
    }),
  )
}

/** Without any pipeline, what the envelope says. */
function oneInOldShape(node: NodeView, request: HttpRequest): Body {
  const chosen = chosenPipeline(node, request)
  return chosen === undefined ? noPipeline(node) : oldPipelineStats(chosen)
}

function noPipeline({ settings }: NodeView): Body {
  return {
    workers: settings.get('pipeline.workers'),
    batch_size: settings.get('pipeline.batch.size'),
    batch_delay: settings.get('pipeline.batch.delay'),
    events: { duration_in_millis: 0, in: 0, filtered: 0, out: 0 },
    plugins: { inputs: [], filters: [], outputs: [] },
    reloads: {
      successes: 0,
      failures: 0,
      last_error: null,
      last_success_timestamp: null,
      last_failure_timestamp: null,
    },
  }
}

/** Ours: what became of the threads of the node. */
function extras({ store, exceptions }: NodeView): Body {
  const status = store()
  return {
    exceptions: exceptions(),
    ...(status !== undefined && {
      search_store: {
        state: status.state,
        restarts: status.restarts,
        last_reason: status.reason ?? null,
        ...(status.cluster !== undefined && { cluster: clusterExtras(status.cluster) }),
      },
    }),
  }
}

function clusterExtras({
  isReachable,
  health,
  name,
  nodes,
  hosts,
  failedHosts,
  reason,
}: ClusterStatus): Body {
  return {
    name: name ?? null,
    reachable: isReachable,
    status: health ?? null,
    nodes: nodes ?? null,
    hosts,
    failed_hosts: failedHosts,
    last_reason: reason ?? null,
  }
}

function waiting(pipelines: readonly PipelineView[]): number {
  return pipelines.reduce((sum, pipeline) => sum + queueDepth(pipeline).events, 0)
}
