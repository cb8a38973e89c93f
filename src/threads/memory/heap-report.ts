/** Writes the memory of this thread and its garbage collections to its row of the board, once a second. */
import { Board, type BoardLayout } from '../../metrics/board.ts'
import { CollectionCounter, readHeap } from '../../metrics/heap.ts'
import { heapKeys } from '../../metrics/pipeline-keys.ts'

const reportEvery = 1000

export class HeapReport {
  readonly #collections = new CollectionCounter()
  readonly #timer: NodeJS.Timeout
  #row: Float64Array | undefined
  #columns: (readonly [name: keyof typeof heapKeys, column: number])[] = []

  constructor() {
    this.#timer = setInterval(() => this.#write(), reportEvery)
    this.#timer.unref()
  }

  /** From now on to this board; a reload makes a new one. */
  attach(layout: BoardLayout, row: number): void {
    const board = new Board(layout)
    const names = Object.keys(heapKeys) as (keyof typeof heapKeys)[]
    this.#row = board.row(row)
    this.#columns = names.map((name) => [name, board.column(heapKeys[name])])
    this.#write()
  }

  #write(): void {
    if (this.#row === undefined) return
    const values = { ...readHeap(), ...this.#collections.counts }
    for (const [name, column] of this.#columns) this.#row[column] = values[name]
  }

  close(): void {
    clearInterval(this.#timer)
    this.#collections.close()
  }
}
