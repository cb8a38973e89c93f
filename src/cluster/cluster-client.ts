/**
 * Requests to a cluster of OpenSearch or Elasticsearch: several hosts round-robin, connections that stay open, bodies
 * that stream both ways. A request is sent again only where that cannot do anything twice: when no connection came about, or
 * when it changes nothing (or its sender says it may be repeated) and its body is still at hand.
 */
import type {
  Agent,
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
} from 'node:http'
import { finished, type Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConnectionOptions } from 'node:tls'
import { AnswerTooLarge, ClusterUnreachable, type FailedAttempt } from './cluster-error.ts'
import type { ClusterHost } from './cluster-host.ts'
import { HostPool, type HostStatus } from './host-pool.ts'
import { hostsOf } from './sniffing.ts'

export interface ClusterClientOptions {
  readonly hosts: readonly ClusterHost[]
  /** An `Authorization` header for hosts whose address has no user name. */
  readonly authorization?: string | undefined
  readonly tls?: ConnectionOptions | undefined
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long a connection may take to come about. */
  readonly connectMillis: number
  /** How long nothing may come from a host that works on a request, unless the request says otherwise. */
  readonly requestMillis: number
  /** How often a request is sent again at most. */
  readonly retries: number
  /** Connections to one host; further requests wait for one. */
  readonly maxConnections?: number
  /** Asks the cluster for its hosts: at the start, after a host failed, and this often; undefined for never. */
  readonly sniffMillis?: number | undefined
}

export interface ClusterRequest {
  readonly method: string
  /** With its query string. */
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  /** Bytes may be sent again, a stream only as long as nothing was read of it. */
  readonly body?: Uint8Array | Readable | undefined
  /** May it be sent again when nobody knows what became of it? GET and HEAD unless said otherwise. */
  readonly isRepeatable?: boolean
  readonly timeoutMillis?: number
  readonly signal?: AbortSignal | undefined
}

interface ClusterAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Must be read or destroyed: its connection is held until then. */
  readonly body: IncomingMessage
  /** Which host gave it. */
  readonly host: string
}

interface WholeAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const defaultMaxConnections = 64
/** Answers that say "not now" rather than "no". */
const busyStatuses = new Set([429, 502, 503])
/** Before a request goes to the next host after such an answer; doubles each time. */
const firstPause = 100
const maxSniffedBytes = 16 * 1024 * 1024
/** After a failure the hosts are asked for no more often than this. */
const minSniffMillis = 1_000

/** A failed attempt; whether the request may have reached the host decides about the next one. */
class AttemptFailure extends Error {
  readonly wasSent: boolean

  constructor(message: string, wasSent: boolean) {
    super(message)
    this.wasSent = wasSent
  }
}

export class ClusterClient {
  readonly #options: ClusterClientOptions
  readonly #seeds: readonly ClusterHost[]
  readonly #pool: HostPool
  readonly #agents = new Map<boolean, Promise<Agent>>()
  readonly #closed = new AbortController()
  readonly #sniffTimer: NodeJS.Timeout | undefined
  #sniffing: Promise<void> | undefined
  #lastSniff = 0

  constructor(options: ClusterClientOptions) {
    if (options.hosts.length === 0) throw new Error('a cluster needs at least one host')
    this.#options = options
    this.#seeds = options.hosts
    this.#pool = new HostPool(options.hosts)
    const { sniffMillis } = options
    if (sniffMillis === undefined) return
    this.#sniffTimer = setInterval(() => void this.sniff(), sniffMillis)
    this.#sniffTimer.unref()
    void this.sniff()
  }

  get hosts(): readonly HostStatus[] {
    return this.#pool.status
  }

