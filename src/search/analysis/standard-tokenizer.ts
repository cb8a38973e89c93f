/**
 * The standard tokenizer. ASCII goes through a small loop; a token that touches anything beyond ASCII, or is
 * longer than allowed, is read by the scanner of all Unicode. Terms are cut from `source`, the same text or
 * its lower-case form (which has the same length), so that lower-casing costs one call per text.
 */
import { asciiClasses, asciiContent, asciiWord } from './ascii-classes.ts'
import { type TokenBuffer, tokenType } from './token-buffer.ts'
import { type Scan, scanToken } from './word-scanner.ts'

export const defaultMaxTokenLength = 255

const scan: Scan = { end: 0, type: 0 }

/**
 * The end of the token of ASCII at `from`, negated when it holds digits only; 0 when Unicode's rules are
 * needed. `from` is a letter, digit or `_`.
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
    // A joining mark between two of its kind; `last` is a letter or digit bit, or `_` which nothing joins.
    if (kind === 0 || ((kind >> 3) & last) === 0) break
    const next = index + 1 < limit ? text.charCodeAt(index + 1) : 32
    if (next > 127) return 0
    if ((asciiClasses[next]! & last) === 0) break
    index += 2
  }
  if ((seen & asciiContent) === 0) return index
  return (seen & 1) === 0 ? -index : index
}

/** Fills `out` with the tokens of a text, their terms cut from `source`. */
export function standardTokens(
  text: string,
  source: string,
  out: TokenBuffer,
  maxLength = defaultMaxTokenLength,
): void {
  const length = text.length
  let position = out.endPosition
  let index = 0
  while (index < length) {
    const code = text.charCodeAt(index)
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
        end = asciiTokenEnd(text, index, length)
        if (end < 0) {
          end = -end
          type = tokenType.number
        }
        if (end - index > maxLength) end = 0
        else if (end > 0 && type === tokenType.alphanumeric && onlyConnectors(text, index, end)) {
          index = end
          continue
        }
      }
    }
    if (end === 0) {
      scanToken(text, index, Math.min(length, index + maxLength), scan)
      end = scan.end
      type = scan.type
      if (end === index) {
        index++
        continue
      }
    }
    out.push(source.slice(index, end), position++, index, end, type)
    index = end
  }
  out.endPosition = position
}

function onlyConnectors(text: string, from: number, end: number): boolean {
  for (let index = from; index < end; index++) if (text.charCodeAt(index) !== 95) return false
  return true
}
