/**
 * The search API served from a cluster. Requests pass through as they are, bodies and answers streamed; what only
 * Millrace has is put on top with the cluster's own means: exact totals, and pages behind its result window.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { ClusterClient, ClusterRequest } from '../../../cluster/cluster-client.ts'
import { ClusterUnreachable } from '../../../cluster/cluster-error.ts'
import { unpacked } from '../../../memory/unpacking.ts'
import { compatOf, type Flavor } from '../../../search/index/compat.ts'
import { isObject } from '../../../search/request/json-object.ts'
import { versionOf } from '../identity.ts'
import { deepSearch } from './deep-search.ts'
import { requestHeaders } from './forwarded-headers.ts'
import { isMultiSearch, withExactTotals } from './multi-search.ts'
import { ClusterRefusal } from './pinned-search.ts'
import { type Product, ProductCheck } from './product.ts'
import { hasDefaultTotal, isSearch, type SearchRequest, searchRequest } from './search-request.ts'

export interface ProxyOptions {
  readonly client: ClusterClient
  /** The product that answers name. */
  readonly flavor: Flavor
  /** True when totals and deep pages are left as the cluster has them. */
  readonly isStrict: boolean
  /** True when the client's credentials are not for the cluster: the settings name others, or they are checked here. */
  readonly dropsAuthorization: boolean
}

export interface ProxyRequest {
  readonly method: string
  readonly path: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** Reads the whole body, after content decoding. */
  body(): Promise<Buffer>
  /** The body as it comes; undefined when there is none. */
  stream(): Uint8Array | Readable | undefined
  readonly signal: AbortSignal
}

export type ProxyAnswer =
  /** Passed through. */
  | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly stream: IncomingMessage }
  /** Made here. */
  | {
      readonly status: number
      readonly body: unknown
      readonly headers?: Readonly<Record<string, string | string[]>>
    }

const defaultWindow = 10_000
const maxRefusalBytes = 1024 * 1024
const maxRootBytes = 1024 * 1024
const tooLarge = /Result window is too large, from \+ size must be less than or equal to: \[(\d+)\]/
/** Searches change nothing, whatever their method. */
const reading =
  /\/(?:_search|_msearch|_count|_mget|_field_caps|_validate\/query|_explain\/[^/]+|_analyze)\/?$/

export class ClusterProxy {
  readonly #options: ProxyOptions
  readonly #product: ProductCheck

  constructor(options: ProxyOptions) {
    this.#options = options
    this.#product = new ProductCheck(options.client)
  }

  /** Rejects with `ClusterUnreachable` when no host answers. */
  async answer(request: ProxyRequest): Promise<ProxyAnswer> {
    const { method, path, query } = request
    const product = await this.#productFor(request)
    const headers = this.#headers(request, product)
    try {
      if (path === '/' && method === 'GET') return await this.#root(request, headers, product)
      if (!this.#options.isStrict) {
        if (isSearch(method, path)) return await this.#search(request, headers, product)
        if (isMultiSearch(method, path)) {
          const body = withExactTotals(await request.body())
          return await this.#send(request, withoutEncoding(headers), query, body)
        }
      }
      return await this.#send(request, headers, query, request.stream())
    } catch (error) {
      if (error instanceof ClusterUnreachable) this.#product.forget()
      if (error instanceof ClusterRefusal) return { status: error.status, body: error.body }
      throw error
    }
  }

