/** The Snowball stemmer of Armenian. Words come in lower case. */
import { Endings, regionAfter, withEnding } from '../regions.ts'
import { behindVowel } from './ending-step.ts'

const vowels = /[աեէըիուօ]/

const cases = new Endings([
  `սա վա ամբ դ անդ ությանդ վանդ ոջդ երդ ներդ ուդ ը անը ությանը վանը ոջը երը ները ի վի երի ների անում երում
     ներում ն ան ության վան ին երին ներին ությանն երն ներն ուն ոջ ությանս վանս ոջս ով անով վով երով ներով եր ներ
     ց ից վանից ոջից վից երից ներից ցից ոց ուց`,
  '',
])
/** Endings of verbs, adjectives and nouns, in the order in which they are removed. */
const kinds = [
  new Endings([
    `ա ացա եցա վե ացրի ացի եցի վեցի ալ ըալ անալ ենալ ացնալ ել ըել նել ցնել եցնել չել վել ացվել եցվել տել ատել
     ոտել կոտել ված ում վում ան ցան ացան ացրին ացին եցին վեցին ալիս ելիս ավ ացավ եցավ ալով ելով ար ացար եցար
     ացրիր ացիր եցիր վեցիր աց եց ացրեց ալուց ելուց ալու ելու աք ցաք ացաք ացրիք ացիք եցիք վեցիք անք ցանք ացանք
     ացրինք ացինք եցինք վեցինք`,
    '',
  ]),
  new Endings([
    `րորդ երորդ ալի ակի որակ եղ ական արան են եկեն երեն որէն ին գին ովին լայն վուն պես իվ ատ ավետ կոտ բար`,
    '',
  ]),
  new Endings([
    `որդ ույթ ուհի ցի իլ ակ յակ անակ իկ ուկ ան պան ստան արան եղէն յուն ություն ածո իչ ուս ուստ գար վոր ավոր ոց
     անօց ու ք չեք իք ալիք անիք վածք ույք ենք ոնք ունք մունք իչք արք`,
    '',
  ]),
]

/** Where the region of cases begins: two syllables later than that of the other endings. */
function caseRegion(word: string, verb: number): number {
  let at = verb
  while (at < word.length && vowels.test(word[at]!)) at++
  return regionAfter(word, vowels, Math.min(at + 1, word.length))
}

/** The longest ending in the first region counts; it is removed if it begins in the second. */
export function armenian(given: string): string {
  const region = behindVowel(given, vowels)
  const inflection = cases.of(given, region)
  const isCase = inflection !== undefined && given.length - inflection.length >= caseRegion(given, region)
  let word = isCase ? withEnding(given, inflection) : given
  for (const endings of kinds) word = withEnding(word, endings.of(word, region) ?? '')
  return word
}
