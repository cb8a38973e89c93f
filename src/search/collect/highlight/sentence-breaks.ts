/**
 * Ends of sentences as Java's BreakIterator finds them, which are not those of Unicode: a full stop ends a sentence when
 * a space and a capital letter follow, two spaces and any letter, or punctuation and then a letter. A number or a comma
 * behind it belongs to the same sentence.
 */
import { CharacterKinds } from './character-kinds.ts'

const kinds = new CharacterKinds(
  [
    ['stop', /[.．]/],
    ['mark', /[!?。！？।॥]/],
    ['quote', /["']/],
    ['comma', /,/],
    ['paragraph', /\u2029/],
    ['space', /[\t\r\f\n\u2028\p{Zs}]/u],
    ['lower', /\p{Ll}/u],
    ['letter', /\p{L}/u],
    ['digit', /\p{N}/u],
    ['closing', /[\p{Pe}\p{Pf}]/u],
    ['ignored', /[\p{Mn}\p{Me}\p{Cf}]/u],
  ],
  'other',
)

/** Where the sentence that begins at `from` ends. */
export function sentenceEnd(text: string, from: number): number {
  let at = from
  // Where it may end if the rules lead nowhere, which they do in a few odd cases.
  let possible = kinds.next(text, from)
  while (at < text.length) {
    const kind = kinds.at(text, at)
    if (kind === 'paragraph') return kinds.next(text, at)
    if (kind === 'mark') return endBehindMark(text, at)
    if (kind !== 'stop') {
      at = kinds.next(text, at)
      possible = at
      continue
    }
    const stop = behindStop(text, at)
    if (stop.end !== undefined) return stop.end
    if (stop.goesOnAt === undefined) return possible
    at = stop.goesOnAt
  }
  return at
}

function endBehindMark(text: string, mark: number): number {
  const end = kinds.skip(text, kinds.skip(text, mark, 'mark', 'stop', 'closing', 'quote'), 'space')
  return kinds.at(text, end) === 'paragraph' ? kinds.next(text, end) : end
}

/** Whether a sentence ends behind a stop, or where it goes on; neither where the rules of Java lead nowhere. */
function behindStop(text: string, stop: number): { readonly end?: number; readonly goesOnAt?: number } {
  const closed = kinds.skip(text, stop, 'stop', 'closing', 'quote')
  if (kinds.at(text, closed) === 'mark') return { end: endBehindMark(text, closed) }
  const begin = kinds.skip(text, closed, 'space')
  if (kinds.at(text, begin) === 'paragraph') return { end: kinds.next(text, begin) }
  // What stands before the first letter of a sentence.
  const opened = kinds.skip(text, begin, 'other', 'quote')
  const isOpened = opened > begin
  if (opened === text.length) return isOpened ? {} : { end: opened }
  const hasSpace = begin > closed
  const hasSpaces = hasSpace && begin > kinds.next(text, closed)
  // A quotation mark closes what was before it, and opens what is behind it.
  const isQuoted = !hasSpace && kinds.at(text, closed - 1) === 'quote'
  const following = kinds.at(text, opened)
  const isLetter = following === 'letter' || following === 'lower'
  if (isLetter && (isOpened || isQuoted || hasSpaces || (hasSpace && following === 'letter')))
    return { end: begin }
  const isOne = isOpened && opened === kinds.next(text, begin)
  return isOne && (isQuoted || hasSpaces) ? {} : { goesOnAt: opened }
}
