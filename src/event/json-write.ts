/**
 * Values to JSON text. JSON.stringify is fastest and right for nearly every event; only when it met a boxed
 * float (`LsFloat.toJSON` raises a flag) or refused a big integer is the text written again by the exact
 * writer, which prints floats as Java does (`1.0`, `1.0E20`) and NaN and the infinities as strings.
 */
import { checkNesting } from './nesting.ts'
import { Timestamp } from './timestamp.ts'
import { boxed, javaFloatText, LsFloat, type Value } from './value.ts'

export function writeJson(value: Value): string {
  boxed.seen = false
  let text: string
  try {
    text = JSON.stringify(value)
  } catch (error) {
    // A TypeError is a big integer. Anything else, such as too deep a nesting, is not ours to cure.
    if (error instanceof TypeError) return write(value, 0)
    throw error
  }
  return boxed.seen ? write(value, 0) : text
}

/** One field or element per line, like `JSON.stringify(value, null, indent)` with exact numbers. */
export function writePrettyJson(value: Value, indent = 2): string {
  return writePretty(value, ' '.repeat(indent), '\n', 0)
}

function write(value: Value | undefined, depth: number): string {
  if (typeof value !== 'object' || value === null) return scalarText(value)
  checkNesting(depth)
  if (Array.isArray(value)) {
    let text = ''
    for (const item of value) text += text === '' ? write(item, depth + 1) : `,${write(item, depth + 1)}`
    return `[${text}]`
  }
  if (value instanceof Timestamp) return `"${value.toString()}"`
  if (value instanceof LsFloat) return floatText(value.value)
  let text = ''
  for (const name of Object.keys(value)) {
    const item = value[name]
    if (item === undefined) continue
    text += `${text === '' ? '' : ','}${quoted(name)}:${write(item, depth + 1)}`
  }
  return `{${text}}`
}

function writePretty(value: Value | undefined, indent: string, newline: string, depth: number): string {
  if (typeof value !== 'object' || value === null || value instanceof Timestamp || value instanceof LsFloat) {
    return write(value, depth)
  }
  checkNesting(depth)
  const inner = newline + indent
  const lines: string[] = []
  if (Array.isArray(value)) {
    for (const item of value) lines.push(inner + writePretty(item, indent, inner, depth + 1))
    return lines.length === 0 ? '[]' : `[${lines.join(',')}${newline}]`
  }
  for (const name of Object.keys(value)) {
    const item = value[name]
    if (item === undefined) continue
    lines.push(`${inner}${quoted(name)}: ${writePretty(item, indent, inner, depth + 1)}`)
  }
  return lines.length === 0 ? '{}' : `{${lines.join(',')}${newline}}`
}

function scalarText(value: string | number | bigint | boolean | null | undefined): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      return Number.isSafeInteger(value) ? String(value) : floatText(value)
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return 'null'
  }
}

const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

function quoted(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`
}

function floatText(value: number): string {
  return Number.isFinite(value) ? javaFloatText(value) : `"${javaFloatText(value)}"`
}
