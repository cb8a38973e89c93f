/**
 * The Snowball stemmer of Turkish. It takes suffixes off from the end as an automaton does that reads them from right
 * to left: those that make a verb of a noun, then those of the noun. Words come in Turkish lower case.
 */
import { withEnding } from '../regions.ts'
import {
  cAsInA,
  DA,
  DAn,
  DUr,
  firstOf,
  ki,
  lAr,
  lArI,
  lastVowel,
  nA,
  ncA,
  ndA,
  ndAn,
  nU,
  nUn,
  nUz,
  possessive,
  type Suffix,
  sU,
  sUn,
  sUnUz,
  yA,
  yDU,
  yken,
  ylA,
  ymUs,
  ysA,
  yU,
  yUm,
  yUz,
} from './turkish-suffixes.ts'

/** A word whose suffixes are looked for before a cursor; `rest` is behind it and stays. */
class Stem {
  front: string
  rest = ''

  constructor(word: string) {
    this.front = word
  }

  /** Where a suffix begins that ends at the cursor or at another offset; -1 where there is none. */
  startOf(found: Suffix, end = this.front.length): number {
    return found(this.front, end)
  }

  cut(start: number): void {
    this.front = this.front.slice(0, start)
  }

  /** Takes a suffix off. */
  remove(found: Suffix, end = this.front.length): boolean {
    const start = found(this.front, end)
    if (start >= 0) this.cut(start)
    return start >= 0
  }

  /** Moves the cursor to the left. */
  skip(start: number): void {
    this.rest = this.front.slice(start) + this.rest
    this.cut(start)
  }
}

/** Takes off suffixes that end in -ki and those between them; false, and all as it was, where there is none. */
function removeKi(stem: Stem): boolean {
  const { front, rest } = stem
  const isCut = removeEachKi(stem)
  if (!isCut) Object.assign(stem, { front, rest })
  return isCut
}

function removeEachKi(stem: Stem): boolean {
  let isCut = false
  for (;;) {
    const end = stem.startOf(ki)
    if (end < 0) return isCut
    if (stem.remove(DA, end)) {
      isCut = true
      if (!stem.remove(lAr) && !(stem.remove(possessive) && stem.remove(lAr))) return true
    } else if (stem.remove(nUn, end)) {
      isCut = true
      if (stem.remove(lArI)) return true
      if (stem.remove(owned) && !stem.remove(lAr)) return true
    } else {
      const start = stem.startOf(ndA, end)
      if (start < 0) return isCut
      if (stem.remove(lArI, start)) return true
      if (stem.remove(sU, start)) {
        isCut = true
        if (!stem.remove(lAr)) return true
      } else stem.skip(start)
    }
  }
}

/** A possessive suffix of any person. */
const owned = firstOf(possessive, sU)
const persons = firstOf(sUnUz, lAr, yUm, sUn, yUz)
const tenses = firstOf(ymUs, yDU, ysA, yken)
const tensesBeforePlural = firstOf(DUr, yDU, ysA, ymUs)
const tensesBeforePerson = firstOf(yDU, ysA)
const personsBeforeTense = firstOf(sUnUz, yUz, sUn, yUm)

/** Takes off -mUş with a person before an offset, and what is behind it. */
function removeReported(stem: Stem, end: number): boolean {
  const start = stem.startOf(persons, end)
  return stem.remove(ymUs, start < 0 ? end : start)
}

/** Takes off what makes a verb of a noun; false where nothing of a noun can be before it. */
function removeVerbSuffixes(stem: Stem): boolean {
  if (stem.remove(tenses)) return true
  const adverb = stem.startOf(cAsInA)
  if (adverb >= 0 && removeReported(stem, adverb)) return true
  if (stem.remove(lAr)) {
    stem.remove(tensesBeforePlural)
    return false
  }
  const person = stem.startOf(nUz)
  if (person >= 0 && stem.remove(tensesBeforePerson, person)) return true
  if (stem.remove(personsBeforeTense)) stem.remove(ymUs)
  else if (stem.remove(DUr)) removeReported(stem, stem.front.length)
  return true
}

/** Takes off a plural and -ki before it; false where there is no -ki. */
function removePluralAndKi(stem: Stem): boolean {
  return stem.remove(lAr) && removeKi(stem)
}

/** Takes off a possessive suffix, and a plural before it. */
function removeOwned(stem: Stem, found: Suffix, end = stem.front.length): boolean {
  if (!stem.remove(found, end)) return false
  removePluralAndKi(stem)
  return true
}

const locatives = firstOf(ndA, nA)
const ablatives = firstOf(ndAn, nU)
const genitives = firstOf(nUn, ylA)
const datives = firstOf(DA, yU, yA)

/** Takes off a case behind a possessive suffix of the third person. */
function removeOwnedCase(stem: Stem): boolean {
  const { front } = stem
  const place = stem.startOf(locatives)
  if (place >= 0) {
    if (stem.remove(lArI, place) || removeOwned(stem, sU, place)) return true
    stem.skip(place)
    if (removeKi(stem)) return true
    Object.assign(stem, { front, rest: '' })
  }
  const origin = stem.startOf(ablatives)
  return origin >= 0 && (removeOwned(stem, sU, origin) || stem.startOf(lArI, origin) >= 0)
}

function removeBeforeAblative(stem: Stem): void {
  if (!removeOwned(stem, possessive)) {
    stem.remove(lAr)
    removeKi(stem)
  }
}

function removeBeforeDative(stem: Stem): void {
  const isOwned = stem.remove(possessive)
  if (stem.remove(lAr) || isOwned) removeKi(stem)
}

function removeNounSuffixes(stem: Stem): void {
  if (stem.remove(lAr)) removeKi(stem)
  else if (stem.remove(ncA)) {
    if (!stem.remove(lArI) && !removeOwned(stem, owned)) removePluralAndKi(stem)
  } else if (removeOwnedCase(stem)) return
  else if (stem.remove(DAn)) removeBeforeAblative(stem)
  else if (stem.remove(genitives)) {
    if (!removePluralAndKi(stem) && !removeOwned(stem, owned)) removeKi(stem)
  } else if (stem.remove(lArI) || removeKi(stem)) return
  else if (stem.remove(datives)) removeBeforeDative(stem)
  else removeOwned(stem, owned)
}

/** The narrow vowel in harmony with each vowel. */
const narrow: Readonly<Record<string, string>> = {
  a: 'ı',
  ı: 'ı',
  e: 'i',
  i: 'i',
  o: 'u',
  u: 'u',
  ö: 'ü',
  ü: 'ü',
}
const hardened: Readonly<Record<string, string>> = { b: 'p', c: 'ç', d: 't', ğ: 'k' }

/** A stem does not end in `d` or `g`: it lost a vowel then. Other soft consonants become hard at the end of a word. */
function withLastLetter(stem: string): string {
  if (stem === 'ad' || stem === 'soyad') return stem
  const last = stem.at(-1) ?? ''
  if (last === 'd' || last === 'g') {
    const vowel = lastVowel(stem, stem.length)
    if (vowel >= 0) return stem + narrow[stem[vowel]!]!
  }
  return Object.hasOwn(hardened, last) ? withEnding(stem, last, hardened[last]) : stem
}

/** A word of one syllable has no suffixes. */
export function turkish(word: string): string {
  const vowel = lastVowel(word, word.length)
  if (vowel < 0 || lastVowel(word, vowel) < 0) return word
  const stem = new Stem(word)
  if (!removeVerbSuffixes(stem)) return stem.front
  removeNounSuffixes(stem)
  return withLastLetter(stem.front + stem.rest)
}
