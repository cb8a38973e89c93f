/** Properties of messages: names as configurations write them, values as templates, in the words of the package. */
import type { Event } from '../../../event/event.ts'
import { valueText } from '../../../event/sprintf.ts'
import { isFields, type Value } from '../../../event/value.ts'
import type { HashValue } from '../../../plugin/define.ts'

type Template = (text: string) => (event: Event) => string

/** Name in the package, and whether the value is a number. */
const known: ReadonlyMap<string, readonly [string, 'text' | 'number' | 'table']> = new Map([
  ['app_id', ['appId', 'text']],
  ['content_encoding', ['contentEncoding', 'text']],
  ['content_type', ['contentType', 'text']],
  ['correlation_id', ['correlationId', 'text']],
  ['delivery_mode', ['deliveryMode', 'number']],
  ['expiration', ['expiration', 'text']],
  ['headers', ['headers', 'table']],
  ['message_id', ['messageId', 'text']],
  ['priority', ['priority', 'number']],
  ['reply_to', ['replyTo', 'text']],
  ['timestamp', ['timestamp', 'number']],
  ['type', ['type', 'text']],
  ['user_id', ['userId', 'text']],
])

/** Names that have no meaning to the server. */
export function unknownProperties(given: HashValue): string[] {
  return [...given.keys()].filter((name) => !known.has(name.replaceAll('-', '_')) && name !== 'persistent')
}

export function propertiesOf(
  given: HashValue,
  persistent: boolean,
  template: Template,
): (event: Event) => Record<string, unknown> {
  const fixed: Record<string, unknown> = { persistent }
  const perEvent: [string, (event: Event) => unknown][] = []
  for (const [name, value] of given) {
    const [own, kind] = known.get(name.replaceAll('-', '_')) ?? []
    if (own === undefined) continue
    const compiled = compileValue(value, kind!, name, template)
    if (typeof compiled === 'function') perEvent.push([own, compiled as (event: Event) => unknown])
    else fixed[own] = compiled
  }
  if (perEvent.length === 0) return () => fixed
  return (event) => {
    const properties = { ...fixed }
    for (const [own, read] of perEvent) properties[own] = read(event)
    return properties
  }
}

function compileValue(
  value: Value,
  kind: 'text' | 'number' | 'table',
  name: string,
  template: Template,
): unknown {
  if (kind === 'table') return tableOf(value, template)
  const text = valueText(value)
  const read = (shown: string) => {
    if (kind === 'text') return shown
    const number = Number(shown)
    if (shown.trim() === '' || !Number.isFinite(number))
      throw new Error(`The message property ${name} must be a number: ${shown.slice(0, 100)}`)
    return number
  }
  if (!text.includes('%{')) return read(text)
  const fill = template(text)
  return (event: Event) => read(fill(event))
}

function tableOf(value: Value, template: Template): unknown {
  if (!isFields(value)) throw new Error('The message property headers must be a hash')
  const entries = Object.entries(value).map(([name, item]) => {
    const fill = typeof item === 'string' && item.includes('%{') ? template(item) : undefined
    return [name, (event: Event) => (fill === undefined ? item : fill(event))] as const
  })
  return (event: Event) => {
    const table: Record<string, unknown> = Object.create(null)
    for (const [name, read] of entries) table[name] = read(event)
    return table
  }
}
