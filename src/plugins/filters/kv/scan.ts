/**
 * Finds the pairs in a text. The meaning is that of one expression, searched again and again:
 *
 *   (key) blanks value-separator blanks ("…" | '…' | (…) | […] | <…> | run)? (field-separator | end of line)
 *
 * where key and run are greedy and a backslash takes the next character along. With sets of separator
 * characters a loop over the text gives the same pairs without backtracking; texts in which the
 * expression would have to go back (a backslash in a key that leads nowhere) are left to the expression.
 */

import { compilePattern, PatternTimeout } from '../../../regex/pattern.ts'
import { backslash, lineFeed } from '../../../text/ascii.ts'
import { CharSet } from '../../ruby-values/char-set.ts'

type Visit = (key: string, value: string) => void
/** Calls `visit` for every pair; `limit` is the time a text may take in milliseconds, 0 for any. */
export type Scan = (text: string, visit: Visit, limit: number) => void

export interface ScanOptions {
  readonly field_split: string
  readonly value_split: string
  readonly field_split_pattern: string | undefined
  readonly value_split_pattern: string | undefined
  readonly include_brackets: boolean
  readonly whitespace: 'lenient' | 'strict'
}

export function compileScan(options: ScanOptions): Scan {
  const { field_split, value_split, field_split_pattern, value_split_pattern } = options
  const slowly = searchingScan(options)
  if (field_split_pattern !== undefined || value_split_pattern !== undefined) return slowly
  const fields = new CharSet(field_split)
  const values = new CharSet(value_split)
  if (beyondAscii.test(field_split) || beyondAscii.test(value_split)) return slowly
  const stops = new CharSet(value_split + field_split)
  return walkingScan({ fields: fields.ascii, values: values.ascii, stops: stops.ascii }, options, slowly)
}

