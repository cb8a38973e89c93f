/**
 * The receiving end of delivery between pipelines: an address with a port for each sender. A sender gets its receipt when
 * the events are safe, or, where it would otherwise wait for itself, when the pipeline has room for them.
 */
import type { MessagePort } from 'node:worker_threads'
import type { BusListener, BusReceive } from '../../plugin/define.ts'
import type { Delivery, Receipt } from './bus-messages.ts'

interface ListenerEvents {
  /** No sender shall be introduced any more. */
  unlisten(): void
  closed(): void
  /** Whether the whole process is stopping. */
  isEnding(): boolean
}

interface Connection {
  readonly port: MessagePort
  isCyclic: boolean
  /** Deliveries the pipeline has room for and that are not safe yet. */
  readonly accepted: Set<number>
  /** Deliveries that got no receipt yet. */
  readonly open: Set<number>
}

export class PortListener implements BusListener {
  readonly #receive: BusReceive
  readonly #events: ListenerEvents
  readonly #connections = new Map<number, Connection>()
  readonly #waiting = new Set<() => void>()
  #closing: Promise<void> | undefined

  constructor(receive: BusReceive, events: ListenerEvents) {
    this.#receive = receive
    this.#events = events
  }

  accept(id: number, port: MessagePort): void {
    if (this.#closing !== undefined) return port.close()
    const connection: Connection = { port, isCyclic: false, accepted: new Set(), open: new Set() }
    this.#connections.set(id, connection)
    port.on('message', (delivery: Delivery) => {
      // What comes now its sender keeps, and sends again to whoever listens next.
      if (this.#closing === undefined) void this.#take(connection, delivery)
    })
    port.on('close', () => {
      this.#connections.delete(id)
      this.#wake()
    })
  }

  cycle(id: number, isCyclic: boolean): void {
    const connection = this.#connections.get(id)
    if (connection === undefined) return
    connection.isCyclic = isCyclic
    if (isCyclic) for (const delivery of connection.accepted) this.#confirm(connection, delivery)
    this.#wake()
  }

  async #take(connection: Connection, { bytes, count, delivery }: Delivery): Promise<void> {
    connection.open.add(delivery)
    try {
      await this.#receive(bytes, count, () => this.#confirm(connection, delivery))
    } catch {
      // The pipeline takes nothing more.
      connection.port.close()
      return
    }
    if (!connection.open.has(delivery)) return
    if (connection.isCyclic) this.#confirm(connection, delivery)
    else connection.accepted.add(delivery)
  }

  #confirm({ port, accepted, open }: Connection, delivery: number): void {
    accepted.delete(delivery)
    if (!open.delete(delivery)) return
    port.postMessage({ delivery } satisfies Receipt)
    this.#wake()
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }

  /** Senders on a cycle are not waited for: they wait for this pipeline. */
  async drained(): Promise<void> {
    const isWaitedFor = ({ isCyclic }: Connection) => !isCyclic
    while (this.#events.isEnding() && [...this.#connections.values()].some(isWaitedFor)) await this.#change()
  }

  close(milliseconds = 0): Promise<void> {
    this.#closing ??= this.#close(milliseconds)
    return this.#closing
  }

  async #close(milliseconds: number): Promise<void> {
    this.#events.unlisten()
    const isOpen = () => [...this.#connections.values()].some(({ open }) => open.size > 0)
    let isOver = milliseconds <= 0
    const timer = setTimeout(() => {
      isOver = true
      this.#wake()
    }, milliseconds)
    while (!isOver && isOpen()) await this.#change()
    clearTimeout(timer)
    for (const { port } of this.#connections.values()) port.close()
    this.#events.closed()
    this.#wake()
  }
}
