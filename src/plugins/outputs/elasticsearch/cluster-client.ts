/**
 * Requests to a cluster over undici: any living host, the same headers and parameters on each, dead hosts
 * looked at again every few seconds. An answer of any status is an answer; no answer is a `HostUnreachable`.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import type { PluginLogger } from '../../../plugin/define.ts'
import { maxTimer } from '../../../time/max-timer.ts'
import { pause } from '../../delivery/pause.ts'
import type { HttpClientSettings } from '../../http-client/http-client.ts'
import { isBroken, openPool, readAnswer, send } from '../../http-client/http-pool.ts'
import type { Answer, BulkClient, Method } from './bulk-client.ts'
import { type Host, HostPool } from './host-pool.ts'
import type { Product } from './settings.ts'

interface ClusterSettings {
  readonly product: Product
  readonly urls: readonly string[]
  readonly authorization: ReadonlyMap<string, string>
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly healthcheckPath: string | undefined
  readonly requestSeconds: number
  readonly connections: number
  readonly compressionLevel: number
  readonly resurrectSeconds: number
  readonly proxy: HttpClientSettings['proxy']
  readonly tls: HttpClientSettings['tls']
  readonly logger: PluginLogger
  readonly signal: AbortSignal
}

class ReadTimeout extends Error {}

export class HostUnreachable extends Error {
  override readonly name: string
  /** The host took the request and did not answer in time. */
  readonly isTimeout: boolean

  constructor(product: Product, url: string, cause: Error) {
    const reason = cause.message || (cause as NodeJS.ErrnoException).code || 'no answer'
    super(`${product.name} Unreachable: [${url}][${cause.name}] ${reason}`, { cause })
    this.name = `${product.className}::HttpClient::Pool::HostUnreachableError`
    this.isTimeout = cause instanceof ReadTimeout
  }
}

export class NoConnectionAvailable extends Error {
  override readonly name: string

  constructor(product: Product) {
    super('No Available connections')
    this.name = `${product.className}::HttpClient::Pool::NoConnectionAvailableError`
  }
}

const compress = promisify(gzip)
/** An answer to a bulk request is far smaller than the request. */
const maxAnswerLength = 64 * 1024 * 1024

export class ClusterClient implements BulkClient {
  readonly pool: HostPool
  /** Only what is looked at; the rest of an answer would be larger than the request. */
  readonly bulkQuery = 'filter_path=errors,items.*.error,items.*.status'
  readonly #settings: ClusterSettings
  readonly #dispatcher: Dispatcher
  readonly #query: string
  readonly #ended = new AbortController()
  /** Aborted by `close` and when the pipeline has to stop. */
  readonly signal: AbortSignal = this.#ended.signal
  readonly #stop = () => this.#ended.abort(new Error('stopped'))
  #watching = false

