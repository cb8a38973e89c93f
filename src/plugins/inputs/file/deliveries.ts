/**
 * Which part of a file, or of another thing that is read in order, is safe. Pieces become so in any order; what counts is
 * the end of the last piece before which nothing is missing.
 */
interface Piece<T> {
  readonly end: T
  isOut: boolean
}

/** Pieces that are out are forgotten in lots: a removal for each of them would move all that follow. */
const lot = 1024

export class Deliveries<T = number> {
  readonly #commit: (end: T) => void
  #pieces: Piece<T>[] = []
  /** The first that is not out. */
  #first = 0
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
      if (this.#pieces[this.#first] === piece) this.#advance()
    }
  }

  #advance(): void {
    const pieces = this.#pieces
    while (this.#first < pieces.length && pieces[this.#first]!.isOut) this.#first += 1
    const { end } = pieces[this.#first - 1]!
    if (this.#first === pieces.length || this.#first >= lot) {
      pieces.splice(0, this.#first)
      this.#first = 0
    }
    this.#commit(end)
    if (pieces.length === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Resolves when everything handed over so far is out. */
  settled(): Promise<void> {
    if (this.#pieces.length === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }
}
