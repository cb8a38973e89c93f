/**
 * The official clients of Elasticsearch and OpenSearch behind one face. They differ in where bodies go and in whether
 * answers are wrapped; everything else, and everything on the wire, is theirs. `MILLRACE_CLIENTS` names the folder
 * they are installed in, as es7, es8, es9, os2 and os3.
 */
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

export type Json = Record<string, unknown>

export interface ClientKind {
  readonly name: string
  /** What the server says it is. */
  readonly flavor: 'elasticsearch7' | 'elasticsearch8' | 'opensearch'
  /** Bodies in `body`, answers in `.body`. */
  readonly isWrapped: boolean
}

export const clientKinds: readonly ClientKind[] = [
  { name: 'es7', flavor: 'elasticsearch7', isWrapped: true },
  { name: 'es7', flavor: 'elasticsearch8', isWrapped: true },
  { name: 'es8', flavor: 'elasticsearch8', isWrapped: false },
  { name: 'es9', flavor: 'elasticsearch8', isWrapped: false },
  { name: 'os2', flavor: 'opensearch', isWrapped: true },
  { name: 'os3', flavor: 'opensearch', isWrapped: true },
]

type Method = (parameters: Json) => Promise<unknown>

export interface Helpers {
  bulk(options: Json): Promise<Json>
  scrollSearch(parameters: Json): AsyncIterable<{ body: Json; documents: Json[] }>
  scrollDocuments(parameters: Json): AsyncIterable<Json>
  search(parameters: Json): Promise<Json[]>
  msearch(): { search(header: Json, body: Json): Promise<Json>; stop(): void }
}

export class SearchClient {
  readonly kind: ClientKind
  readonly helpers: Helpers
  readonly #client: Record<string, unknown> & { close(): Promise<void> }

  constructor(kind: ClientKind, url: string, options: Json = {}) {
    const folder = resolve(process.env['MILLRACE_CLIENTS'] ?? '.tmp/clients')
    const { Client } = createRequire(join(folder, 'package.json'))(kind.name) as {
      Client: new (options: Json) => Record<string, unknown> & { helpers: Helpers; close(): Promise<void> }
    }
    const client = new Client({ node: url, maxRetries: 0, requestTimeout: 20_000, ...options })
    this.kind = kind
    this.helpers = client.helpers
    this.#client = client
  }

  /** `api` as the client names it: `search`, `indices.create`. */
  async call(api: string, parameters: Json = {}, body?: Json): Promise<Json> {
    const { isWrapped } = this.kind
    const given =
      body === undefined ? parameters : isWrapped ? { ...parameters, body } : { ...parameters, ...body }
    return this.#unwrapped(await this.#method(api)(given))
  }

  /** Calls whose body is a list: `bulk`, `msearch`. */
  async list(api: 'bulk' | 'msearch', lines: readonly Json[], parameters: Json = {}): Promise<Json> {
    const name = this.kind.isWrapped ? 'body' : api === 'bulk' ? 'operations' : 'searches'
    return this.#unwrapped(await this.#method(api)({ ...parameters, [name]: lines }))
  }

  /** Parameters of the helpers, which take bodies as the calls do. */
  helped(parameters: Json, body: Json): Json {
    return this.kind.isWrapped ? { ...parameters, body } : { ...parameters, ...body }
  }

  async openPit(index: string): Promise<string> {
    if (this.kind.flavor === 'opensearch') {
      return String((await this.call('createPit', { index, keep_alive: '1m' }))['pit_id'])
    }
    return String((await this.call('openPointInTime', { index, keep_alive: '1m' }))['id'])
  }

  closePit(id: string): Promise<Json> {
    return this.kind.flavor === 'opensearch'
      ? this.call('deletePit', {}, { pit_id: [id] })
      : this.call('closePointInTime', {}, { id })
  }

  /** The error a call ends in, as the client words it. */
  async failure(api: string, parameters: Json, body?: Json): Promise<Json> {
    try {
      await this.call(api, parameters, body)
    } catch (error) {
      const { name, message, meta } = error as Error & { meta?: { statusCode?: number; body?: unknown } }
      return { name, message, status: meta?.statusCode, body: meta?.body }
    }
    throw new Error(`${api} did not fail`)
  }

  /** A request for which the client has no method of its own. */
  async raw(method: string, path: string, body?: Json): Promise<Json> {
    const transport = this.#client['transport'] as { request(request: Json): Promise<unknown> }
    return this.#unwrapped(await transport.request({ method, path, ...(body !== undefined && { body }) }))
  }

  close(): Promise<void> {
    return this.#client.close()
  }

  #method(api: string): Method {
    let holder: Record<string, unknown> = this.#client
    const names = api.split('.')
    for (const name of names.slice(0, -1)) holder = holder[name] as Record<string, unknown>
    const method = holder[names.at(-1)!] as Method
    return (parameters) => method.call(holder, parameters)
  }

  #unwrapped(answer: unknown): Json {
    return this.kind.isWrapped ? ((answer as { body: Json }).body ?? {}) : (answer as Json)
  }
}
