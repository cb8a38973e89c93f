/**
 * Hot threads: `/_node/hot_threads` with Logstash's text for `human`, `/_node/stats/hot_threads` with that of a
 * search cluster. Taking a report lasts as long as its interval; requests at the same time share one.
 */
import { hostname } from 'node:os'
import { HttpProblem } from '../../../http/problem.ts'
import { Query } from '../../../http/query.ts'
import { json, type Reply, text } from '../../../http/respond.ts'
import type { Router } from '../../../http/router.ts'
import type { Handler, HttpRequest } from '../../../http/service.ts'
import {
  observeThreads,
  type ThreadActivity,
  type ThreadReport,
} from '../../../threads/hot-threads/hot-threads.ts'
import { foldedStacks, hotStack } from '../../../threads/hot-threads/profile-stacks.ts'
import { SingleFlight } from '../../../threads/single-flight.ts'
import { envelope, enveloped } from '../envelope.ts'
import type { NodeView } from '../view.ts'
import { clusterText } from './hot-threads-cluster-text.ts'
import { type HotThreadsQuery, type Layout, measures, readQuery } from './hot-threads-query.ts'
import { logstashText } from './hot-threads-text.ts'

/** One thread of the JSON body; the texts are made from the same. */
export interface HotThread {
  readonly name: string
  readonly thread_id: number
  readonly percent_of_cpu_time: number
  readonly state: string
  readonly path?: string
  readonly traces: readonly string[]
  readonly ext: {
    readonly percent_of_cpu_time_lifetime: number
    readonly cpu_time_in_millis: number
    readonly run_queue_wait_in_millis: number
    readonly kind: string
    readonly worker_thread_id?: number
    /** Innermost frame first, as `traces`. */
    readonly stacks?: readonly { readonly samples: number; readonly frames: readonly string[] }[]
  }
}

const textType = 'text/plain;charset=utf-8'
const observations = new SingleFlight(observeThreads)

export function addHotThreadsRoutes(router: Router<Handler>, node: NodeView): void {
  const add = (path: string, layout: Layout, threads: number) =>
    router.add('GET', path, (request) => reply(node, request, { layout, threads }))
  add('/_node/hot_threads', 'logstash', 10)
  add('/_stats/jvm/hot_threads', 'logstash', 10)
  add('/_node/stats/hot_threads', 'cluster', 3)
}

async function reply(
  node: NodeView,
  request: HttpRequest,
  defaults: { layout: Layout; threads: number },
): Promise<Reply> {
  const query = readOrExplain(request, defaults)
  if (typeof query === 'string') return json({ ...envelope(node), error: query }, 400)
  const report = await observations.run(query.intervalMillis)
  const chosen = choose(report, query)
  if (!query.human) return enveloped(node, request, { hot_threads: body(report, chosen, query) })
  if (query.layout === 'logstash') {
    return {
      ...text(logstashText(hostname(), localTime(report.at), query.threads, entries(report, chosen, query))),
      type: textType,
    }
  }
  const identity = [node.settings.get('node.name'), node.id, hostname(), node.address() ?? '']
  return { ...text(clusterText(identity, report, chosen, query)), type: textType }
}

/**
 * The text of a search cluster for its own API, whose parameters have other names. `identity`: name, id, host and
 * address of the node. Rejects with an `HttpProblem` when a parameter is wrong.
 */
export async function clusterReport(identity: readonly string[], parameters: string): Promise<string> {
  const given = new URLSearchParams(parameters)
  const known = new URLSearchParams()
  for (const [theirs, ours] of clusterParameters) {
    const value = given.get(theirs)
    if (value !== null) known.set(ours, value)
  }
  const query = readQuery(new Query(known.toString()), { layout: 'cluster', threads: 3 })
  const report = await observations.run(query.intervalMillis)
  return clusterText(identity, report, choose(report, query), query)
}

const clusterParameters = [
  ['threads', 'threads'],
  ['interval', 'interval'],
  ['ignore_idle_threads', 'ignore_idle_threads'],
  ['type', 'ordered_by'],
] as const

/** The message of a bad parameter. */
function readOrExplain(
  request: HttpRequest,
  defaults: { layout: Layout; threads: number },
): HotThreadsQuery | string {
  try {
    return readQuery(request.query, defaults)
  } catch (error) {
    if (error instanceof HttpProblem) return error.message
    throw error
  }
}

export function choose(
  { threads, intervalNanos }: ThreadReport,
  { orderedBy, ignoreIdle, threads: count }: HotThreadsQuery,
): ThreadActivity[] {
  const measure = measures[orderedBy]
  return threads
    .filter(({ isIdle }) => !isIdle || !ignoreIdle)
    .sort((a, b) => measure(b, intervalNanos) - measure(a, intervalNanos) || a.id - b.id)
    .slice(0, count)
}

function body(report: ThreadReport, chosen: readonly ThreadActivity[], query: HotThreadsQuery) {
  return {
    time: localTime(report.at),
    busiest_threads: query.threads,
    threads: entries(report, chosen, query),
    ext: { interval_in_millis: Math.round(report.intervalNanos / 1e6), cpu_time_source: report.source },
  }
}

function entries(
  { intervalNanos }: ThreadReport,
  chosen: readonly ThreadActivity[],
  { stacktraceSize, hasStacks }: HotThreadsQuery,
): HotThread[] {
  const uptimeNanos = process.uptime() * 1e9
  return chosen.map((thread) => ({
    name: thread.name,
    thread_id: thread.id,
    percent_of_cpu_time: percent(thread.cpuNanos, intervalNanos),
    state: thread.state,
    traces: hotStack(thread.stacks).slice(0, stacktraceSize),
    ext: {
      percent_of_cpu_time_lifetime: percent(thread.totalCpuNanos, uptimeNanos),
      cpu_time_in_millis: Math.floor(thread.totalCpuNanos / 1e6),
      run_queue_wait_in_millis: Math.floor(thread.totalQueuedNanos / 1e6),
      kind: thread.kind,
      ...(thread.workerThreadId !== undefined && { worker_thread_id: thread.workerThreadId }),
      ...(hasStacks && { stacks: foldedStacks(thread.stacks, stacktraceSize) }),
    },
  }))
}

/** Two decimals, cut off. */
function percent(part: number, whole: number): number {
  return whole > 0 ? Math.trunc((part * 10_000) / whole) / 100 : 0
}

/** Local time with its offset, without a fraction. */
export function localTime(date: Date, minutesWest = date.getTimezoneOffset()): string {
  const shifted = new Date(date.getTime() - minutesWest * 60_000).toISOString().slice(0, 19)
  const minutes = Math.abs(minutesWest)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${shifted}${minutesWest > 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
