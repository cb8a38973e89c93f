/**
 * Port 9200 of a node whose documents are in a cluster. What stands in front of the embedded store stands in front here,
 * too: allowed hosts and foreign web pages, users and roles, the memory that request bodies may take.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { AnswerTooLarge, ClusterUnreachable } from '../../../cluster/cluster-error.ts'
import { filterPaths } from '../../../http/filter-path.ts'
import { HttpProblem } from '../../../http/problem.ts'
import { announcedBytes, readBody } from '../../../http/request-body.ts'
import { type Reply, send } from '../../../http/respond.ts'
import { listen } from '../../../http/server.ts'
import type { TlsFiles } from '../../../http/tls-files.ts'
import { UnpacksToTooMuch, unpacked } from '../../../memory/unpacking.ts'
import { insideOf, writeJson } from '../../../search/answer/json-text.ts'
import { compatOf } from '../../../search/index/compat.ts'
import type { StoreMemory } from '../../../search/index/store-memory.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import type { Security } from '../../../security/security.ts'
import { errorBody } from '../error-envelope.ts'
import { apiGuard, type FrontGuardOptions, type Guard } from '../front-guard.ts'
import { dashboardRedirect } from '../identity.ts'
import type { Dashboard } from '../node-view.ts'
import type { Answer } from '../route.ts'
import { runAsOf } from '../run-as.ts'
import type { SearchApi } from '../server.ts'
import { BoundedBody } from './bounded-body.ts'
import { ClusterProxy, type ProxyAnswer, type ProxyOptions, type ProxyRequest } from './cluster-proxy.ts'
import { alwaysSent, answerHeaders, jsonType } from './forwarded-headers.ts'
import { ProxyGate } from './proxy-gate.ts'

interface ProxyApiOptions extends ProxyOptions {
  readonly host: string
  readonly ports: { readonly first: number; readonly last: number }
  readonly memory: StoreMemory
  /** The header value that marks forwarded requests: one that arrives here with it came back in a loop. */
  readonly mark: string
  readonly security?: Security | undefined
  readonly dashboard?: Dashboard | undefined
  readonly allowedHosts?: readonly string[]
  readonly corsOrigins?: FrontGuardOptions['corsOrigins']
  readonly tls?: Parameters<typeof listen>[0]['tls']
  readonly tlsFiles?: TlsFiles | undefined
  readonly tlsRenewed?: (error: Error | undefined) => void
}

export const markHeader = 'x-millrace-node'
/** `http.max_content_length`. */
const maxBodySize = 100 * 1024 * 1024
/** What a body that streams through takes: the buffers of two sockets. */
const streamedBytes = 128 * 1024
/** Memory for a body that is parsed, in multiples of its size: bytes, text, values. */
const readFactor = 3
/** The maximum bytes of an answer for another thread of this process. */
const maxInnerBytes = 100 * 1024 * 1024

export async function startProxyApi(options: ProxyApiOptions): Promise<SearchApi> {
  const { host, ports, security, tls, tlsFiles, tlsRenewed } = options
  const { allowedHosts, corsOrigins } = options
  const guard = apiGuard({ host, allowedHosts, corsOrigins, security })
  const service = new ProxyService(options, guard)
  const server = await listen({
    host,
    ports,
    tls,
    tlsFiles,
    ...(tlsRenewed !== undefined && { tlsRenewed }),
    listener: (message, response) => void service.serve(message, response),
  })
  return {
    port: server.port,
    answer: (request) => service.inner(request),
    close: () => server.close(),
  }
}

class ProxyService {
  readonly #options: ProxyApiOptions
  readonly #guard: Guard
  readonly #gate: ProxyGate | undefined
  readonly #proxy: ClusterProxy

