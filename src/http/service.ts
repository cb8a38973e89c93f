/**
 * One HTTP API: its routes, who may use it, and the form of its errors. Turns that into a listener of
 * node:http, so that route files see plain requests and return replies.
 */
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { formatOf, presented } from './presentation.ts'
import { Query } from './query.ts'
import { readBody } from './request-body.ts'
import { type Reply, send } from './respond.ts'
import type { PathParameters, Router } from './router.ts'

export interface HttpRequest {
  readonly method: string
  /** As sent, without the query string. */
  readonly path: string
  readonly parameters: PathParameters
  readonly query: Query
  readonly headers: IncomingHttpHeaders
  readonly httpVersion: string
  /** Remote address of the connection. */
  readonly remoteAddress?: string | undefined
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /** Rejects with a 413 when it is larger than the limit. */
  body(limit: number): Promise<Buffer>
}

/** What it matched is known once the guard has let it in. */
type MatchedRequest = HttpRequest & { parameters: PathParameters }

export type Handler = (request: HttpRequest) => Reply | Promise<Reply>

export interface Service {
  readonly router: Router<Handler>
  /** Has what `router` has not; asked for when a request needs it, so that its code need not be loaded before. */
  later?(): Promise<Router<Handler>>
  /** A reply instead of service, for requests that are not allowed in. */
  readonly guard?: ((request: HttpRequest) => Reply | undefined | Promise<Reply | undefined>) | undefined
  /** `methods` are those the path would answer to. */
  notFound(request: HttpRequest, methods: readonly string[]): Reply
  failed(error: Error, request: HttpRequest): Reply
}

export function listenerFor(service: Service): RequestListener {
  return (message, response) => void serve(service, message, response)
}

async function serve(service: Service, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const request = requestOf(message, response)
  try {
    const reply = await presented(await replyTo(service, request), request)
    await send(message, response, reply, request.query.pretty)
  } catch {
    // Rendering itself failed: there is nothing better to say than that it did.
    response.destroy()
  }
}

async function replyTo(service: Service, request: MatchedRequest): Promise<Reply> {
  try {
    const verdict = service.guard?.(request)
    const refusal = verdict instanceof Promise ? await verdict : verdict
    if (refusal !== undefined) return refusal
    const { method, path } = request
    const router = await routerFor(service, request)
    const match = router.find(method, path)
    if (match === undefined) return service.notFound(request, router.methods(path))
    // Before anything is done: a request that cannot be answered has no effect either.
    formatOf(request)
    request.parameters = match.parameters
    return await match.handler(request)
  } catch (error) {
    return service.failed(error as Error, request)
  }
}

async function routerFor({ router, later }: Service, { method, path }: HttpRequest) {
  return later === undefined || router.find(method, path) !== undefined ? router : later()
}

function requestOf(message: IncomingMessage, response: ServerResponse): MatchedRequest {
  const { method = 'GET', url = '/', headers, httpVersion } = message
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  const gone = new AbortController()
  // Once everything is sent nobody listens any more, and an abort makes an error with a stack.
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return {
    method,
    path,
    parameters: {},
    query: new Query(question < 0 ? '' : url.slice(question + 1)),
    headers,
    httpVersion,
    remoteAddress: message.socket.remoteAddress,
    signal: gone.signal,
    body: (limit: number) => readBody(message, limit),
  }
}
