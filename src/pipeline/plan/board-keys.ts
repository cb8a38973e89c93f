/**
 * The columns of a pipeline's board, derived from its plan alone, so that every thread that builds the plan
 * agrees on them.
 */
import type { BoardKey } from '../../metrics/board.ts'
import { cellsOf } from '../../metrics/histogram.ts'
import {
  batchBytesKey,
  batchBytesShape,
  batchEventsKey,
  batchEventsShape,
  conditionErrorKey,
  eventKeys,
  heapKeys,
  latencyKey,
  latencyShape,
  maxLatencies,
  metricKey,
  pluginKey,
} from '../../metrics/pipeline-keys.ts'
import { metricNames } from '../../plugin/instantiate.ts'
import { conditionsOf, type Plan, type PlannedPlugin, pluginsOf } from './plan.ts'

export function keysOf(plan: Plan): BoardKey[] {
  const filters = pluginsOf(plan.filters)
  const outputs = pluginsOf(plan.outputs)
  return [
    ...Object.values(eventKeys),
    ...Object.values(heapKeys),
    [batchEventsKey, cellsOf(batchEventsShape)],
    [batchBytesKey, cellsOf(batchBytesShape)],
    ...[...plan.inputs, ...plan.former].flatMap((plugin) => [
      pluginKey(plugin.id, 'out'),
      pluginKey(plugin.id, 'push_nanos'),
      pluginKey(plugin.id, 'records'),
      pluginKey(plugin.id, 'decode_nanos'),
      pluginKey(plugin.id, 'failures'),
      pluginKey(plugin.id, 'given_up'),
      pluginKey(plugin.id, 'truncated'),
      ...declared(plugin),
    ]),
    ...[...filters, ...outputs].flatMap((plugin) => [
      pluginKey(plugin.id, 'in'),
      pluginKey(plugin.id, 'out'),
      pluginKey(plugin.id, 'nanos'),
      pluginKey(plugin.id, 'failures'),
      pluginKey(plugin.id, 'given_up'),
      ...declared(plugin),
    ]),
    ...outputs.flatMap(({ id }) => [
      pluginKey(id, 'bytes'),
      pluginKey(id, 'encode_nanos'),
      pluginKey(id, 'waiting'),
      pluginKey(id, 'waiting_bytes'),
      pluginKey(id, 'waiting_since'),
    ]),
    ...[...filters, ...outputs]
      .slice(0, maxLatencies)
      .map(({ id }): BoardKey => [latencyKey(id), cellsOf(latencyShape)]),
    ...conditionsOf([...plan.filters, ...plan.outputs]).map((stage) => conditionErrorKey(stage.id)),
  ]
}

function declared({ id, definition, options }: PlannedPlugin): string[] {
  return metricNames(definition, options).map((metric) => metricKey(id, metric))
}