  constructor(options: ProxyApiOptions, guard: Guard) {
    const { security, flavor } = options
    this.#options = options
    this.#guard = guard
    this.#gate = security && new ProxyGate(security, compatOf(flavor))
    this.#proxy = new ClusterProxy({
      ...options,
      dropsAuthorization: options.dropsAuthorization || security !== undefined,
    })
  }

  async serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = message
    const gone = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) gone.abort()
    })
    const memory = new Reservations(this.#options.memory)
    try {
      const verdict = this.#guard(message)
      for (const [name, value] of Object.entries(verdict?.headers ?? {})) response.setHeader(name, value)
      const refused = verdict?.answer ?? this.#circle(headers) ?? this.#redirect(url, headers)
      if (refused !== undefined) return await send(message, response, replyOf(refused, headers), false)
      const request = requestOf(message, gone.signal, memory)
      const answer = await this.#permitted(request, {
        method,
        url,
        authorization: headers.authorization,
        address: message.socket.remoteAddress ?? '',
        runAs: runAsOf(headers),
      })
      if ('stream' in answer) {
        response.writeHead(answer.status, answerHeaders(answer.headers, headers))
        await pipeline(answer.stream, response)
      } else await send(message, response, madeReply(answer, request), false)
    } catch (error) {
      if (response.headersSent || gone.signal.aborted) response.destroy()
      else
        await send(message, response, replyOf(failure(error), headers), false).catch(() => response.destroy())
    } finally {
      memory.release()
    }
  }

  async #permitted(request: ProxyRequest, visitor: Parameters<ProxyGate['enter']>[0]): Promise<ProxyAnswer> {
    if (this.#gate === undefined) return this.#proxy.answer(request)
    const verdict = await this.#gate.enter(visitor)
    if ('refused' in verdict) return refusedAnswer(verdict.refused)
    if (!verdict.checksBulk) return this.#proxy.answer(request)
    const bytes = await request.body()
    const refused = this.#gate.bulkRefusal(verdict.principal, visitor, bytes)
    if (refused !== undefined) return refusedAnswer(refused)
    const { 'content-encoding': _, 'content-length': _length, ...headers } = request.headers
    return this.#proxy.answer({ ...request, headers, body: async () => bytes, stream: () => bytes })
  }

  #circle(headers: IncomingHttpHeaders): Answer | undefined {
    if (headers[markHeader] !== this.#options.mark) return undefined
    const reason = 'the setting [search.cluster.hosts] leads back to this node'
    const body = errorBody(new SearchError('illegal_state_exception', reason, { status: 508 }), false)
    return { status: 508, body }
  }

  #redirect(url: string, headers: IncomingHttpHeaders): Answer | undefined {
    return url === '/' ? dashboardRedirect(this.#options.dashboard, headers) : undefined
  }

  /** For requests from inside the process, which come and go whole. */
  async inner({
    method,
    path: url,
    body,
    authorization,
    address = 'pipeline',
  }: Parameters<SearchApi['answer']>[0]): Promise<Reply> {
    const bytes = body === undefined ? noBytes : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    const path = pathOf(url)
    const isLines = /\/_(?:bulk|msearch)\/?$/.test(path)
    const headers: IncomingHttpHeaders = {
      ...(bytes.length > 0 && { 'content-type': isLines ? 'application/x-ndjson' : 'application/json' }),
    }
    const request: ProxyRequest = {
      method,
      path,
      query: queryOf(url),
      headers,
      body: async () => bytes,
      stream: () => (bytes.length === 0 ? undefined : bytes),
      signal: neverAborted,
    }
    try {
      const answer =
        authorization === undefined
          ? await this.#proxy.answer(request)
          : await this.#permitted(request, { method, url, authorization, address })
      if (!('stream' in answer)) return madeReply(answer, request)
      const pieces: Buffer[] = []
      let size = 0
      for await (const piece of answer.stream as AsyncIterable<Buffer>) {
        size += piece.length
        if (size > maxInnerBytes)
          throw new HttpProblem(413, `the answer is larger than ${maxInnerBytes} bytes`)
        pieces.push(piece)
      }
      const type = answer.headers['content-type'] ?? 'application/json'
      return { status: answer.status, type, content: { pieces } }
    } catch (error) {
      return replyOf(failure(error), headers)
    }
  }
}

const noBytes = Buffer.alloc(0)
const neverAborted = new AbortController().signal

