/**
 * The syntax of Lucene's regular expressions, as a tree. They always describe a whole term; `^` and `$` are
 * characters like others. Optional parts: `~` complement, `&` intersection, `@` any string, `#` nothing,
 * `<1-20>` numbers.
 *
 *   union   inter ['|' union]            repeat   compl ('?' | '*' | '+' | '{' n [',' [m]] '}')*
 *   inter   concat ['&' inter]           compl    '~' compl | class
 *   concat  repeat [concat]              class    '[' ['^'] … ']' | simple
 */

import { illegalArgument } from '../../request/errors.ts'
import type { SearchError } from '../../request/search-error.ts'

/** Inclusive ranges of code points. */
export type CharacterSet = readonly (readonly [from: number, to: number])[]

export type RegexpTree =
  | { readonly type: 'set'; readonly ranges: CharacterSet }
  | { readonly type: 'text'; readonly points: readonly number[] }
  | { readonly type: 'concat' | 'union' | 'intersection'; readonly parts: readonly RegexpTree[] }
  | { readonly type: 'repeat'; readonly part: RegexpTree; readonly min: number; readonly max: number }
  | { readonly type: 'complement'; readonly part: RegexpTree }
  | { readonly type: 'nothing' }
  | { readonly type: 'interval'; readonly min: number; readonly max: number; readonly digits: number }

const regexpFlags = {
  INTERSECTION: 1,
  COMPLEMENT: 2,
  EMPTY: 4,
  ANYSTRING: 8,
  AUTOMATON: 16,
  INTERVAL: 32,
} as const

export const allRegexpFlags = 63
export const complementFlag = regexpFlags.COMPLEMENT
const lastPoint = 0x10ffff

/** The option `flags`, `INTERVAL|COMPLEMENT`. */
export function parseRegexpFlags(text: string): number {
  if (text === '') return allRegexpFlags
  let flags = 0
  for (const part of text.split('|')) {
    const name = part.toUpperCase()
    if (name === 'ALL') return allRegexpFlags
    if (name === 'NONE') continue
    const bit = Object.entries(regexpFlags).find(([known]) => known === name)?.[1]
    if (bit === undefined) throw illegalArgument(`Unknown regexp flag [${part}]`)
    flags |= bit
  }
  return flags
}

const anyCharacter: CharacterSet = [[0, lastPoint]]
const digit: CharacterSet = [[48, 57]]
const space: CharacterSet = [
  [9, 10],
  [13, 13],
  [32, 32],
]
const word: CharacterSet = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
]

const classes = new Map<string, CharacterSet>([
  ['d', digit],
  ['D', without(digit)],
  ['s', space],
  ['S', without(space)],
  ['w', word],
  ['W', without(word)],
])

