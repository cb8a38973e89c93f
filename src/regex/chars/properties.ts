/**
 * Named character sets: POSIX brackets as Ruby defines them over Unicode, and Unicode properties, which
 * JavaScript spells differently for scripts and does not know for blocks and ages.
 */

import { compileTrusted } from '../guarded-regexp.ts'
import { type CharSet, property, range, union } from './char-set.ts'

export const digits: CharSet = range(0x30, 0x39)
export const hexDigits: CharSet = union([digits, range(0x41, 0x46), range(0x61, 0x66)])
/** Tab, line feed, vertical tab, form feed, carriage return and the blank. */
export const whiteSpace: CharSet = union([range(0x09, 0x0d), range(0x20)])
export const wordCharacters: CharSet = {
  kind: 'union',
  negate: false,
  items: [digits, range(0x41, 0x5a), range(0x5f), range(0x61, 0x7a)],
  keepsCase: true,
}
export const newline: CharSet = range(0x0a)

const graph = union(
  [property('\\p{White_Space}'), property('\\p{Cc}'), property('\\p{Cn}'), property('\\p{Cs}')],
  true,
)

/** The word character of `\b` and of `[[:word:]]`. */
export const unicodeWord: CharSet = union([
  property('\\p{Alphabetic}'),
  property('\\p{M}'),
  property('\\p{Nd}'),
  property('\\p{Pc}'),
])

const posixClasses = new Map<string, CharSet>([
  ['alnum', union([property('\\p{Alphabetic}'), property('\\p{Nd}')])],
  ['alpha', property('\\p{Alphabetic}')],
  ['ascii', range(0, 0x7f)],
  ['blank', union([property('\\p{Zs}'), range(0x09)])],
  ['cntrl', property('\\p{Cc}')],
  ['digit', property('\\p{Nd}')],
  ['graph', graph],
  ['lower', property('\\p{Lowercase}')],
  ['print', union([graph, property('\\p{Zs}')])],
  ['punct', union([property('\\p{P}'), ...[...'$+<=>^`|~'].map((char) => range(char.charCodeAt(0)))])],
  ['space', property('\\p{White_Space}')],
  ['upper', property('\\p{Uppercase}')],
  ['word', unicodeWord],
  ['xdigit', hexDigits],
])

export function posixClass(name: string): CharSet | undefined {
  return posixClasses.get(name.toLowerCase())
}

/** A Unicode property under the name Ruby uses, or undefined when JavaScript has no such property. */
export function unicodeProperty(name: string): CharSet | undefined {
  if (!/^[A-Za-z0-9_]+$/.test(name)) return undefined
  for (const text of [`\\p{${name}}`, `\\p{Script=${name}}`]) {
    try {
      compileTrusted(text, 'u')
      return property(text)
    } catch {
      // Not a property of this kind.
    }
  }
  return undefined
}
