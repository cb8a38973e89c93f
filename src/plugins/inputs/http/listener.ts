/**
 * A server that takes events from the bodies of HTTP requests, for the http input and for others that speak HTTP. A
 * request is answered when its events are safe; 401 without the right credentials, 408 when it comes too slowly, 413 when
 * too long, 429 when the pipeline is too busy, 500 when it failed, 503 when the input stops before the events are safe.
 */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { availableParallelism } from 'node:os'
import type {
  EcsCompatibility,
  InputInstance,
  OptionValues,
  Origin,
  PluginLogger,
  Sink,
} from '../../../plugin/define.ts'
import { Arrivals, graceMilliseconds } from '../../receiving/arrivals.ts'
import { isTrusted } from '../../receiving/peer-certificate.ts'
import { orAborted, Stop } from '../../receiving/stop.ts'
import { BodyReader, Refusal } from './body.ts'
import { inUtf8 } from './content-charset.ts'
import { Gate } from './gate.ts'
import { idempotencyKey } from './idempotency-key.ts'
import type { httpOptions } from './options.ts'
import { requestHeaders, requestOrigin } from './request-fields.ts'
import { serverTls } from './tls.ts'

// An import would load a WebSocket client on newer versions of Node.
const { createServer } = process.getBuiltinModule('node:http')

/** How long a request may wait for its turn before it is answered with 429. */
const waitMilliseconds = 10_000
/** How long one may wait for its events to be safe; then it is answered with 429, and may be sent again. */
const safeMilliseconds = 30_000
/** How long clients may take to read their last answers when the input stops. */
const partingMilliseconds = 1000
/**
 * How long a client may take for the head of a request; Node.js ends what takes longer. Bodies have a limit that depends on
 * how much comes (`http/body.ts`). Idle connections are kept a while, as clients that keep them are usually about to send
 * more.
 */
const times = { headersTimeout: 10_000, requestTimeout: 0, keepAliveTimeout: 65_000 }
/** How often Node.js looks for requests that took longer. */
const connectionsCheckingInterval = 1000
/** Further ones are closed at once; slow ones make room within seconds. */
const maxConnections = 10_000

interface ListenerContext {
  readonly options: OptionValues<typeof httpOptions>
  readonly ecs: EcsCompatibility
  readonly logger: PluginLogger
  readonly abort: AbortSignal
  /** Fields of every event, instead of the headers and the address of the client. */
  readonly origin?: Origin
  /** What the input's own reader has to know of a request; undefined: the codec decodes its body. */
  factsOf?(request: IncomingMessage): Origin['facts'] | undefined
}

