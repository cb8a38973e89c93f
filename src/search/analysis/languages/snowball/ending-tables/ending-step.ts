/** A step of a stemmer that is a table: the longest ending counts, where it begins in the region of its group. */
import { Endings, regionAfter, withEnding } from '../regions.ts'

/** Where the regions of a word begin. */
export interface Regions {
  readonly whole: 0
  readonly verb: number
  readonly first: number
  readonly second: number
}

/** The regions that Snowball calls R1 and R2, beside the one for endings of verbs. */
export function regionsOf(word: string, vowels: RegExp, verb: number): Regions {
  const first = regionAfter(word, vowels, 0)
  return { whole: 0, verb, first, second: regionAfter(word, vowels, first) }
}

/** Behind the first vowel. */
export function behindVowel(word: string, vowels: RegExp): number {
  const at = word.search(vowels)
  return at < 0 ? word.length : at + 1
}

interface Rule {
  readonly region: keyof Regions
  readonly replacement: string
}

export class EndingStep {
  readonly #endings: Endings<Rule>

  /** Groups of endings, each with their region and what takes their place. */
  constructor(
    ...groups: readonly (readonly [endings: string, region: keyof Regions, replacement: string])[]
  ) {
    this.#endings = new Endings(
      ...groups.map(([endings, region, replacement]): [string, Rule] => [endings, { region, replacement }]),
    )
  }

  /** The ending of a word and what takes its place; undefined where the longest begins before its region. */
  match(word: string, regions: Regions): [ending: string, replacement: string] | undefined {
    const ending = this.#endings.of(word)
    if (ending === undefined) return undefined
    const { region, replacement } = this.#endings.note(ending)
    return word.length - ending.length < regions[region] ? undefined : [ending, replacement]
  }

  /** The word behind the step; undefined where it does not apply. */
  apply(word: string, regions: Regions): string | undefined {
    const found = this.match(word, regions)
    return found && withEnding(word, ...found)
  }
}
