/**
 * The search API as a node:http listener: routing, parameters, body, handler, and the answer in the requested
 * format. Every answer names the product, as official clients require.
 */
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { bodyMemory } from '../../http/body-memory.ts'
import { filterInParts } from '../../http/filter-path.ts'
import { HttpProblem } from '../../http/problem.ts'
import { announcedBytes, readBody } from '../../http/request-body.ts'
import { type Reply, send } from '../../http/respond.ts'
import { Router } from '../../http/router.ts'
import {
  announcedBytes as announcedBySender,
  UnpacksToTooMuch,
  unpacked as unpack,
} from '../../memory/unpacking.ts'
import type { AnswerBytes } from '../../search/answer/answer-memory.ts'
import { insideOf, plainJson, prettyJson, RawJson } from '../../search/answer/json-text.ts'
import { type Notation, writtenBytes } from '../../search/answer/value-writer.ts'
import type { JsonDialect } from '../../search/request/body/json-syntax-error.ts'
import { SearchError } from '../../search/request/search-error.ts'
import type { Steps } from '../../search/scheduling/steps.ts'
import { Call } from './call.ts'
import { errorBody } from './error-envelope.ts'
import type { Guard } from './front-guard.ts'
import { acceptedType, jsonTypeFor, type MediaType, parseMediaType } from './media-type.ts'
import type { SearchNode } from './node-view.ts'
import { inOpenSearchWords } from './open-search-words.ts'
import { parametersOf } from './query-string.ts'
import { RequestJson } from './request-json.ts'
import { RequestMemory } from './request-memory.ts'
import type { Answer, Route } from './route.ts'
import { runAsOf } from './run-as.ts'
import type { Access } from './security/access.ts'
import { checkParameters } from './unknown-parameters.ts'
import { yamlAsJson } from './yaml-body.ts'
import { yaml } from './yaml-text.ts'

/** `http.max_content_length`. */
const maxBodySize = 100 * 1024 * 1024

interface Incoming {
  readonly method: string
  readonly url: string
  readonly path: string
  readonly parameters: ReadonlyMap<string, string>
  /** Why the parameters cannot be decoded; undefined when they can. */
  readonly wrongParameters: unknown
  readonly headers: IncomingHttpHeaders
  readonly accept: MediaType | undefined
  /** The body after content decoding. */
  body(memory: RequestMemory): Promise<Buffer>
}

/** A request without a connection, from a pipeline of this process or its dashboard. */
interface InnerRequest {
  readonly method: string
  /** Includes the query string. */
  readonly path: string
  readonly body: Uint8Array | undefined
  /** Absent for trusted callers; otherwise the value of an `Authorization` header, empty for none. */
  readonly authorization?: string | undefined
  /** The client's address, for counting failed logins. */
  readonly address?: string | undefined
}

export interface SearchService {
  readonly listener: RequestListener
  /** Answers as the listener does, including content types. */
  answer(request: InnerRequest): Promise<Reply>
}

export function searchService(node: SearchNode, routes: readonly Route[], guard?: Guard): SearchService {
  const router = new Router<Route>()
  for (const one of routes)
    for (const path of one.paths) for (const method of one.methods) router.add(method, path, one)
  return {
    listener: (message, response) => void serve(node, router, message, response, guard),
    answer: async ({ method, path, body, authorization, address = 'pipeline' }) => {
      const headers = { 'content-type': 'application/json' }
      const plain = body === undefined ? noBytes : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      const incoming = incomingOf(method, path, headers, async (memory) => {
        await memory.admit(plain.length)
        return plain
      })
      const memory = new RequestMemory(node.cluster, incoming.path)
      try {
        if (node.gate === undefined || authorization === undefined)
          return await reply({ node, router, incoming, signal: neverAborted, access: undefined, memory })
        const entry = await node.gate.enter({ method, url: path, authorization, address }, node.cluster)
        return 'access' in entry
          ? await reply({ node, router, incoming, signal: neverAborted, access: entry.access, memory })
          : await replyOf(node, incoming, entry.refused, neverAborted, memory)
      } finally {
        memory.end()
      }
    },
  }
}

const noBytes = Buffer.alloc(0)
const neverAborted = new AbortController().signal

