/**
 * Plugins in the stats of their pipeline: entries by section in the current and the 5.0 shape, codecs, and the
 * same figures as vertices of the graph. Everything a plugin declares about itself is shown beside them.
 */
import type { Board } from '../../../metrics/board.ts'
import { merged, quantile } from '../../../metrics/histogram.ts'
import {
  latencyKey,
  latencyShape,
  latencyUnitNanos,
  type PluginCounter,
  pluginKey,
} from '../../../metrics/pipeline-keys.ts'
import type { PipelineSummary, PluginSummary } from '../../../threads/messages.ts'
import type { Body } from '../envelope.ts'
import { millis, whole } from '../metrics/counts.ts'
import { declaredMetrics } from '../metrics/declared-metrics.ts'
import type { PipelineFlow } from '../metrics/flow-readings.ts'
import type { PipelineView } from '../view.ts'
import { instanceId, oldPluginIds } from './identities.ts'

type Section = 'inputs' | 'filters' | 'outputs'

const sectionOf: Readonly<Record<PluginSummary['type'], Section>> = {
  input: 'inputs',
  filter: 'filters',
  output: 'outputs',
}

type Count = (plugin: PluginSummary, counter: PluginCounter) => number

function counter(board: Board | undefined): Count {
  return ({ id }, name) => board?.sum(pluginKey(id, name)) ?? 0
}

interface PluginSections extends Record<Section, Body[]> {
  codecs: Body[]
}

export function pluginSections(
  { summary, board }: PipelineView,
  flow: PipelineFlow | undefined,
): PluginSections {
  const sections: PluginSections = { inputs: [], codecs: [], filters: [], outputs: [] }
  const count = counter(board)
  for (const plugin of summary?.plugins ?? []) {
    const { ext, ...own } = declaredMetrics(plugin, board)
    const extras = { ...ext, ...further(plugin, board, count) }
    sections[sectionOf[plugin.type]].push({
      id: plugin.id,
      name: plugin.name,
      events: events(plugin, count),
      flow: flow?.plugins.get(plugin.id) ?? {},
      ...own,
      ...(Object.keys(extras).length > 0 && { ext: extras }),
    })
    if (plugin.codec !== undefined) sections.codecs.push(codec(plugin, plugin.codec, count))
  }
  return sections
}

/** Other ids, no durations of outputs, no codecs, no flow. */
export function oldPluginSections({ summary, board }: PipelineView): Record<Section, Body[]> {
  const sections: Record<Section, Body[]> = { inputs: [], filters: [], outputs: [] }
  if (summary === undefined) return sections
  const ids = oldPluginIds(summary)
  const count = counter(board)
  summary.plugins.forEach((plugin, index) => {
    const { ext: _, ...own } = declaredMetrics(plugin, board)
    sections[sectionOf[plugin.type]].push({
      id: ids[index],
      name: plugin.name,
      events: oldEvents(plugin, count),
      ...own,
    })
  })
  return sections
}

function events(plugin: PluginSummary, count: Count): Body {
  const out = whole(count(plugin, 'out'))
  if (plugin.type === 'input')
    return { out, queue_push_duration_in_millis: millis(count(plugin, 'push_nanos')) }
  return { in: whole(count(plugin, 'in')), out, duration_in_millis: millis(count(plugin, 'nanos')) }
}

function oldEvents(plugin: PluginSummary, count: Count): Body {
  const { duration_in_millis, ...rest } = events(plugin, count)
  // What an input has made, the queue has accepted by the time it is counted.
  if (plugin.type === 'input') return { in: rest['out'], ...rest }
  return plugin.type === 'filter' ? { ...rest, duration_in_millis } : rest
}