/** The complement of a set of characters. */
function without(set: CharacterSet): CharacterSet {
  const rest: [number, number][] = []
  let next = 0
  for (const [from, to] of [...set].sort((a, b) => a[0] - b[0])) {
    if (from > next) rest.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  if (next <= lastPoint) rest.push([next, lastPoint])
  return rest
}

export function withOtherCase(ranges: CharacterSet): CharacterSet {
  const all = [...ranges]
  for (const [from, to] of ranges) {
    addShifted(all, from, to, 65, 90, 32)
    addShifted(all, from, to, 97, 122, -32)
  }
  return all
}

function addShifted(
  all: (readonly [number, number])[],
  from: number,
  to: number,
  low: number,
  high: number,
  by: number,
): void {
  const first = Math.max(from, low)
  const last = Math.min(to, high)
  if (first <= last) all.push([first + by, last + by])
}

/** Throws SearchError. */
export function parseRegexp(pattern: string, flags: number, caseInsensitive = false): RegexpTree {
  return new RegexpParser(pattern, flags, caseInsensitive).parse()
}

/** The maximum nesting of groups and complements. */
const maxDepth = 500

class RegexpParser {
  readonly #text: string
  readonly #caseInsensitive: boolean
  readonly #flags: number
  #at = 0
  #depth = 0
  /** The number of stacked repetition operators. */
  #stacked = 0

  constructor(text: string, flags: number, caseInsensitive: boolean) {
    this.#text = text
    this.#flags = flags
    this.#caseInsensitive = caseInsensitive
  }

  parse(): RegexpTree {
    if (this.#text === '') return { type: 'text', points: [] }
    const tree = this.#union()
    if (this.#at < this.#text.length) throw this.#error(`end-of-string expected at position ${this.#at}`)
    return tree
  }

  #error(message: string): SearchError {
    return illegalArgument(message)
  }

  #has(flag: number): boolean {
    return (this.#flags & flag) !== 0
  }

  #peeks(characters: string): boolean {
    return this.#at < this.#text.length && characters.includes(this.#text[this.#at]!)
  }

  #match(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #next(): number {
    const point = this.#text.codePointAt(this.#at)
    if (point === undefined) throw this.#error('unexpected end-of-string')
    this.#at += point > 0xffff ? 2 : 1
    return point
  }

  #union(): RegexpTree {
    const parts = [this.#intersection()]
    while (this.#match('|')) parts.push(this.#intersection())
    return parts.length === 1 ? parts[0]! : { type: 'union', parts }
  }

  #intersection(): RegexpTree {
    const parts = [this.#concat()]
    while (this.#has(regexpFlags.INTERSECTION) && this.#match('&')) parts.push(this.#concat())
    return parts.length === 1 ? parts[0]! : { type: 'intersection', parts }
  }

  #concat(): RegexpTree {
    const ends = this.#has(regexpFlags.INTERSECTION) ? ')|&' : ')|'
    const parts = [this.#repeat()]
    while (this.#at < this.#text.length && !this.#peeks(ends)) parts.push(this.#repeat())
    return parts.length === 1 ? parts[0]! : { type: 'concat', parts }
  }

  #repeat(): RegexpTree {
    let part = this.#complement()
    for (let count = 1; this.#peeks('?*+{'); count++) {
      if (count > 1 && ++this.#stacked > maxDepth) throw this.#error('nested too deeply')
      if (this.#match('?')) part = { type: 'repeat', part, min: 0, max: 1 }
      else if (this.#match('*')) part = { type: 'repeat', part, min: 0, max: Number.POSITIVE_INFINITY }
      else if (this.#match('+')) part = { type: 'repeat', part, min: 1, max: Number.POSITIVE_INFINITY }
      else part = this.#counted(part)
    }
    return part
  }

  #counted(part: RegexpTree): RegexpTree {
    this.#at++
    const min = this.#integer()
    if (min === undefined) throw this.#error(`integer expected at position ${this.#at}`)
    const max = this.#match(',') ? (this.#integer() ?? Number.POSITIVE_INFINITY) : min
    if (!this.#match('}')) throw this.#error(`expected '}' at position ${this.#at}`)
    if (min > max) throw this.#error(`invalid repetition range(out of order): ${min}..${max}`)
    return { type: 'repeat', part, min, max }
  }

  #integer(): number | undefined {
    const start = this.#at
    while (this.#peeks('0123456789')) this.#at++
    if (this.#at === start) return undefined
    const number = Number(this.#text.slice(start, this.#at))
    if (number > 2_147_483_647) throw this.#error(`For input string: "${this.#text.slice(start, this.#at)}"`)
    return number
  }

  #complement(): RegexpTree {
    if (!this.#has(regexpFlags.COMPLEMENT) || !this.#match('~')) return this.#class()
    if (++this.#depth > maxDepth) throw this.#error('nested too deeply')
    const part = this.#complement()
    this.#depth--
    return { type: 'complement', part }
  }

  #class(): RegexpTree {
    if (!this.#match('[')) return this.#simple()
    const negated = this.#match('^')
    const ranges: (readonly [number, number])[] = [...this.#classPart()]
    while (this.#at < this.#text.length && !this.#peeks(']')) ranges.push(...this.#classPart())
    if (!this.#match(']')) throw this.#error(`expected ']' at position ${this.#at}`)
    if (!negated) return { type: 'set', ranges }
    return { type: 'set', ranges: without(ranges) }
  }

  #classPart(): CharacterSet {
    const known = this.#knownClass()
    if (known !== undefined) return known
    const from = this.#character()
    // As in Lucene, single letters of a class stand for both cases, ranges are taken as they are.
    if (!this.#match('-')) return this.#caseInsensitive ? withOtherCase([[from, from]]) : [[from, from]]
    const to = this.#character()
    if (from > to) throw this.#error(`invalid range: from (${from}) cannot be > to (${to})`)
    return [[from, to]]
  }

  #knownClass(): CharacterSet | undefined {
    if (this.#text[this.#at] !== '\\') return undefined
    const found = classes.get(this.#text[this.#at + 1] ?? '')
    if (found !== undefined) this.#at += 2
    return found
  }

  #character(): number {
    this.#match('\\')
    return this.#next()
  }

  #simple(): RegexpTree {
    if (this.#match('.')) return { type: 'set', ranges: anyCharacter }
    if (this.#has(regexpFlags.EMPTY) && this.#match('#')) return { type: 'nothing' }
    if (this.#has(regexpFlags.ANYSTRING) && this.#match('@')) {
      return {
        type: 'repeat',
        part: { type: 'set', ranges: anyCharacter },
        min: 0,
        max: Number.POSITIVE_INFINITY,
      }
    }
    if (this.#match('"')) return textTree(this.#until('"'))
    if (this.#match('(')) return this.#group()
    if (this.#has(regexpFlags.AUTOMATON | regexpFlags.INTERVAL) && this.#match('<')) return this.#angles()
    const known = this.#knownClass()
    if (known !== undefined) return { type: 'set', ranges: known }
    return { type: 'text', points: [this.#character()] }
  }

  #until(end: string): string {
    const start = this.#at
    const found = this.#text.indexOf(end, start)
    this.#at = found === -1 ? this.#text.length : found + 1
    if (found === -1) throw this.#error(`expected '${end}' at position ${this.#at}`)
    return this.#text.slice(start, found)
  }

  #group(): RegexpTree {
    if (this.#match(')')) return { type: 'text', points: [] }
    if (++this.#depth > maxDepth) throw this.#error('nested too deeply')
    const tree = this.#union()
    if (!this.#match(')')) throw this.#error(`expected ')' at position ${this.#at}`)
    this.#depth--
    return tree
  }

  #angles(): RegexpTree {
    const inside = this.#until('>')
    const syntaxError = this.#error(`interval syntax error at position ${this.#at - 1}`)
    if (!inside.includes('-')) {
      throw this.#has(regexpFlags.AUTOMATON) ? this.#error(`'${inside}' not found`) : syntaxError
    }
    if (!this.#has(regexpFlags.INTERVAL)) throw this.#error(`illegal identifier at position ${this.#at - 1}`)
    const match = /^(\d{1,10})-(\d{1,10})$/.exec(inside)
    if (match === null) throw syntaxError
    const [, low = '', high = ''] = match
    const ends = [Number(low), Number(high)].sort((a, b) => a - b)
    if (ends[1]! > 2_147_483_647) throw syntaxError
    return {
      type: 'interval',
      min: ends[0]!,
      max: ends[1]!,
      digits: low.length === high.length ? low.length : 0,
    }
  }
}

function textTree(text: string): RegexpTree {
  return { type: 'text', points: Array.from(text, (character) => character.codePointAt(0)!) }
}
