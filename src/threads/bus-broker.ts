/**
 * The control thread's part of delivery between pipelines: knows which pipeline listens on which
 * address and connects senders to it, or to the search store. No event ever passes through here.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { BusReply, BusRequest } from './messages.ts'

export interface BusMember {
  post(message: BusReply, transfer: MessagePort[]): void
}

/** Connects to the search store; undefined when there is none. */
type StoreDoor = () => Promise<{ link: MessagePort; port: number } | undefined>

export class BusBroker {
  #listeners = new Map<string, BusMember>()
  #openDoor!: (door: StoreDoor) => void
  /** Pipelines may ask before it is known whether there will be a store. */
  #door = new Promise<StoreDoor>((resolve) => {
    this.#openDoor = resolve
  })

  offerStore(door: StoreDoor): void {
    this.#openDoor(door)
  }

  receive(message: BusRequest, from: BusMember): void {
    switch (message.kind) {
      case 'bus-listen':
        return this.#listen(message.request, message.address, from)
      case 'bus-unlisten':
        if (this.#listeners.get(message.address) === from) this.#listeners.delete(message.address)
        return
      case 'bus-connect':
        return this.#connect(message.request, message.address, from)
      case 'store-connect':
        return void this.#connectStore(message.request, from)
    }
  }

  #listen(request: number, address: string, from: BusMember): void {
    if (this.#listeners.has(address)) {
      const error = `Internal input at '${address}' already bound! Addresses must be globally unique across pipelines.`
      return from.post({ kind: 'bus-listening', request, error }, [])
    }
    this.#listeners.set(address, from)
    from.post({ kind: 'bus-listening', request }, [])
  }

  #connect(request: number, address: string, from: BusMember): void {
    const listener = this.#listeners.get(address)
    if (listener === undefined) return from.post({ kind: 'bus-connected', request, port: undefined }, [])
    const { port1, port2 } = new MessageChannel()
    listener.post({ kind: 'bus-accept', address, port: port1 }, [port1])
    from.post({ kind: 'bus-connected', request, port: port2 }, [port2])
  }

  async #connectStore(request: number, from: BusMember): Promise<void> {
    const met = await this.#door.then((door) => door()).catch(() => undefined)
    from.post({ kind: 'store-connected', request, met }, met === undefined ? [] : [met.link])
  }

  /** A pipeline is gone: nobody listens on its addresses any more. */
  leave(member: BusMember): void {
    for (const [address, listener] of this.#listeners)
      if (listener === member) this.#listeners.delete(address)
  }
}
