/**
 * String and patterns: match, sub, gsub, scan, split.
 */

import { compileReplacement, fillReplacement } from '../../regex/ruby/ruby-replacement.ts'
import { hashArgument, patternArgument, textArgument } from '../arguments.ts'
import { charIndex, charsOf, unitIndex } from '../chars.ts'
import { send } from '../dispatch.ts'
import { argumentError, raise, typeError } from '../errors.ts'
import { RubyHash } from '../hash.ts'
import { toText } from '../inspect.ts'
import { indexOf } from '../number.ts'
import type { Proc } from '../proc.ts'
import { type RubyMatch, RubyRegexp } from '../regexp.ts'
import { classOf, type RubyValue } from '../ruby-class.ts'
import { runtime, tick } from '../runtime.ts'
import { isText, textOf } from '../values.ts'
import { Enumerator } from './items.ts'
import { defineBangMethods, defineTextMethods } from './text-methods.ts'

export function escapePattern(text: string): string {
  return text
    .replace(/[.*?+^$|\\()[\]{}\-#]/g, '\\$&')
    .replace(/[ \n\t\r\f\v]/g, (blank) => blankEscapes[blank]!)
}

const blankEscapes: Readonly<Record<string, string>> = {
  ' ': '\\ ',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\f': '\\f',
  '\v': '\\v',
}

/** A text as pattern, where only a pattern will do. */
function toRegexp(value: RubyValue | undefined): RubyRegexp {
  if (value instanceof RubyRegexp) return value
  if (isText(value)) return new RubyRegexp(textOf(value))
  raise(typeError, `wrong argument type ${classOf(value ?? null).name} (expected Regexp)`)
}

function literally(pattern: RubyRegexp | string): RubyRegexp {
  return typeof pattern === 'string' ? new RubyRegexp(escapePattern(pattern)) : pattern
}

type Fill = (match: RubyMatch) => string

function filler(regexp: RubyRegexp, args: RubyValue[], block: Proc | null): Fill {
  const [, replacement] = args
  if (replacement instanceof RubyHash) {
    const table = hashArgument(replacement)
    return (match) => toText(table.get(match.whole))
  }
  if (replacement !== undefined) {
    const { parts } = compileReplacement(textArgument(replacement), regexp.pattern)
    return (match) => fillReplacement(parts, match.raw)
  }
  if (block === null) raise(argumentError, 'wrong number of arguments (given 1, expected 2)')
  return (match) => {
    runtime.match = match
    return toText(block.one(match.whole))
  }
}

function sub(text: string, args: RubyValue[], block: Proc | null): string {
  const pattern = patternArgument(args[0])
  const [, replacement] = args
  if (
    typeof pattern === 'string' &&
    isText(replacement) &&
    !textOf(replacement).includes('\\') &&
    !runtime.readsMatch
  ) {
    const at = text.indexOf(pattern)
    return at < 0 ? text : text.slice(0, at) + textOf(replacement) + text.slice(at + pattern.length)
  }
  const regexp = literally(pattern)
  const fill = filler(regexp, args, block)
  const match = regexp.search(text)
  if (match === null) return text
  const filled = fill(match)
  runtime.match = match
  return text.slice(0, match.start) + filled + text.slice(match.end)
}

function gsub(text: string, args: RubyValue[], block: Proc | null): RubyValue {
  const pattern = patternArgument(args[0])
  const [, replacement] = args
  if (replacement === undefined && block === null) return new Enumerator(text, 'gsub', args)
  if (isText(replacement) && !runtime.readsMatch) {
    const by = textOf(replacement)
    if (typeof pattern !== 'string') return pattern.pattern.replaceAll(text, by)
    if (!by.includes('\\')) return text.replaceAll(pattern, () => by)
  }
  const regexp = literally(pattern)
  const fill = filler(regexp, args, block)
  let result = ''
  let from = 0
  let last: RubyMatch | null = null
  for (const match of regexp.matches(text)) {
    tick()
    result += text.slice(from, match.start) + fill(match)
    from = match.end
    last = match
  }
  runtime.match = last
  return last === null ? text : result + text.slice(from)
}

function scan(text: string, pattern: RubyRegexp | string, block: Proc | null): RubyValue {
  const found: RubyValue[] = []
  let last: RubyMatch | null = null
  for (const match of literally(pattern).matches(text)) {
    tick()
    last = match
    const item: RubyValue = match.groupCount === 0 ? match.whole : match.captures()
    if (block === null) found.push(item)
    else {
      runtime.match = match
      block.one(item)
    }
  }
  runtime.match = last
  return block === null ? found : text
}

const blanks = /[\0\t\n\v\f\r ]+/

function split(text: string, separator: RubyValue, limit: number): string[] {
  if (text === '') return []
  if (limit === 1) return [text]
  const parts = pieces(text, separator, limit)
  if (limit === 0) while (parts.length > 0 && parts[parts.length - 1] === '') parts.pop()
  return parts
}

function pieces(text: string, separator: RubyValue, limit: number): string[] {
  if (separator instanceof RubyRegexp) {
    return separator.source === ' ' && separator.options === 0
      ? byText(text, ' ', limit)
      : byPattern(text, separator, limit)
  }
  const mark = separator === null ? ' ' : textArgument(separator)
  if (mark === ' ') return byBlanks(text, limit)
  if (mark === '') return byCharacter(text, limit)
  return byText(text, mark, limit)
}

function byBlanks(text: string, limit: number): string[] {
  const rest = text.replace(/^[\0\t\n\v\f\r ]+/, '')
  if (limit <= 0) {
    const parts = rest.split(blanks)
    if (rest === '' && limit < 0) return ['']
    return rest === '' ? [] : parts
  }
  const parts: string[] = []
  let left = rest
  while (parts.length < limit - 1) {
    const found = blanks.exec(left)
    if (found === null) break
    parts.push(left.slice(0, found.index))
    left = left.slice(found.index + found[0].length)
  }
  if (left !== '' || parts.length > 0) parts.push(left)
  return parts
}

function byCharacter(text: string, limit: number): string[] {
  const chars = charsOf(text)
  if (limit > 0 && chars.length >= limit)
    return [...chars.slice(0, limit - 1), chars.slice(limit - 1).join('')]
  return limit === 0 ? chars : [...chars, '']
}

function byText(text: string, mark: string, limit: number): string[] {
  if (limit <= 0) return text.split(mark)
  const parts: string[] = []
  let from = 0
  while (parts.length < limit - 1) {
    const at = text.indexOf(mark, from)
    if (at < 0) break
    parts.push(text.slice(from, at))
    from = at + mark.length
  }
  parts.push(text.slice(from))
  return parts
}

function byPattern(text: string, regexp: RubyRegexp, limit: number): string[] {
  const parts: string[] = []
  let from = 0
  let count = 1
  for (const match of regexp.matches(text)) {
    tick()
    if (limit > 0 && count >= limit) break
    // An empty match splits between two characters, never at the ends.
    if (match.end === match.start && (match.start === from || match.start >= text.length)) {
      if (match.start >= text.length) break
      if (match.start === 0 || match.start === from) continue
    }
    parts.push(text.slice(from, match.start))
    for (const group of match.captures()) if (group !== null) parts.push(group)
    from = match.end
    count++
  }
  parts.push(text.slice(from))
  return parts
}

defineTextMethods({
  '=~ 1': (self, [pattern]) => {
    if (pattern === null) return null
    if (isText(pattern)) raise(typeError, 'wrong argument type String (expected Regexp)')
    if (!(pattern instanceof RubyRegexp)) return send(pattern!, '=~', [self])
    const match = pattern.search(self)
    return match === null ? null : charIndex(self, match.start)
  },
  '!~ 1': (self, [pattern]) => !(pattern instanceof RubyRegexp && pattern.search(self) !== null),
  'match 1-2': (self, [pattern, start = 0], block) => {
    const match = toRegexp(pattern).search(self, unitIndex(self, indexOf(start)))
    return match !== null && block !== null ? block.one(match) : match
  },
  'match? 1-2': (self, [pattern, start = 0]) => {
    const from = unitIndex(self, indexOf(start))
    return from === 0 ? toRegexp(pattern).test(self) : toRegexp(pattern).find(self, from) !== null
  },
  'sub 1-2': (self, args, block) => sub(self, args, block),
  'gsub 1-2': (self, args, block) => gsub(self, args, block),
  'scan 1': (self, [pattern], block) => scan(self, patternArgument(pattern), block),
  'split 0-2': (self, [separator = null, limit = 0], block) => {
    const parts = split(self, separator, indexOf(limit))
    if (block === null) return parts
    for (const part of parts) block.one(part)
    return self
  },
})
defineBangMethods(['sub', 'gsub'])
