/** What the Snowball stemmers share: regions of a word, and the longest of many endings in one. */

/** Where a region begins: behind the first consonant after a vowel, from an offset on. */
export function regionAfter(word: string, vowels: RegExp, from: number): number {
  let at = from
  while (at < word.length && !vowels.test(word[at]!)) at++
  while (at < word.length && vowels.test(word[at]!)) at++
  return Math.min(at + 1, word.length)
}

/** Whether a word has an ending that begins at `region` or later. */
export function endsIn(word: string, ending: string, region: number): boolean {
  return word.length - ending.length >= region && word.endsWith(ending)
}

/** A word with another ending. */
export function withEnding(word: string, ending: string, added = ''): string {
  return word.slice(0, word.length - ending.length) + added
}

/** Endings of a step, each with what takes its place or another note. */
export class Endings<Note = string> {
  readonly #notes = new Map<string, Note>()
  readonly #maxLength: number

  /** Lists of endings separated by blanks, each with their note. */
  constructor(...groups: readonly (readonly [endings: string, note: Note])[]) {
    for (const [endings, note] of groups)
      for (const ending of endings.trim().split(/\s+/)) this.#notes.set(ending, note)
    this.#maxLength = Math.max(...[...this.#notes.keys()].map((ending) => ending.length))
  }

  /** The longest of them that begins at `region` or later. */
  of(word: string, region = 0): string | undefined {
    const { length } = word
    for (let size = Math.min(this.#maxLength, length - region); size > 0; size--) {
      const ending = word.slice(length - size)
      if (this.#notes.has(ending)) return ending
    }
    return undefined
  }

  note(ending: string): Note {
    return this.#notes.get(ending)!
  }
}
