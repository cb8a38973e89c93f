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

/** Where sentences end, the last one at the end of the text. */
export function sentenceEnds(text: string): number[] {
  const ends: number[] = []
  let from = 0
  // The last stop behind which the rules of Java lead nowhere. They do so from every stop before it that was passed on
  // the way, so that the text in between is not scanned again from each of them.
  let stuckAt = -1
  while (from < text.length) {
    if (from <= stuckAt) from = endBeforeStop(text, from)
    else {
      const found = sentenceEnd(text, from)
      from = found.end
      stuckAt = found.stuckAt
    }
    ends.push(from)
  }
  return ends
}

function endBeforeStop(text: string, from: number): number {
  let end = kinds.next(text, from)
  if (kinds.at(text, from) === 'stop') return end
  while (kinds.at(text, end) !== 'stop') end = kinds.next(text, end)
  return end
}

/** Where the sentence that begins at `from` ends, and the stop behind which no end was found, or -1. */
function sentenceEnd(text: string, from: number): { readonly end: number; readonly stuckAt: number } {
  let at = from
  // Where it may end if the rules lead nowhere, which they do in a few odd cases.
  let possible = kinds.next(text, from)
  while (at < text.length) {
    const kind = kinds.at(text, at)
    if (kind === 'paragraph') return { end: kinds.next(text, at), stuckAt: -1 }
    if (kind === 'mark') return { end: endBehindMark(text, at), stuckAt: -1 }
    if (kind !== 'stop') {
      at = kinds.next(text, at)
      possible = at
      continue
    }
    const stop = behindStop(text, at)
    if (stop.end !== undefined) return { end: stop.end, stuckAt: -1 }
    if (stop.continuesAt === undefined) return { end: possible, stuckAt: at }
    at = stop.continuesAt
  }
  return { end: at, stuckAt: -1 }
}

function endBehindMark(text: string, mark: number): number {
  const end = kinds.skip(text, kinds.skip(text, mark, 'mark', 'stop', 'closing', 'quote'), 'space')
  return kinds.at(text, end) === 'paragraph' ? kinds.next(text, end) : end
}

/**
 * Returns whether a sentence ends behind a stop, or where it continues; neither where no rule of Java applies.
 */
function behindStop(text: string, stop: number): { readonly end?: number; readonly continuesAt?: number } {
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
  return isOne && (isQuoted || hasSpaces) ? {} : { continuesAt: opened }
}