export function httpListener(context: ListenerContext): InputInstance {
  const { options, ecs, logger, abort, origin: fixed } = context
  const stop = new Stop()
  const arrivals = new Arrivals()
  const bodies = new BodyReader(options.max_content_length)
  const gate = new Gate({
    inside: Math.max(1, options.threads ?? availableParallelism()),
    waiting: options.max_pending_requests,
    milliseconds: waitMilliseconds,
  })
  const target = {
    host: options.remote_host_target_field ?? (ecs === 'disabled' ? 'host' : '[host][ip]'),
    headers:
      options.request_headers_target_field ??
      (ecs === 'disabled' ? 'headers' : '[@metadata][input][http][request][headers]'),
    ecs,
  }
  const codecPositions = new Map([...options.additional_codecs.keys()].map((type, i) => [type, i]))
  const token =
    options.user === undefined || options.password === undefined
      ? undefined
      : Buffer.from(`Basic ${Buffer.from(`${options.user}:${options.password.value}`).toString('base64')}`)
  const status = Number(options.response_code)
  const answerHeaders = new Map([...options.response_headers].map(([name, value]) => [name, String(value)]))
  /** Requests whose body is complete: they get an answer, even when the input stops. */
  const received = new Set<IncomingMessage>()
  const answering = new Map<IncomingMessage, Promise<void>>()
  let server: Server | undefined
  let give: (sink: Sink) => void = () => {}
  const sink = new Promise<Sink>((resolve) => {
    give = resolve
  })

  const respond = (response: ServerResponse, code: number, headers: Iterable<[string, string]> = []) => {
    if (response.headersSent || response.destroyed) return
    response.statusCode = code
    for (const [name, value] of headers) response.setHeader(name, value)
    if (stop.isRequested || code === 413 || code === 408) response.setHeader('Connection', 'close')
    const body = code === status && code !== 204 ? 'ok' : ''
    if (code !== 204) response.setHeader('Content-Length', body.length)
    response.end(body)
  }

  const isAuthorized = (given: string): boolean => {
    const bytes = Buffer.from(given)
    return bytes.length === token!.length && timingSafeEqual(bytes, token!)
  }

  const take = async (request: IncomingMessage): Promise<void> => {
    const body = await bodies.read(request)
    received.add(request)
    const headers = requestHeaders(request, { length: body.bytes.length, decoded: body.decoded })
    const origin = fixed ?? requestOrigin(request, headers, target)
    const codec = codecFor(request.headers['content-type'], codecPositions)
    const name = idempotencyKey(request)
    const bytes = inUtf8(body.bytes, request.headers['content-type'])
    if (!(await gate.enter())) throw new Refusal(stop.isRequested ? 503 : 429)
    const safe = arrivals.handOver(async (done) => {
      try {
        const facts = context.factsOf?.(request)
        if (facts !== undefined) return await (await sink).payloads([bytes], { facts }, { done })
        const named = name === undefined ? { done } : { done, name }
        await (await sink).record(bytes, origin, codec === undefined ? named : { ...named, codec })
      } finally {
        // Not before the queue has it, even when its client waits no longer: what waits for room stays counted.
        gate.leave()
      }
    })
    const outcome = await within(safe, safeMilliseconds)
    if (outcome !== true) throw new Refusal(outcome === undefined ? 429 : 503)
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      if (token !== undefined) {
        const given = request.headers.authorization
        if (given === undefined) {
          return respond(response, 401, [['WWW-Authenticate', 'Basic realm="Logstash HTTP Input"']])
        }
        if (!isAuthorized(given)) return respond(response, 401)
      }
      await take(request)
      respond(response, status, answerHeaders)
    } catch (error) {
      if (error instanceof Refusal) {
        respond(response, error.status)
        // Nobody waits for the rest of what comes too slowly.
        if (error.status === 408) response.once('finish', () => request.destroy())
        return
      }
      if (request.destroyed && !request.complete) return
      logger.error('unable to process event.', {
        message: (error as Error).message,
        class: (error as Error).name,
      })
      respond(response, 500)
    } finally {
      // What is left of a body nobody wanted is read and forgotten, so that the connection stays usable.
      request.resume()
    }
  }

  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const answered = answer(request, response)
      .then(() => sent(response))
      .catch((error: Error) => {
        logger.error('A request could not be answered', { message: error.message })
        response.destroy()
      })
      .finally(() => {
        answering.delete(request)
        received.delete(request)
      })
    answering.set(request, answered)
  }

  const listen = async (): Promise<Server> => {
    const tls = options.ssl_enabled ? await serverTls(options) : undefined
    const limits = { ...times, connectionsCheckingInterval }
    const opened =
      tls === undefined ? createServer(limits, handle) : createTlsServer({ ...limits, ...tls }, handle)
    opened.maxConnections = maxConnections
    opened.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      if (!bodies.isTooLong(request)) response.writeContinue()
      handle(request, response)
    })
    opened.on('secureConnection', (socket) => {
      if (!isTrusted(socket)) socket.destroy()
    })
    opened.on('tlsClientError', (error: Error) => logger.debug('SSL error', { message: error.message }))
    await new Promise<void>((resolve, reject) => {
      opened.once('error', reject)
      opened.listen(options.port, options.host, () => {
        opened.off('error', reject)
        resolve()
      })
    })
    opened.on('error', (error) => logger.error('http input listener failed', { message: error.message }))
    const bound = opened.address()
    const address =
      typeof bound === 'object' && bound !== null ? `${bound.address}:${bound.port}` : String(bound)
    logger.info('Starting http input listener', { address, ssl_enabled: options.ssl_enabled })
    return opened
  }

  const close = () => {
    server?.close()
    server?.closeAllConnections()
    server = undefined
  }

  return {
    async register() {
      server = await listen()
    },
    async run(given) {
      server ??= await listen()
      give(given)
      await stop.requested
      server.close()
      server.closeIdleConnections()
      gate.close()
      // Bodies that are still coming in are cut off: nobody promised anything about them yet.
      const answered = Promise.all([...received].map((request) => answering.get(request)))
      await orAborted(answered, abort, graceMilliseconds)
      arrivals.abandon()
      await within(answered, partingMilliseconds)
      close()
    },
    stop() {
      stop.request()
    },
    close,
  }
}

/** Settles as the promise does, or resolves with undefined after that time. */
async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when the answer has left, or cannot any more. */
function sent(response: ServerResponse): void | Promise<void> {
  if (response.writableFinished || response.destroyed) return
  return new Promise((resolve) => {
    response.once('finish', resolve)
    response.once('close', resolve)
  })
}

/** The additional codec for a content type such as `application/json; charset=utf-8`. */
function codecFor(
  contentType: string | undefined,
  positions: ReadonlyMap<string, number>,
): number | undefined {
  if (contentType === undefined) return undefined
  const semicolon = contentType.indexOf(';')
  const type = (semicolon < 0 ? contentType : contentType.slice(0, semicolon)).trim()
  return positions.get(type) ?? positions.get(type.toLowerCase())
}
