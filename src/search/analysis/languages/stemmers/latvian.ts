/**
 * The stemmer of Latvian, after Kreslins, "A stemming algorithm for Latvian": the inflectional endings of nouns and
 * adjectives go, and consonants that some of them soften become hard again.
 */
import { withEnding } from '../snowball/regions.ts'

/** Each ending with the vowels that a word must have at least; a `*` marks those that soften. In order of trial. */
const endings = `
  ajiem4 ajai4 ajam3 ajām3 ajos3 ajās3 iem3* ajā3 ais3 ai3 ei3 ām2 am2 ēm2 īm2 im2 um2 us2* as2 ās2 es2 os2*
  ij2 īs2 ēs2 is2 ie2 u2* a2* i2* e2 ā2 ē2 ī2 ū2 o2 s1 š1
`
  .trim()
  .split(/\s+/)
  .map((line) => {
    const [, ending = '', minVowels = '', mark] = /^(\D+)(\d)(\*?)$/.exec(line)!
    return { ending, minVowels: Number(minVowels), isSoftening: mark === '*' }
  })

const hardened: readonly (readonly [RegExp, string])[] = [
  [/([pbmv])j$/, '$1'],
  [/šņ$/, 'sn'],
  [/žņ$/, 'zn'],
  [/šļ$/, 'sl'],
  [/žļ$/, 'zl'],
  [/ļņ$/, 'ln'],
  [/ļļ$/, 'll'],
  [/č$/, 'c'],
  [/ļ$/, 'l'],
  [/ņ$/, 'n'],
]

function hard(stem: string, ending: string): string {
  if (ending.startsWith('u')) {
    if (stem.endsWith('kš')) return withEnding(stem, 'š', 'st')
    if (stem.endsWith('ņņ')) return withEnding(stem, 'ņņ', 'nn')
  }
  const rule = hardened.find(([end]) => end.test(stem))
  return rule === undefined ? stem : stem.replace(...rule)
}

export function latvian(word: string): string {
  const vowels = word.match(/[aāeēiīouū]/g)?.length ?? 0
  for (const { ending, minVowels, isSoftening } of endings) {
    if (vowels < minVowels || word.length < ending.length + 3 || !word.endsWith(ending)) continue
    const stem = withEnding(word, ending)
    return isSoftening ? hard(stem, ending) : stem
  }
  return word
}