async function serve(
  node: SearchNode,
  router: Router<Route>,
  message: IncomingMessage,
  response: ServerResponse,
  guard: Guard | undefined,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = message
  const incoming = incomingOf(method, url, headers, async (memory) => {
    const length = announcedBytes(message)
    if (length === undefined || length <= maxBodySize) await memory.admit(length)
    const raw = await readBody(message, maxBodySize, (bytes) => memory.admitUpTo(bytes))
    return unpacked(raw, headers['content-encoding'], memory)
  })
  const memory = new RequestMemory(node.cluster, incoming.path)
  const gone = new AbortController()
  // After the answer is sent there are no listeners, and aborting would create an error with a stack.
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  try {
    const verdict = guard?.(message)
    let refused = verdict?.answer
    if (verdict?.headers !== undefined)
      for (const [name, value] of Object.entries(verdict.headers)) response.setHeader(name, value)
    let access: Access | undefined
    if (refused === undefined && node.gate !== undefined) {
      const address = message.socket.remoteAddress ?? ''
      const entered = node.gate.enter(
        { method, url, authorization: headers.authorization, address, runAs: runAsOf(headers) },
        node.cluster,
      )
      const entry = entered instanceof Promise ? await entered : entered
      if ('access' in entry) access = entry.access
      else refused = entry.refused
    }
    const answer =
      refused === undefined
        ? await reply({ node, router, incoming, signal: gone.signal, access, memory })
        : await replyOf(node, incoming, refused, gone.signal, memory)
    await send(message, response, answer, false)
  } catch {
    // Rendering itself failed, so the connection is dropped.
    response.destroy()
  } finally {
    // A client that reads slowly keeps its answer in memory.
    if (response.closed) memory.end()
    else response.once('close', () => memory.end())
  }
}

/** A request that may be answered: it is let in, and its memory is accounted for. */
interface Exchange {
  readonly node: SearchNode
  readonly router: Router<Route>
  readonly incoming: Incoming
  readonly signal: AbortSignal
  readonly access: Access | undefined
  readonly memory: RequestMemory
}

async function reply(exchange: Exchange): Promise<Reply> {
  const { node, incoming, signal, memory } = exchange
  try {
    if (incoming.wrongParameters !== undefined) throw incoming.wrongParameters
    const answer = await answerTo(exchange)
    return await replyOf(node, incoming, answer, signal, memory)
  } catch (error) {
    const withTrace = isOn(incoming.parameters.get('error_trace'))
    const refused = refusal(node.cluster.failureOf(error), withTrace, node.cluster.compat.isOpenSearch)
    memory.answer.release()
    return replyOf(node, incoming, refused, signal, memory)
  }
}

function incomingOf(
  method: string,
  url: string,
  headers: IncomingHttpHeaders,
  body: Incoming['body'],
): Incoming {
  const question = url.indexOf('?')
  let parameters: Incoming['parameters'] = new Map()
  let wrongParameters: unknown
  try {
    parameters = parametersOf(question < 0 ? '' : url.slice(question + 1))
  } catch (error) {
    wrongParameters = error
  }
  return {
    method,
    url,
    path: question < 0 ? url : url.slice(0, question),
    parameters,
    wrongParameters,
    headers,
    accept: acceptedType(headers.accept),
    body,
  }
}

function isOn(text: string | undefined): boolean {
  return text === '' || text === 'true'
}

async function answerTo({ node, router, incoming, signal, access, memory }: Exchange): Promise<Answer> {
  const { method, path, parameters, headers } = incoming
  const match = router.find(method, path)
  if (match === undefined) return unrouted(incoming, router.methods(path), node.cluster.compat.isOpenSearch)
  checkParameters(match.handler, parameters, path)
  const { body, contentType } = await bodyOf(incoming, memory, node.cluster.compat.json)
  // Requests without a body are mostly monitoring and skip the queue.
  if (!body.isEmpty) await node.cluster.scheduler.admit()
  const parts = match.parameters
  const call = new Call({
    node,
    method,
    path,
    parts,
    parameters,
    headers,
    body,
    contentType: contentType ?? incoming.accept,
    signal,
    access,
  })
  if (access !== undefined) node.gate?.authorize(access, match.handler, call)
  if (match.handler.readsBytes !== true) await body.prepare()
  return match.handler.handle(call)
}

function unrouted({ method, url }: Incoming, allowed: readonly string[], isOpenSearch: boolean): Answer {
  if (allowed.length === 0) {
    if (method === 'OPTIONS') return { text: '' }
    // OpenSearch leaves the query out here, and only here.
    const error = `no handler found for uri [${isOpenSearch ? url.split('?')[0] : url}] and method [${method}]`
    return { status: 400, body: { error } }
  }
  const methods = [...allowed].sort()
  if (method === 'OPTIONS') return { text: '', headers: { allow: methods.join(',') } }
  const error = `Incorrect HTTP method for uri [${url}] and method [${method}], allowed: [${methods.join(', ')}]`
  return { status: 405, body: { error, status: 405 }, headers: { allow: methods.join(',') } }
}

