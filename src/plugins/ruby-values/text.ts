/**
 * Values as Ruby turns them into text (`to_s`, `strip`, class names). Several filters inherit their
 * behaviour from these core methods, down to the text of a float or of a map inside a list.
 */
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat, type Value } from '../../event/value.ts'
import { inspect } from '../../log/ruby-inspect.ts'
import { rubyFloat, rubyScalar } from '../../text/ruby-float.ts'

/** `value.to_s`: nothing for nil, `1.0e+20` for floats, the inspected form for lists and maps. */
export function rubyText(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object') return rubyScalar(value)
  if (value === null) return ''
  if (value instanceof LsFloat) return rubyFloat(value.value)
  return value instanceof Timestamp ? value.toString() : inspect(value)
}

/** `value.class` as Ruby names it. */
export function rubyClass(value: Value | undefined): string {
  switch (typeof value) {
    case 'string':
      return 'String'
    case 'number':
      return Number.isInteger(value) ? 'Integer' : 'Float'
    case 'bigint':
      return 'Integer'
    case 'boolean':
      return value ? 'TrueClass' : 'FalseClass'
    default:
      if (value === undefined || value === null) return 'NilClass'
      if (value instanceof LsFloat) return 'Float'
      if (value instanceof Timestamp) return 'LogStash::Timestamp'
      return Array.isArray(value) ? 'Array' : 'Hash'
  }
}

/** True for NUL, TAB, LF, VT, FF, CR and blank: Ruby strips nothing else, so no-break spaces stay. */
function isStripped(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0
}

/** `text.strip`. */
export function rubyStrip(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isStripped(text.charCodeAt(start))) start += 1
  while (end > start && isStripped(text.charCodeAt(end - 1))) end -= 1
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

/** `list.join(separator)`: nested lists join with the same separator, nil is empty. */
export function rubyJoin(list: readonly Value[], separator: string): string {
  let text = ''
  for (let i = 0; i < list.length; i++) {
    if (i > 0) text += separator
    const item = list[i]!
    text += Array.isArray(item) ? rubyJoin(item, separator) : rubyText(item)
  }
  return text
}
