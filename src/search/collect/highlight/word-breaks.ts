/**
 * Ends of words as Java's BreakIterator finds them: letters and numbers that follow each other are one word, with what
 * may stand inside either (`e.g`, `1,000.5`, `rock'n'roll`), a currency sign before a number and a per cent sign behind
 * it. A run of spaces is a word up to the end of its line, and so is a run of Katakana, Hiragana or Kanji; any other
 * character stands for itself.
 */
import { CharacterKinds } from './character-kinds.ts'

const kinds = new CharacterKinds(
  [
    ['line', /[\n\f\u2028\u2029]/],
    ['return', /\r/],
    ['space', /[\t\p{Zs}]/u],
    ['hyphen', /\u00ad/],
    ['kana', /[\u3099-\u309c\u30fb\u30fc]/],
    ['katakana', /[\u30a1-\u30fe]/],
    ['hiragana', /[\u3041-\u309e]/],
    ['kanji', /[\u3005\u4e00-\u9fa5\uf900-\ufa2d]/],
    ['letter', /[\p{L}\p{Mc}]/u],
    ['digit', /\p{N}/u],
    ['ignored', /[\p{Mn}\p{Me}\p{Cf}]/u],
  ],
  'other',
)

/** What letters, and what digits, may have between them. */
const withinLetters = /[-._'"\p{Pd}\p{Pc}\u00ad\u2027]/u
const withinDigits = /[.,'"\u066b]/
const beforeNumber = /[\p{Sc}#.]/u
const behindNumber = /[%&¢‰‱٪]/

/** Where words end, the last one at the end of the text. */
export function wordEnds(text: string): number[] {
  const ends: number[] = []
  for (let from = 0; from < text.length; ) {
    from = wordEnd(text, from)
    ends.push(from)
  }
  return ends
}

/** Where the word that begins at `from` ends. */
function wordEnd(text: string, from: number): number {
  switch (kinds.at(text, from)) {
    case 'space':
    case 'return':
    case 'line':
      return endOfSpaces(text, from)
    case 'kana':
    case 'katakana':
    case 'hiragana':
      return Math.max(kinds.skip(text, from, 'kana', 'katakana'), kinds.skip(text, from, 'kana', 'hiragana'))
    case 'ignored':
      return endOfIgnored(text, from)
    case 'kanji':
      return kinds.skip(text, from, 'kanji')
    default:
      return endOfLetters(text, from)
  }
}

/** A format before a word belongs to it, as there is no character before it. */
function endOfIgnored(text: string, from: number): number {
  const end = kinds.next(text, from)
  return end < text.length && /\p{Cf}/u.test(text[from]!) ? wordEnd(text, end) : end
}

function endOfSpaces(text: string, from: number): number {
  let end = kinds.skip(text, from, 'space')
  if (kinds.at(text, end) === 'return') end = kinds.next(text, end)
  return kinds.at(text, end) === 'line' ? kinds.next(text, end) : end
}

function endOfLetters(text: string, from: number): number {
  let end = from
  const second = kinds.next(text, from)
  if (beforeNumber.test(text[from]!) && text[from] !== '¢' && kinds.at(text, second) === 'digit') end = second
  let isNumber = false
  for (;;) {
    const kind = kinds.at(text, end)
    if (kind !== 'letter' && kind !== 'digit') break
    isNumber = kind === 'digit'
    end = endOfRun(text, end, kind, isNumber ? withinDigits : withinLetters)
  }
  if (end === from) return second
  return isNumber && end < text.length && behindNumber.test(text[end]!) ? kinds.next(text, end) : end
}

/** Returns the end of a run of letters or digits; characters of `within` may stand between two of them. */
function endOfRun(text: string, from: number, kind: 'letter' | 'digit', within: RegExp): number {
  let end = kinds.skip(text, from, kind)
  while (end < text.length && within.test(text[end]!)) {
    const next = kinds.next(text, end)
    if (kinds.at(text, next) !== kind) break
    end = kinds.skip(text, next, kind)
  }
  return end
}
