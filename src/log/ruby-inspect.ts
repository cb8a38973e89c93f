/**
 * Renders any value the way Ruby's `inspect` does: `{"a"=>1}`, `[nil, "x"]`, `:main`. Log lines and
 * many of Logstash's error texts contain such renderings, and people grep for them.
 * JavaScript symbols stand for Ruby symbols; `RubyLiteral` is text that is printed as it is.
 */
import { rubyEscape } from '../text/ruby-escapes.ts'
import { rubyFloat } from '../text/ruby-float.ts'

/** Text that `inspect` prints without quotes, such as a Ruby class name. */
export class RubyLiteral {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

const maxDepth = 64
const identifier = /^[A-Za-z_][A-Za-z0-9_]*[?!]?$/
// `#` needs a backslash only where Ruby would interpolate.
const escaped = /["\\\p{C}\p{Zl}\p{Zp}]|#(?=[{$@])/gu

interface Walk {
  /** Characters that may still be written; large values end in `...` instead of filling memory. */
  left: number
  open: object[]
}

export function inspect(value: unknown, limit = Number.POSITIVE_INFINITY): string {
  return render(value, { left: limit, open: [] })
}

/** A Ruby hash whose identifier-like keys are symbols: `{:path=>"/tmp", "pipeline.id"=>"main"}`. */
export function inspectFields(
  fields: Readonly<Record<string, unknown>>,
  limit = Number.POSITIVE_INFINITY,
): string {
  const walk: Walk = { left: limit, open: [fields] }
  const parts: string[] = []
  for (const key of Object.keys(fields)) {
    const value = fields[key]
    if (value === undefined) continue
    if (walk.left <= 0) {
      parts.push('...')
      break
    }
    parts.push(`${identifier.test(key) ? `:${key}` : inspectString(key)}=>${render(value, walk)}`)
  }
  return `{${parts.join(', ')}}`
}

export function inspectString(text: string): string {
  return `"${text.replace(escaped, escapeCharacter)}"`
}

function escapeCharacter(character: string): string {
  return character === '\x7f' ? '\\x7F' : rubyEscape(character)
}

function render(value: unknown, walk: Walk): string {
  if (walk.left <= 0) return '...'
  const text =
    typeof value === 'object' && value !== null ? renderObject(value, walk) : renderScalar(value, walk)
  walk.left -= text.length
  return text
}

function renderScalar(value: unknown, walk: Walk): string {
  switch (typeof value) {
    case 'string':
      return value.length > walk.left
        ? `${inspectString(value.slice(0, walk.left))}...`
        : inspectString(value)
    case 'number':
      if (!Number.isInteger(value)) return rubyFloat(value)
      return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString()
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'symbol': {
      const name = value.description ?? ''
      return identifier.test(name) ? `:${name}` : `:${inspectString(name)}`
    }
    case 'function':
      return `#<Proc:${value.name}>`
    default:
      return 'nil'
  }
}

function renderObject(value: object, walk: Walk): string {
  if (value instanceof RubyLiteral) return value.text
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'nil' : value.toISOString()
  if (value instanceof Error) return `#<${value.name}: ${value.message}>`
  if (value instanceof Uint8Array) return renderScalar(Buffer.from(value).toString('utf8'), walk)
  const isList = Array.isArray(value)
  if (walk.open.length >= maxDepth || walk.open.includes(value)) return isList ? '[...]' : '{...}'
  walk.open.push(value)
  try {
    if (isList) return `[${items(value, walk)}]`
    if (value instanceof Set) return `#<Set: {${items(value, walk)}}>`
    if (value instanceof Map) return `{${pairs(value, walk)}}`
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) return `{${pairs(Object.entries(value), walk)}}`
    return renderInstance(value)
  } finally {
    walk.open.pop()
  }
}

function items(values: Iterable<unknown>, walk: Walk): string {
  const parts: string[] = []
  for (const item of values) {
    parts.push(render(item, walk))
    if (walk.left <= 0) break
  }
  return parts.join(', ')
}

function pairs(entries: Iterable<readonly [unknown, unknown]>, walk: Walk): string {
  const parts: string[] = []
  for (const [key, item] of entries) {
    if (item === undefined) continue
    parts.push(`${render(key, walk)}=>${render(item, walk)}`)
    if (walk.left <= 0) break
  }
  return parts.join(', ')
}

function renderInstance(value: object): string {
  try {
    const primitive: unknown = value.valueOf()
    if (typeof primitive === 'number') return rubyFloat(primitive)
    if (value.toString !== Object.prototype.toString) return String(value)
  } catch {
    // A value that cannot print itself is named by its class below.
  }
  return `#<${value.constructor?.name ?? 'Object'}>`
}
