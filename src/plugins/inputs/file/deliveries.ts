/**
 * Which part of a file, or of another thing that is read in order, is safe. Pieces become so in any order; what counts is
 * the end of the last piece before which nothing is missing.
 */
interface Piece<T> {
  readonly end: T
  isOut: boolean
}

export class Deliveries<T = number> {
  readonly #commit: (end: T) => void
  #pieces: Piece<T>[] = []
  #waiting: (() => void)[] = []

  constructor(commit: (end: T) => void) {
    this.#commit = commit
  }

  /** A piece that ends there was handed over; call the result when it is out. */
  track(end: T): () => void {
    const piece: Piece<T> = { end, isOut: false }
    this.#pieces.push(piece)
    return () => {
      piece.isOut = true
      if (this.#pieces[0] === piece) this.#advance()
    }
  }

  #advance(): void {
    const missing = this.#pieces.findIndex(({ isOut }) => !isOut)
    const out = this.#pieces.splice(0, missing < 0 ? this.#pieces.length : missing)
    this.#commit(out[out.length - 1]!.end)
    if (this.#pieces.length === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves when everything handed over so far is out. */
  settled(): Promise<void> {
    if (this.#pieces.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }
}
