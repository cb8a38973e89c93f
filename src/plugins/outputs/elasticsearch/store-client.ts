/** Bulk requests to the search store of this process: no connection, no HTTP, the same requests and answers. */
import type { StoreConnection } from '../../../plugin/define.ts'
import type { Answer, BulkClient, Method } from './bulk-client.ts'

const localHost = /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::(\d+))?\/$/

/** Whether these addresses all mean a store that listens at the port. */
export function areOwnStore(urls: readonly string[], port: number): boolean {
  return urls.every((url) => {
    const match = localHost.exec(url)
    return match !== null && Number(match[1] ?? 80) === port
  })
}

export class StoreClient implements BulkClient {
  /** It is alive as long as the process is. */
  readonly pool = { anyAlive: true, onRevival: () => () => {} }
  readonly bulkQuery = 'millrace_items=failed'
  readonly refusesForGood = true
  readonly #store: StoreConnection
  readonly #ended = new AbortController()
  readonly signal: AbortSignal = this.#ended.signal
  readonly #outer: AbortSignal
  readonly #authorization: string | undefined
  readonly #stop = () => this.#ended.abort(new Error('stopped'))

  /** With `authorization` it has to log in as over a connection, with an empty one as nobody. */
  constructor(store: StoreConnection, signal: AbortSignal, authorization?: string) {
    this.#store = store
    this.#authorization = authorization
    this.#outer = signal
    if (signal.aborted) this.#stop()
    signal.addEventListener('abort', this.#stop)
  }

  async request(
    method: Method,
    path: string,
    body?: Uint8Array | string,
    query: string = '',
  ): Promise<Answer> {
    this.signal.throwIfAborted()
    const full = path.startsWith('/') ? path : `/${path}`
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const target = query === '' ? full : `${full}?${query}`
    const answer = await this.#store.request(method, target, bytes, this.#authorization)
    return { ...answer, url: `http://127.0.0.1:${this.#store.port}${full}` }
  }

  async close(): Promise<void> {
    this.#outer.removeEventListener('abort', this.#stop)
    this.#stop()
  }
}
