/**
 * Requests of the http output and the http_poller input: limits in time, cookies, redirects of GET and HEAD, and the
 * immediate repetition of requests whose connection broke. What to make of an answer is not decided here.
 */
import type { SecureContextOptions } from 'node:tls'
import type { Dispatcher } from 'undici'
import { maxTimer } from '../../time/max-timer.ts'
import { CookieJar } from './cookie-jar.ts'
import { followingRedirects, isBroken, openPool, send } from './http-pool.ts'

export interface HttpClientSettings {
  connectSeconds: number
  socketSeconds: number
  requestSeconds: number
  connectionsPerHost: number
  keepAlive: boolean
  followRedirects: boolean
  cookies: boolean
  /** Repetitions when a connection breaks. */
  automaticRetries: number
  /** Repeat POST and PATCH too. */
  retryNonIdempotent: boolean
  proxy: { uri: string; token: string | undefined } | undefined
  tls: SecureContextOptions & { rejectUnauthorized: boolean }
  signal: AbortSignal
}

export interface HttpRequest {
  method: Dispatcher.HttpMethod
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  body: string | Uint8Array | null
}

interface HttpAnswer {
  status: number
  /** The start of it, when the answer is not a success. */
  body: string
}

const maxBodyLength = 64 * 1024
const badRequest =
  /^(UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|UND_ERR_REQ_CONTENT_LENGTH_MISMATCH|ERR_INVALID_.*)$/

export class HttpClient {
  readonly #settings: HttpClientSettings
  readonly #plain: Dispatcher
  readonly #redirecting: Dispatcher
  readonly #jar = new CookieJar()
  readonly #running = new Set<AbortController>()
  readonly #stop = () => {
    for (const controller of this.#running) controller.abort(new Error('stopped'))
  }

  constructor(settings: HttpClientSettings) {
    this.#settings = settings
    this.#plain = openPool({ ...settings, connections: settings.connectionsPerHost })
    this.#redirecting = settings.followRedirects ? followingRedirects(this.#plain) : this.#plain
    settings.signal.addEventListener('abort', this.#stop)
  }

  /** Rejects when there is no answer; see `isHopeless`. */
  request(request: HttpRequest): Promise<HttpAnswer> {
    return this.exchange(request, async ({ statusCode, body }) => {
      const success = statusCode >= 200 && statusCode <= 299
      return { status: statusCode, body: await readStart(body, success ? 0 : maxBodyLength) }
    })
  }

  /** `read` makes what is wanted of an answer; it is told how often the request was repeated. */
  async exchange<T>(
    request: HttpRequest,
    read: (answer: Dispatcher.ResponseData, repetitions: number) => Promise<T>,
  ): Promise<T> {
    const { automaticRetries, retryNonIdempotent } = this.#settings
    const repeatable = retryNonIdempotent || !/^(POST|PATCH)$/.test(request.method)
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once(request, (answer) => read(answer, attempt))
      } catch (error) {
        if (!isBroken(error as Error) || !repeatable || attempt >= automaticRetries) throw error
      }
    }
  }

  async #once<T>(
    { method, url, headers, body }: HttpRequest,
    read: (answer: Dispatcher.ResponseData) => Promise<T>,
  ): Promise<T> {
    const { cookies, requestSeconds, signal } = this.#settings
    signal.throwIfAborted()
    const origin = new URL(url)
    const controller = new AbortController()
    const limit = requestSeconds > 0 ? Math.min(requestSeconds * 1000, maxTimer) : maxTimer
    const timer = setTimeout(() => controller.abort(new Error('Request timed out')), limit)
    this.#running.add(controller)
    try {
      const cookie = cookies ? this.#jar.header(origin.host) : undefined
      const flat = headers.flat()
      if (cookie !== undefined) flat.push('Cookie', cookie)
      const dispatcher = method === 'GET' || method === 'HEAD' ? this.#redirecting : this.#plain
      const answer = await send(dispatcher, origin, {
        method,
        headers: flat,
        body,
        signal: controller.signal,
      })
      if (cookies) this.#jar.store(origin.host, asList(answer.headers['set-cookie']))
      return await read(answer)
    } finally {
      clearTimeout(timer)
      this.#running.delete(controller)
    }
  }

  async close(): Promise<void> {
    this.#settings.signal.removeEventListener('abort', this.#stop)
    this.#stop()
    await this.#plain.destroy()
  }
}

/** True when the request itself is wrong, so that sending it again is no use. */
export function isHopeless(error: Error): boolean {
  return badRequest.test((error as NodeJS.ErrnoException).code ?? '')
}

function asList(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

async function readStart(body: Dispatcher.ResponseData['body'], limit: number): Promise<string> {
  if (limit === 0) {
    await body.dump()
    return ''
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8')
}