  /**
   * The answer of the first host that gives one, with its body still to be read. Rejects with `ClusterUnreachable` when
   * none does, and with the signal's reason when that is aborted.
   */
  async request(request: ClusterRequest): Promise<ClusterAnswer> {
    const { method, body, signal, isRepeatable = method === 'GET' || method === 'HEAD' } = request
    const isStream = body !== undefined && !(body instanceof Uint8Array)
    const attempts: FailedAttempt[] = []
    for (const host of this.#pool.due()) void this.#probe(host)
    const hosts = this.#pool.order()
    const { retries } = this.#options
    for (let attempt = 0; ; attempt++) {
      const host = hosts[attempt % hosts.length]!
      const isLast = attempt >= retries
      try {
        const answer = await this.#attempt(host, request)
        if (busyStatuses.has(answer.status)) {
          if (answer.status !== 429) this.#failed(host, `answered ${answer.status}`)
          if (!isLast && isRepeatable && !isStream) {
            answer.body.destroy()
            await wait(firstPause * 2 ** attempt, undefined, { signal })
            continue
          }
        } else this.#pool.worked(host)
        return answer
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof AttemptFailure)) throw error
        this.#failed(host, error.message)
        attempts.push({ host: host.url, message: error.message })
        const mayRepeat = !error.wasSent || (isRepeatable && !isStream)
        // Where no connection comes about, asking the same host again at once is of no use.
        const isTriedOut = attempts.length >= hosts.length && !error.wasSent
        if (isLast || !mayRepeat || isTriedOut) throw new ClusterUnreachable(attempts, error.wasSent)
      }
    }
  }

  /** Reads the whole answer. Rejects with `AnswerTooLarge` when it has more than `maxBytes`. */
  async ask(request: ClusterRequest, maxBytes: number): Promise<WholeAnswer> {
    const { status, headers, body, host } = await this.request(request)
    const chunks: Buffer[] = []
    let size = 0
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > maxBytes) throw new AnswerTooLarge(maxBytes)
        chunks.push(chunk)
      }
    } catch (error) {
      body.destroy()
      request.signal?.throwIfAborted()
      if (error instanceof AnswerTooLarge) throw error
      throw new ClusterUnreachable([{ host, message: (error as Error).message }], true)
    }
    return { status, headers, body: Buffer.concat(chunks, size) }
  }

  /** Asks one of the hosts, the given ones last, for those the cluster has now. Never rejects. */
  sniff(): Promise<void> {
    this.#sniffing ??= this.#sniffHosts().finally(() => {
      this.#sniffing = undefined
    })
    return this.#sniffing
  }

  async #sniffHosts(): Promise<void> {
    this.#lastSniff = Date.now()
    const known = this.#pool.order()
    const urls = new Set(known.map(({ url }) => url))
    const all = [...known, ...this.#seeds.filter(({ url }) => !urls.has(url))]
    for (const host of all) {
      if (this.#closed.signal.aborted) return
      try {
        const answer = await this.#attempt(host, {
          method: 'GET',
          path: '/_nodes/http',
          timeoutMillis: this.#options.connectMillis,
          signal: this.#closed.signal,
        })
        if (answer.status !== 200) {
          answer.body.destroy()
          continue
        }
        const found = hostsOf(JSON.parse(await smallText(answer.body, maxSniffedBytes)), host)
        if (found.length > 0) return this.#pool.replace(found)
      } catch {
        // The next host may know.
      }
    }
    // Nobody answered: the hosts the settings name are where a cluster that moved is found again.
    const seeds = this.#seeds.filter(({ url }) => !urls.has(url))
    if (seeds.length > 0) this.#pool.replace([...known, ...seeds])
  }

  /** Asks a host that had failed, so that no request has to find out whether it is back. */
  async #probe(host: ClusterHost): Promise<void> {
    try {
      const { connectMillis: timeoutMillis } = this.#options
      const { signal } = this.#closed
      const answer = await this.#attempt(host, { method: 'HEAD', path: '/', timeoutMillis, signal })
      answer.body.resume()
      if (answer.status < 500) this.#pool.worked(host)
      else this.#pool.failed(host, `answered ${answer.status}`)
    } catch (error) {
      this.#pool.failed(host, (error as Error).message)
    }
  }

  #failed(host: ClusterHost, message: string): void {
    this.#pool.failed(host, message)
    if (this.#options.sniffMillis === undefined || this.#closed.signal.aborted) return
    if (Date.now() - this.#lastSniff > minSniffMillis) void this.sniff()
  }

  async #attempt(host: ClusterHost, request: ClusterRequest): Promise<ClusterAnswer> {
    const { connectMillis, requestMillis, authorization } = this.#options
    const { method, path, headers, body, signal, timeoutMillis = requestMillis } = request
    signal?.throwIfAborted()
    if (this.#closed.signal.aborted) throw new AttemptFailure('the client is closed', false)
    const agent = await this.#agent(host.isSecure)
    const start = host.isSecure ? (await import('node:https')).request : (await import('node:http')).request
    const credentials = host.authorization ?? authorization
    const sending = start({
      host: host.hostname,
      port: host.port,
      method,
      path: host.prefix + path,
      agent,
      headers: {
        ...this.#options.headers,
        ...(credentials !== undefined && { authorization: credentials }),
        ...(body instanceof Uint8Array && { 'content-length': body.byteLength }),
        ...headers,
      },
    })
    return new Promise((resolve, reject) => {
      let isConnected = false
      let bodyFailure: Error | undefined
      const giveUp = () => sending.destroy(new Error('aborted'))
      const refuseAfter = (millis: number) =>
        setTimeout(() => sending.destroy(new Error(`no connection within ${millis} ms`)), millis)
      // First for a place among the connections, then for the connection itself.
      let slow = refuseAfter(timeoutMillis)
      const end = () => {
        clearTimeout(slow)
        signal?.removeEventListener('abort', giveUp)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      sending.once('socket', () => {
        clearTimeout(slow)
        if (!isConnected) slow = refuseAfter(connectMillis)
      })
      onConnected(sending, host.isSecure, () => {
        clearTimeout(slow)
        isConnected = true
        if (body === undefined) sending.end()
        else if (body instanceof Uint8Array) sending.end(body)
        else
          pour(body, sending, (error) => {
            bodyFailure ??= error
          })
      })
      sending.setTimeout(timeoutMillis, () =>
        sending.destroy(new Error(`no answer within ${timeoutMillis} ms`)),
      )
      sending.once('error', (error: NodeJS.ErrnoException) => {
        end()
        // A body that breaks off says nothing about the host.
        reject(bodyFailure ?? new AttemptFailure(textOf(error), isConnected))
      })
      sending.once('response', (response) => {
        // The signal goes on to count until the body is read.
        finished(response, end)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: response,
          host: host.url,
        })
      })
    })
  }

  #agent(isSecure: boolean): Promise<Agent> {
    let agent = this.#agents.get(isSecure)
    if (agent === undefined) {
      const { maxConnections = defaultMaxConnections, tls } = this.#options
      const options = { keepAlive: true, maxSockets: maxConnections, maxFreeSockets: 16 }
      agent = isSecure
        ? import('node:https').then((https) => new https.Agent({ ...options, ...tls }))
        : import('node:http').then((http) => new http.Agent(options))
      this.#agents.set(isSecure, agent)
    }
    return agent
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    clearInterval(this.#sniffTimer)
    this.#closed.abort()
    for (const agent of this.#agents.values()) (await agent).destroy()
  }
}

