/**
 * `/_node/stats` and its parts. A path may name several parts, separated by commas; unknown names are
 * ignored as long as one is known. The order of parts in a body is that of the table below.
 */
import { HttpProblem } from '../../http/problem.ts'
import type { Router } from '../../http/router.ts'
import type { Handler, HttpRequest } from '../../http/service.ts'
import { type Body, enveloped } from './envelope.ts'
import { oldPipelineStats, pipelineStats } from './pipeline-stats.ts'
import { queueDepth } from './queue-depth.ts'
import { type NodeView, type PipelineView, userPipelines } from './view.ts'

type Part = (node: NodeView, request: HttpRequest) => unknown | Promise<unknown>

const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['jvm', ({ memory }) => memory.read()],
  ['process', (node) => node.process.read()],
  ['events', ({ totals }) => totals.read()],
  ['pipeline', (node, request) => oneInOldShape(node, request)],
  ['pipelines', (node) => allPipelines(userPipelines(node.agent))],
  ['reloads', ({ agent: { reloads } }) => ({ successes: reloads.successes, failures: reloads.failures })],
  [
    'queue',
    async ({ agent }) => ({ events_count: sum(await Promise.all(userPipelines(agent).map(queueDepth))) }),
  ],
])

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
    const pipeline = find(node, request.parameters['id'] ?? '')
    return enveloped(node, request, { pipelines: await allPipelines([pipeline]) })
  })
}

async function reply(node: NodeView, request: HttpRequest, names: readonly string[]) {
  const wanted = [...parts].filter(([name]) => names.includes(name))
  if (wanted.length === 0) throw new HttpProblem(404, 'Not Found')
  const values = await Promise.all(
    wanted.map(async ([name, part]) => [name, await part(node, request)] as const),
  )
  return enveloped(node, request, Object.fromEntries(values))
}

/** By id; `fromEntries` makes even an id such as `__proto__` a plain key. */
async function allPipelines(pipelines: readonly PipelineView[]): Promise<Body> {
  return Object.fromEntries(
    await Promise.all(
      pipelines.map(
        async (pipeline) => [pipeline.id, pipelineStats(pipeline, await queueDepth(pipeline))] as const,
      ),
    ),
  )
}

/** The pipeline of `?id=`, else `main`, else the first one; without any, what the envelope says. */
async function oneInOldShape(node: NodeView, { query }: HttpRequest): Promise<Body> {
  const id = query.text('id')
  const pipelines = userPipelines(node.agent)
  const chosen =
    id === undefined ? (pipelines.find((pipeline) => pipeline.id === 'main') ?? pipelines[0]) : find(node, id)
  if (chosen === undefined) return noPipeline(node)
  return oldPipelineStats(chosen, await queueDepth(chosen))
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
