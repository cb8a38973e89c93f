/**
 * Stemmers of Czech (Dolamic and Savoy, "Indexing and stemming approaches for the Czech language") and Bulgarian (Savoy,
 * "Searching strategies for the Bulgarian language").
 */
import { linesOf, shortened } from '../ending-lines.ts'
import { withEnding } from '../snowball/regions.ts'

const czechCases = linesOf(`
  7 atech
  6 ětem etem atům
  5 ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami ové ovi ými
  4 em es ém ím ům at ám os us ým mi ou
  3 a e i o u ů y á é í ý ě
`)
const czechPossessives = linesOf('5 ov in ův')

/** Ends of stems that sound otherwise before some endings. */
const czechSounds: readonly (readonly [RegExp, string])[] = [
  [/čt$/, 'ck'],
  [/št$/, 'sk'],
  [/[cč]$/, 'k'],
  [/[zž]$/, 'h'],
  [/e(.)$/s, '$1'],
  [/(?<=.)ů(.)$/s, 'o$1'],
]

export function czech(given: string): string {
  const word = shortened(shortened(given, czechCases), czechPossessives)
  const rule = czechSounds.find(([end]) => end.test(word))
  return rule === undefined ? word : word.replace(...rule)
}

const bulgarianArticles = linesOf(`
  6 ият
  5 ът то те та ия
  4 ят
`)

function bulgarianPlural(word: string): string {
  const { length } = word
  if (length > 6) {
    if (/ов(?:ци|е)$/.test(word)) return word.slice(0, -3)
    if (word.endsWith('еве')) return withEnding(word, 'еве', 'й')
  }
  if (length > 5) {
    if (word.endsWith('ища')) return word.slice(0, -3)
    if (word.endsWith('та')) return word.slice(0, -2)
    if (word.endsWith('ци')) return withEnding(word, 'ци', 'к')
    if (word.endsWith('зи')) return withEnding(word, 'зи', 'г')
    if (word.endsWith('и') && word.at(-3) === 'е') return `${word.slice(0, -3)}я${word.at(-2)}`
  }
  if (length > 4) {
    if (word.endsWith('си')) return withEnding(word, 'си', 'х')
    if (word.endsWith('и')) return word.slice(0, -1)
  }
  return word
}

export function bulgarian(given: string): string {
  if (given.length < 4) return given
  if (given.length > 5 && given.endsWith('ища')) return given.slice(0, -3)
  let word = bulgarianPlural(shortened(given, bulgarianArticles))
  if (word.length > 3) word = word.replace(/я$/, '').replace(/[аое]$/, '')
  if (word.length > 4 && word.endsWith('ен')) word = withEnding(word, 'ен', 'н')
  return word.length > 5 && word.at(-2) === 'ъ' ? word.slice(0, -2) + word.at(-1) : word
}
