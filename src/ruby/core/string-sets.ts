/**
 * Character sets of `tr`, `delete`, `squeeze` and `count`: `a-z`, `^0-9`, with `\` before a sign that is meant
 * literally.
 */
import { textArgument } from '../arguments.ts'
import { argumentError, raise } from '../errors.ts'
import type { RubyValue } from '../ruby-class.ts'
import { defineTextMethods } from './text-methods.ts'

interface CharacterSet {
  readonly negated: boolean
  readonly chars: string[]
}

const maxRange = 0x11_0000

function readSet(text: string): CharacterSet {
  const source = Array.from(text)
  const negated = source.length > 1 && source[0] === '^'
  const chars: string[] = []
  for (let i = negated ? 1 : 0; i < source.length; i++) {
    let char = source[i]!
    if (char === '\\' && i + 1 < source.length) char = source[++i]!
    if (source[i + 1] === '-' && i + 2 < source.length) {
      let last = source[i + 2]!
      i += 2
      if (last === '\\' && i + 1 < source.length) last = source[++i]!
      const from = char.codePointAt(0)!
      const to = last.codePointAt(0)!
      if (to < from) raise(argumentError, `invalid range "${char}-${last}" in string transliteration`)
      if (to - from > maxRange) raise(argumentError, 'range too large')
      for (let code = from; code <= to; code++) chars.push(String.fromCodePoint(code))
    } else chars.push(char)
  }
  return { negated, chars }
}

type Test = (char: string) => boolean

/** A character that is in every one of the sets. */
function inSets(args: RubyValue[]): Test {
  const sets = args.map((arg) => {
    const { negated, chars } = readSet(textArgument(arg))
    const members = new Set(chars)
    return (char: string): boolean => members.has(char) !== negated
  })
  return (char) => sets.every((has) => has(char))
}

function translate(text: string, from: string, to: string, squeezes: boolean): string {
  const set = readSet(from)
  const target = readSet(to).chars
  if (to.startsWith('^') && to.length > 1) target.unshift('^')
  const last = target[target.length - 1] ?? ''
  const places = new Map<string, string>()
  if (!set.negated) {
    set.chars.forEach((char, i) => {
      if (!places.has(char)) places.set(char, target.length === 0 ? '' : (target[i] ?? last))
    })
  }
  const members = new Set(set.chars)
  let result = ''
  let previous: string | undefined
  for (const char of text) {
    const by = set.negated ? (members.has(char) ? undefined : last) : places.get(char)
    if (by === undefined) {
      result += char
      previous = undefined
    } else if (!squeezes || by !== previous) {
      result += by
      previous = by
    }
  }
  return result
}

defineTextMethods({
  'tr 2': (self, [from, to]) => translate(self, textArgument(from), textArgument(to), false),
  'tr_s 2': (self, [from, to]) => translate(self, textArgument(from), textArgument(to), true),
  'delete 1+': (self, args) => {
    const has = inSets(args)
    let result = ''
    for (const char of self) if (!has(char)) result += char
    return result
  },
  'squeeze *': (self, args) => {
    const has: Test = args.length === 0 ? () => true : inSets(args)
    let result = ''
    let previous = ''
    for (const char of self) {
      if (char !== previous || !has(char)) result += char
      previous = char
    }
    return result
  },
  'count 1+': (self, args) => {
    const has = inSets(args)
    let count = 0
    for (const char of self) if (has(char)) count++
    return count
  },
})
