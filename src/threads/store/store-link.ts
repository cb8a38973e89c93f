/**
 * The search store, seen from a pipeline's thread: requests go to the store's thread as bytes, answers come back
 * as text. The control thread introduces both once; then they talk directly.
 */
import type { MessagePort } from 'node:worker_threads'
import type { StoreConnection, StoreLink } from '../../plugin/define.ts'
import type { StoreAnswer, StoreRequest } from './store-messages.ts'

interface StoreIntroduction {
  readonly link: MessagePort
  /** Port of the search API. */
  readonly port: number
}

/** Asks the control thread; undefined when this process has no store. */
export type Introduce = () => Promise<StoreIntroduction | undefined>

export class ThreadStoreLink implements StoreLink {
  readonly #introduce: Introduce
  #connection: Promise<Connection | undefined> | undefined

  constructor(introduce: Introduce) {
    this.#introduce = introduce
  }

  connect(): Promise<Connection | undefined> {
    this.#connection ??= this.#introduce().then((met) => met && new Connection(met, this.#introduce))
    return this.#connection
  }

  close(): void {
    void this.#connection?.then((connection) => connection?.close())
  }
}

/** What may be asked of the store; `port` is that of the search API. */
export type StoreRequests = Pick<Connection, 'port' | 'request'>

/** Outlives the store's thread: a request that finds the link closed waits for the next store. */
class Connection implements StoreConnection {
  readonly port: number
  readonly #introduce: Introduce
  #link: Link
  #opening: Promise<Link> | undefined

  constructor(met: StoreIntroduction, introduce: Introduce) {
    this.port = met.port
    this.#link = new Link(met.link)
    this.#introduce = introduce
  }

  request(...sent: Parameters<Link['request']>): ReturnType<Link['request']> {
    if (!this.#link.isClosed) return this.#link.request(...sent)
    return this.#reopen().then((link) => link.request(...sent))
  }

  #reopen(): Promise<Link> {
    this.#opening ??= this.#introduce()
      .then((met) => {
        if (met === undefined) throw new Error('the search store is closed')
        this.#link = new Link(met.link)
        return this.#link
      })
      .finally(() => {
        this.#opening = undefined
      })
    return this.#opening
  }

  close(): void {
    this.#link.close()
  }
}

class Link {
  readonly #port: MessagePort
  readonly #waiting = new Map<number, (answer: StoreAnswer | undefined) => void>()
  #next = 0
  isClosed = false

  constructor(port: MessagePort) {
    this.#port = port
    port.on('message', (answer: StoreAnswer) => this.#settle(answer.number, answer))
    port.on('close', () => {
      this.isClosed = true
      for (const number of [...this.#waiting.keys()]) this.#settle(number, undefined)
    })
  }

  #settle(number: number, answer: StoreAnswer | undefined): void {
    this.#waiting.get(number)?.(answer)
    this.#waiting.delete(number)
  }

  request(
    method: string,
    path: string,
    body?: Uint8Array,
    authorization?: string,
    address?: string,
  ): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      if (this.isClosed) return reject(new Error('the search store is closed'))
      const number = this.#next++
      this.#waiting.set(number, (answer) => {
        if (answer === undefined) reject(new Error('the search store ended'))
        else resolve(answer)
      })
      // A copy: the sender uses its memory again, and may have to send the same bytes a second time.
      const own = body === undefined ? undefined : new Uint8Array(body)
      const request: StoreRequest = { number, method, path, body: own, authorization, address }
      this.#port.postMessage(request, own === undefined ? [] : [own.buffer as ArrayBuffer])
    })
  }

  close(): void {
    this.#port.close()
  }
}
