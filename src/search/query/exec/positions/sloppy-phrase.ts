/**
 * Sloppy phrase frequency in one document, after Lucene's SloppyPhraseMatcher. Each word walks through its
 * positions, shifted by its offset in the phrase; the match distance is the spread of the shifted positions.
 * The word with the lowest position advances until it leads, and the smallest spread on the way counts as one
 * match of 1 / (1 + distance). Repeated words never take the same position.
 */
import { sloppyFrequency } from '../../../scoring/bm25.ts'
import type { PhraseMatcher, Place } from './phrase-matcher.ts'
import { PhraseWord, type RepeatGroup, repeatGroups } from './phrase-words.ts'
import { WordQueue } from './word-queue.ts'

export class SloppyPhrase implements PhraseMatcher {
  frequency = 0
  readonly #slop: number
  readonly #words: readonly PhraseWord[]
  readonly #groups: readonly RepeatGroup[]
  readonly #queue = new WordQueue()
  /** The highest start of any word. */
  #end = 0
  /** The word that advances, the smallest spread since it began to, and the start it has to pass. */
  #moving: PhraseWord | undefined
  #spread = 0
  #next = 0
  /** How many more positions this piece of work may pass. */
  #left = 0

  /** `terms` by position of the phrase; several are alternatives. */
  constructor(terms: readonly (readonly string[])[], offsets: readonly number[], slop: number) {
    this.#slop = slop
    this.#words = offsets.map((offset, order) => new PhraseWord(offset, order))
    this.#groups = repeatGroups(terms, this.#words)
  }

  begin(places: readonly Place[], at: Uint32Array): void {
    this.frequency = 0
    this.#moving = undefined
    this.#queue.clear()
    for (let i = 0; i < this.#words.length; i++) {
      const { starts, values } = places[i]!
      this.#words[i]!.reset(values, starts[at[i]!]!, starts[at[i]! + 1]!)
    }
    for (const group of this.#groups) if (!group.separate()) return
    this.#end = Number.NEGATIVE_INFINITY
    for (const word of this.#words) {
      if (word.start > this.#end) this.#end = word.start
      this.#queue.add(word)
    }
  }

  run(limit: number): boolean {
    this.#left = limit
    while (this.#left > 0) {
      const word = this.#moving ?? this.#pop()
      if (word === undefined) return true
      word.group?.leave(word)
      if (!this.#advance(word) || !this.#resolve(word)) {
        this.#count()
        this.#queue.clear()
        this.#moving = undefined
        return true
      }
      if (word.start > this.#next) {
        this.#queue.add(word)
        this.#count()
        this.#moving = undefined
      } else this.#spread = Math.min(this.#spread, this.#end - word.start)
    }
    return false
  }

  #pop(): PhraseWord | undefined {
    const word = this.#queue.pop()
    if (word === undefined) return undefined
    this.#moving = word
    this.#spread = this.#end - word.start
    this.#next = this.#queue.first?.start ?? Number.POSITIVE_INFINITY
    return word
  }

  #count(): void {
    if (this.#spread <= this.#slop)
      this.frequency = Math.fround(this.frequency + sloppyFrequency(this.#spread))
  }

  #advance(word: PhraseWord): boolean {
    this.#left--
    if (!word.advance()) return false
    if (word.start > this.#end) this.#end = word.start
    return true
  }

  /**
   * Resolves collisions after a word moved: the lesser of two words on one position advances until none
   * collide.
   */
  #resolve(moved: PhraseWord): boolean {
    const { group } = moved
    if (group === undefined) return true
    let word = moved
    for (;;) {
      const lesser = group.settle(word)
      if (lesser === undefined) return true
      if (!this.#advance(lesser)) return false
      if (lesser !== moved) this.#queue.moved(lesser)
      word = lesser
    }
  }
}
