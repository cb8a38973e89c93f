/**
 * First step of the translation: rewrites a Ruby (Onigmo) pattern into the dialect the Oniguruma parser
 * reads, and reports syntax mistakes in Ruby's words with their position. What it settles:
 *   - `(?i)` opens a group that lasts to the end of the enclosing group, so `a(?i)b|c` is `a(?i:b|c)`
 *   - group names of any spelling become `g0`, `g1`, ...; `names` gives the user's spelling back
 *   - the character modes `(?a)`, `(?u)`, `(?d)`, which exist in Ruby only, are written out
 *   - characters are written as `\x{...}`; a repeated zero-width item is wrapped in `(?:...)`
 */
import type { PatternFlags } from '../pattern-error.ts'
import { readClass } from './ruby-class.ts'
import { readGroup } from './ruby-group.ts'
import { isSpace, RubyReader } from './ruby-reader.ts'
import { readSymbol } from './ruby-symbol.ts'

interface RubySource {
  text: string
  /** `names[3]` is the user's name of the groups called `g3` in `text`. */
  names: string[]
}

const maxRepeatSize = 100_000
const interval = /\{(\d*)(,?)(\d*)\}/y

export function readRubySource(source: string, flags: PatternFlags = {}): RubySource {
  const reader = new RubyReader(source, flags)
  while (reader.at < source.length) readItem(reader, source[reader.at]!)
  if (reader.frames.length > 0) reader.fail('end pattern with unmatched parenthesis')
  for (const [name, position] of reader.called) {
    if (!reader.defined.has(name)) reader.fail(`undefined name <${name}> reference`, position)
  }
  return { text: reader.out + reader.frame.close, names: reader.names }
}

function readItem(reader: RubyReader, char: string): void {
  switch (char) {
    case '\\':
      readSymbol(reader)
      break
    case '[':
      readClass(reader)
      break
    case '(':
      readGroup(reader)
      break
    case ')':
      closeGroup(reader)
      break
    case '|':
      reader.write(char, 1)
      reader.repeatable = false
      break
    case '*':
    case '+':
    case '?':
      readRepeat(reader, char)
      break
    case '{':
      readInterval(reader)
      break
    case '^':
    case '$':
      reader.anchor(char, 1)
      break
    default:
      if (reader.frame.extended && char === '#') skipComment(reader)
      else if (reader.frame.extended && isSpace(char)) reader.write(char, 1)
      else reader.atom(char, 1)
  }
}

function closeGroup(reader: RubyReader): void {
  const outer = reader.frames.pop() ?? reader.fail('unmatched close parenthesis')
  reader.write(reader.frame.close, 1)
  reader.frame = outer
  reader.repeatable = true
}

function skipComment(reader: RubyReader): void {
  const end = reader.source.indexOf('\n', reader.at)
  reader.at = end === -1 ? reader.source.length : end + 1
}

function readRepeat(reader: RubyReader, operator: string): void {
  if (!reader.repeatable) reader.fail('target of repeat operator is not specified')
  const suffix = reader.peek(1)
  if (suffix === '?' || suffix === '+') reader.write(operator + suffix, 2)
  else reader.write(operator, 1)
}

function readInterval(reader: RubyReader): void {
  const [whole = '', low = '', comma = '', high = ''] = reader.match(interval) ?? []
  if (low === '' && high === '') {
    reader.atom('\\{', 1)
    return
  }
  if (!reader.repeatable) reader.fail('target of repeat operator is not specified')
  const min = Number(low)
  const max = comma === '' ? min : high === '' ? Infinity : Number(high)
  if (min > maxRepeatSize || (max !== Infinity && max > maxRepeatSize)) {
    reader.fail('too big number for repeat range')
  }
  if (min > max) reader.fail('upper is smaller than lower in repeat range')
  reader.write(whole, whole.length)
  if (reader.peek() !== '?') return
  // `{n}?` is an optional `{n}` in Ruby, `{n,m}?` is lazy.
  if (comma === '') reader.out += '(?#)'
  else reader.write('?', 1)
}
