/** The Snowball stemmer of Dutch. Words come in lower case. */
import { regionAfter } from './regions.ts'

const dutchVowel = /[aeiouyè]/
const dutchPlain: Readonly<Record<string, string>> = {
  ä: 'a',
  á: 'a',
  ë: 'e',
  é: 'e',
  ï: 'i',
  í: 'i',
  ö: 'o',
  ó: 'o',
  ü: 'u',
  ú: 'u',
}

/** One of a doubled consonant at the end goes. */
function undoubled(word: string): string {
  return /(?:kk|dd|tt)$/.test(word) ? word.slice(0, -1) : word
}

/** Deletes an `en` behind a consonant, not behind `gem`. */
function withoutEn(word: string, ending: string, region: number): string {
  const stem = word.slice(0, -ending.length)
  if (stem.length < region || stem === '' || dutchVowel.test(stem.at(-1)!) || stem.endsWith('gem'))
    return word
  return undoubled(stem)
}

/** Consonantal `i` and `y` are written in upper case meanwhile. */
function dutchMarked(given: string): string {
  const plain = given.replace(/[äáëéïíöóüú]/g, (letter) => dutchPlain[letter]!)
  return plain
    .replace(/^y/, 'Y')
    .replace(/[aeiouyè](?:i(?=[aeiouyè])|y)/g, ([before = '', letter = '']) => before + letter.toUpperCase())
}

export function dutch(given: string): string {
  let word = dutchMarked(given)
  const first = Math.max(3, regionAfter(word, dutchVowel, 0))
  const second = regionAfter(word, dutchVowel, regionAfter(word, dutchVowel, 0))
  const isIn = (ending: string, region: number) =>
    word.endsWith(ending) && word.length - ending.length >= region
  // Plurals.
  if (word.endsWith('heden')) {
    if (isIn('heden', first)) word = `${word.slice(0, -5)}heid`
  } else if (word.endsWith('ene')) word = withoutEn(word, 'ene', first)
  else if (word.endsWith('en')) word = withoutEn(word, 'en', first)
  else if (word.endsWith('se') || word.endsWith('s')) {
    const ending = word.endsWith('se') ? 'se' : 's'
    const before = word.at(-ending.length - 1) ?? ''
    if (isIn(ending, first) && !/[aeiouyèj]/.test(before)) word = word.slice(0, -ending.length)
  }
  // A last e behind a consonant.
  let isCut = false
  if (isIn('e', first) && word.length > 1 && !dutchVowel.test(word.at(-2)!)) {
    word = undoubled(word.slice(0, -1))
    isCut = true
  }
  // heid, but not cheid.
  if (isIn('heid', second) && word.at(-5) !== 'c') {
    word = word.slice(0, -4)
    if (word.endsWith('en')) word = withoutEn(word, 'en', first)
  }
  word = dutchDerived(word, second, first, isCut)
  // Doubled vowels between consonants.
  if (/[^aeiouyè](?:aa|ee|oo|uu)[^aeiouyèI]$/.test(word)) word = word.slice(0, -2) + word.at(-1)
  return word.replaceAll('I', 'i').replaceAll('Y', 'y')
}

function dutchDerived(word: string, second: number, first: number, isCut: boolean): string {
  const ending = ['baar', 'lijk', 'end', 'ing', 'bar', 'ig'].find((one) => word.endsWith(one))
  if (ending === undefined || word.length - ending.length < second) return word
  const stem = word.slice(0, -ending.length)
  if (ending === 'end' || ending === 'ing') {
    if (stem.endsWith('ig') && stem.length - 2 >= second && stem.at(-3) !== 'e') return stem.slice(0, -2)
    return undoubled(stem)
  }
  if (ending === 'ig') return stem.endsWith('e') ? word : stem
  if (ending === 'lijk') {
    const before =
      stem.length > 1 && stem.endsWith('e') && stem.length - 1 >= first && !dutchVowel.test(stem.at(-2)!)
    return before ? undoubled(stem.slice(0, -1)) : stem
  }
  if (ending === 'baar') return stem
  return isCut ? stem : word
}
