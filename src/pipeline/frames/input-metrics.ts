/**
 * The metrics an input declares. An input may outlive the generation it was made for; its counters then
 * begin anew on the board of the next one, and what it had set stays set.
 */
import type { Board } from '../../metrics/board.ts'
import { metricKey } from '../../metrics/pipeline-keys.ts'
import type { Metric } from '../../plugin/define.ts'

export class InputMetrics {
  #row: Float64Array | undefined
  #columns = new Map<string, number>()
  #set = new Map<string, number>()

  /** From now on the metrics count on this board, under this plugin id. */
  attach(board: Board, row: number, id: string, names: readonly string[]): void {
    this.#row = board.row(row)
    this.#columns = new Map(names.map((name) => [name, board.column(metricKey(id, name))]))
    for (const [name, value] of this.#set) this.#row[this.#columns.get(name)!] = value
  }

  metric(name: string): Metric {
    return {
      increment: (by = 1) => {
        const column = this.#columns.get(name)
        if (this.#row !== undefined && column !== undefined) this.#row[column]! += by
      },
      set: (value) => {
        this.#set.set(name, value)
        const column = this.#columns.get(name)
        if (this.#row !== undefined && column !== undefined) this.#row[column] = value
      },
    }
  }
}