/** Calls when the request's connection can carry bytes: at once for one that was open already. */
function onConnected(sending: ClientRequest, isSecure: boolean, connected: () => void): void {
  sending.once('socket', (socket) => {
    if (sending.reusedSocket || !socket.connecting) connected()
    else socket.once(isSecure ? 'secureConnect' : 'connect', connected)
  })
}

/** A body that breaks off ends the request. */
function pour(body: Readable, sending: ClientRequest, failed: (error: Error) => void): void {
  const fail = (error: Error) => {
    failed(error)
    sending.destroy(error)
  }
  body.once('error', fail)
  body.once('close', () => {
    if (!body.readableEnded) fail(new Error('the body of the request came to no end'))
  })
  if (body.errored) fail(body.errored)
  else body.pipe(sending)
}

async function smallText(body: IncomingMessage, maxBytes: number): Promise<string> {
  let text = ''
  body.setEncoding('utf8')
  for await (const piece of body as AsyncIterable<string>) {
    text += piece
    if (text.length > maxBytes) throw new AnswerTooLarge(maxBytes)
  }
  return text
}

function textOf({ message, code, errors }: NodeJS.ErrnoException & { errors?: readonly Error[] }): string {
  // A name with several addresses fails with one error for each of them, and no text of its own.
  if (message === '' && errors !== undefined && errors.length > 0) return errors[0]!.message
  return message === '' ? (code ?? 'failed') : message
}
