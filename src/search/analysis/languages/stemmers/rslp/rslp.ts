/**
 * The Removedor de Sufixos da Língua Portuguesa (Orengo and Huyck, 2001): steps of rules, each for one kind of ending.
 * The first rule of a step whose ending a word has, and whose exceptions it is not among, changes the word.
 */

export interface StepRules {
  /** Shorter words stay; zero for the shortest that a rule can change. */
  readonly minLength: number
  /** Whether an exception is a whole word; otherwise it is an ending. */
  readonly isWholeWordException: boolean
  /** Endings, of which a word must have one; empty for any word. */
  readonly endings: string
  /** `ending`, letters that must be left, `>` and what takes its place, `!` and exceptions. */
  readonly rules: string
}

interface Rule {
  readonly ending: string
  readonly minStem: number
  readonly added: string
  readonly exceptions: readonly string[]
}

function ruleOf(text: string): Rule {
  const [, ending = '', minStem = '', added = '', exceptions = ''] =
    /^(\D+)(\d+)(?:>([^!]*))?(?:!(.*))?$/.exec(text)!
  return {
    ending,
    minStem: Number(minStem),
    added,
    exceptions: exceptions === '' ? [] : exceptions.split(','),
  }
}

/** A step, which returns the word that it was given if no rule applies. */
type Step = (word: string) => string

/** The rules are read when the first word comes. */
export function stepOf(rules: StepRules): Step {
  let step: Step | undefined
  return (word) => {
    step ??= compiled(rules)
    return step(word)
  }
}

function compiled({ minLength, isWholeWordException, endings, rules }: StepRules): Step {
  const needed = endings.split(' ')
  const all = rules.trim().split(/\s+/).map(ruleOf)
  const shortest = minLength || Math.min(...all.map(({ ending, minStem }) => ending.length + minStem))
  const isException = (word: string, exceptions: readonly string[]): boolean =>
    isWholeWordException
      ? exceptions.includes(word)
      : exceptions.some((exception) => word.endsWith(exception))
  return (word) => {
    if (word.length < shortest || !needed.some((ending) => word.endsWith(ending))) return word
    const rule = all.find(
      ({ ending, minStem, exceptions }) =>
        word.length >= ending.length + minStem && word.endsWith(ending) && !isException(word, exceptions),
    )
    return rule === undefined ? word : word.slice(0, -rule.ending.length) + rule.added
  }
}
