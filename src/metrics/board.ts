/**
 * Counters in shared memory: one row of numbers per thread, one column per key. Each thread writes its
 * own row only; a reader sums a column without asking anybody.
 */
export interface BoardLayout {
  readonly keys: readonly string[]
  readonly rows: number
  readonly buffer: SharedArrayBuffer
}

export class Board {
  readonly layout: BoardLayout
  #columns = new Map<string, number>()
  #cells: Float64Array

  constructor(layout: BoardLayout) {
    this.layout = layout
    this.#cells = new Float64Array(layout.buffer)
    layout.keys.forEach((key, column) => {
      this.#columns.set(key, column)
    })
  }

  static create(keys: readonly string[], rows: number): Board {
    return new Board({ keys, rows, buffer: new SharedArrayBuffer(Math.max(8, keys.length * rows * 8)) })
  }

  /** The cells one thread writes. */
  row(row: number): Float64Array {
    const width = this.layout.keys.length
    return this.#cells.subarray(row * width, (row + 1) * width)
  }

  column(key: string): number {
    const column = this.#columns.get(key)
    if (column === undefined) throw new Error(`no metric called ${key}`)
    return column
  }

  has(key: string): boolean {
    return this.#columns.has(key)
  }

  /** Total over all threads. */
  sum(key: string): number {
    const column = this.#columns.get(key)
    if (column === undefined) return 0
    let total = 0
    for (let row = 0; row < this.layout.rows; row++)
      total += this.#cells[row * this.layout.keys.length + column]!
    return total
  }

  /** Values of one key, thread by thread. */
  values(key: string): number[] {
    const column = this.column(key)
    return Array.from(
      { length: this.layout.rows },
      (_, row) => this.#cells[row * this.layout.keys.length + column]!,
    )
  }
}
