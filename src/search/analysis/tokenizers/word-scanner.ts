/**
 * Finds the end of one token of the standard tokenizer beyond ASCII: the longest UAX #29 token at an offset; on a
 * tie the first kind wins (emoji, number, Hangul, Katakana, word, South East Asian run, ideograph, Hiragana). A scan
 * never reads past `limit`.
 */
import { tokenType } from '../token-buffer.ts'
import { wordBreak as wb, wordBreakClass } from './word-break-class.ts'

export interface Scan {
  /** The end of the token; the start when there is none. */
  end: number
  type: number
  /** How far the scan has read; without a token, everything before it is connectors. */
  reach: number
}

/** States of the word automaton: what was read last, as far as it decides what may follow. */
const start = 0
const afterLetter = 1
const afterHebrew = 2
const afterNumber = 3
const afterKatakana = 4
const afterConnector = 5
/** A letter must follow. */
const midWord = 6
/** A digit must follow. */
const midNumber = 7
/** Hebrew letter and `'`: accepting, and open to letters. */
const afterGershayim = 8
/** Hebrew letter and `"`: a Hebrew letter must follow. */
const midHebrew = 9
/** Hebrew letter, `"`, Hebrew letter. */
const afterAcronym = 10
const failed = 11
const states = 12
const kinds = 23

const transitions = new Uint8Array(states * kinds).fill(failed)

function on(from: readonly number[], kindsOf: readonly number[], to: number): void {
  for (const state of from) for (const kind of kindsOf) transitions[state * kinds + kind] = to
}

const open = [start, afterLetter, afterHebrew, afterNumber, afterConnector, afterGershayim, afterAcronym]
const plainLetters = [wb.letter, wb.hangul, wb.emojiLetter]
on(open, plainLetters, afterLetter)
on(open, [wb.hebrew], afterHebrew)
on(open, [wb.numeric], afterNumber)
on([start, afterKatakana, afterConnector], [wb.katakana], afterKatakana)
on([...open.slice(1), afterKatakana], [wb.connector], afterConnector)
on([start], [wb.connector], start)
on([afterLetter, afterHebrew], [wb.midLetter, wb.midBoth, wb.singleQuote], midWord)
on([afterHebrew], [wb.singleQuote], afterGershayim)
on([afterHebrew], [wb.doubleQuote], midHebrew)
on([midWord], [...plainLetters, wb.hebrew], afterLetter)
on([midHebrew], [wb.hebrew], afterAcronym)
on([afterNumber], [wb.midNumber, wb.midBoth, wb.singleQuote], midNumber)
on([midNumber], [wb.numeric], afterNumber)

const complete = new Uint8Array(states)
for (const state of [
  afterLetter,
  afterHebrew,
  afterNumber,
  afterKatakana,
  afterConnector,
  afterGershayim,
  afterAcronym,
])
  complete[state] = 1

function isExtension(kind: number): boolean {
  return kind === wb.extend || kind === wb.joiner || kind === wb.complexMark
}

/** Returns the code point at an offset; a pair cut by the limit counts as its first half. */
function codeAt(text: string, index: number, limit: number): number {
  const first = text.charCodeAt(index)
  if (first >= 0xd800 && first < 0xdc00 && index + 1 < limit) {
    const second = text.charCodeAt(index + 1)
    if (second >= 0xdc00 && second < 0xe000) return (first - 0xd800) * 0x400 + second - 0xdc00 + 0x10000
  }
  return first
}

function extensionsEnd(text: string, from: number, limit: number): number {
  let index = from
  while (index < limit) {
    const code = codeAt(text, index, limit)
    if (code < 0x80 || !isExtension(wordBreakClass(code))) break
    index += code > 0xffff ? 2 : 1
  }
  return index
}

const variation = 0xfe0f
const keycap = 0x20e3

