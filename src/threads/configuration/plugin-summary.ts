/** One plugin of a running pipeline as the monitoring API is told about it. */

import type { PlannedPlugin } from '../../pipeline/plan/plan.ts'
import { sha256 } from '../../pipeline/plan/source.ts'
import { isSingle } from '../../pipeline/run/execution.ts'
import { codecNames, factsOf, metricNames } from '../../plugin/instantiate.ts'
import type { CodecChoice } from '../../plugin/option.ts'
import type { PluginSummary } from '../messages.ts'
import { writtenOptions } from './option-text.ts'

export function pluginSummary(plugin: PlannedPlugin): PluginSummary {
  const { type, name, id, explicitId, definition, options } = plugin
  const codec = codecOf(plugin)
  return {
    type,
    name,
    id,
    explicitId,
    metrics: metricNames(definition, options),
    facts: factsOf(definition, options),
    summary: definition.summary,
    options: writtenOptions(plugin),
    ...(codec !== undefined && { codec }),
    ...(isSingle(plugin) && { encodes: true }),
  }
}

/** The id is the user's, or made from that of the plugin, so that it outlives restarts as the plugin's does. */
function codecOf({ id, definition, options }: PlannedPlugin): PluginSummary['codec'] {
  if (definition.type !== 'input' && definition.type !== 'output') return undefined
  const [name] = codecNames(definition, options)
  if (name === undefined) return undefined
  const chosen = (options['codec'] as CodecChoice | undefined)?.options.get('id')
  return { id: typeof chosen === 'string' ? chosen : `${name}_${uuidFrom(sha256(`${id}|codec`))}`, name }
}

/** A version 8 UUID: 122 bits of the digest. */
function uuidFrom(digest: string): string {
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 3) | 8).toString(16)
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
}