  #headers({ headers }: ProxyRequest, product: Product | undefined): Record<string, string> {
    return requestHeaders(headers, { product, dropsAuthorization: this.#options.dropsAuthorization })
  }

  /** Undefined for somebody whom the cluster does not tell. */
  async #productFor(request: ProxyRequest): Promise<Product | undefined> {
    const { authorization } = this.#headers(request, undefined)
    return this.#product.get(authorization === undefined ? {} : { authorization }).catch((error: unknown) => {
      if (error instanceof ClusterUnreachable) throw error
      return undefined
    })
  }

  async #send(
    { method, path, signal }: ProxyRequest,
    headers: Record<string, string>,
    query: string,
    body: ClusterRequest['body'],
  ): Promise<ProxyAnswer> {
    const answer = await this.#options.client.request({
      method,
      path: query === '' ? path : `${path}?${theirParameters(query)}`,
      headers,
      body,
      signal,
      isRepeatable: method === 'GET' || method === 'HEAD' || reading.test(path),
    })
    return { status: answer.status, headers: answer.headers, stream: answer.body }
  }

  async #root(
    request: ProxyRequest,
    headers: Record<string, string>,
    product: Product | undefined,
  ): Promise<ProxyAnswer> {
    const compat = compatOf(this.#options.flavor)
    if (product === undefined || product.isOpenSearch === compat.isOpenSearch)
      return this.#send(request, headers, request.query, undefined)
    const { client } = this.#options
    const { 'accept-encoding': _, ...plain } = headers
    const { signal } = request
    const { status, body } = await client.ask(
      { method: 'GET', path: '/', headers: plain, signal },
      maxRootBytes,
    )
    const root = jsonOr(body.toString('utf8'))
    // Clients that were made for one product refuse the other.
    return { status, body: status === 200 && isObject(root) ? { ...root, ...versionOf(compat) } : root }
  }

  async #search(
    request: ProxyRequest,
    headers: Record<string, string>,
    product: Product | undefined,
  ): Promise<ProxyAnswer> {
    const { path, query } = request
    const bytes = await request.body()
    const plain = withoutEncoding(headers)
    const body = bytes.length === 0 ? undefined : bytes
    const parsed = searchRequest(path, new URLSearchParams(query), bytes)
    if (parsed === undefined) return this.#send(request, plain, query, body)
    const { from, size } = parsed
    if (from + size > defaultWindow) {
      const page = await this.#deep(request, parsed, plain, product, defaultWindow)
      if (page !== undefined) return page
    }
    const isOpen = hasDefaultTotal(parsed)
    const counted = isOpen ? `${query === '' ? '' : `${query}&`}track_total_hits=true` : query
    const answer = await this.#send(request, plain, counted, body)
    if (answer.status !== 400 || from === 0 || !('stream' in answer)) return answer
    return this.#beyondWindow(answer, request, parsed, plain, product)
  }

  /** An index may have a smaller window than is usual; the cluster's refusal says which. */
  async #beyondWindow(
    answer: Extract<ProxyAnswer, { stream: IncomingMessage }>,
    request: ProxyRequest,
    parsed: SearchRequest,
    headers: Record<string, string>,
    product: Product | undefined,
  ): Promise<ProxyAnswer> {
    const text = await textOf(answer.stream, answer.headers['content-encoding'])
    const window = Number(tooLarge.exec(text)?.[1] ?? 0)
    if (window > 0 && window < defaultWindow) {
      const page = await this.#deep(request, parsed, headers, product, window)
      if (page !== undefined) return page
    }
    return { status: answer.status, body: jsonOr(text) }
  }

  async #deep(
    { signal }: ProxyRequest,
    parsed: SearchRequest,
    headers: Record<string, string>,
    product: Product | undefined,
    window: number,
  ): Promise<ProxyAnswer | undefined> {
    if (product === undefined) return undefined
    const { client } = this.#options
    const own = headers['authorization'] === undefined ? {} : { authorization: headers['authorization'] }
    const page = await deepSearch(parsed, { client, product, headers: own, window, signal })
    return page && { status: 200, body: page }
  }
}

/** The body was read and unpacked here; an answer may have to be, too. */
function withoutEncoding(headers: Record<string, string>): Record<string, string> {
  const { 'content-encoding': _, 'content-length': _length, 'accept-encoding': accepted, ...rest } = headers
  return accepted?.includes('gzip') === true ? { ...rest, 'accept-encoding': 'gzip' } : rest
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function textOf(stream: IncomingMessage, encoding: string | undefined): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxRefusalBytes) chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  return (encoding === 'gzip' ? await unpacked(bytes, 'gzip', maxRefusalBytes) : bytes).toString('utf8')
}

/** Translates our own parameters into those of a cluster. */
function theirParameters(query: string): string {
  return query.replace(briefItems, 'filter_path=errors,items.*.error,items.*.status')
}

const briefItems = /(?<=^|&)millrace_items=failed(?=&|$)/
