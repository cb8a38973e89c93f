/**
 * Sloppy phrase frequency in one document, after Lucene's SloppyPhraseMatcher. Each word walks through its
 * positions, shifted by its offset in the phrase; the match distance is the spread of the shifted positions.
 * The word with the lowest position advances until it leads, and the smallest spread on the way counts as one
 * match of 1 / (1 + distance). Repeated words never take the same position.
 */
import { sloppyFrequency } from '../../../scoring/bm25.ts'

class Word {
  readonly offset: number
  /** The index in the phrase, which breaks ties. */
  readonly order: number
  /** The repeat group of words that share a term; -1 for none. */
  group = -1
  #positions: ArrayLike<number> = []
  #next = 0
  /** The position minus the word's offset: where the phrase would begin. */
  start = 0

  constructor(offset: number, order: number) {
    this.offset = offset
    this.order = order
  }

  reset(positions: ArrayLike<number>): void {
    this.#positions = positions
    this.#next = 0
    this.advance()
  }

  advance(): boolean {
    if (this.#next >= this.#positions.length) return false
    this.start = this.#positions[this.#next++]! - this.offset
    return true
  }

  get position(): number {
    return this.start + this.offset
  }

  isBefore(other: Word): boolean {
    if (this.start !== other.start) return this.start < other.start
    if (this.offset !== other.offset) return this.offset < other.offset
    return this.order < other.order
  }
}

export class SloppyPhrase {
  readonly #slop: number
  readonly #words: readonly Word[]
  readonly #groups: readonly (readonly Word[])[]
  #queue: Word[] = []
  #end = 0

  /** `terms` by position of the phrase; several are alternatives. */
  constructor(terms: readonly (readonly string[])[], offsets: readonly number[], slop: number) {
    this.#slop = slop
    this.#words = offsets.map((offset, order) => new Word(offset, order))
    this.#groups = groupsOf(terms, this.#words)
  }

  /** `positions` of each word in the document, rising. */
  frequency(positions: readonly ArrayLike<number>[]): number {
    if (!this.#begin(positions)) return 0
    let frequency = 0
    for (;;) {
      const distance = this.#match()
      if (distance === undefined) return frequency
      if (distance.length <= this.#slop) {
        frequency = Math.fround(frequency + sloppyFrequency(distance.length))
      }
      if (distance.last) return frequency
    }
  }

  #begin(positions: readonly ArrayLike<number>[]): boolean {
    this.#words.forEach((word, index) => {
      word.reset(positions[index]!)
    })
    for (const group of this.#groups) if (!this.#separate(group)) return false
    this.#end = Math.max(...this.#words.map(({ start }) => start))
    this.#queue = [...this.#words]
    return true
  }

  /** Moves repeated words that start on the same position apart. */
  #separate(group: readonly Word[]): boolean {
    for (let i = 0; i < group.length; i++) {
      for (
        let other = collision(group[i]!, group);
        other !== undefined;
        other = collision(group[i]!, group)
      ) {
        const behind = lesser(group[i]!, other)
        if (!behind.advance()) return false
        if (group.indexOf(behind) < i) i = -1
        if (i === -1) break
      }
    }
    return true
  }

  #pop(): Word {
    const queue = this.#queue
    let first = 0
    for (let i = 1; i < queue.length; i++) if (queue[i]!.isBefore(queue[first]!)) first = i
    return queue.splice(first, 1)[0]!
  }

  #top(): number {
    let least = Number.POSITIVE_INFINITY
    for (const { start } of this.#queue) if (start < least) least = start
    return least
  }

  /** Returns the next local minimum of the spread. */
  #match(): { length: number; last: boolean } | undefined {
    if (this.#queue.length < this.#words.length) return undefined
    const word = this.#pop()
    let length = this.#end - word.start
    const next = this.#top()
    while (this.#advance(word)) {
      if (!this.#resolve(word)) break
      if (word.start > next) {
        this.#queue.push(word)
        return { length, last: false }
      }
      length = Math.min(length, this.#end - word.start)
    }
    return { length, last: true }
  }

  #advance(word: Word): boolean {
    if (!word.advance()) return false
    if (word.start > this.#end) this.#end = word.start
    return true
  }

  /**
   * Resolves collisions after a word moved: the lesser of two words on one position advances until none
   * collide.
   */
  #resolve(moved: Word): boolean {
    if (moved.group === -1) return true
    const group = this.#groups[moved.group]!
    let word = moved
    for (let other = collision(word, group); other !== undefined; other = collision(word, group)) {
      word = lesser(word, other)
      if (!this.#advance(word)) return false
    }
    return true
  }
}

function collision(word: Word, group: readonly Word[]): Word | undefined {
  return group.find((other) => other !== word && other.position === word.position)
}

function lesser(one: Word, other: Word): Word {
  const first = one.start < other.start || (one.start === other.start && one.offset < other.offset)
  return first ? one : other
}

/** Groups words that share a term, in phrase order. */
function groupsOf(terms: readonly (readonly string[])[], words: readonly Word[]): Word[][] {
  const groups: Word[][] = []
  const byTerm = new Map<string, Word>()
  words.forEach((word, index) => {
    for (const term of terms[index]!) {
      const earlier = byTerm.get(term)
      byTerm.set(term, word)
      if (earlier === undefined || earlier === word || (earlier.group === word.group && word.group !== -1))
        continue
      if (earlier.group === -1) {
        earlier.group = groups.length
        groups.push([earlier])
      }
      const target = groups[earlier.group]!
      const joining = word.group === -1 ? [word] : groups[word.group]!
      for (const one of joining) one.group = earlier.group
      if (target !== joining) target.push(...joining.splice(0))
    }
  })
  for (const group of groups) group.sort((a, b) => a.order - b.order)
  return groups
}