/** What lets a set have members beyond ASCII; for those only the expression is right. */
const beyondAscii = /[^\0-~]|^\^|\\[A-Zpux]|\[:|&&/

/** The expression itself. */
export function searchingScan(options: ScanOptions): Scan {
  const { field_split, value_split, include_brackets, whitespace } = options
  const usesPatterns = options.field_split_pattern !== undefined || options.value_split_pattern !== undefined
  const fieldEnd = options.field_split_pattern ?? `[${field_split}]`
  const bare = `(?:${options.value_split_pattern ?? `[${value_split}]`})`
  const separator = whitespace === 'lenient' ? `(?: *${bare} *)` : bare
  const key = usesPatterns
    ? runUntil(`${separator}|(?:${fieldEnd})`)
    : `((?:\\\\.|[^${value_split}${field_split}])+)`
  const run =
    options.field_split_pattern === undefined ? `((?:\\\\.|[^${field_split}])+)` : runUntil(`(?:${fieldEnd})`)
  const quoted = [enclosed('"', '"'), enclosed("'", "'")]
  const brackets = include_brackets ? [enclosed('\\(', ')'), enclosed('\\[', '\\]'), enclosed('<', '>')] : []
  const value = [...quoted, ...brackets, run].join('|')
  const pattern = compilePattern(`${key}${separator}(?:${value})?(?:(?:${fieldEnd})|$)`)
  const splitter = compilePattern(separator)

  return (text, visit, limit) => {
    const deadline = limit > 0 ? performance.now() + limit : Number.POSITIVE_INFINITY
    if (splitter.search(text, Math.max(0, limit)) === null) return
    let rest = text
    for (;;) {
      const left = deadline - performance.now()
      if (left <= 0) throw new PatternTimeout(pattern.source, limit)
      const match = pattern.search(rest, limit > 0 ? left : 0)
      if (match === null) return
      visit(groupOf(match, pattern.groups[1]!) ?? '', valueText(match, pattern.groups))
      rest = rest.slice(match.index + match[0].length)
      if (rest === '') return
    }
  }
}

/** Text between quotes or brackets, in which a backslash takes the next character along. */
function enclosed(open: string, close: string): string {
  return `${open}((?:\\\\.|[^${close}])+)?${close === ')' ? '\\)' : close}`
}

function runUntil(end: string): string {
  return `((?:(?!${end})(?:\\\\.|.))+)`
}

function groupOf(match: RegExpExecArray, numbers: readonly number[]): string | undefined {
  let text: string | undefined
  for (const number of numbers) text = match[number] ?? text
  return text
}

function valueText(match: RegExpExecArray, groups: readonly (readonly number[])[]): string {
  for (let group = 2; group < groups.length; group++) {
    const text = groupOf(match, groups[group]!)
    if (text !== undefined) return text
  }
  return ''
}

const blank = 0x20
const maxGuesses = 64

/** Closing characters by the code of the opening ones. */
function closings(include_brackets: boolean): Uint8Array {
  const table = new Uint8Array(128)
  for (const pair of include_brackets ? ['""', "''", '()', '[]', '<>'] : ['""', "''"])
    table[pair.charCodeAt(0)] = pair.charCodeAt(1)
  return table
}

interface Separators {
  readonly fields: Uint8Array
  readonly values: Uint8Array
  /** Both together, where a key ends. */
  readonly stops: Uint8Array
}

function walkingScan({ fields, values, stops }: Separators, options: ScanOptions, slowly: Scan): Scan {
  const lenient = options.whitespace === 'lenient'
  const closing = closings(options.include_brackets)
  const blankIsValueSplit = lenient && values[blank] === 1
  const keyStops = Uint8Array.from(stops)
  keyStops[backslash] = 1

  // Lines of one kind have their keys in one order: the key of the previous text at the same place saves
  // looking at its characters, and is the same string again.
  const guesses: string[] = []

  function isStop(text: string, at: number): boolean {
    if (at >= text.length) return false
    const code = text.charCodeAt(at)
    return code < 128 && stops[code] === 1
  }

  /** Whether the backslash there changes nothing: what it protects is no separator. */
  function isIdle(text: string, at: number): boolean {
    if (stops[backslash] === 1) return false
    const next = at + 1 < text.length ? text.charCodeAt(at + 1) : lineFeed
    return next === lineFeed || (next !== backslash && (next >= 128 || stops[next] === 0))
  }

  /** Where the run that starts at `from` ends: before a field separator that no backslash protects. */
  function runEnd(text: string, from: number): number {
    let at = from
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code >= 128) continue
      if (code === backslash && at + 1 < text.length && text.charCodeAt(at + 1) !== lineFeed) at += 1
      else if (fields[code] === 1) return at
    }
    return text.length
  }

  function keyEnd(text: string, from: number): number {
    let at = from
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code >= 128 || keyStops[code] === 0) continue
      if (code !== backslash || !isIdle(text, at)) return at
    }
    return at
  }

  return (text, visit, limit) => {
    const { length } = text
    // The next closing character of each kind, looked for once: many openings must not search the text again and again.
    const closes: number[] = []
    let at = 0
    let pair = 0
    while (at < length) {
      const start = at
      const guess = pair < guesses.length ? guesses[pair]! : ''
      const guessed = guess !== '' && isStop(text, start + guess.length) && text.startsWith(guess, start)
      at = guessed ? start + guess.length : keyEnd(text, start)
      if (at === length) return
      if (text.charCodeAt(at) === backslash) return slowly(text.slice(start), visit, limit)
      const end = at
      // No key begins here; blanks are not looked at as a part of the separator, or each of many would see all others.
      if (end === start) {
        at = end + 1
        continue
      }
      if (lenient) while (at < length && text.charCodeAt(at) === blank) at += 1
      if (at < length && text.charCodeAt(at) < 128 && values[text.charCodeAt(at)] === 1) at += 1
      else if (!blankIsValueSplit || at === end) {
        at = end + 1
        continue
      }
      if (lenient) while (at < length && text.charCodeAt(at) === blank) at += 1
      let key = guess
      if (!guessed) {
        key = text.slice(start, end)
        if (pair < maxGuesses) guesses[pair] = key.includes('\\') ? '' : key
      }
      pair += 1
      const first = at < length ? text.charCodeAt(at) : 0
      const close = first < 128 ? closing[first]! : 0
      if (close !== 0) {
        let last = closes[close]
        if (last === undefined || last <= at) {
          last = text.indexOf(String.fromCharCode(close), at + 1)
          if (last < 0) last = Number.POSITIVE_INFINITY
          closes[close] = last
        }
        // The expression decides whether the backslash belongs to the closing character.
        if (last < length && text.charCodeAt(last - 1) === backslash)
          return slowly(text.slice(start), visit, limit)
        const after = last + 1 < length ? text.charCodeAt(last + 1) : lineFeed
        const ends = after < 128 && fields[after] === 1
        if (last < length && (ends || after === lineFeed)) {
          visit(key, text.slice(at + 1, last))
          at = ends && last + 1 < length ? last + 2 : last + 1
          continue
        }
      }
      const valueEnd = runEnd(text, at)
      visit(key, text.slice(at, valueEnd))
      at = valueEnd + 1
    }
  }
}