async function bodyOf(
  { headers, parameters, body }: Incoming,
  memory: RequestMemory,
  dialect: JsonDialect,
): Promise<{ readonly body: RequestJson; readonly contentType: MediaType | undefined }> {
  const raw = await body(memory)
  const source = parameters.get('source')
  const isInQuery = raw.length === 0 && source !== undefined
  const plain = isInQuery ? Buffer.from(source) : raw
  const named = isInQuery ? (parameters.get('source_content_type') ?? '') : headers['content-type']
  const contentType = named === undefined ? undefined : parseMediaType(named)
  if (plain.length === 0) return { body: new RequestJson(plain, dialect), contentType }
  if (isInQuery && named === '')
    throw new SearchError(
      'illegal_state_exception',
      'source and source_content_type parameters are required',
      { status: 500 },
    )
  if (contentType === undefined) throw new UnsupportedType(named)
  if (contentType.kind !== 'yaml') return { body: new RequestJson(plain, dialect), contentType }
  return { body: new RequestJson(await yamlAsJson(plain), dialect), contentType }
}

async function unpacked(raw: Buffer, encoding: string | undefined, memory: RequestMemory): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity' || raw.length === 0) return raw
  if (encoding !== 'gzip') throw new HttpProblem(415, `Content-Encoding [${encoding}] is not supported`)
  try {
    const announced = announcedBySender(raw)
    // With several parts only the length of the last is known, and the chunks are concatenated at the end.
    if (announced <= maxBodySize) await memory.admitUpTo(raw.length + announced)
    let plain: Buffer
    try {
      plain = await unpack(raw, 'gzip', Math.min(announced, maxBodySize))
    } catch (error) {
      if (!(error instanceof UnpacksToTooMuch) || announced >= maxBodySize) throw error
      await memory.admitUpTo(raw.length + 2 * maxBodySize)
      plain = await unpack(raw, 'gzip', maxBodySize)
    }
    bodyMemory.giveBack(raw)
    return plain
  } catch (error) {
    if (error instanceof SearchError) throw error
    throw error instanceof UnpacksToTooMuch
      ? new HttpProblem(413, `the body is larger than ${maxBodySize} bytes`)
      : new HttpProblem(400, 'the body is not valid gzip')
  }
}

/** Reported as plain text without the error envelope. */
class UnsupportedType extends Error {
  constructor(type: string | undefined) {
    super(
      type === undefined
        ? 'Content-Type header is missing'
        : `Content-Type header [${type}] is not supported`,
    )
    this.name = 'UnsupportedType'
  }
}

function refusal(error: unknown, withTrace: boolean, isOpenSearch: boolean): Answer {
  if (error instanceof UnsupportedType) return { status: 406, body: { error: error.message, status: 406 } }
  const body = errorBody(error, withTrace)
  if (!isOpenSearch || typeof body.error === 'string') return { status: body.status, body }
  return { status: body.status, body: { ...body, error: inOpenSearchWords(body.error) } }
}

async function replyOf(
  node: SearchNode,
  incoming: Incoming,
  answer: Answer,
  gone: AbortSignal,
  memory: RequestMemory,
): Promise<Reply> {
  const { compat } = node.cluster
  const { parameters, headers: sent, accept } = incoming
  const status = answer.status ?? 200
  const opaque = sent['x-opaque-id']
  const headers = {
    'x-elastic-product': 'Elasticsearch',
    ...(opaque !== undefined && { 'x-opaque-id': opaque }),
    ...answer.headers,
  }
  if (answer.body === undefined)
    return { status, type: 'text/plain; charset=UTF-8', content: { text: answer.text ?? '' }, headers }
  const filter = status < 400 ? parameters.get('filter_path') : undefined
  const isYaml = (parameters.get('format') ?? accept?.kind) === 'yaml'
  const asked = accept ?? parseMediaType(sent['content-type'] ?? '')
  const type = isYaml ? 'application/yaml' : jsonTypeFor(asked, compat.flavor === 'elasticsearch8')
  const notation = isYaml ? yaml : isPretty(parameters.get('pretty')) ? prettyJson : plainJson
  const steps = bodySteps(answer.body, filter ?? '', notation, memory.answer)
  const pieces = await node.cluster.scheduler.begin(steps, () => gone.throwIfAborted())
  return { status, type, content: { pieces }, headers }
}

function* bodySteps(
  body: unknown,
  filter: string,
  notation: Notation,
  bytes: AnswerBytes,
): Steps<readonly Uint8Array[]> {
  const value = filter === '' ? body : yield* filterInParts(body, filter, insideOf)
  const isWritten = value instanceof RawJson && value.bytes !== undefined && notation === plainJson
  return isWritten ? [value.bytes] : yield* writtenBytes(value, notation, bytes)
}

function isPretty(text: string | undefined): boolean {
  return text !== undefined && text !== 'false'
}
