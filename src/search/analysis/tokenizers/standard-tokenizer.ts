/**
 * The standard tokenizer (UAX #29, like Lucene's StandardTokenizer). ASCII has a fast loop; a token that touches
 * anything else is scanned by `word-scanner.ts`. Neither looks further than the maximum token length, and every
 * offset is visited a bounded number of times. Terms are cut from `source`, the same text or its lower-case form of
 * the same length, so that lower-casing costs one call per text.
 */

import { type TokenBuffer, tokenType } from '../token-buffer.ts'
import { asciiClasses, asciiContent, asciiWord } from './ascii-classes.ts'
import { connectorsEnd, isOwnToken, type Scan, scanToken } from './word-scanner.ts'

export const defaultMaxTokenLength = 255

const scan: Scan = { end: 0, type: 0, reach: 0 }

/**
 * Returns the end of the ASCII token at `from`, negated when it has only digits; 0 when Unicode's rules are needed.
 * `from` is a letter, digit or `_`.
 */
function asciiTokenEnd(text: string, from: number, limit: number): number {
  let index = from
  let last = 0
  let seen = 0
  for (;;) {
    const code = index < limit ? text.charCodeAt(index) : 32
    if (code > 127) return 0
    const kind = asciiClasses[code]!
    if ((kind & asciiWord) !== 0) {
      seen |= kind
      last = kind
      index++
      continue
    }
    // A joining character between two of its kind; `last` is a letter or digit bit, or `_`, which nothing joins.
    if (kind === 0 || ((kind >> 3) & last) === 0) break
    const next = index + 1 < limit ? text.charCodeAt(index + 1) : 32
    if (next > 127) return 0
    if ((asciiClasses[next]! & last) === 0) break
    index += 2
  }
  if ((seen & asciiContent) === 0) return index
  return (seen & 1) === 0 ? -index : index
}

/** Fills `out` with the tokens of a text, with terms cut from `source`. */
export function standardTokens(
  text: string,
  source: string,
  out: TokenBuffer,
  maxLength = defaultMaxTokenLength,
): void {
  const length = text.length
  let position = out.endPosition
  let index = 0
  // Before this offset there are only connectors and their extenders, with which no word begins.
  let wordlessUntil = 0
  while (index < length) {
    const code = text.charCodeAt(index)
    const limit = length - index > maxLength ? index + maxLength : length
    let type: number = tokenType.alphanumeric
    let end = 0
    if (code < 128) {
      if ((asciiClasses[code]! & asciiWord) === 0) {
        // # and * start an emoji when a keycap follows.
        if ((code !== 35 && code !== 42) || index + 1 >= length || text.charCodeAt(index + 1) < 128) {
          index++
          continue
        }
      } else {
        if (index < wordlessUntil) {
          index++
          continue
        }
        end = asciiTokenEnd(text, index, limit)
        if (end < 0) {
          end = -end
          type = tokenType.number
        } else if (end > 0 && code === connector && onlyConnectors(text, index, end)) {
          wordlessUntil = wordlessEnd(text, index, end, maxLength)
          index = Math.min(end, wordlessUntil)
          continue
        }
      }
    }
    if (end === 0) {
      if (index < wordlessUntil && !isOwnToken(text, index)) {
        index++
        continue
      }
      scanToken(text, index, limit, scan)
      end = scan.end
      type = scan.type
      if (end === index) {
        if (scan.reach > index) wordlessUntil = wordlessEnd(text, index, scan.reach, maxLength)
        index++
        continue
      }
    }
    out.push(source.slice(index, end), position++, index, end, type)
    index = end
  }
  out.endPosition = position
}

const connector = 95

function onlyConnectors(text: string, from: number, end: number): boolean {
  for (let index = from; index < end; index++) if (text.charCodeAt(index) !== connector) return false
  return true
}

/**
 * Returns the first offset behind the connectors of `[from, reach)` where a word can begin. When they end within the
 * maximum token length, that is their end; otherwise it is the first offset from which a token of maximum length
 * includes what follows them.
 */
function wordlessEnd(text: string, from: number, reach: number, maxLength: number): number {
  if (reach + sizeAt(text, reach) <= from + maxLength) return reach
  const end = connectorsEnd(text, reach)
  return Math.max(from + 1, end + sizeAt(text, end) - maxLength)
}

function sizeAt(text: string, index: number): number {
  return index < text.length && text.codePointAt(index)! > 0xffff ? 2 : 1
}
