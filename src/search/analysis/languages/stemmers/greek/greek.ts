/**
 * The stemmer of Greek, after Ntais, "Development of a stemmer for the Greek language", with the changes of Saroukos,
 * "Enhancing a Greek language stemmer". Words come in lower case, without accents and with one kind of sigma.
 */
import { Endings, withEnding } from '../../snowball/regions.ts'
import { steps } from './restoring-steps.ts'

/** Nouns that lose more than others, cut at the `-`. */
const irregular = new Map(
  `καθεστ-ωτοσ καθεστ-ωτων καθεστ-ωτα καθεστ-ωσ γεγον-οτοσ γεγον-οτων γεγον-οτα γεγον-οσ τατο-γιου τατο-γιων
   τατο-για σκα-γιου σκα-γιων σκα-για ολο-γιου ολο-γιων ολο-για κρε-ατοσ κρε-ατων κρε-ατα κρε-ασ περ-ατοσ περ-ατων
   περ-ατα περ-ασ τερ-ατοσ τερ-ατων τερ-ατα τερ-ασ φα-γιου φα-γιων φα-για σο-γιου σο-γιων σο-για φω-τοσ φω-των
   φω-τα φω-σ`
    .split(/\s+/)
    .map((word): [string, string] => [word.replace('-', ''), word.split('-')[1]!]),
)
const irregularNouns = new Endings([[...irregular.keys()].join(' '), ''])

/** Endings of verbs whose own endings follow; they go first. */
const beforeAme = new Endings(['ηθηκαμε ουσαμε αγαμε ησαμε ηκαμε', ''])
const wholeBeforeAne = 'ουντανε ηθηκανε οντανε ουσανε ησανε οτανε ηκανε'
const beforeAne = new Endings([`ιουντανε ιοντανε ιοτανε αγανε ${wholeBeforeAne}`, ''])
const beforeEte = new Endings(['ησετε', ''])
const beforeIka = new Endings(['ηθηκεσ ηθηκα ηθηκε', ''])
const participles = new Endings(['οντασ ωντασ', ''])
const reflexive = new Endings(['ομαστε', ''])
const neuter = new Endings(['ματων ματοσ', 'μα'], ['ματα', 'μα'])

/** What goes if nothing else did. */
const lastEndings = new Endings([
  `ιοντουσαν ιομασταν ιοσασταν ιουμαστε οντουσαν ιεμαστε ιεσαστε ιομουνα ιοσαστε ιοσουνα ιουνται ιουνταν ηθηκατε
   ομασταν οσασταν ουμαστε ιομουν ιονταν ιοσουν ηθειτε ηθηκαν ομουνα οσαστε οσουνα ουνται ουνταν ουσατε αγατε ιεμαι
   ιεται ιεσαι ιοταν ιουμα ηθεισ ηθουν ηκατε ησατε ησουν ομουν ονται ονταν οσουν ουμαι ουσαν αγαν αμαι ασαι αται ειτε
   εσαι εται ηδεσ ηδων ηθει ηκαν ησαν ησει ησεσ ομαι οταν αει εισ ηθω ησω ουν ουσ αν ασ αω ει εσ ησ οι οσ ου υσ ων α ε
   η ι ο υ ω`,
  '',
])
const comparatives = new Endings(['εστερ εστατ οτερ οτατ υτερ υτατ ωτερ ωτατ', ''])

function without(word: string, endings: Endings): string {
  const ending = endings.of(word, 1)
  return ending === undefined ? word : withEnding(word, ending, endings.note(ending))
}

function withoutIrregular(word: string): string {
  const noun = irregularNouns.of(word)
  return noun === undefined ? word : withEnding(word, irregular.get(noun)!)
}

function ameStep(word: string): string {
  return word === 'αγαμε' ? 'αγαμ' : steps.ame(without(word, beforeAme))
}

function aneStep(word: string): string {
  // Lucene leaves nothing of a word that is one of these endings.
  const verb = wholeBeforeAne.split(' ').includes(word) ? '' : without(word, beforeAne)
  // Two stems of one syllable are taken for those of longer words.
  const isShort = verb !== word && (verb === 'τρ' || verb === 'τσ')
  return steps.ane(isShort ? `${verb}αγαν` : verb)
}

function participleStep(word: string): string {
  const stem = without(word, participles)
  if (stem === word) return word
  if (stem === 'αρχ') return 'αρχοντ'
  return stem.endsWith('κρε') ? `${stem}ωντ` : stem
}

function reflexiveStep(word: string): string {
  const stem = without(word, reflexive)
  return stem !== word && stem === 'ον' ? 'ονομαστ' : stem
}

const all: readonly ((word: string) => string)[] = [
  withoutIrregular,
  steps.ades,
  steps.edes,
  steps.oudes,
  steps.eos,
  steps.ia,
  steps.ika,
  ameStep,
  aneStep,
  (word) => steps.ete(without(word, beforeEte)),
  participleStep,
  reflexiveStep,
  steps.ieste,
  steps.este,
  (word) => steps.ike(without(word, beforeIka)),
  steps.ousa,
  steps.aga,
  steps.isou,
  steps.iste,
  steps.oune,
  steps.oume,
  (word) => without(word, neuter),
]

export function greek(given: string): string {
  if (given.length < 4) return given
  let word = given
  for (const step of all) word = step(word)
  // The last endings are for words that nothing happened to.
  if (word.length === given.length) word = without(word, lastEndings)
  const comparative = comparatives.of(word)
  return comparative === undefined ? word : withEnding(word, comparative)
}
