/**
 * The columns of a pipeline's board, derived from its plan alone, so that every thread that builds the plan
 * agrees on them.
 */
import type { BoardKey } from '../../metrics/board.ts'
import { cellsOf } from '../../metrics/histogram.ts'
import {
  batchBytes,
  batchEvents,
  conditionErrorKey,
  eventKeys,
  heapKeys,
  latencyKey,
  latencyShape,
  maxLatencies,
  metricKey,
  type PluginCounter,
  pluginKey,
} from '../../metrics/pipeline-keys.ts'
import { metricNames } from '../../plugin/instantiate.ts'
import { conditionsOf, type Plan, type PlannedPlugin, pluginsOf } from './plan.ts'

const inputCounters: readonly PluginCounter[] = [
  'out',
  'push_nanos',
  'records',
  'decode_nanos',
  'failures',
  'given_up',
  'truncated',
]
const stageCounters: readonly PluginCounter[] = ['in', 'out', 'nanos', 'failures', 'given_up']
const outputCounters: readonly PluginCounter[] = [
  'bytes',
  'encode_nanos',
  'waiting',
  'waiting_bytes',
  'waiting_since',
]

function counters({ id }: PlannedPlugin, names: readonly PluginCounter[]): BoardKey[] {
  return names.map((name) => pluginKey(id, name))
}

export function keysOf(plan: Plan): BoardKey[] {
  const filters = pluginsOf(plan.filters)
  const outputs = pluginsOf(plan.outputs)
  return [
    ...Object.values(eventKeys),
    ...Object.values(heapKeys),
    [batchEvents.key, cellsOf(batchEvents.shape)],
    [batchBytes.key, cellsOf(batchBytes.shape)],
    ...[...plan.inputs, ...plan.former].flatMap((plugin) => [
      ...counters(plugin, inputCounters),
      ...declared(plugin),
    ]),
    ...[...filters, ...outputs].flatMap((plugin) => [
      ...counters(plugin, stageCounters),
      ...declared(plugin),
    ]),
    ...outputs.flatMap((plugin) => counters(plugin, outputCounters)),
    ...[...filters, ...outputs]
      .slice(0, maxLatencies)
      .map(({ id }): BoardKey => [latencyKey(id), cellsOf(latencyShape)]),
    ...conditionsOf([...plan.filters, ...plan.outputs]).map((stage) => conditionErrorKey(stage.id)),
  ]
}

function declared({ id, definition, options }: PlannedPlugin): string[] {
  return metricNames(definition, options).map((metric) => metricKey(id, metric))
}
