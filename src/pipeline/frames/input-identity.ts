/**
 * Whether two inputs of different generations are the same input: same plugin, same options as
 * configured. Then the running one, with its sockets, is handed over instead of restarted.
 */
import { RawPlugin, type RawValue } from '../../plugin/raw-value.ts'
import type { PlannedPlugin } from '../plan/plan.ts'

export function inputIdentity(plugin: PlannedPlugin): string {
  return JSON.stringify([plugin.name, canonical(plugin.raw)])
}

function canonical(value: RawValue): unknown {
  if (value instanceof Map) {
    return [...value]
      .map(([name, item]) => [name, canonical(item)])
      .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1))
  }
  if (value instanceof RawPlugin) return { plugin: value.name, options: canonical(value.options) }
  if (Array.isArray(value)) return value.map(canonical)
  return typeof value === 'bigint' ? `${value}n` : String(value)
}