/** Outputs encode in the worker, or where nobody counts it. */
function codec(plugin: PluginSummary, { id, name }: { id: string; name: string }, count: Count): Body {
  const isInput = plugin.type === 'input'
  return {
    id,
    name,
    decode: {
      writes_in: isInput ? whole(count(plugin, 'records')) : 0,
      out: isInput ? whole(count(plugin, 'out')) : 0,
      duration_in_millis: isInput ? millis(count(plugin, 'decode_nanos')) : 0,
    },
    encode: {
      writes_in: plugin.encodes === true ? whole(count(plugin, 'out')) : 0,
      duration_in_millis: plugin.encodes === true ? millis(count(plugin, 'encode_nanos')) : 0,
    },
  }
}

/** Faults, if there were any; time per event by percentile, and the bytes of outputs that encode. */
function further(plugin: PluginSummary, board: Board | undefined, count: Count): Body {
  if (board === undefined) return {}
  const faults = faultsOf(plugin, count)
  if (plugin.type === 'input') return faults
  const latency = latencyOf(plugin, board)
  return {
    ...faults,
    ...(latency !== undefined && { latency }),
    ...(plugin.encodes === true && { bytes_out: whole(count(plugin, 'bytes')) }),
  }
}

/** Events that a plugin failed on or gave up, records an input had to cut: only what has happened. */
function faultsOf(plugin: PluginSummary, count: Count): Body {
  const names = plugin.type === 'input' ? inputFaults : faults
  return Object.fromEntries(
    names.map((name) => [name, whole(count(plugin, name))]).filter(([, number]) => number !== 0),
  )
}

const faults = ['failures', 'given_up'] as const
const inputFaults = [...faults, 'truncated'] as const

function latencyOf({ id }: PluginSummary, board: Board): Body | undefined {
  if (!board.has(latencyKey(id))) return undefined
  const cells = merged(board.wide(latencyKey(id)), latencyShape)
  const micros = (share: number) =>
    Math.round(((quantile(cells, latencyShape, share) ?? 0) * latencyUnitNanos) / 1000)
  return {
    p50_in_micros: micros(0.5),
    p90_in_micros: micros(0.9),
    p99_in_micros: micros(0.99),
    max_in_micros: Math.round(((cells[0] ?? 0) * latencyUnitNanos) / 1000),
  }
}

/** Bytes of all outputs; undefined when there is one that does not count them. */
export function bytesOut({ plugins }: PipelineSummary, board: Board | undefined): number | undefined {
  const outputs = plugins.filter(({ type }) => type === 'output')
  if (!outputs.every(({ encodes }) => encodes === true)) return undefined
  return whole(outputs.reduce((sum, { id }) => sum + (board?.sum(pluginKey(id, 'bytes')) ?? 0), 0))
}

/** Plugins as vertices: counters and gauges by their dotted names, no texts, no rates. */
export function vertices(pipeline: PipelineView): Body[] {
  const { summary, board } = pipeline
  const count = counter(board)
  return (summary?.plugins ?? []).map((plugin) => {
    const {
      in: taken,
      out,
      duration_in_millis,
      queue_push_duration_in_millis,
    } = events(plugin, count) as Record<string, number | undefined>
    const { ext: _, ...own } = declaredMetrics(plugin, board)
    const facts = new Set(Object.keys(plugin.facts ?? {}))
    const counters = Object.entries(own).filter(([name]) => !facts.has(name))
    const gauges = Object.entries(own).filter(([name]) => facts.has(name))
    return {
      id: plugin.id,
      pipeline_ephemeral_id: instanceId(pipeline),
      ...(taken !== undefined && { events_in: taken }),
      ...(out !== undefined && { events_out: out }),
      ...(duration_in_millis !== undefined && { duration_in_millis }),
      ...(queue_push_duration_in_millis !== undefined && { queue_push_duration_in_millis }),
      long_counters: counters.flatMap(([name, value]) => flattened(name, value)),
      double_gauges: gauges.flatMap(([name, value]) => flattened(name, value)),
    }
  })
}

function flattened(name: string, value: unknown): { name: string; value: number }[] {
  if (typeof value === 'number') return [{ name, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([member, inner]) => flattened(`${name}.${member}`, inner))
}
