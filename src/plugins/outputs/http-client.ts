/**
 * Requests of the http output on undici: connection pool, timeouts, proxy, cookies, redirects of GET and HEAD,
 * and the immediate repetition of requests whose connection broke. What to make of an answer is not decided
 * here.
 */
import type { SecureContextOptions } from 'node:tls'
import type { Dispatcher } from 'undici'
import { CookieJar } from './cookie-jar.ts'
import { longestTimer } from './pause.ts'

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
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: readonly (readonly [name: string, value: string])[]
  body: string | Uint8Array
}

export interface HttpAnswer {
  status: number
  /** The start of it, when the answer is not a success. */
  body: string
}

const longestBody = 64 * 1024
const redirects = 50
const brokenConnection = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
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

  private constructor(settings: HttpClientSettings, plain: Dispatcher, redirecting: Dispatcher) {
    this.#settings = settings
    this.#plain = plain
    this.#redirecting = redirecting
    settings.signal.addEventListener('abort', this.#stop)
  }

  static async open(settings: HttpClientSettings): Promise<HttpClient> {
    const { Agent, ProxyAgent, interceptors } = await import('undici')
    const { proxy, tls } = settings
    const pool = {
      connections: settings.connectionsPerHost,
      pipelining: settings.keepAlive ? 1 : 0,
      headersTimeout: settings.socketSeconds * 1000,
      bodyTimeout: settings.socketSeconds * 1000,
    }
    const connect = { timeout: settings.connectSeconds * 1000, ...tls }
    const plain =
      proxy === undefined
        ? new Agent({ ...pool, connect })
        : new ProxyAgent({
            ...pool,
            uri: proxy.uri,
            token: proxy.token,
            requestTls: connect,
            proxyTunnel: false,
          })
    const redirecting = settings.followRedirects
      ? plain.compose(interceptors.redirect({ maxRedirections: redirects }))
      : plain
    return new HttpClient(settings, plain, redirecting)
  }

  /** Rejects when there is no answer; see `isHopeless`. */
  async request(request: HttpRequest): Promise<HttpAnswer> {
    const { automaticRetries, retryNonIdempotent } = this.#settings
    const repeatable = retryNonIdempotent || !/^(POST|PATCH)$/.test(request.method)
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once(request)
      } catch (error) {
        const broken = brokenConnection.has((error as NodeJS.ErrnoException).code ?? '')
        if (!broken || !repeatable || attempt >= automaticRetries) throw error
      }
    }
  }

  async #once({ method, url, headers, body }: HttpRequest): Promise<HttpAnswer> {
    const { cookies, requestSeconds, signal } = this.#settings
    signal.throwIfAborted()
    const origin = new URL(url)
    const controller = new AbortController()
    const limit = requestSeconds > 0 ? Math.min(requestSeconds * 1000, longestTimer) : longestTimer
    const timer = setTimeout(() => controller.abort(new Error('Request timed out')), limit)
    this.#running.add(controller)
    try {
      const cookie = cookies ? this.#jar.header(origin.host) : undefined
      const flat = headers.flat()
      if (cookie !== undefined) flat.push('Cookie', cookie)
      const dispatcher = method === 'GET' || method === 'HEAD' ? this.#redirecting : this.#plain
      const { request } = await import('undici')
      const answer = await request(origin, {
        method,
        headers: flat,
        body,
        dispatcher,
        signal: controller.signal,
      })
      if (cookies) this.#jar.store(origin.host, asList(answer.headers['set-cookie']))
      const success = answer.statusCode >= 200 && answer.statusCode <= 299
      return { status: answer.statusCode, body: await readStart(answer.body, success ? 0 : longestBody) }
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

type Body = Dispatcher.ResponseData['body']

async function readStart(body: Body, limit: number): Promise<string> {
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
