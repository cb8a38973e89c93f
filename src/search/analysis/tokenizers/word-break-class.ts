/**
 * The Word_Break class of a code point (UAX #29), with separate classes for what decides a token's type (Hangul,
 * Han, Hiragana, South East Asian, emoji). ASCII has its own table, filled at once; the rest is unpacked at the
 * first character beyond ASCII.
 */
import { wordBreakRanges } from './word-break-ranges.ts'

export const wordBreak = {
  other: 0,
  letter: 1,
  hangul: 2,
  hebrew: 3,
  numeric: 4,
  katakana: 5,
  /** ExtendNumLet: `_` and similar. */
  connector: 6,
  midLetter: 7,
  midNumber: 8,
  midBoth: 9,
  singleQuote: 10,
  doubleQuote: 11,
  /** Extend and Format: belongs to the character before. */
  extend: 12,
  joiner: 13,
  complex: 14,
  /** A mark of a South East Asian script: extends anything, and continues a run of its own script. */
  complexMark: 15,
  han: 16,
  hiragana: 17,
  regional: 18,
  emoji: 19,
  /** An emoji that is also a letter, such as U+24C2. */
  emojiLetter: 20,
  /** An emoji that is shown as text unless U+FE0F follows, such as the copyright sign. */
  textEmoji: 21,
  /** Extended_Pictographic that is no emoji, such as the black star. */
  pictographic: 22,
} as const

let basic: Uint8Array | undefined
/** First code points of the runs beyond the basic plane, and their classes. */
let starts: Int32Array = new Int32Array(0)
let classes: Uint8Array = new Uint8Array(0)

function unpack(): Uint8Array {
  const table = new Uint8Array(0x10000)
  const runs = [...wordBreakRanges.matchAll(/([A-W])([0-9a-z]*)/g)]
  const firsts: number[] = []
  const found: number[] = []
  let code = 0
  for (const [, letter = 'A', count = ''] of runs) {
    const kind = letter.charCodeAt(0) - 65
    const end = code + (count === '' ? 0 : Number.parseInt(count, 36)) + 1
    if (code < 0x10000) table.fill(kind, code, Math.min(end, 0x10000))
    if (end > 0x10000) {
      firsts.push(Math.max(code, 0x10000))
      found.push(kind)
    }
    code = end
  }
  starts = Int32Array.from(firsts)
  classes = Uint8Array.from(found)
  return table
}

/** Returns the class of a code point. */
export function wordBreakClass(code: number): number {
  basic ??= unpack()
  if (code < 0x10000) return basic[code]!
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= code) low = middle
    else high = middle - 1
  }
  return classes[low]!
}
