/**
 * Collects the top completions of one shard as OpenSearch's TopSuggestGroupDocsCollector does: each document once,
 * by the input that it was met with first, in a bounded priority queue.
 */
import type { SearchIndex } from '../collect/search-index.ts'
import type { LeafReader } from '../segment/segment.ts'

export interface Completion {
  readonly index: SearchIndex
  readonly leaf: LeafReader
  /** The index of the leaf in search order. */
  readonly leafNumber: number
  readonly doc: number
  readonly input: string
  readonly contexts: Readonly<Record<string, readonly string[]>>
  readonly score: number
}

export class ShardCompletions {
  readonly #size: number
  readonly #byText: boolean
  /** Sorted, at most `size`. */
  #queue: Completion[] = []
  /** With `skip_duplicates`, the completions of the leaves before. */
  #pending: Completion[] = []
  readonly #docs = new Set<number>()
  readonly #texts = new Set<string>()

  /** `byText`: each text is shown once, too (`skip_duplicates`). */
  constructor(size: number, byText: boolean) {
    this.#size = size
    this.#byText = byText
  }

  beginLeaf(): void {
    this.#docs.clear()
    if (!this.#byText) return
    this.#texts.clear()
    this.#pending.push(...this.#queue)
    this.#queue = []
  }

  /** True when a text of this leaf is not shown again. */
  skips(input: string): boolean {
    return this.#byText && this.#texts.has(input)
  }

  /**
   * Takes a completion; those of a leaf are offered in falling order of their scores. Returns false when the queue
   * is full of better ones, so that nothing that follows in the leaf can enter. A further input of a document
   * takes the text with it: no other document is shown for that text.
   */
  offer(completion: Completion): boolean {
    if (this.#byText) this.#texts.add(completion.input)
    if (this.#docs.has(completion.doc)) return true
    this.#docs.add(completion.doc)
    const queue = this.#queue
    if (queue.length === this.#size) {
      if (byScore(completion, queue.at(-1)!) >= 0) return false
      queue.pop()
    }
    let at = queue.length
    while (at > 0 && byScore(completion, queue[at - 1]!) < 0) at--
    queue.splice(at, 0, completion)
    return true
  }

  found(): readonly Completion[] {
    if (!this.#byText) return this.#queue
    return distinctTexts([...this.#pending, ...this.#queue].sort(byScore), this.#size)
  }
}

/** Keeps the first completion of each text. */
export function distinctTexts(sorted: readonly Completion[], size: number): readonly Completion[] {
  const texts = new Set<string>()
  const kept: Completion[] = []
  for (const one of sorted) {
    if (kept.length === size) break
    if (texts.has(one.input)) continue
    texts.add(one.input)
    kept.push(one)
  }
  return kept
}

/** Orders by falling score, then by text, then by document. */
export function byScore(a: Completion, b: Completion): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.input !== b.input) return a.input < b.input ? -1 : 1
  return a.leafNumber - b.leafNumber || a.doc - b.doc
}
