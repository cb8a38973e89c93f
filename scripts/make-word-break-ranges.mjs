// Writes src/search/analysis/tokenizers/word-break-ranges.ts from the Unicode properties of the running engine.
// Word_Break itself cannot be asked for; it follows from categories, scripts and the lists of UAX #29.
// The lists are those of Unicode 12.1, which the tokenizer we agree with was built from.
import { writeFileSync } from 'node:fs'

const is = (set) => {
  const expression = new RegExp(`^[${set}]$`, 'u')
  return (code) => expression.test(String.fromCodePoint(code))
}
const among = (...ranges) => {
  const codes = new Set()
  for (const [first, last = first] of ranges) for (let code = first; code <= last; code++) codes.add(code)
  return (code) => codes.has(code)
}

const extend = is('\\p{Grapheme_Extend}\\p{Mc}\\p{Emoji_Modifier}')
const format = is('\\p{Cf}')
const notFormat = among([0x200b, 0x200d])
const katakana = is('\\p{Script=Katakana}\\u3031-\\u3035\\u309b\\u309c\\u30a0\\u30fc\\uff70')
const hebrewScript = is('\\p{Script=Hebrew}')
const otherLetter = is('\\p{Lo}')
const alphabetic = is('\\p{Alphabetic}')
const ideographic = is('\\p{Ideographic}')
const hiragana = is('\\p{Script=Hiragana}')
const han = is('\\p{Script=Han}')
const hangul = is('\\p{Script=Hangul}')
const digit = is('\\p{Nd}\\u066b')
const connector = is('\\p{Pc}\\u202f')
const emoji = is('\\p{Emoji}')
const pictographic = is('\\p{Extended_Pictographic}')
const regionalIndicator = among([0x1f1e6, 0x1f1ff])
const needsVariation = among([0xa9], [0xae], [0x2122], [0x3030], [0x303d])
const letterByList = among(
  [0x2c2, 0x2c5],
  [0x2d2, 0x2d7],
  [0x2de, 0x2df],
  [0x2e5, 0x2eb],
  [0x2ed],
  [0x2ef, 0x2ff],
  [0x55a, 0x55c],
  [0x55e],
  [0x5f3],
  [0xa708, 0xa716],
  [0xa720, 0xa721],
  [0xa789, 0xa78a],
  [0xab5b],
)
const midLetter = among([0x3a], [0xb7], [0x387], [0x55f], [0x5f4], [0x2027], [0xfe13], [0xfe55], [0xff1a])
const midNumLet = among([0x2e], [0x2018, 0x2019], [0x2024], [0xfe52], [0xff07], [0xff0e])
const midNum = among(
  [0x2c],
  [0x3b],
  [0x37e],
  [0x589],
  [0x60c, 0x60d],
  [0x66c],
  [0x7f8],
  [0x2044],
  [0xfe10],
  [0xfe14],
  [0xfe50],
  [0xfe54],
  [0xff0c],
  [0xff1b],
)
// Line_Break=Complex_Context: letters and marks of these scripts, and the symbols listed.
const southEastAsian = [
  'Thai',
  'Lao',
  'Myanmar',
  'Khmer',
  'Tai_Le',
  'New_Tai_Lue',
  'Tai_Tham',
  'Tai_Viet',
  'Ahom',
]
const ofComplexScript = is(southEastAsian.map((script) => `\\p{Script=${script}}`).join(''))
const letterOrMark = is('\\p{L}\\p{M}')
const complexByList = among(
  [0x109e, 0x109f],
  [0x19da],
  [0x19de, 0x19df],
  [0x1aa0, 0x1aad],
  [0xaa77, 0xaa79],
  [0xaade, 0xaadf],
  [0x1173a, 0x1173b],
  [0x1173f],
)
const plainLetter = among([0x17dc])

/** Letters as in `wordBreak` of word-break-class.ts, from A = other. */
function classOf(code) {
  if (code === 0x200d) return 'N'
  const complex = !plainLetter(code) && ((ofComplexScript(code) && letterOrMark(code)) || complexByList(code))
  if (extend(code) || (format(code) && !notFormat(code))) return complex ? 'P' : 'M'
  if (complex) return 'O'
  if (code === 0x27) return 'K'
  if (code === 0x22) return 'L'
  if (midLetter(code)) return 'H'
  if (midNumLet(code)) return 'J'
  if (midNum(code)) return 'I'
  if (connector(code)) return 'G'
  if (digit(code)) return 'E'
  if (katakana(code)) return 'F'
  if (hebrewScript(code) && otherLetter(code)) return 'D'
  if (regionalIndicator(code)) return 'S'
  const letter = (alphabetic(code) && !ideographic(code) && !hiragana(code)) || letterByList(code)
  if (letter) return emoji(code) ? 'U' : hangul(code) ? 'C' : 'B'
  if (han(code)) return 'Q'
  if (hiragana(code)) return 'R'
  if (code < 0x80) return 'A'
  if (needsVariation(code)) return 'V'
  if (emoji(code)) return 'T'
  return pictographic(code) ? 'W' : 'A'
}

const classAt = (code) => (code >= 0xd800 && code < 0xe000 ? 'A' : classOf(code))

let text = ''
for (let code = 0; code < 0x110000; ) {
  const found = classAt(code)
  let next = code + 1
  while (next < 0x110000 && classAt(next) === found) next++
  text += found + (next - code === 1 ? '' : (next - code - 1).toString(36))
  code = next
}

const lines = text.match(/.{1,104}/g).map((line) => `  '${line}',`)
writeFileSync(
  new URL('../src/search/analysis/tokenizers/word-break-ranges.ts', import.meta.url),
  `/**
 * The word-break class of every code point in ascending order; made by scripts/make-word-break-ranges.mjs
 * from Unicode ${process.versions.unicode}. A run is a letter, the class as numbered in word-break-class.ts, and the count of
 * code points beyond the first in base 36 (nothing if it is the only one).
 */
export const wordBreakRanges = [
${lines.join('\n')}
].join('')
`,
)
