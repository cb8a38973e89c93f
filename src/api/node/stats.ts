/**
 * `/_node/stats` and its parts. A path may name several parts, separated by commas; unknown names are
 * ignored as long as one is known. The order of parts in a body is that of the table below.
 */
import { HttpProblem } from '../../http/problem.ts'
import type { Reply } from '../../http/respond.ts'
import type { Router } from '../../http/router.ts'
import type { Handler, HttpRequest } from '../../http/service.ts'
import { type Body, enveloped } from './envelope.ts'
import { oldPipelineStats, pipelineStats } from './pipeline-stats.ts'
import { type QueueDepths, queueDepths } from './queue-depth.ts'
import { type NodeView, type PipelineView, userPipelines } from './view.ts'

type Part = (node: NodeView, request: HttpRequest, depths: QueueDepths) => unknown

const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['jvm', ({ memory }) => memory.read()],
  ['process', (node) => node.process.read()],
  ['events', ({ totals }) => totals.read()],
  ['pipeline', oneInOldShape],
  ['pipelines', ({ agent }, _request, depths) => byId(userPipelines(agent), depths)],
  ['reloads', ({ agent: { reloads } }) => ({ successes: reloads.successes, failures: reloads.failures })],
  ['queue', (_node, _request, depths) => ({ events_count: sum(depths.values()) })],
])
const partsWithQueues: ReadonlySet<string> = new Set(['pipeline', 'pipelines', 'queue'])

const everything = [...parts.keys()].filter((name) => name !== 'pipeline')
const everythingOld = ['jvm', 'process', 'pipeline', 'reloads']

export function addStatsRoutes(router: Router<Handler>, node: NodeView): void {
  const isOld = Number.parseInt(node.settings.get('api.compat.version'), 10) < 6
  router.add('GET', '/_node/stats', (request) => reply(node, request, isOld ? everythingOld : everything))
  router.add('GET', '/_node/stats/:parts', (request) => {
    const names = (request.parameters['parts'] ?? '').split(',').map((name) => name.trim())
    return reply(node, request, names)
  })
  router.add('GET', '/_node/stats/pipelines/:id', async (request) => {
    const chosen = [find(node, request.parameters['id'] ?? '')]
    return enveloped(node, request, { pipelines: byId(chosen, await queueDepths(chosen)) })
  })
}

/** Threads are asked first; after that everything is read at one moment, so that the parts agree. */
async function reply(node: NodeView, request: HttpRequest, names: readonly string[]): Promise<Reply> {
  const wanted = [...parts].filter(([name]) => names.includes(name))
  if (wanted.length === 0) throw new HttpProblem(404, 'Not Found')
  const asked = wanted.some(([name]) => partsWithQueues.has(name)) ? userPipelines(node.agent) : []
  const depths = await queueDepths(asked)
  return enveloped(
    node,
    request,
    Object.fromEntries(wanted.map(([name, part]) => [name, part(node, request, depths)])),
  )
}

/** `fromEntries` makes even an id such as `__proto__` a plain key. */
function byId(pipelines: readonly PipelineView[], depths: QueueDepths): Body {
  return Object.fromEntries(
    pipelines.map((pipeline) => [pipeline.id, pipelineStats(pipeline, depths.get(pipeline.id) ?? 0)]),
  )
}

/** The pipeline of `?id=`, else `main`, else the first one; without any, what the envelope says. */
function oneInOldShape(node: NodeView, { query }: HttpRequest, depths: QueueDepths): Body {
  const id = query.text('id')
  const pipelines = userPipelines(node.agent)
  const chosen =
    id === undefined ? (pipelines.find((pipeline) => pipeline.id === 'main') ?? pipelines[0]) : find(node, id)
  return chosen === undefined ? noPipeline(node) : oldPipelineStats(chosen, depths.get(chosen.id) ?? 0)
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

function find(node: NodeView, id: string): PipelineView {
  const pipeline = userPipelines(node.agent).find((known) => known.id === id)
  if (pipeline === undefined) throw new HttpProblem(404, 'Not Found')
  return pipeline
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0)
}
