/**
 * Values to JSON text. JSON.stringify is fastest and right for nearly every event. Boxed floats (`LsFloat.toJSON`)
 * write themselves as texts with a mark that nobody can guess, which is taken off again with its quotes: floats are
 * then as Java prints them (`1.0`, `1.0E20`), NaN and the infinities stay strings. Events with big integers, which
 * JSON.stringify refuses, are written by the exact writer.
 */

import { randomBytes } from 'node:crypto'
import { javaDouble } from '../text/java-double.ts'
import { checkNesting } from './nesting.ts'
import { Timestamp } from './timestamp.ts'
import { boxed, LsFloat, type Value } from './value.ts'

const mark = `~${randomBytes(16).toString('hex')}~`
const marked = new RegExp(`"${mark}([^"]*)"`, 'g')

export function writeJson(value: Value): string {
  try {
    return writeNatively(value)
  } catch (error) {
    // A TypeError is a big integer. Anything else, such as too deep a nesting, is not ours to cure.
    if (error instanceof TypeError) return write(value, 0)
    throw error
  }
}

/** Writes values without big integers; throws a TypeError on those. */
export function writeNatively(value: object | Value): string {
  boxed.seen = false
  boxed.mark = mark
  try {
    const text = JSON.stringify(value)
    return boxed.seen ? text.replace(marked, '$1') : text
  } finally {
    boxed.mark = ''
  }
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
  return Number.isFinite(value) ? javaDouble(value) : `"${javaDouble(value)}"`
}
