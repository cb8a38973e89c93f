/** Sends the requests of the http_poller input: pool, limits, redirects, cookies, repetition of broken ones. */
import type { Dispatcher } from 'undici'
import { CookieJar } from '../../outputs/cookie-jar.ts'
import { clientSettings, type HttpOptions } from '../../outputs/http-options.ts'
import type { HttpPollerOptions } from './options.ts'
import type { PollRequest } from './requests.ts'

export interface PollAnswer {
  readonly status: number
  readonly message: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  readonly retries: number
}

const mostBytes = 100 * 1024 * 1024
const mostRedirects = 50
const longestTimer = 2 ** 31 - 1
const brokenConnection = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

export class Fetcher {
  readonly #dispatcher: Dispatcher
  readonly #jar: CookieJar | undefined
  readonly #options: HttpPollerOptions
  readonly #running = new Set<AbortController>()

  private constructor(dispatcher: Dispatcher, options: HttpPollerOptions) {
    this.#dispatcher = dispatcher
    this.#options = options
    this.#jar = options.cookies ? new CookieJar() : undefined
  }

  static async open(options: HttpPollerOptions, abort: AbortSignal): Promise<Fetcher> {
    const { Agent, ProxyAgent, interceptors } = await import('undici')
    const { proxy, tls, connectionsPerHost, keepAlive, connectSeconds, socketSeconds } = await clientSettings(
      options as unknown as HttpOptions,
      abort,
    )
    const pool = {
      connections: connectionsPerHost,
      pipelining: keepAlive ? 1 : 0,
      headersTimeout: socketSeconds * 1000,
      bodyTimeout: socketSeconds * 1000,
    }
    const connect = { timeout: connectSeconds * 1000, ...tls }
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
    return new Fetcher(
      options.follow_redirects
        ? plain.compose(interceptors.redirect({ maxRedirections: mostRedirects }))
        : plain,
      options,
    )
  }

  async fetch(request: PollRequest): Promise<PollAnswer> {
    const { automatic_retries, retry_non_idempotent } = this.#options
    const repeatable = retry_non_idempotent || !/^(POST|PATCH)$/.test(request.method)
    for (let retries = 0; ; retries++) {
      try {
        return await this.#once(request, retries)
      } catch (error) {
        const broken = brokenConnection.has((error as NodeJS.ErrnoException).code ?? '')
        if (!broken || !repeatable || retries >= automatic_retries) throw error
      }
    }
  }

  async #once({ method, url, headers, body }: PollRequest, retries: number): Promise<PollAnswer> {
    const { request } = await import('undici')
    const controller = new AbortController()
    const { request_timeout } = this.#options
    const limit = request_timeout > 0 ? Math.min(request_timeout * 1000, longestTimer) : longestTimer
    const timer = setTimeout(() => controller.abort(new Error('Request timed out')), limit)
    this.#running.add(controller)
    try {
      const { host } = new URL(url)
      const all = headers.flat()
      const cookie = this.#jar?.header(host)
      if (cookie !== undefined) all.push('Cookie', cookie)
      const answer = await request(url, {
        method: method as Dispatcher.HttpMethod,
        headers: all,
        body: body ?? null,
        dispatcher: this.#dispatcher,
        signal: controller.signal,
      })
      this.#jar?.store(host, [answer.headers['set-cookie'] ?? []].flat())
      return {
        status: answer.statusCode,
        message: answer.statusText,
        headers: answer.headers,
        body: await readAll(answer.body),
        retries,
      }
    } finally {
      clearTimeout(timer)
      this.#running.delete(controller)
    }
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    for (const controller of this.#running) controller.abort(new Error('stopped'))
    await this.#dispatcher.destroy()
  }
}

async function readAll(body: Dispatcher.ResponseData['body']): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > mostBytes) throw new Error(`The answer is longer than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
