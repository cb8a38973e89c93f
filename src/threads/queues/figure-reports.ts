/** Tells the control thread the figures of a queue, whenever they are others than it was told last. */
export class FigureReports<T> {
  readonly #figures: () => T
  readonly #tell: (figures: T) => void
  #told = ''

  constructor(figures: () => T, tell: (figures: T) => void) {
    this.#figures = figures
    this.#tell = tell
  }

  report(): void {
    const figures = this.#figures()
    const text = JSON.stringify(figures)
    if (text === this.#told) return
    this.#told = text
    this.#tell(figures)
  }
}
