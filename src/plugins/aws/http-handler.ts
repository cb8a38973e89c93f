/**
 * Requests of the AWS SDK over undici: one way for all services, through a proxy where one is given, with a limit for
 * every wait. The SDK's own handlers know no proxies, and speak HTTP/2 to Kinesis, which stand-ins for it do not.
 */
import type { Readable } from 'node:stream'
import { Agent, type Dispatcher, EnvHttpProxyAgent, ProxyAgent } from 'undici'

/** A request as the SDK has signed it. */
interface SdkRequest {
  readonly method: string
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | Readable
}

interface SdkResponse {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: Readable
}

export interface HandlerSettings {
  readonly proxy?: string | undefined
  readonly connectMilliseconds?: number
  /** Without a byte of an answer; longer than any long poll. */
  readonly idleMilliseconds?: number
  /** Whether TLS checks certificates, and further authorities. */
  readonly tls?: { readonly rejectUnauthorized?: boolean; readonly ca?: string }
}

const connectionLost = /^UND_ERR_(?:SOCKET|CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT)$/

export class HttpHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' }
  readonly #dispatcher: Dispatcher

  constructor({ proxy, connectMilliseconds, idleMilliseconds, tls }: HandlerSettings = {}) {
    const shared = {
      connect: { timeout: connectMilliseconds ?? 10_000, ...tls },
      headersTimeout: idleMilliseconds ?? 60_000,
      bodyTimeout: idleMilliseconds ?? 60_000,
      connections: 64,
    }
    if (proxy !== undefined) this.#dispatcher = proxyAgent(proxy, shared, tls)
    else if (hasProxyEnvironment()) this.#dispatcher = new EnvHttpProxyAgent(shared)
    else this.#dispatcher = new Agent(shared)
  }

  async handle(
    request: SdkRequest,
    { abortSignal }: { abortSignal?: AbortSignal } = {},
  ): Promise<{ response: SdkResponse }> {
    const { method, protocol, hostname, port, path, body } = request
    const origin = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`
    const asked = {
      origin,
      path: path + queryText(request.query),
      method: method as Dispatcher.HttpMethod,
      headers: sendable(request.headers),
      body: body ?? null,
      signal: abortSignal ?? null,
    }
    const answer = await this.#dispatcher.request(asked).catch((error: NodeJS.ErrnoException) => {
      // By this name the SDK knows that the same request may work the next time.
      if (connectionLost.test(error.code ?? '')) error.name = 'TimeoutError'
      throw error
    })
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
    }
    return { response: { statusCode: answer.statusCode, headers, body: answer.body } }
  }

  /** Settings that the SDK may ask for or change; there are none of its own here. */
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): object {
    return {}
  }

  destroy(): void {
    void this.#dispatcher.destroy().catch(() => undefined)
  }
}

function proxyAgent(uri: string, shared: Agent.Options, tls: HandlerSettings['tls']): ProxyAgent {
  const url = new URL(uri.includes('://') ? uri : `http://${uri}`)
  const login = [url.username, url.password].map(decodeURIComponent)
  const token = url.username === '' ? undefined : `Basic ${Buffer.from(login.join(':')).toString('base64')}`
  const { connect: _, ...rest } = shared
  return new ProxyAgent({
    ...rest,
    uri: `${url.protocol}//${url.host}`,
    ...(token !== undefined && { token }),
    ...(tls !== undefined && { requestTls: tls }),
  })
}

function hasProxyEnvironment(): boolean {
  return ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].some((name) => process.env[name])
}

/** The connection is undici's business, and it waits for no `100 Continue`. */
function sendable(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(expect|connection|transfer-encoding)$/i.test(name)),
  )
}

function queryText(query: SdkRequest['query']): string {
  const parts = Object.entries(query ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) =>
      one === null ? escaped(name) : `${escaped(name)}=${escaped(String(one))}`,
    ),
  )
  return parts.length === 0 ? '' : `?${parts.sort().join('&')}`
}

/** As the signature counts: everything but the unreserved characters of RFC 3986. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
