/**
 * Event counts of the whole node. A reload gives a pipeline a fresh board that starts at zero, and a pipeline
 * can be removed; the totals must not fall then, so boards that went out of use are remembered.
 */
import type { Board } from '../../../metrics/board.ts'
import { type AgentView, userPipelines } from '../view.ts'
import { addCounts, type EventCounts, eventCounts, noEvents } from './counts.ts'

/** An old generation may still be finishing; its board is read live for that long, then its counts are kept. */
const keptBoards = 16

export class EventTotals {
  readonly #agent: AgentView
  #current = new Set<Board>()
  #retired: Board[] = []
  readonly #past = noEvents()

  constructor(agent: AgentView) {
    this.#agent = agent
  }

  /** To be called now and then: boards that come and go between two calls are missed. */
  observe(): void {
    const now = new Set(userPipelines(this.#agent).flatMap(({ board }) => board ?? []))
    for (const board of this.#current) if (!now.has(board)) this.#retired.push(board)
    this.#current = now
    for (const board of this.#retired.splice(0, Math.max(0, this.#retired.length - keptBoards))) {
      addCounts(this.#past, eventCounts(board, false))
    }
  }

  read(): EventCounts {
    this.observe()
    const total = { ...this.#past }
    for (const board of this.#retired) addCounts(total, eventCounts(board, false))
    for (const { board, status } of userPipelines(this.#agent))
      addCounts(total, eventCounts(board, status === 'running'))
    return total
  }
}
