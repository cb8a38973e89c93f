/**
 * The control thread's part of delivery between pipelines: knows which pipeline listens on which
 * address and connects senders to it, or to the search store. No event ever passes through here.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { BusReply, BusRequest } from '../messages.ts'
import { type Connection, cyclicConnections } from './bus-cycles.ts'

export interface BusMember {
  post(message: BusReply, transfer: MessagePort[]): void
}

/** Connects to the search store; undefined when there is none. */
type StoreDoor = () => Promise<{ link: MessagePort; port: number } | undefined>

interface BusConnection extends Connection<BusMember> {
  readonly id: number
  readonly address: string
  /** What the receiver was last told. */
  isCyclic: boolean
}

export class BusBroker {
  #listeners = new Map<string, { member: BusMember; isPersisted: boolean }>()
  #connections = new Map<number, BusConnection>()
  #nextConnection = 0
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
        return this.#listen(message, from)
      case 'bus-unlisten':
        if (this.#listeners.get(message.address)?.member === from) this.#listeners.delete(message.address)
        return
      case 'bus-connect':
        return this.#connect(message.request, message.address, from)
      case 'bus-disconnected':
        this.#connections.delete(message.connection)
        return this.#tellOfCycles()
      case 'store-connect':
        return void this.#connectStore(message.request, from)
    }
  }

  #listen(
    { request, address, isPersisted }: Extract<BusRequest, { kind: 'bus-listen' }>,
    from: BusMember,
  ): void {
    if (this.#listeners.has(address)) {
      const error = `Internal input at '${address}' already bound! Addresses must be globally unique across pipelines.`
      return from.post({ kind: 'bus-listening', request, error }, [])
    }
    this.#listeners.set(address, { member: from, isPersisted })
    from.post({ kind: 'bus-listening', request }, [])
  }

  #connect(request: number, address: string, from: BusMember): void {
    const listener = this.#listeners.get(address)
    if (listener === undefined) return from.post({ kind: 'bus-connected', request, met: undefined }, [])
    const { member: to, isPersisted } = listener
    const { port1, port2 } = new MessageChannel()
    const id = this.#nextConnection++
    this.#connections.set(id, { id, address, from, to, waitsForOutputs: !isPersisted, isCyclic: false })
    to.post({ kind: 'bus-accept', address, connection: id, port: port1 }, [port1])
    this.#tellOfCycles()
    from.post({ kind: 'bus-connected', request, met: { connection: id, port: port2 } }, [port2])
  }

  #tellOfCycles(): void {
    const connections = [...this.#connections.values()]
    const cyclic = cyclicConnections<BusMember, BusConnection>(connections)
    for (const connection of connections) {
      const isCyclic = cyclic.has(connection)
      if (connection.isCyclic === isCyclic) continue
      connection.isCyclic = isCyclic
      const { id, address, to } = connection
      to.post({ kind: 'bus-cycle', address, connection: id, isCyclic }, [])
    }
  }

  async #connectStore(request: number, from: BusMember): Promise<void> {
    const met = await this.#door.then((door) => door()).catch(() => undefined)
    from.post({ kind: 'store-connected', request, met }, met === undefined ? [] : [met.link])
  }

  /** A pipeline is gone: nobody listens on its addresses any more. */
  leave(member: BusMember): void {
    for (const [address, listener] of this.#listeners)
      if (listener.member === member) this.#listeners.delete(address)
    for (const [id, { from, to }] of this.#connections)
      if (from === member || to === member) this.#connections.delete(id)
    this.#tellOfCycles()
  }
}