function emojiEnd(text: string, from: number, limit: number, code: number, kind: number): number {
  if (code < 0x80) {
    // # * and digits are emoji only with the enclosing keycap.
    let index = from + 1
    if (index < limit && text.charCodeAt(index) === variation) index++
    return index < limit && text.charCodeAt(index) === keycap ? extensionsEnd(text, index + 1, limit) : from
  }
  if (kind === wb.regional) {
    const second = extensionsEnd(text, from + 2, limit)
    if (second >= limit) return from
    const next = codeAt(text, second, limit)
    return next > 0xffff && wordBreakClass(next) === wb.regional
      ? extensionsEnd(text, second + 2, limit)
      : from
  }
  let index = from + (code > 0xffff ? 2 : 1)
  if (kind < wb.emoji) return from
  for (;;) {
    index = extensionsEnd(text, index, limit)
    if (index >= limit || text.charCodeAt(index - 1) !== 0x200d) return index
    const next = codeAt(text, index, limit)
    const joined = next < 0x80 ? wb.other : wordBreakClass(next)
    if (joined < wb.emoji) return index
    index += next > 0xffff ? 2 : 1
  }
}

/** Bits for the parts of a word, by which its type is decided. */
const seenNumber = 1
const seenHangul = 2
const seenKatakana = 4
const seenOther = 8

function seenBit(kind: number): number {
  if (kind === wb.numeric) return seenNumber
  if (kind === wb.hangul) return seenHangul
  if (kind === wb.katakana) return seenKatakana
  return kind === wb.letter || kind === wb.hebrew || kind === wb.emojiLetter ? seenOther : 0
}

function scanWord(text: string, from: number, limit: number, scan: Scan): void {
  let state = start
  let index = from
  let seen = 0
  let joined = false
  scan.end = from
  while (index < limit) {
    const code = codeAt(text, index, limit)
    const kind = wordBreakClass(code)
    state = transitions[state * kinds + kind]!
    if (state === failed) break
    index = extensionsEnd(text, index + (code > 0xffff ? 2 : 1), limit)
    const bit = seenBit(kind)
    seen |= bit
    if (bit === 0) joined = true
    if (complete[state] === 1) {
      scan.end = index
      if (seen === seenNumber) scan.type = tokenType.number
      else if (seen === seenHangul && !joined) scan.type = tokenType.hangul
      else if (seen === seenKatakana && !joined) scan.type = tokenType.katakana
      else scan.type = tokenType.alphanumeric
    }
  }
  scan.reach = index
}

/** Returns the end of the connectors at `from` and of their extenders. */
export function connectorsEnd(text: string, from: number): number {
  const limit = text.length
  let index = extensionsEnd(text, from, limit)
  while (index < limit) {
    const code = codeAt(text, index, limit)
    if (wordBreakClass(code) !== wb.connector) break
    index = extensionsEnd(text, index + (code > 0xffff ? 2 : 1), limit)
  }
  return index
}

/** Returns whether the extender of a connector is a token by itself: a mark of a South East Asian script. */
export function isOwnToken(text: string, index: number): boolean {
  return wordBreakClass(codeAt(text, index, text.length)) === wb.complexMark
}

function complexEnd(text: string, from: number, limit: number): number {
  let index = from
  while (index < limit) {
    const code = codeAt(text, index, limit)
    const kind = wordBreakClass(code)
    if (kind !== wb.complex && kind !== wb.complexMark) break
    index = extensionsEnd(text, index + (code > 0xffff ? 2 : 1), limit)
  }
  return index
}

/** Scans the token that starts at `from`; `scan.end` is `from` when there is none. */
export function scanToken(text: string, from: number, limit: number, scan: Scan): void {
  const code = codeAt(text, from, limit)
  const kind = wordBreakClass(code)
  if (kind === wb.han || kind === wb.hiragana) {
    scan.end = extensionsEnd(text, from + (code > 0xffff ? 2 : 1), limit)
    scan.type = kind === wb.han ? tokenType.ideographic : tokenType.hiragana
    return
  }
  if (kind === wb.complex || kind === wb.complexMark) {
    scan.end = complexEnd(text, from, limit)
    scan.type = tokenType.southEastAsian
    return
  }
  scanWord(text, from, limit, scan)
  if (kind >= wb.regional || kind === wb.numeric || code === 0x23 || code === 0x2a) {
    const end = emojiEnd(text, from, limit, code, kind)
    if (end > from && end >= scan.end) {
      scan.end = end
      scan.type = tokenType.emoji
    }
  }
}
