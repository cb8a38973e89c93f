/** The words of a sloppy phrase that wait, the one with the lowest start first: a binary heap that knows where each word is. */
import type { PhraseWord } from './phrase-words.ts'

export class WordQueue {
  readonly #heap: PhraseWord[] = []

  get first(): PhraseWord | undefined {
    return this.#heap[0]
  }

  clear(): void {
    this.#heap.length = 0
  }

  add(word: PhraseWord): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(word)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!word.isBefore(heap[parent]!)) break
      this.#put(heap[parent]!, at)
      at = parent
    }
    this.#put(word, at)
  }

  pop(): PhraseWord | undefined {
    const heap = this.#heap
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === first) return first
    this.#sink(last!, 0)
    return first
  }

  /** Tells the queue that a waiting word has advanced. */
  moved(word: PhraseWord): void {
    this.#sink(word, word.place)
  }

  #sink(word: PhraseWord, from: number): void {
    const heap = this.#heap
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1]!.isBefore(heap[child]!)) child++
      if (!heap[child]!.isBefore(word)) break
      this.#put(heap[child]!, at)
      at = child
    }
    this.#put(word, at)
  }

  #put(word: PhraseWord, at: number): void {
    this.#heap[at] = word
    word.place = at
  }
}
