/** The connections of an input that are open: counted while they are, and ended together when the input stops. */
import type { Metric } from '../../plugin/define.ts'
import { orAborted } from './stop.ts'

interface OpenConnection {
  readonly ended: Promise<unknown>
  /** Resolves when what was received is delivered. */
  finish(): Promise<unknown>
  destroy(): void
}

interface ConnectionMetrics {
  readonly current_connections: Metric
  readonly peak_connections: Metric
}

export class OpenConnections {
  readonly #open = new Set<OpenConnection>()
  readonly #metrics: ConnectionMetrics | undefined
  #peak = 0

  constructor(metrics?: ConnectionMetrics) {
    this.#metrics = metrics
  }

  add(connection: OpenConnection): void {
    this.#open.add(connection)
    this.#count()
    void connection.ended.then(() => {
      this.#open.delete(connection)
      this.#count()
    })
  }

  /** Lets all finish, until they are to be aborted or the time is up; then none is open. */
  async finish(abort: AbortSignal, milliseconds?: number): Promise<void> {
    const finished = Promise.all([...this.#open].map((connection) => connection.finish()))
    await orAborted(finished, abort, milliseconds)
    this.destroy()
  }

  destroy(): void {
    for (const connection of this.#open) connection.destroy()
  }

  #count(): void {
    this.#peak = Math.max(this.#peak, this.#open.size)
    this.#metrics?.current_connections.set(this.#open.size)
    this.#metrics?.peak_connections.set(this.#peak)
  }
}
