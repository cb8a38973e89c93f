/**
 * `type` of filters and outputs, with which configurations chose events before there were conditions: the plugin
 * gets the condition around it that says the same.
 */
import type { Condition } from '../../lang/ast.ts'
import { parse } from '../../lang/parser.ts'
import type { PluginDefinition } from '../../plugin/define.ts'

/** Undefined when the plugin takes all events, or has its own use for an option of that name. */
export function oldSelection(
  { options: declared }: PluginDefinition,
  options: Readonly<Record<string, unknown>>,
): Condition | undefined {
  const type = options['type']
  if (Object.hasOwn(declared, 'type') || typeof type !== 'string') return undefined
  const [statement] = parse(`filter { if [type] == ${quoted(type)} { } }`).sections[0]?.body ?? []
  return statement?.kind === 'branch' ? statement.cases[0]?.condition : undefined
}

/** A text with both kinds of quotes cannot be written, and was never the name of a type. */
function quoted(text: string): string {
  const quote = text.includes('"') ? "'" : '"'
  return `${quote}${text.replaceAll(quote, '').replace(/\\+$/, '')}${quote}`
}
