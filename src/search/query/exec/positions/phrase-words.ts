/** The words of a sloppy phrase, each walking through its positions in a document, and the words that repeat a term. */

export class PhraseWord {
  readonly offset: number
  /** The index in the phrase, which breaks ties. */
  readonly order: number
  /** The words that share a term with this one. */
  group: RepeatGroup | undefined
  /** The index in the queue that the word waits in. */
  place = -1
  /** The position minus the word's offset: where the phrase would begin. */
  start = 0
  #positions: Uint32Array = new Uint32Array(0)
  #next = 0
  #to = 0

  constructor(offset: number, order: number) {
    this.offset = offset
    this.order = order
  }

  /** Begins with the first position of `[from, to)`. */
  reset(positions: Uint32Array, from: number, to: number): void {
    this.#positions = positions
    this.#next = from
    this.#to = to
    this.advance()
  }

  advance(count = 1): boolean {
    this.#next += count - 1
    if (this.#next >= this.#to) return false
    this.start = this.#positions[this.#next++]! - this.offset
    return true
  }

  get position(): number {
    return this.start + this.offset
  }

  isBefore(other: PhraseWord): boolean {
    if (this.start !== other.start) return this.start < other.start
    if (this.offset !== other.offset) return this.offset < other.offset
    return this.order < other.order
  }
}

/** Words that share terms, in phrase order; no two of them may stand at one position. */
export class RepeatGroup {
  words: PhraseWord[] = []
  /** Whether all words have the same single term, and so the same positions. */
  isOneTerm = true
  /** Who stands where; the word that moves last may be missing. */
  readonly #standing = new Map<number, PhraseWord>()

  /** Moves words that start on the same position apart; false when there are not enough positions. */
  separate(): boolean {
    const isApart = this.isOneTerm ? this.#spreadOut() : this.#moveApart()
    this.#standing.clear()
    if (isApart) for (const word of this.words) this.#standing.set(word.position, word)
    return isApart
  }

  #spreadOut(): boolean {
    return this.words.every((word, index) => index === 0 || word.advance(index))
  }

  #moveApart(): boolean {
    const standing = this.#standing
    standing.clear()
    // Whoever is displaced has to find another place, until nobody is.
    for (const first of this.words) {
      let word: PhraseWord | undefined = first
      while (word !== undefined) {
        word = this.settle(word)
        if (word !== undefined && !word.advance()) return false
      }
    }
    return true
  }

  /** Notes where a word stands now; returns the word that has to move on because two stand there. */
  settle(word: PhraseWord): PhraseWord | undefined {
    const standing = this.#standing
    const other = standing.get(word.position)
    if (other === undefined || other === word) {
      standing.set(word.position, word)
      return undefined
    }
    const displaced = lesser(word, other)
    if (displaced === other) standing.set(word.position, word)
    return displaced
  }

  /** Notes that a word is about to leave its position. */
  leave(word: PhraseWord): void {
    if (this.#standing.get(word.position) === word) this.#standing.delete(word.position)
  }
}

function lesser(one: PhraseWord, other: PhraseWord): PhraseWord {
  const isFirst = one.start < other.start || (one.start === other.start && one.offset < other.offset)
  return isFirst ? one : other
}

/** Groups words that share a term. */
export function repeatGroups(
  terms: readonly (readonly string[])[],
  words: readonly PhraseWord[],
): RepeatGroup[] {
  const groups = new Set<RepeatGroup>()
  const byTerm = new Map<string, PhraseWord>()
  words.forEach((word, index) => {
    for (const term of terms[index]!) {
      const earlier = byTerm.get(term)
      byTerm.set(term, word)
      if (earlier === undefined || earlier === word) continue
      if (earlier.group === undefined) {
        earlier.group = new RepeatGroup()
        earlier.group.words.push(earlier)
        groups.add(earlier.group)
      }
      join(earlier.group, word, groups)
    }
  })
  for (const group of groups) {
    group.words.sort((a, b) => a.order - b.order)
    group.isOneTerm = group.words.every(({ order }) => terms[order]!.length === 1)
  }
  return [...groups]
}

function join(group: RepeatGroup, word: PhraseWord, groups: Set<RepeatGroup>): void {
  if (word.group === group) return
  const joining = word.group?.words ?? [word]
  if (word.group !== undefined) groups.delete(word.group)
  for (const one of joining) {
    one.group = group
    group.words.push(one)
  }
}