/** The memory of one request, given back when it is over. */
class Reservations {
  readonly #memory: StoreMemory
  readonly #leave: (() => void)[] = []
  #isOver = false

  constructor(memory: StoreMemory) {
    this.#memory = memory
  }

  async admit(bytes: number): Promise<void> {
    const leave = await this.#memory.admitBody(bytes)
    if (this.#isOver) leave()
    else this.#leave.push(leave)
  }

  release(): void {
    this.#isOver = true
    for (const leave of this.#leave.splice(0)) leave()
  }
}

function requestOf(message: IncomingMessage, signal: AbortSignal, memory: Reservations): ProxyRequest {
  const { method = 'GET', url = '/', headers } = message
  const length = announcedBytes(message)
  if (length !== undefined && length > maxBodySize)
    throw new HttpProblem(413, `the body is larger than ${maxBodySize} bytes`)
  return {
    method,
    path: pathOf(url),
    query: queryOf(url),
    headers,
    async body() {
      if (length === 0) return noBytes
      await memory.admit((length ?? streamedBytes) * readFactor)
      const raw = await readBody(message, maxBodySize, (bytes) => memory.admit(bytes))
      return plainBody(raw, headers['content-encoding'], memory)
    },
    stream() {
      if (length === 0) return undefined
      // Small enough to be admitted always; it is given back with the rest.
      void memory.admit(streamedBytes).catch(() => undefined)
      return new BoundedBody(message, maxBodySize)
    },
    signal,
  }
}

async function plainBody(raw: Buffer, encoding: string | undefined, memory: Reservations): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity' || raw.length === 0) return raw
  if (encoding !== 'gzip') throw new HttpProblem(415, `Content-Encoding [${encoding}] is not supported`)
  await memory.admit(raw.length * readFactor)
  try {
    return await unpacked(raw, 'gzip', maxBodySize)
  } catch (error) {
    throw error instanceof UnpacksToTooMuch
      ? new HttpProblem(413, `the body is larger than ${maxBodySize} bytes`)
      : new HttpProblem(400, 'the body is not valid gzip')
  }
}

function pathOf(url: string): string {
  const question = url.indexOf('?')
  return question < 0 ? url : url.slice(0, question)
}

function queryOf(url: string): string {
  const question = url.indexOf('?')
  return question < 0 ? '' : url.slice(question + 1)
}

function refusedAnswer({ status = 200, body, text, headers }: Answer): ProxyAnswer {
  return { status, body: body ?? text ?? '', ...(headers !== undefined && { headers }) }
}

function failure(error: unknown): Answer {
  if (error instanceof ClusterUnreachable) return { status: error.status, body: error.body }
  const known =
    error instanceof AnswerTooLarge ? new SearchError('circuit_breaking_exception', error.message) : error
  const body = errorBody(known, false)
  return { status: body.status, body }
}

function replyOf({ status = 200, body, text, headers }: Answer, asked: IncomingHttpHeaders): Reply {
  const all = { ...alwaysSent(asked), ...headers }
  if (body === undefined)
    return { status, type: 'text/plain; charset=UTF-8', content: { text: text ?? '' }, headers: all }
  return {
    status,
    type: jsonType(asked, 'application/json'),
    content: { text: writeJson(body) },
    headers: all,
  }
}

/** An answer that was made here, as `pretty` and `filter_path` want it. */
function madeReply(
  answer: Exclude<ProxyAnswer, { stream: IncomingMessage }>,
  { headers: asked, query }: ProxyRequest,
): Reply {
  const { status, body, headers } = answer
  if (typeof body === 'string') return replyOf({ status, text: body, ...(headers && { headers }) }, asked)
  const parameters = new URLSearchParams(query)
  const paths = parameters.get('filter_path')
  const kept = paths === null || paths === '' || status >= 400 ? body : filterPaths(body, paths, insideOf)
  const pretty = parameters.get('pretty')
  const text = writeJson(kept, pretty !== null && pretty !== 'false')
  const type = jsonType(asked, 'application/json')
  return { status, type, content: { text }, headers: { ...alwaysSent(asked), ...headers } }
}
