/**
 * Declared options as a reader of the documentation sees them: the type in words, the default as it would
 * stand in a configuration.
 */
import { LsFloat } from '../event/value.ts'
import { type Option, type OptionKind, Password } from './option.ts'

const kindWords: Readonly<Record<OptionKind, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  hash: 'hash',
  one_of: 'string',
  codec: 'codec',
  password: 'password',
  uri: 'uri',
  path: 'path',
  bytes: 'bytes',
  ipaddr: 'IP address',
  field_reference: 'field reference',
  sha_256_hex: 'SHA-256 fingerprint',
  ecs_compatibility: 'string',
  any: 'any value',
}

export function typeText(option: Option<unknown>): string {
  if (option.kind === 'ecs_compatibility') return 'one of `disabled`, `v1`, `v8`'
  const word =
    option.kind === 'one_of'
      ? `one of ${(option.values ?? []).map((value) => code(configText(value))).join(', ')}`
      : kindWords[option.kind]
  return option.list ? `list of ${word}` : word
}

export function defaultText(option: Option<unknown>): string {
  return option.default === undefined ? '' : code(configText(option.default))
}

/** Text in backticks, whatever it contains. */
export function code(text: string): string {
  const flat = text.replace(/\r?\n/g, '\\n')
  if (!flat.includes('`')) return `\`${flat}\``
  return `\`\` ${flat} \`\``
}

/** A value as it would be written in a configuration. */
export function configText(value: unknown): string {
  if (value instanceof Password) return '"…"'
  if (value instanceof LsFloat) return value.toString()
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(configText).join(', ')}]`
  const entries = value instanceof Map ? [...value] : isPlain(value) ? Object.entries(value) : undefined
  if (entries === undefined) return String(value)
  if (entries.length === 0) return '{}'
  return `{ ${entries.map(([name, item]) => `${quoted(String(name))} => ${configText(item)}`).join(' ')} }`
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function quoted(text: string): string {
  const shown = text.replace(/[\n\r\t]/g, (char) => ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })[char]!)
  return shown.includes('"') ? `'${shown}'` : `"${shown}"`
}
