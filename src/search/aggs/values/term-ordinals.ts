/** Ordinals by term in many small maps, as one large map takes long to grow. */
export class TermOrdinals {
  readonly #parts = Array.from({ length: 64 }, () => new Map<string, number>())

  #part(term: string): Map<string, number> {
    const { length } = term
    if (length === 0) return this.#parts[0]!
    const hash = Math.imul(term.charCodeAt(length - 1), 31) + term.charCodeAt(length >> 1)
    return this.#parts[(hash + length) & 63]!
  }

  get(term: string): number | undefined {
    return this.#part(term).get(term)
  }

  set(term: string, number: number): void {
    this.#part(term).set(term, number)
  }
}
