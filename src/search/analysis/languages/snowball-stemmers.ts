/** The Snowball stemmers of Swedish, Dutch and Russian. Words come in lower case. */

/** Where the region begins: behind the first consonant after a vowel, from an offset on. */
function regionAfter(word: string, vowels: RegExp, from: number): number {
  let at = from
  while (at < word.length && !vowels.test(word[at]!)) at++
  while (at < word.length && vowels.test(word[at]!)) at++
  return Math.min(at + 1, word.length)
}

/** The longest of the endings that lies in the region. */
function endingIn(word: string, region: number, endings: readonly string[]): string | undefined {
  return endings.find((ending) => word.endsWith(ending) && word.length - ending.length >= region)
}

const byFallingLength = (text: string) => text.split(' ').toSorted((one, other) => other.length - one.length)

const swedishVowels = /[aeiouyäåö]/
const swedishEndings = byFallingLength(
  'a arna erna heterna orna ad e ade ande arne are aste en anden aren heten ern ar er heter or as arnas ernas ornas es ' +
    'ades andes ens arens hetens erns at andet het ast s',
)

export function swedish(given: string): string {
  let word = given
  const region = Math.max(3, regionAfter(word, swedishVowels, 0))
  if (word.length < 3) return word
  const first = endingIn(word, region, swedishEndings)
  if (first === 's') {
    if (/[bcdfghjklmnoprtvy]$/.test(word.slice(0, -1))) word = word.slice(0, -1)
  } else if (first !== undefined) word = word.slice(0, -first.length)
  if (endingIn(word, region, ['dd', 'gd', 'nn', 'dt', 'gt', 'kt', 'tt']) !== undefined)
    word = word.slice(0, -1)
  const last = endingIn(word, region, ['fullt', 'löst', 'lig', 'els', 'ig'])
  if (last === 'fullt' || last === 'löst') return word.slice(0, -1)
  return last === undefined ? word : word.slice(0, -last.length)
}

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
    .replace(/(?<=[aeiouyè])y/g, 'Y')
    .replace(/(?<=[aeiouyè])i(?=[aeiouyè])/g, 'I')
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
  if (/[^aeiouyèI](?:aa|ee|oo|uu)[^aeiouyèI]$/.test(word)) word = word.slice(0, -2) + word.at(-1)
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

const russianVowel = /[аеиоуыэюя]/
const gerund = /(?:(?<=[ая])(?:в|вши|вшись)|ив|ивши|ившись|ыв|ывши|ывшись)$/
const reflexive = /(?:ся|сь)$/
const adjective = /(?:ее|ие|ые|ое|ими|ыми|ей|ий|ый|ой|ем|им|ым|ом|его|ого|ему|ому|их|ых|ую|юю|ая|яя|ою|ею)$/
const participle = /(?:(?<=[ая])(?:ем|нн|вш|ющ|щ)|ивш|ывш|ующ)$/
const verb =
  /(?:(?<=[ая])(?:ла|на|ете|йте|ли|й|л|ем|н|ло|но|ет|ют|ны|ть|ешь|нно)|ила|ыла|ена|ейте|уйте|ите|или|ыли|ей|уй|ил|ыл|им|ым|ен|ило|ыло|ено|ят|ует|уют|ит|ыт|ены|ить|ыть|ишь|ую|ю)$/
const noun =
  /(?:а|ев|ов|ие|ье|е|иями|ями|ами|еи|ии|и|ией|ей|ой|ий|й|иям|ям|ием|ем|ам|ом|о|у|ах|иях|ях|ы|ь|ию|ью|ю|ия|ья|я)$/
const derivational = /(?:ость|ост)$/

/** All rules work on what follows the first vowel. */
export function russian(given: string): string {
  const word = given.replaceAll('ё', 'е')
  const start = word.search(russianVowel) + 1
  if (start === 0) return word
  const head = word.slice(0, start)
  let rest = word.slice(start)
  const gone = rest.replace(gerund, '')
  if (gone !== rest) rest = gone
  else {
    rest = rest.replace(reflexive, '')
    const bare = rest.replace(adjective, '')
    if (bare !== rest) rest = bare.replace(participle, '')
    else {
      const root = rest.replace(verb, '')
      rest = root === rest ? rest.replace(noun, '') : root
    }
  }
  rest = rest.replace(/и$/, '')
  const whole = head + rest
  const second = regionAfter(whole, russianVowel, regionAfter(whole, russianVowel, 0))
  if (derivational.test(whole.slice(second))) rest = rest.replace(derivational, '')
  if (/(?:ейш|ейше)$/.test(rest)) rest = rest.replace(/(?:ейше|ейш)$/, '').replace(/нн$/, 'н')
  else if (rest.endsWith('нн')) rest = rest.slice(0, -1)
  else rest = rest.replace(/ь$/, '')
  return head + rest
}
