/**
 * Suffixes of Turkish, each under the name that grammars give it: a capital `A` stands for `a` or `e`, `U` for a narrow
 * vowel, `D` for `d` or `t`; letters in brackets are optional. A suffix follows the vowel harmony of its word, and a
 * letter joins it to some words. Each function says where its suffix begins that ends at an offset, or gives -1.
 */
import { Endings } from '../regions.ts'

const vowel = /[aeıioöuü]/

function isVowel(letter: string | undefined): boolean {
  return letter !== undefined && vowel.test(letter)
}

function isNarrow(letter: string | undefined): boolean {
  return letter !== undefined && 'ıiuü'.includes(letter)
}

/** The vowels that may come before each vowel. */
const harmony: Readonly<Record<string, string>> = {
  a: 'aıou',
  e: 'eiöü',
  ı: 'aı',
  i: 'ei',
  o: 'ou',
  ö: 'öü',
  u: 'ou',
  ü: 'öü',
}

/** Where the last vowel before an offset is, or -1. */
export function lastVowel(word: string, end: number): number {
  let at = end - 1
  while (at >= 0 && !vowel.test(word[at]!)) at--
  return at
}

/** Whether some vowel of a word allows the last one before an offset. */
function isHarmonic(word: string, end: number): boolean {
  const last = lastVowel(word, end)
  if (last < 0) return false
  const allowed = harmony[word[last]!]!
  for (let at = last - 1; at >= 0; at--) if (allowed.includes(word[at]!)) return true
  return false
}

/** Where a suffix begins that ends at an offset, or -1. */
export type Suffix = (word: string, end: number) => number

/** Behind a vowel with a consonant that joins it, or else behind a vowel and any other letter. */
function joinedBy(letter: string): Suffix {
  return (word, end) => {
    if (!isVowel(word[end - 2])) return -1
    return word[end - 1] === letter ? end - 1 : end
  }
}

/** Behind a consonant with a narrow vowel that joins it, or else behind a consonant and any other letter. */
const joinedByVowel: Suffix = (word, end) => {
  const before = word[end - 2]
  if (before === undefined || isVowel(before)) return -1
  return isNarrow(word[end - 1]) ? end - 1 : end
}

const maxLength = 6

/** The longest of some texts, and what joins it. */
function oneOf(texts: string, joined?: Suffix): Suffix {
  const endings = new Endings([texts, ''])
  return (word, end) => {
    const ending = endings.of(word.slice(Math.max(0, end - maxLength), end))
    if (ending === undefined) return -1
    const start = end - ending.length
    return joined === undefined ? start : joined(word, start)
  }
}

/** One of some texts that has to follow the vowel harmony. */
function harmonic(texts: string, joined?: Suffix): Suffix {
  const suffix = oneOf(texts, joined)
  return (word, end) => {
    const start = suffix(word, end)
    return start >= 0 && isHarmonic(word, end) ? start : -1
  }
}

/** The first of some suffixes that a word has. */
export function firstOf(...suffixes: readonly Suffix[]): Suffix {
  return (word, end) => {
    for (const suffix of suffixes) {
      const start = suffix(word, end)
      if (start >= 0) return start
    }
    return -1
  }
}

/** Suffixes of nouns: plural, possession, cases. */
export const lAr = harmonic('lar ler')
export const lArI = oneOf('ları leri')
export const possessive = oneOf('mız miz muz müz nız niz nuz nüz m n', joinedByVowel)
export const sU = harmonic('ı i u ü', joinedBy('s'))
export const yU = harmonic('ı i u ü', joinedBy('y'))
export const nU = harmonic('nı ni nu nü')
export const nUn = harmonic('ın in un ün', joinedBy('n'))
export const yA = harmonic('a e', joinedBy('y'))
export const nA = harmonic('na ne')
export const DA = harmonic('da de ta te')
export const ndA = harmonic('nda nde')
export const DAn = harmonic('dan den tan ten')
export const ndAn = harmonic('ndan nden')
export const ylA = harmonic('la le', joinedBy('y'))
export const ncA = harmonic('ca ce', joinedBy('n'))
export const ki = oneOf('ki')

/** Suffixes that make a verb of a noun: person, tense, condition. */
export const yUm = harmonic('ım im um üm', joinedBy('y'))
export const sUn = harmonic('sın sin sun sün')
export const yUz = harmonic('ız iz uz üz', joinedBy('y'))
export const sUnUz = oneOf('sınız siniz sunuz sünüz')
export const nUz = harmonic('nız niz nuz nüz')
export const DUr = harmonic('tır tir tur tür dır dir dur dür')
export const cAsInA = oneOf('casına cesine')
export const yDU = harmonic(
  `tım tim tum tüm dım dim dum düm tın tin tun tün dın din dun dün tık tik tuk tük dık dik duk dük tı ti tu tü dı di du
   dü`,
  joinedBy('y'),
)
export const ysA = oneOf('sam san sak sem sen sek sa se', joinedBy('y'))
export const ymUs = harmonic('mış miş muş müş', joinedBy('y'))
export const yken = oneOf('ken', joinedBy('y'))
