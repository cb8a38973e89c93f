/** The `stemmer` and `snowball` filters: stemmers by the names that settings give them. */
import { AnalysisError } from '../analysis-error.ts'
import type { TokenFilter } from '../component.ts'
import type { ComponentOptions } from '../component-options.ts'
import {
  frenchLight,
  germanLight,
  italianLight,
  portugueseLight,
  spanishLight,
} from '../languages/light-stemmers.ts'
import {
  frenchMinimal,
  germanMinimal,
  norwegianLight,
  norwegianMinimal,
  nynorskLight,
  nynorskMinimal,
  russianLight,
  swedishLight,
} from '../languages/short-stemmers.ts'
import { estonian } from '../languages/snowball/agglutinative/estonian.ts'
import { turkish } from '../languages/snowball/agglutinative/turkish.ts'
import { danish } from '../languages/snowball/danish.ts'
import { dutch } from '../languages/snowball/dutch.ts'
import { armenian } from '../languages/snowball/ending-tables/armenian.ts'
import { basque } from '../languages/snowball/ending-tables/basque.ts'
import { catalan } from '../languages/snowball/ending-tables/catalan.ts'
import { irish } from '../languages/snowball/ending-tables/irish.ts'
import { lithuanian } from '../languages/snowball/ending-tables/lithuanian.ts'
import { finnish } from '../languages/snowball/finnish.ts'
import { french } from '../languages/snowball/french.ts'
import { german } from '../languages/snowball/german.ts'
import { hungarian } from '../languages/snowball/hungarian.ts'
import { italian } from '../languages/snowball/italian.ts'
import { norwegian } from '../languages/snowball/norwegian.ts'
import { portuguese } from '../languages/snowball/portuguese.ts'
import { romanian } from '../languages/snowball/romanian.ts'
import { russian } from '../languages/snowball/russian.ts'
import { serbian } from '../languages/snowball/serbian/serbian.ts'
import { spanish } from '../languages/snowball/spanish.ts'
import { swedish } from '../languages/snowball/swedish.ts'
import { arabic, persian, sorani } from '../languages/stemmers/arabic-script.ts'
import { brazilian } from '../languages/stemmers/brazilian.ts'
import { greek } from '../languages/stemmers/greek/greek.ts'
import { bengali, hindi } from '../languages/stemmers/indian.ts'
import { indonesian } from '../languages/stemmers/indonesian.ts'
import { latvian } from '../languages/stemmers/latvian.ts'
import {
  galician,
  galicianMinimal,
  portugueseMinimal,
  portugueseRslp,
} from '../languages/stemmers/rslp/portuguese-and-galician.ts'
import { bulgarian, czech } from '../languages/stemmers/slavic.ts'
import { spanishPlural } from '../languages/stemmers/spanish-plural.ts'
import { finnishLight, hungarianLight } from '../languages/uralic-light.ts'
import { englishStem } from './english-stemmer.ts'
import { porter, possessive, stemming } from './term-filters.ts'

/** Removes plurals only. */
function minimalStem(term: string): string {
  if (term.length < 3 || !term.endsWith('s')) return term
  const before = term.at(-2)!
  if (before === 'u' || before === 's') return term
  if (before !== 'e') return term.slice(0, -1)
  if (term.length > 3 && term.at(-3) === 'i' && !'ae'.includes(term.at(-4)!)) return `${term.slice(0, -3)}y`
  return 'iaoe'.includes(term.at(-3)!) ? term : term.slice(0, -1)
}

const english = stemming(englishStem)

/** The stemmers of the Snowball project, by the names that the `snowball` filter has for them. */
const snowballStemmers: ReadonlyMap<string, TokenFilter> = new Map<string, TokenFilter>([
  ['English', english],
  ['Porter', porter],
  ['Armenian', stemming(armenian)],
  ['Basque', stemming(basque)],
  ['Catalan', stemming(catalan)],
  ['Danish', stemming(danish)],
  ['Dutch', stemming(dutch)],
  ['Estonian', stemming(estonian)],
  ['Finnish', stemming(finnish)],
  ['French', stemming(french)],
  ['German', stemming(german)],
  ['German2', stemming(german)],
  ['Hungarian', stemming(hungarian)],
  ['Irish', stemming(irish)],
  ['Italian', stemming(italian)],
  ['Lithuanian', stemming(lithuanian)],
  ['Norwegian', stemming(norwegian)],
  ['Portuguese', stemming(portuguese)],
  ['Romanian', stemming(romanian)],
  ['Russian', stemming(russian)],
  ['Serbian', stemming(serbian)],
  ['Spanish', stemming(spanish)],
  ['Swedish', stemming(swedish)],
  ['Turkish', stemming(turkish)],
])

