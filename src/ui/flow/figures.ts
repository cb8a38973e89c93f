/** Figures of pipelines and their plugins, made from the snapshots of the last seconds. */
import type { Snapshot } from '../api/live.ts'
import { type PipelineStats, type PluginStats, rateOf } from '../api/node-stats.ts'

export interface PluginFigures {
  readonly stats: PluginStats
  /** Events a second. */
  readonly rate: number | undefined
  readonly millisPerEvent: number | undefined
  /** Percent of the time of the pipeline's workers. */
  readonly share: number | undefined
  readonly isSlow: boolean
  readonly failures: number
}

/** Rates are taken over this long: a shorter time jumps, a longer one lies. */
const rateWindow = 5000
/** Percent of the workers' time above which a plugin is called slow. */
const slowShare = 30

/** The snapshot that is at least the window older than the last, or the oldest. */
function earlierOf(snapshots: readonly Snapshot[], window = rateWindow): Snapshot | undefined {
  const last = snapshots.at(-1)
  if (last === undefined) return undefined
  return snapshots.findLast(({ at }) => at <= last.at - window) ?? snapshots[0]
}

/** Counters that start again, as after a reload, give no rate until they are two again. */
function ratePerSecond(
  before: number | undefined,
  after: number | undefined,
  millis: number,
): number | undefined {
  if (before === undefined || after === undefined || after < before || millis <= 0) return undefined
  return ((after - before) * 1000) / millis
}

export function pluginFigures(snapshots: readonly Snapshot[], pipeline: string): Map<string, PluginFigures> {
  const last = snapshots.at(-1)
  const earlier = earlierOf(snapshots)
  const figures = new Map<string, PluginFigures>()
  const now = last?.stats.pipelines[pipeline]
  if (last === undefined || now === undefined) return figures
  const before = new Map(allPlugins(earlier?.stats.pipelines[pipeline]).map((stats) => [stats.id, stats]))
  const millis = last.at - (earlier?.at ?? last.at)
  for (const stats of allPlugins(now)) {
    const share = rateOf(stats.flow?.['worker_utilization'])
    figures.set(stats.id, {
      stats,
      rate: ratePerSecond(eventsOf(before.get(stats.id)), eventsOf(stats), millis),
      millisPerEvent: rateOf(stats.flow?.['worker_millis_per_event']),
      share,
      isSlow: (share ?? 0) > slowShare,
      failures: failuresOf(stats),
    })
  }
  return figures
}

function allPlugins(stats: PipelineStats | undefined): readonly PluginStats[] {
  if (stats === undefined) return []
  return [...stats.plugins.inputs, ...stats.plugins.filters, ...stats.plugins.outputs]
}

/** Filters and outputs are counted at their door, inputs at their end. */
function eventsOf(stats: PluginStats | undefined): number | undefined {
  return stats?.events?.in ?? stats?.events?.out
}

const failureNames = /(?:^|\.)(?:failures|timeouts|non_retryable_failures|rejected|errors)$/

function failuresOf(stats: PluginStats): number {
  let sum = 0
  for (const [name, value] of counters(stats)) if (failureNames.test(name)) sum += value
  return sum
}

const notCounters: ReadonlySet<string> = new Set(['id', 'name', 'flow', 'ext'])

/** Every number of a plugin, nested ones by their dotted name. */
export function counters(stats: object, prefix = ''): [name: string, value: number][] {
  return Object.entries(stats).flatMap(([name, value]): [string, number][] => {
    if (prefix === '' && notCounters.has(name)) return []
    if (typeof value === 'number') return [[prefix + name, value]]
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
    return counters(value, `${prefix}${name}.`)
  })
}

export interface PipelineRow {
  readonly id: string
  readonly rateIn: number | undefined
  readonly rateOut: number | undefined
  readonly utilization: number | undefined
  readonly backPressure: number | undefined
  readonly queued: number
  readonly queuedBytes: number
  readonly maxQueuedBytes: number
  readonly reloads: PipelineStats['reloads']
  readonly stats: PipelineStats
}

export function pipelineRows(last: Snapshot | undefined): PipelineRow[] {
  return Object.entries(last?.stats.pipelines ?? {}).flatMap(([id, stats]) => {
    if (stats === undefined) return []
    return {
      id,
      rateIn: rateOf(stats.flow?.['input_throughput']),
      rateOut: rateOf(stats.flow?.['output_throughput']),
      utilization: rateOf(stats.flow?.['worker_utilization']),
      backPressure: rateOf(stats.flow?.['queue_backpressure']),
      queued: stats.queue?.events_count ?? 0,
      queuedBytes: stats.queue?.queue_size_in_bytes ?? 0,
      maxQueuedBytes: stats.queue?.max_queue_size_in_bytes ?? 0,
      reloads: stats.reloads,
      stats,
    }
  })
}

/** Events a second of the whole node between neighbouring snapshots, for a small curve. */
export function history(snapshots: readonly Snapshot[], read: (snapshot: Snapshot) => number): number[] {
  const values: number[] = []
  for (let index = 1; index < snapshots.length; index++) {
    const [before, after] = [snapshots[index - 1]!, snapshots[index]!]
    values.push(ratePerSecond(read(before), read(after), after.at - before.at) ?? 0)
  }
  return values
}
