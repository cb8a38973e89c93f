/**
 * The sending end of delivery between pipelines: events of one output for one address, posted in the order in which they
 * were given, each of them kept by its owner until the receipt is there.
 */
import type { MessagePort } from 'node:worker_threads'
import type { BusSender } from '../../plugin/define.ts'
import type { Delivery, Receipt } from './bus-messages.ts'

interface SenderEvents {
  /** Undefined when nobody listens. */
  connect(): Promise<{ connection: number; port: MessagePort } | undefined>
  disconnected(connection: number): void
  closed(): void
}

interface Parcel {
  readonly bytes: Uint8Array
  readonly count: number
  settle(isSafe: boolean): void
}

export class PortSender implements BusSender {
  readonly #events: SenderEvents
  #port: MessagePort | undefined
  #isConnecting = false
  #isClosed = false
  /** What waits for a connection. */
  #waiting: Parcel[] = []
  readonly #posted = new Map<number, Parcel>()
  #nextDelivery = 0

  constructor(events: SenderEvents) {
    this.#events = events
  }

  send(bytes: Uint8Array, count: number): Promise<boolean> {
    return new Promise((settle) => {
      const parcel: Parcel = { bytes, count, settle }
      if (this.#isClosed) settle(false)
      else if (this.#port !== undefined) this.#post(this.#port, parcel)
      else {
        this.#waiting.push(parcel)
        if (!this.#isConnecting) void this.#connect()
      }
    })
  }

  #post(port: MessagePort, parcel: Parcel): void {
    const delivery = this.#nextDelivery++
    this.#posted.set(delivery, parcel)
    // A copy travels, so that the events can be sent again.
    port.postMessage({ bytes: parcel.bytes, count: parcel.count, delivery } satisfies Delivery)
  }

  async #connect(): Promise<void> {
    this.#isConnecting = true
    const met = await this.#events.connect()
    this.#isConnecting = false
    const waiting = this.#waiting
    this.#waiting = []
    if (met !== undefined) this.#open(met.connection, met.port)
    const port = this.#port
    for (const parcel of waiting) {
      if (port === undefined) parcel.settle(false)
      else this.#post(port, parcel)
    }
  }

  #open(connection: number, port: MessagePort): void {
    port.on('message', ({ delivery }: Receipt) => {
      this.#posted.get(delivery)?.settle(true)
      this.#posted.delete(delivery)
    })
    port.on('close', () => {
      this.#port = undefined
      this.#events.disconnected(connection)
      const lost = [...this.#posted.values()]
      this.#posted.clear()
      for (const parcel of lost) parcel.settle(false)
    })
    if (this.#isClosed) port.close()
    else this.#port = port
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#port?.close()
    this.#events.closed()
  }
}
