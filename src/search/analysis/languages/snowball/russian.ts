/** The Snowball stemmer of Russian. Words come in lower case. */
import { regionAfter } from './regions.ts'

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
