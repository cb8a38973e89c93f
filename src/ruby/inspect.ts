/**
 * `to_s` and `inspect` of every value: `nil`, `[1, "a"]`, `{"a"=>1, :b=>2.0}`, `:"a b"`.
 */

import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { LsFloat } from '../event/value.ts'
import { rubyFloat, rubyScalar } from '../text/ruby-float.ts'
import { describing, send } from './dispatch.ts'
import { argumentError, RubyException, raise } from './errors.ts'
import { RubyHash } from './hash.ts'
import { inspectText } from './inspect-text.ts'
import { classOf, RubyClass, type RubyValue } from './ruby-class.ts'
import { isText, MutableString, RubyRange, RubySymbol, textOf } from './values.ts'

/** Longest text that `inspect` or `to_s` makes. */
const maxText = 100_000_000

export function toText(value: RubyValue): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return rubyScalar(value)
  if (value === null) return ''
  if (value instanceof MutableString) return value.text
  if (value instanceof RubySymbol) return value.name
  if (value instanceof LsFloat) return rubyFloat(value.value)
  if (value instanceof Timestamp) return value.toString()
  if (value instanceof Event) return value.toString()
  if (Array.isArray(value) || value instanceof RubyHash) return inspect(value)
  const text = send(value, 'to_s')
  return isText(text) ? textOf(text) : `#<${classOf(value).name}>`
}

export function inspect(value: RubyValue, open: RubyValue[] = []): string {
  switch (typeof value) {
    case 'string':
      return inspectText(value)
    case 'number':
    case 'bigint':
    case 'boolean':
      return toText(value)
  }
  if (value === null) return 'nil'
  if (value instanceof MutableString) return inspectText(value.text)
  if (value instanceof RubySymbol) return inspectSymbol(value.name)
  if (value instanceof LsFloat || value instanceof Timestamp) return toText(value)
  if (Array.isArray(value)) {
    if (open.includes(value)) return '[...]'
    return bounded(`[${value.map((item) => inspect(item, [...open, value])).join(', ')}]`)
  }
  if (value instanceof RubyHash) {
    if (open.includes(value)) return '{...}'
    const inner: RubyValue[] = [...open, value]
    const pairs = value.pairs().map(([key, item]) => `${inspect(key, inner)}=>${inspect(item, inner)}`)
    return bounded(`{${pairs.join(', ')}}`)
  }
  if (value instanceof RubyRange) {
    const first = value.first === null ? '' : inspect(value.first)
    return `${first}${value.excludesEnd ? '...' : '..'}${value.last === null ? '' : inspect(value.last)}`
  }
  if (value instanceof RubyClass) return value.name
  if (value instanceof RubyException) {
    return value.message === '' ? value.rubyClass.name : `#<${value.rubyClass.name}: ${value.message}>`
  }
  if (value instanceof Event) return '#<LogStash::Event>'
  const text = send(value, 'inspect')
  return isText(text) ? textOf(text) : `#<${classOf(value).name}>`
}

function bounded(text: string): string {
  if (text.length > maxText) raise(argumentError, 'string too long')
  return text
}

const plainSymbol =
  /^(?:[A-Za-z_][A-Za-z0-9_]*[?!=]?|\$[A-Za-z_]\w*|@@?[A-Za-z_]\w*|[+\-*/%<>~!^&|]|\*\*|<=>|===?|=~|!=|!~|<<|>>|<=|>=|\[\]=?|[+-]@)$/

export function inspectSymbol(name: string): string {
  return plainSymbol.test(name) ? `:${name}` : `:${inspectText(name)}`
}

describing.inspect = (value) => inspect(value)
