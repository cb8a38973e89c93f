/**
 * Finds a duplicate name in a JSON object. `JSON.parse` keeps the last of them silently, Jackson refuses the
 * text. The check counts the members of the text and those of the parsed value; only when the two differ is the text
 * read again to find the name.
 */
import { backslash, colon, quote } from '../../../text/ascii.ts'
import { JsonNumber } from '../json-literals.ts'
import type { SearchError } from '../search-error.ts'
import { duplicateName, type JsonDialect } from './json-syntax-error.ts'

/** The number of `name: value` pairs of a valid JSON text in UTF-8. */
function membersOfText(bytes: Uint8Array): number {
  let members = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === colon) members++
    else if (byte === quote) {
      at++
      while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
    }
  }
  return members
}

/** The number of `name: value` pairs of a parsed value. */
export function membersOfValue(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof JsonNumber) return 0
  let members = 0
  if (Array.isArray(value)) {
    for (const element of value) if (typeof element === 'object') members += membersOfValue(element)
    return members
  }
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name]
    members++
    if (typeof member === 'object') members += membersOfValue(member)
  }
  return members
}

export function hasDuplicateNames(bytes: Uint8Array, parsed: unknown): boolean {
  return membersOfText(bytes) !== membersOfValue(parsed)
}

/** The error for a valid text that has a duplicate name; undefined when it has none. */
export function duplicateNameError(text: string, dialect: JsonDialect): SearchError | undefined {
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{') open.push(new Set())
    else if (character === '[') open.push(undefined)
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const start = at
      for (at++; text[at] !== '"'; at++) if (text[at] === '\\') at++
      const names = open.at(-1)
      if (names === undefined || !/^\s*:/.test(text.slice(at + 1, at + 64))) continue
      const name = JSON.parse(text.slice(start, at + 1)) as string
      if (names.has(name)) return duplicateName(text, dialect, name, at + 1)
      names.add(name)
    }
  }
  return undefined
}
