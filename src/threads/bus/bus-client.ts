/**
 * Delivery between pipelines, seen from a pipeline's thread. The control thread hands out message ports;
 * events then go from thread to thread as bytes, and a receipt comes back when they are safe.
 */
import type {
  BusListener,
  BusListenOptions,
  BusReceive,
  BusSender,
  PipelineBus,
} from '../../plugin/define.ts'
import type { BusReply, BusRequest, StoreConnected } from '../messages.ts'
import { PortListener } from './bus-listener.ts'
import { PortSender } from './bus-sender.ts'

/** For threads that only encode: they never send or listen themselves. */
export const closedBus: PipelineBus = {
  listen: () => Promise.reject(new Error('this thread cannot listen on pipeline addresses')),
  sender: () => ({ send: () => Promise.resolve(false), close: () => Promise.resolve() }),
}

export class ThreadBus implements PipelineBus {
  #post: (request: BusRequest) => void
  #requests = new Map<number, (reply: BusReply) => void>()
  #nextRequest = 0
  #listeners = new Map<string, PortListener>()
  #senders = new Set<PortSender>()
  #ending = false

  constructor(post: (request: BusRequest) => void) {
    this.#post = post
  }

  receive(message: BusReply): void {
    switch (message.kind) {
      case 'bus-accept': {
        const listener = this.#listeners.get(message.address)
        if (listener === undefined) message.port.close()
        else listener.accept(message.connection, message.port)
        return
      }
      case 'bus-cycle':
        return this.#listeners.get(message.address)?.cycle(message.connection, message.isCyclic)
      default:
        this.#requests.get(message.request)?.(message)
        this.#requests.delete(message.request)
    }
  }

  #ask(message: (request: number) => BusRequest): Promise<BusReply> {
    const request = this.#nextRequest++
    return new Promise((resolve) => {
      this.#requests.set(request, resolve)
      this.#post(message(request))
    })
  }

  async listen(
    address: string,
    receive: BusReceive,
    { isPersisted = false }: BusListenOptions = {},
  ): Promise<BusListener> {
    const listener = new PortListener(receive, {
      unlisten: () => this.#post({ kind: 'bus-unlisten', address }),
      closed: () => {
        if (this.#listeners.get(address) === listener) this.#listeners.delete(address)
      },
      isEnding: () => this.#ending,
    })
    const before = this.#listeners.get(address)
    this.#listeners.set(address, listener)
    const reply = await this.#ask((request) => ({ kind: 'bus-listen', request, address, isPersisted }))
    if (reply.kind === 'bus-listening' && reply.error !== undefined) {
      if (before === undefined) this.#listeners.delete(address)
      else this.#listeners.set(address, before)
      throw new Error(reply.error)
    }
    return listener
  }

  /** A link to the search store of this process; undefined when there is none. */
  async introduceToStore(): Promise<StoreConnected['met']> {
    const reply = await this.#ask((request) => ({ kind: 'store-connect', request }))
    return reply.kind === 'store-connected' ? reply.met : undefined
  }

  sender(address: string): BusSender {
    const sender = new PortSender({
      connect: async () => {
        const reply = await this.#ask((request) => ({ kind: 'bus-connect', request, address }))
        return reply.kind === 'bus-connected' ? reply.met : undefined
      },
      disconnected: (connection) => this.#post({ kind: 'bus-disconnected', connection }),
      closed: () => this.#senders.delete(sender),
    })
    this.#senders.add(sender)
    return sender
  }

  /** The process is stopping: listeners now wait for their senders. */
  prepareToEnd(): void {
    this.#ending = true
  }

  close(): void {
    for (const sender of this.#senders) void sender.close()
    for (const listener of this.#listeners.values()) void listener.close(0)
  }
}
