/**
 * A text between double quotes as Ruby's `inspect` writes it; bytes that are no UTF-8 are `\xFF`.
 */
import { escapedByte } from './bytes.ts'

const special = /["\\\p{Cc}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]|#(?=[{$@])/gu
const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '#': '\\#',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
}

export function inspectText(text: string): string {
  return `"${text.replace(special, escapeSign)}"`
}

function escapeSign(char: string): string {
  const short = shortEscapes[char]
  if (short !== undefined) return short
  const code = char.codePointAt(0)!
  const byte = escapedByte(code)
  if (byte !== undefined) return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`
  const hex = code.toString(16).toUpperCase()
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}
