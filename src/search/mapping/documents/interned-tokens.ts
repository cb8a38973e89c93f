/**
 * Token list with interned terms, for texts with millions of tokens: eight bytes per token, each term once. Plain
 * arrays would take five times as much.
 */
import type { TokenList } from '../../segment/document.ts'
import { GrowingUint32 } from '../../segment/encoding/growing-array.ts'

export class InternedTokens implements TokenList {
  readonly #numbers = new Map<string, number>()
  readonly #ids = new GrowingUint32()
  readonly #positions = new GrowingUint32()
  readonly terms: string[] = []
  length = 0
  nextPosition = 0

  get ids(): Uint32Array {
    return this.#ids.view()
  }

  get positions(): Uint32Array {
    return this.#positions.view()
  }

  push(term: string, position: number): void {
    let id = this.#numbers.get(term)
    if (id === undefined) {
      id = this.terms.length
      this.#numbers.set(term, id)
      this.terms.push(term)
    }
    this.#ids.push(id)
    this.#positions.push(position)
  }

  *entries(): Iterable<readonly [term: string, position: number]> {
    for (let i = 0; i < this.#ids.length; i++) yield [this.terms[this.#ids.at(i)]!, this.#positions.at(i)]
  }
}
