/**
 * Counters in shared memory: one row of numbers per thread, one column per key. Each thread writes its
 * own row only; a reader sums a column without asking anybody. A key may be several cells wide: a histogram.
 */
import { randomUUID } from 'node:crypto'

/** A key with its number of cells, one unless said. */
export type BoardKey = string | readonly [key: string, cells: number]

export interface BoardLayout {
  /** Tells boards apart on the other side of a thread, where shared memory has no identity. */
  readonly id: string
  readonly keys: readonly BoardKey[]
  readonly rows: number
  readonly buffer: SharedArrayBuffer
}

export class Board {
  readonly layout: BoardLayout
  #columns = new Map<string, { column: number; cells: number }>()
  #cells: Float64Array
  #width: number

  constructor(layout: BoardLayout) {
    this.layout = layout
    this.#cells = new Float64Array(layout.buffer)
    let column = 0
    for (const given of layout.keys) {
      const [key, cells] = typeof given === 'string' ? ([given, 1] as const) : given
      this.#columns.set(key, { column, cells })
      column += cells
    }
    this.#width = column
  }

  static create(keys: readonly BoardKey[], rows: number): Board {
    const width = keys.reduce((sum, key) => sum + (typeof key === 'string' ? 1 : key[1]), 0)
    return new Board({
      id: randomUUID(),
      keys,
      rows,
      buffer: new SharedArrayBuffer(Math.max(8, width * rows * 8)),
    })
  }

  /** The cells one thread writes. */
  row(row: number): Float64Array {
    return this.#cells.subarray(row * this.#width, (row + 1) * this.#width)
  }

  /** The first one of the key. */
  column(key: string): number {
    const place = this.#columns.get(key)
    if (place === undefined) throw new Error(`no metric called ${key}`)
    return place.column
  }

  has(key: string): boolean {
    return this.#columns.has(key)
  }

  /** Total over all threads, 0 for a key the board does not have. */
  sum(key: string): number {
    const place = this.#columns.get(key)
    return place === undefined ? 0 : this.sumAt(place.column)
  }

  /** Sums a column by its number, for those who read again and again. */
  sumAt(column: number): number {
    let total = 0
    for (let at = column; at < this.#cells.length; at += this.#width) total += this.#cells[at]!
    return total
  }

  /** Values of one key, thread by thread. */
  values(key: string): number[] {
    const column = this.column(key)
    return Array.from({ length: this.layout.rows }, (_, row) => this.#cells[row * this.#width + column]!)
  }

  /** The cells of a wide key, thread by thread; empty for a key the board does not have. */
  wide(key: string): Float64Array[] {
    const place = this.#columns.get(key)
    if (place === undefined) return []
    return Array.from({ length: this.layout.rows }, (_, row) => {
      const start = row * this.#width + place.column
      return this.#cells.subarray(start, start + place.cells)
    })
  }
}
