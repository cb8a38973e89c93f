/**
 * Names of the counters a pipeline keeps, derived from its plan alone, so that every thread that
 * builds the plan agrees on the columns of the board.
 */
import { conditionsOf, type Plan, type PlannedPlugin, pluginsOf } from './plan.ts'

export const eventKeys = {
  in: 'events.in',
  filtered: 'events.filtered',
  out: 'events.out',
  nanos: 'events.nanos',
  /** Epoch milliseconds at which the running batch began, 0 when idle. */
  busySince: 'events.busy_since',
  pushNanos: 'events.push_nanos',
} as const

export type PluginCounter = 'in' | 'out' | 'nanos' | 'push_nanos'

export function pluginKey(id: string, counter: PluginCounter): string {
  return `plugin/${id}/${counter}`
}

export function metricKey(id: string, metric: string): string {
  return `plugin/${id}/metric/${metric}`
}

export function conditionErrorKey(id: string): string {
  return `if/${id}/errors`
}

export function keysOf(plan: Plan): string[] {
  const filters = pluginsOf(plan.filters)
  const outputs = pluginsOf(plan.outputs)
  return [
    ...Object.values(eventKeys),
    ...plan.inputs.flatMap((plugin) => [
      pluginKey(plugin.id, 'out'),
      pluginKey(plugin.id, 'push_nanos'),
      ...declared(plugin),
    ]),
    ...[...filters, ...outputs].flatMap((plugin) => [
      pluginKey(plugin.id, 'in'),
      pluginKey(plugin.id, 'out'),
      pluginKey(plugin.id, 'nanos'),
      ...declared(plugin),
    ]),
    ...conditionsOf([...plan.filters, ...plan.outputs]).map((stage) => conditionErrorKey(stage.id)),
  ]
}

function declared({ id, definition }: PlannedPlugin): string[] {
  return Object.keys(definition.metrics ?? {}).map((metric) => metricKey(id, metric))
}