  constructor(settings: ClusterSettings) {
    this.#settings = settings
    this.#dispatcher = openPool({
      connectSeconds: settings.requestSeconds,
      socketSeconds: settings.requestSeconds,
      connections: settings.connections,
      keepAlive: true,
      proxy: settings.proxy,
      tls: settings.tls,
    })
    this.pool = new HostPool(settings.urls)
    this.#query = new URLSearchParams(Object.fromEntries(settings.parameters)).toString()
    if (settings.signal.aborted) this.#stop()
    settings.signal.addEventListener('abort', this.#stop)
  }

  /** To any living host; marks the host dead when it does not answer. */
  async request(
    method: Method,
    path: string,
    body?: Uint8Array | string,
    query: string = '',
  ): Promise<Answer> {
    const host = this.pool.choose()
    if (host === undefined) throw new NoConnectionAvailable(this.#settings.product)
    host.underWay += 1
    try {
      return await this.#send(host, method, path, body, query)
    } catch (error) {
      this.signal.throwIfAborted()
      this.#markDead(host, error as Error)
      throw error
    } finally {
      host.underWay -= 1
    }
  }

  async #send(
    host: Host,
    method: Method,
    path: string,
    body: Uint8Array | string | undefined,
    query: string,
  ): Promise<Answer> {
    const url = this.#url(host, path, query)
    const packed = body !== undefined && this.#settings.compressionLevel > 0
    const bytes = packed ? await compress(body, { level: this.#settings.compressionLevel }) : body
    const headers = this.#headers(host, bytes !== undefined, packed)
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once(url, method, headers, bytes)
      } catch (error) {
        const stale = attempt === 0 && isBroken(error as Error)
        if (!stale || this.signal.aborted) throw this.#unreachable(url, error as Error)
      }
    }
  }

  async #once(
    url: string,
    method: Method,
    headers: string[],
    body: Uint8Array | string | undefined,
  ): Promise<Answer> {
    const attempt = new AbortController()
    const milliseconds = Math.min(this.#settings.requestSeconds * 1000, maxTimer)
    const limit = setTimeout(() => attempt.abort(new ReadTimeout('Read timed out')), milliseconds)
    const stop = () => attempt.abort(this.signal.reason)
    this.signal.addEventListener('abort', stop)
    try {
      this.signal.throwIfAborted()
      const { statusCode, body: answer } = await send(this.#dispatcher, url, {
        method,
        headers,
        body: body ?? null,
        signal: attempt.signal,
      })
      const bytes = await readAnswer(answer, maxAnswerLength)
      return { status: statusCode, body: bytes.toString('utf8'), url: withoutQuery(url) }
    } finally {
      clearTimeout(limit)
      this.signal.removeEventListener('abort', stop)
    }
  }

  #unreachable(url: string, error: Error): Error {
    return error instanceof HostUnreachable
      ? error
      : new HostUnreachable(this.#settings.product, withoutQuery(url), error)
  }

  #url(host: Host, path: string, query: string): string {
    const base = path.startsWith('/') ? new URL(host.url).origin : host.url
    const all = [query, this.#query].filter((part) => part !== '').join('&')
    return `${base}${path}${all === '' ? '' : `${path.includes('?') ? '&' : '?'}${all}`}`
  }

  #headers(host: Host, hasBody: boolean, packed: boolean): string[] {
    const flat = this.#settings.headers.flat() as string[]
    const authorization = this.#settings.authorization.get(host.url)
    if (authorization !== undefined) flat.push('Authorization', authorization)
    if (hasBody) flat.push('Content-Type', 'application/json')
    if (packed) flat.push('Content-Encoding', 'gzip')
    return flat
  }

  // ------------------------------------------------------------------------------------------ dead hosts

  #markDead(host: Host, error: Error): void {
    if (host.dead) return
    host.dead = true
    const { logger } = this.#settings
    logger.warn(`Marking url as dead. Last error: [${error.name}] ${error.message}`, {
      url: host.url,
      error_message: error.message,
      error_class: error.name,
    })
    this.#watch()
  }

  /** Looks at dead hosts until there are none. */
  #watch(): void {
    if (this.#watching) return
    this.#watching = true
    const look = async () => {
      while (this.pool.dead.length > 0) {
        await pause(Math.max(10, this.#settings.resurrectSeconds * 1000), this.signal)
        await Promise.all(this.pool.dead.map((host) => this.#resurrect(host)))
      }
    }
    look()
      .catch(() => undefined)
      .finally(() => {
        this.#watching = false
      })
  }

  async #resurrect(host: Host): Promise<void> {
    const { logger, product, healthcheckPath } = this.#settings
    try {
      const { status, url } = await this.#send(host, 'HEAD', healthcheckPath ?? '', undefined, '')
      // Whoever answers "not found" or "who are you" is up; bulk requests will show the rest.
      if (status >= 500) throw badResponse(product, status, url)
      logger.warn(`Restored connection to ${product.short} instance`, { url: host.url })
      this.pool.revive(host)
    } catch (error) {
      if (this.signal.aborted) return
      const { name, message } = error as Error
      const text = `Attempted to resurrect connection to dead ${product.short} instance, but got an error`
      logger.warn(text, { url: host.url, exception: name, message })
    }
  }

  async close(): Promise<void> {
    this.#settings.signal.removeEventListener('abort', this.#stop)
    this.#stop()
    await this.#dispatcher.destroy()
  }
}

/** An answer that is none, in Logstash's words. */
export function badResponse(product: Product, status: number, url: string): Error {
  const error = new Error(`Got response code '${status}' contacting ${product.name} at URL '${url}'`)
  error.name = `${product.className}::HttpClient::Pool::BadResponseCodeError`
  return error
}

function withoutQuery(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : url.slice(0, at)
}
