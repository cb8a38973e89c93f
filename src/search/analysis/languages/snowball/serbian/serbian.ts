/** The Snowball stemmer of Serbian (Milošević and others): Cyrillic letters and Ijekavian forms become one spelling first. */
import { Endings, withEnding } from '../regions.ts'
import { step1, step2 } from './endings.ts'

interface Replacement {
  readonly added: string
  /** Whether only words without Serbian letters have it. */
  readonly isPlain: boolean
}

/** A table is read when the first word comes. */
function endingsOf(table: string): () => Endings<Replacement> {
  let endings: Endings<Replacement> | undefined
  return () => {
    endings ??= read(table)
    return endings
  }
}

function read(table: string): Endings<Replacement> {
  return new Endings(
    ...table
      .trim()
      .split('\n')
      .map((line): [string, Replacement] => {
        const [, added = '', mark, endings = ''] = /^(\S+?)(\?)? (.*)$/.exec(line.trim())!
        return [endings, { added, isPlain: mark === '?' }]
      }),
  )
}

const firstEndings = endingsOf(step1)
const secondEndings = endingsOf(step2)
const lastEndings = new Endings([
  'a oga ama ima ena e og anog enog anih enih i ani eni anoj enoj anim enim om enom o ano eno ost u enu',
  '',
])

const cyrillic = 'абвгдђежзијклљмнњопрстћуфхцчџш'
const latin = 'a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š'.split(' ')

function spelt(given: string): string {
  return given
    .replace(/[а-џ]/g, (letter) => latin[cyrillic.indexOf(letter)] ?? letter)
    .replace(/(?<=[bcdfghjklmnprstvzćčđšž])ije(?=[bcdfghjklmnprstvzćčđšž])/g, 'e')
    .replace(/(?<=[bcdfghjklmnprstvzćčđšž])je(?=[bcdfghjklmnprstvzćčđšž])/g, 'e')
    .replaceAll('dj', 'đ')
}

/** Where an ending may begin: behind the first vowel that is not the first letter, or a syllabic `r` well before it. */
function region(word: string): number {
  let start = word.length
  const vowel = word.search(/[aeiou]/)
  if (vowel >= 0) {
    start = vowel + 1
    if (start < 2) {
      const other = word.slice(start).search(/[^aeiou]/)
      if (other >= 0) start += other + 1
    }
  }
  let behindR = word.indexOf('r') + 1
  if (behindR === 1) {
    const other = word.slice(behindR).search(/[^r]/)
    behindR = other < 0 ? 0 : behindR + other + 1
  }
  return behindR > 0 && start - behindR > 1 ? behindR : start
}

/** Undefined if the word has none of the endings. */
function replaced(
  word: string,
  endings: Endings<Replacement>,
  start: number,
  isPlain: boolean,
): string | undefined {
  const ending = endings.of(word)
  if (ending === undefined || word.length - ending.length < start) return undefined
  const replacement = endings.note(ending)
  return replacement.isPlain && !isPlain ? undefined : withEnding(word, ending, replacement.added)
}

export function serbian(given: string): string {
  const word = spelt(given)
  const start = region(word)
  const isPlain = !/[ćčđšž]/.test(word)
  const first = replaced(word, firstEndings(), 0, isPlain) ?? word
  const second = replaced(first, secondEndings(), start, isPlain)
  if (second !== undefined) return second
  const last = lastEndings.of(first)
  return last === undefined || first.length - last.length < start ? first : withEnding(first, last)
}
