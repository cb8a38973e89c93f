/** Keys of a bucket aggregation that are computed texts, numbered in the order in which they occur. */
import { TermOrdinals } from './term-ordinals.ts'

export abstract class TextKeySource {
  readonly #terms: string[] = []
  readonly #ordinals = new TermOrdinals()

  get size(): number {
    return this.#terms.length
  }

  /** The number of a text; a new one gets the next. */
  keyOf(given: unknown): number {
    const term = String(given)
    const known = this.#ordinals.get(term)
    if (known !== undefined) return known
    const key = this.#terms.length
    this.#terms.push(term)
    this.#ordinals.set(term, key)
    return key
  }

  text(key: number): string {
    return this.#terms[key]!
  }

  json(key: number): unknown {
    return this.text(key)
  }

  shown(): undefined {
    return undefined
  }

  number(): number {
    return Number.NaN
  }
}
