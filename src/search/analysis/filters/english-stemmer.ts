/**
 * The English Snowball stemmer ("Porter 2") for lower-case words. R1 is the region behind the first consonant after
 * a vowel, R2 the same within R1; `Y` marks a consonant y.
 */
const exceptions = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
  }),
)
for (const word of ['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes']) exceptions.set(word, word)
const finished = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '))

const vowels = 'aeiouy'
const isVowel = (character: string | undefined): boolean =>
  character !== undefined && vowels.includes(character)

function regionAfter(word: string, from: number): number {
  for (let index = from + 1; index < word.length; index++)
    if (!isVowel(word[index]) && isVowel(word[index - 1])) return index + 1
  return word.length
}

/** Vowel and consonant other than w, x, Y after a consonant; or the whole word is vowel, consonant. */
function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1
  if (last < 1 || isVowel(word[last]) || !isVowel(word[last - 1])) return false
  if (last === 1) return true
  return !isVowel(word[last - 2]) && !'wxY'.includes(word[last]!)
}

const steps2: readonly (readonly [string, string])[] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
]
const steps3: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]
const steps4 = 'ement ance ence able ible ment ant ent ism ate iti ous ive ize ion al er ic'.split(' ')

class Stem {
  word: string
  readonly r1: number
  readonly r2: number

  constructor(word: string) {
    this.word = word
    const prefix = /^(?:gener|commun|arsen)/.exec(word)
    this.r1 = prefix === null ? regionAfter(word, 0) : prefix[0].length
    this.r2 = regionAfter(word, this.r1)
  }

  /** Returns whether the last `length` characters are in the region. */
  inside(region: number, length: number): boolean {
    return this.word.length - length >= region
  }

  change(length: number, replacement: string): void {
    this.word = this.word.slice(0, this.word.length - length) + replacement
  }

  plural(): void {
    const { word } = this
    if (word.endsWith('sses')) this.change(2, '')
    else if (word.endsWith('ied') || word.endsWith('ies')) this.change(3, word.length > 4 ? 'i' : 'ie')
    else if (word.endsWith('us') || word.endsWith('ss')) return
    else if (word.endsWith('s') && /[aeiouy]/.test(word.slice(0, -2))) this.change(1, '')
  }

  participle(): void {
    const { word } = this
    const eed = word.endsWith('eedly') ? 5 : word.endsWith('eed') ? 3 : 0
    if (eed > 0) {
      if (this.inside(this.r1, eed)) this.change(eed, 'ee')
      return
    }
    const suffix = ['ingly', 'edly', 'ing', 'ed'].find((one) => word.endsWith(one))
    if (suffix === undefined || !/[aeiouy]/.test(word.slice(0, -suffix.length))) return
    this.change(suffix.length, '')
    if (/(?:at|bl|iz)$/.test(this.word)) this.word += 'e'
    else if (/^[aeo](?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(this.word)) return
    else if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(this.word)) this.change(1, '')
    else if (this.r1 >= this.word.length && endsInShortSyllable(this.word)) this.word += 'e'
  }

  derived(): void {
    const found = steps2.find(([suffix]) => this.word.endsWith(suffix))
    if (found === undefined) return
    const [suffix, replacement] = found
    if (!this.inside(this.r1, suffix.length)) return
    const before = this.word.at(-suffix.length - 1) ?? ''
    if (suffix === 'ogi' && before !== 'l') return
    if (suffix === 'li' && !'cdeghkmnrt'.includes(before)) return
    this.change(suffix.length, replacement)
  }

  derivedAgain(): void {
    const found = steps3.find(([suffix]) => this.word.endsWith(suffix))
    if (found === undefined || !this.inside(this.r1, found[0].length)) return
    if (found[0] === 'ative' && !this.inside(this.r2, 5)) return
    this.change(found[0].length, found[1])
  }

  ending(): void {
    const suffix = steps4.find((one) => this.word.endsWith(one))
    if (suffix === undefined || !this.inside(this.r2, suffix.length)) return
    if (suffix === 'ion' && !/[st]ion$/.test(this.word)) return
    this.change(suffix.length, '')
  }

  tidy(): void {
    const { word } = this
    if (word.endsWith('e')) {
      if (this.inside(this.r2, 1) || (this.inside(this.r1, 1) && !endsInShortSyllable(word.slice(0, -1))))
        this.change(1, '')
    } else if (word.endsWith('ll') && this.inside(this.r2, 1)) this.change(1, '')
  }
}

/** A y is a consonant at the start or after a vowel. */
function markY(word: string): string {
  return word.includes('y') ? word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y') : word
}

export function englishStem(word: string): string {
  if (word.length < 3) return word
  const exception = exceptions.get(word)
  if (exception !== undefined) return exception
  const stem = new Stem(markY(word.startsWith("'") ? word.slice(1) : word))
  if (stem.word.endsWith("'s'")) stem.change(3, '')
  else if (stem.word.endsWith("'s")) stem.change(2, '')
  else if (stem.word.endsWith("'")) stem.change(1, '')
  stem.plural()
  if (finished.has(stem.word)) return stem.word
  stem.participle()
  if (/[yY]$/.test(stem.word) && stem.word.length > 2 && !isVowel(stem.word.at(-2))) stem.change(1, 'i')
  stem.derived()
  stem.derivedAgain()
  stem.ending()
  stem.tidy()
  return stem.word.replaceAll('Y', 'y')
}
