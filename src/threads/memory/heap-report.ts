/**
 * Writes the memory of this thread and its garbage collections to its row of the board, once a second. Where the process
 * comes near its limit the thread collects: V8 lets a heap grow as long as its own limit allows, and does not know of the
 * others.
 */
import { getHeapStatistics } from 'node:v8'
import { collectAfterStart, collectGarbage } from '../../memory/collect-garbage.ts'
import { memoryAccount } from '../../memory/memory-account.ts'
import { Board, type BoardLayout } from '../../metrics/board.ts'
import { CollectionCounter, readHeap } from '../../metrics/heap.ts'
import { heapKeys } from '../../metrics/pipeline-keys.ts'

const reportEvery = 1000
/** From this share of the limit on a thread collects what has grown. */
const highShare = 0.8
/** Less is not worth the pause. */
const minGrowth = 8 * 1024 * 1024

export class HeapReport {
  readonly #collections = new CollectionCounter()
  readonly #timer: NodeJS.Timeout
  #row: Float64Array | undefined
  #columns: (readonly [name: keyof typeof heapKeys, column: number])[] = []
  /** The heap after the last collection of ours. */
  #collected = 0

  constructor() {
    this.#timer = setInterval(() => {
      this.#collectWhenShort()
      this.#write()
    }, reportEvery)
    this.#timer.unref()
    collectAfterStart()
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

  #collectWhenShort(): void {
    if (process.memoryUsage.rss() < memoryAccount.limit * highShare) return
    const { used_heap_size: used } = getHeapStatistics()
    if (used - this.#collected < minGrowth) return
    collectGarbage()
    this.#collected = getHeapStatistics().used_heap_size
  }

  close(): void {
    clearInterval(this.#timer)
    this.#collections.close()
  }
}
