/** The Snowball stemmer of Romanian as Lucene 10 has it, for letters with commas and cedillas. Words come in lower case. */
import { Endings, regionAfter, withEnding } from './regions.ts'
import { verbRegion } from './romance-regions.ts'

const vowels = /[aăâeiîou]/

interface Regions {
  readonly first: number
  readonly second: number
  readonly verb: number
}

/** Letters with a cedilla get a comma; `i` and `u` between vowels are consonants, in upper case meanwhile. */
function marked(given: string): string {
  return given
    .replace(/[şţ]/g, (letter) => (letter === 'ş' ? 'ș' : 'ț'))
    .replace(
      /([aăâeiîou])([iu])(?=[aăâeiîou])/g,
      (_all, before: string, letter: string) => before + letter.toUpperCase(),
    )
}

const plurals = new Endings(
  ['ul ului', ''],
  ['aua', 'a'],
  ['ea ele elor', 'e'],
  ['ii iua iei iile iilor ilor ile', 'i'],
  ['atei', 'at'],
  ['ație ația', 'ați'],
)

function withoutPlural(word: string, { first }: Regions): string {
  const ending = plurals.of(word)
  if (ending === undefined || word.length - ending.length < first) return word
  if (ending === 'ile' && word.endsWith('abile')) return word
  return withEnding(word, ending, plurals.note(ending))
}

const combinations = new Endings(
  ['abilitate abilitati abilităi abilități', 'abil'],
  ['ibilitate', 'ibil'],
  ['ivitate ivitati ivităi ivități', 'iv'],
  [
    `icitate icitati icităi icități icator icatori iciv iciva icive icivi icivă ical icala icale icali icală`,
    'ic',
  ],
  ['ativ ativa ative ativi ativă ațiune atoare ator atori ătoare ător ători', 'at'],
  ['itiv itiva itive itivi itivă ițiune itoare itor itori', 'it'],
)

/** Replaces endings until none is left to replace. */
function withoutCombinations(given: string, { first }: Regions): string {
  let word = given
  for (;;) {
    const ending = combinations.of(word)
    if (ending === undefined || word.length - ending.length < first) return word
    word = withEnding(word, ending, combinations.note(ending))
  }
}

const suffixes = new Endings(
  [
    `at ata ată ati ate ut uta ută uti ute it ita ită iti ite ic ica ice ici ică abil abila abile abili abilă ibil ibila
     ibile ibili ibilă oasa oasă oase os osi oși ant anta ante anti antă ator atori itate itati ităi ități iv iva ive ivi
     ivă`,
    '',
  ],
  ['iune iuni', 't'],
  ['ism isme ist ista iste isti istă iști', 'ist'],
)

/** Undefined where nothing was removed. */
function withoutSuffix(word: string, { second }: Regions): string | undefined {
  const suffix = suffixes.of(word)
  if (suffix === undefined || word.length - suffix.length < second) return undefined
  const rest = withEnding(word, suffix, suffixes.note(suffix))
  if (suffixes.note(suffix) !== 't') return rest
  return rest.endsWith('țt') ? withEnding(rest, 'țt', 't') : undefined
}

const verbs = new Endings(
  [
    `are ere ire âre ind ând indu ându eze ească ez ezi ează esc ești ește ăsc ăști ăște am ai au eam eai ea eați eau iam
     iai ia iați iau ui ași arăm arăți ară uși urăm urăți ură iși irăm irăți iră âi âși ârăm ârăți âră asem aseși ase
     aserăm aserăți aseră isem iseși ise iserăm iserăți iseră âsem âseși âse âserăm âserăți âseră usem useși use userăm
     userăți useră`,
    'guarded',
  ],
  ['ăm ați em eți im iți âm âți seși serăm serăți seră sei se sesem seseși sese seserăm seserăți seseră', ''],
)

function withoutVerbEnding(word: string, { verb }: Regions): string {
  const ending = verbs.of(word, verb)
  if (ending === undefined) return word
  const rest = withEnding(word, ending)
  if (verbs.note(ending) === '') return rest
  return rest.length > verb && /[^aăâeiîo]$/.test(rest) ? rest : word
}

const finals = new Endings(['a e i ie ă', ''])

export function romanian(given: string): string {
  const word = marked(given)
  const first = regionAfter(word, vowels, 0)
  const regions = { first, second: regionAfter(word, vowels, first), verb: verbRegion(word, vowels) }
  const plain = withoutPlural(word, regions)
  const reduced = withoutCombinations(plain, regions)
  let rest = withoutSuffix(reduced, regions) ?? reduced
  if (rest === plain) rest = withoutVerbEnding(rest, regions)
  const final = finals.of(rest)
  if (final !== undefined && rest.length - final.length >= regions.verb) rest = withEnding(rest, final)
  return rest.replace(/[IU]/g, (letter) => letter.toLowerCase())
}
