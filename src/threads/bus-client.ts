/**
 * Delivery between pipelines, seen from a pipeline's thread. The control thread hands out message ports;
 * events then go from thread to thread as bytes, one acknowledged message at a time per sender.
 */
import type { MessagePort } from 'node:worker_threads'
import type { BusListener, BusSender, PipelineBus } from '../plugin/define.ts'
import type { BusReply, BusRequest, StoreConnected } from './messages.ts'

type Delivery = { bytes: Uint8Array; count: number; delivery: number }
type Receipt = { delivery: number }
type Receive = (bytes: Uint8Array, count: number) => Promise<void>

/** For threads that only encode: they never send or listen themselves. */
export const closedBus: PipelineBus = {
  listen: () => Promise.reject(new Error('this thread cannot listen on pipeline addresses')),
  sender: () => ({ send: () => Promise.resolve(false), close: () => Promise.resolve() }),
}

export class ThreadBus implements PipelineBus {
  #post: (request: BusRequest) => void
  #requests = new Map<number, (reply: BusReply) => void>()
  #nextRequest = 0
  #listeners = new Map<string, Listener>()
  #senders = new Set<Sender>()
  #ending = false

  constructor(post: (request: BusRequest) => void) {
    this.#post = post
  }

  receive(message: BusReply): void {
    if (message.kind === 'bus-accept') {
      const listener = this.#listeners.get(message.address)
      if (listener === undefined) message.port.close()
      else listener.accept(message.port)
      return
    }
    this.#requests.get(message.request)?.(message)
    this.#requests.delete(message.request)
  }

  #ask(message: (request: number) => BusRequest): Promise<BusReply> {
    const request = this.#nextRequest++
    return new Promise((resolve) => {
      this.#requests.set(request, resolve)
      this.#post(message(request))
    })
  }

  async listen(address: string, receive: Receive): Promise<BusListener> {
    const listener = new Listener(
      receive,
      () => {
        this.#listeners.delete(address)
        this.#post({ kind: 'bus-unlisten', address })
      },
      () => this.#ending,
    )
    this.#listeners.set(address, listener)
    const reply = await this.#ask((request) => ({ kind: 'bus-listen', request, address }))
    if (reply.kind === 'bus-listening' && reply.error !== undefined) {
      this.#listeners.delete(address)
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
    const sender = new Sender(async () => {
      const reply = await this.#ask((request) => ({ kind: 'bus-connect', request, address }))
      return reply.kind === 'bus-connected' ? reply.port : undefined
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
    for (const listener of this.#listeners.values()) void listener.close()
  }
}

class Listener implements BusListener {
  #receive: Receive
  #unlisten: () => void
  #isEnding: () => boolean
  #ports = new Set<MessagePort>()
  #waiting: (() => void)[] = []
  #closed = false

  constructor(receive: Receive, unlisten: () => void, isEnding: () => boolean) {
    this.#receive = receive
    this.#unlisten = unlisten
    this.#isEnding = isEnding
  }

  accept(port: MessagePort): void {
    if (this.#closed) return port.close()
    this.#ports.add(port)
    port.on('message', ({ bytes, count, delivery }: Delivery) => {
      void this.#receive(bytes, count).then(
        () => port.postMessage({ delivery } satisfies Receipt),
        () => port.close(),
      )
    })
    port.on('close', () => {
      this.#ports.delete(port)
      if (this.#ports.size === 0) for (const resolve of this.#waiting.splice(0)) resolve()
    })
  }

  drained(): Promise<void> {
    if (this.#ports.size === 0 || !this.#isEnding()) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#unlisten()
    for (const port of this.#ports) port.close()
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

class Sender implements BusSender {
  #connect: () => Promise<MessagePort | undefined>
  #port: MessagePort | undefined
  #deliveries = new Map<number, (taken: boolean) => void>()
  #nextDelivery = 0

  constructor(connect: () => Promise<MessagePort | undefined>) {
    this.#connect = connect
  }

  async send(bytes: Uint8Array, count: number): Promise<boolean> {
    const port = this.#port ?? (await this.#open())
    if (port === undefined) return false
    const delivery = this.#nextDelivery++
    return new Promise((resolve) => {
      this.#deliveries.set(delivery, resolve)
      port.postMessage({ bytes, count, delivery } satisfies Delivery)
    })
  }

  async #open(): Promise<MessagePort | undefined> {
    const port = await this.#connect()
    if (port === undefined) return undefined
    this.#port = port
    port.on('message', ({ delivery }: Receipt) => this.#settle(delivery, true))
    port.on('close', () => {
      if (this.#port === port) this.#port = undefined
      for (const delivery of [...this.#deliveries.keys()]) this.#settle(delivery, false)
    })
    return port
  }

  #settle(delivery: number, taken: boolean): void {
    this.#deliveries.get(delivery)?.(taken)
    this.#deliveries.delete(delivery)
  }

  async close(): Promise<void> {
    this.#port?.close()
  }
}
