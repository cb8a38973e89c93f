/** Stemmers that are lines of endings: how long a word must be decides which of them it may lose. */
import { Endings, withEnding } from './snowball/regions.ts'

/** Endings that words of more letters than `over` lose. */
interface Line {
  readonly over: number
  readonly endings: Endings
}

/** A line begins with its number of letters. */
export function linesOf(text: string): readonly Line[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [over = '', ...endings] = line.trim().split(' ')
      return { over: Number(over), endings: new Endings([endings.join(' '), '']) }
    })
}

/** The first line that has an ending of the word counts. */
export function shortened(word: string, lines: readonly Line[]): string {
  for (const { over, endings } of lines) {
    const ending = word.length > over ? endings.of(word) : undefined
    if (ending !== undefined) return withEnding(word, ending)
  }
  return word
}
