/**
 * How often a phrase occurs in one document when its words may be moved. Each word walks through its positions,
 * counted from where the phrase would begin; the distance of a match is the spread of those beginnings. The
 * word that lags behind is moved on until it leads, and the least spread on its way counts as one match of
 * 1 / (1 + distance). Words that stand twice in a phrase never take the same position.
 */
import { sloppyFrequency } from '../../../scoring/bm25.ts'

class Word {
  readonly offset: number
  /** Place in the phrase, which decides between equals. */
  readonly order: number
  /** Words that share a term; -1 when none does. */
  group = -1
  #positions: ArrayLike<number> = []
  #next = 0
  /** Where the phrase begins, judging by this word. */
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

  /** `terms` by place, several where any of them will do. */
  constructor(terms: readonly (readonly string[])[], offsets: readonly number[], slop: number) {
    this.#slop = slop
    this.#words = offsets.map((offset, order) => new Word(offset, order))
    this.#groups = groupsOf(terms, this.#words)
  }

  /** `positions` of each place in the document, rising. */
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

  /** Moves words of one term apart that start on the same position. */
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

  /** The next local minimum of the spread. */
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

  /** After a word moved: the lesser of two on one position moves on, until none collides. */
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

/** Words joined by a common term, in the order of the phrase. */
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