const stemmers: ReadonlyMap<string, TokenFilter> = new Map<string, TokenFilter>([
  ...[...snowballStemmers].map(([name, filter]): [string, TokenFilter] => [name.toLowerCase(), filter]),
  ['english', porter],
  ['porter2', english],
  ['minimal_english', stemming(minimalStem)],
  ['possessive_english', possessive],
  ['arabic', stemming(arabic)],
  ['bengali', stemming(bengali)],
  ['brazilian', stemming(brazilian)],
  ['bulgarian', stemming(bulgarian)],
  ['czech', stemming(czech)],
  ['greek', stemming(greek)],
  ['hindi', stemming(hindi)],
  ['galician', stemming(galician)],
  ['minimal_galician', stemming(galicianMinimal)],
  ['portuguese_rslp', stemming(portugueseRslp)],
  ['minimal_portuguese', stemming(portugueseMinimal)],
  ['indonesian', stemming(indonesian)],
  ['latvian', stemming(latvian)],
  ['persian', stemming(persian)],
  ['sorani', stemming(sorani)],
  ['spanish_plural', stemming(spanishPlural)],
  ['light_german', stemming(germanLight)],
  ['light_french', stemming(frenchLight)],
  ['light_spanish', stemming(spanishLight)],
  ['light_italian', stemming(italianLight)],
  ['light_portuguese', stemming(portugueseLight)],
  ['light_finnish', stemming(finnishLight)],
  ['light_hungarian', stemming(hungarianLight)],
  ['light_norwegian', stemming(norwegianLight)],
  ['light_nynorsk', stemming(nynorskLight)],
  ['light_russian', stemming(russianLight)],
  ['light_swedish', stemming(swedishLight)],
  ['minimal_french', stemming(frenchMinimal)],
  ['minimal_german', stemming(germanMinimal)],
  ['minimal_norwegian', stemming(norwegianMinimal)],
  ['minimal_nynorsk', stemming(nynorskMinimal)],
])

/** Stemmers that Lucene 10 no longer has; Elasticsearch 9 takes their names and leaves words as they are. */
const removedStemmers = ['dutch_kp', 'dutchkp', 'kp', 'lovins']

/** `lightGerman` is `light_german`, in any case. */
const joinedNames: ReadonlyMap<string, TokenFilter> = new Map<string, TokenFilter>([
  ...[...stemmers]
    .filter(([name]) => /^(?:light|minimal|possessive)_(?!galician)/.test(name))
    .map(([name, filter]): [string, TokenFilter] => [name.replace('_', ''), filter]),
  // As Elasticsearch once wrote it.
  ['light_finish', stemming(finnishLight)],
  ['lightfinish', stemming(finnishLight)],
  ...removedStemmers.map((name): [string, TokenFilter] => [name, stemming((term) => term)]),
])

function found(language: string, filter: TokenFilter | undefined): TokenFilter {
  if (filter === undefined) throw new AnalysisError(`Invalid stemmer class specified: ${language}`)
  return filter
}

/** The `stemmer` filter, by language. */
export function stemmer(options: ComponentOptions): TokenFilter {
  return stemmerOf(options.text('language', options.text('name', 'porter')))
}

export function stemmerOf(language: string): TokenFilter {
  const name = language.toLowerCase()
  return found(language, stemmers.get(name) ?? joinedNames.get(name))
}

/** The `snowball` filter, by language; only the case of the first letter may differ. */
export function snowball(options: ComponentOptions): TokenFilter {
  const language = options.text('language', options.text('name', 'English'))
  return found(language, snowballStemmers.get(language.slice(0, 1).toUpperCase() + language.slice(1)))
}
