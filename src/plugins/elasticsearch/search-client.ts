/** Requests to a cluster, in turn to each of its addresses; an answer that is no success is an error. */

import type { Dispatcher } from 'undici'
import { parseJson } from '../../event/json-parse.ts'
import { writeJson } from '../../event/json-write.ts'
import { type Fields, isFields } from '../../event/value.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { maxTimer } from '../../time/max-timer.ts'
import { readAnswer } from '../http-client/http-pool.ts'
import { clientTls } from '../tls/client-tls.ts'
import type { ElasticsearchOptions } from './options.ts'
import { trustedAuthorities } from './trusted-fingerprint.ts'

const maxAnswerBytes = 512 * 1024 * 1024

export class SearchError extends Error {
  readonly status: number

  constructor(status: number, text: string) {
    super(`[${status}] ${text.slice(0, 2000)}`)
    this.name = 'SearchError'
    this.status = status
  }
}

export class SearchClient {
  readonly #dispatcher: Dispatcher
  readonly #urls: readonly string[]
  readonly #headers: readonly string[]
  readonly #requestMilliseconds: number
  readonly #running = new Set<AbortController>()
  #next = 0

  private constructor(dispatcher: Dispatcher, urls: readonly string[], options: ElasticsearchOptions) {
    this.#dispatcher = dispatcher
    this.#urls = urls
    this.#requestMilliseconds = Math.min(Math.max(1, options.request_timeout_seconds * 1000), maxTimer)
    this.#headers = headersOf(options, urls[0]!)
  }

  static async open(options: ElasticsearchOptions): Promise<SearchClient> {
    const { Agent, ProxyAgent } = await import('undici')
    const urls = urlsOf(options)
    const pool = {
      headersTimeout: options.socket_timeout_seconds * 1000,
      bodyTimeout: options.socket_timeout_seconds * 1000,
    }
    const connect = {
      timeout: options.connect_timeout_seconds * 1000,
      ...(urls.some((url) => url.startsWith('https:')) && (await tlsOf(options, urls))),
    }
    const dispatcher =
      options.proxy === undefined || options.proxy === ''
        ? new Agent({ ...pool, connect })
        : new ProxyAgent({ ...pool, uri: options.proxy, requestTls: connect })
    return new SearchClient(dispatcher, urls, options)
  }

  async send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: string | Fields): Promise<Fields> {
    const { request } = await import('undici')
    const controller = new AbortController()
    const timer = setTimeout(
      () => controller.abort(new Error('Request timed out')),
      this.#requestMilliseconds,
    )
    this.#running.add(controller)
    try {
      const base = this.#urls[this.#next++ % this.#urls.length]!
      const { statusCode, body: answer } = await request(`${base}${path}`, {
        method,
        headers: [...this.#headers],
        body: body === undefined ? null : typeof body === 'string' ? body : writeJson(body),
        dispatcher: this.#dispatcher,
        signal: controller.signal,
      })
      const text = (await readAnswer(answer, maxAnswerBytes)).toString('utf8')
      if (statusCode < 200 || statusCode > 299) throw new SearchError(statusCode, text)
      const value = text === '' ? {} : parseJson(text)
      if (!isFields(value)) throw new SearchError(statusCode, 'the answer is not a JSON object')
      return value
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

/** Addresses without user names, which go into a header. */
function urlsOf(options: ElasticsearchOptions): string[] {
  const { cloud_id } = options
  const given = options.hosts.map(textOf)
  if (cloud_id !== undefined) {
    if (given.length > 0) throw new Error('Both cloud_id and hosts specified, please only use one of those.')
    return [cloudUrl(cloud_id)]
  }
  const scheme = options.ssl_enabled ? 'https' : 'http'
  return (given.length === 0 ? ['localhost'] : given).map((host) => {
    const written = /^https?:\/\//.test(host) ? host : `${scheme}://${host.replace(/^\/\//, '')}`
    const url = new URL(written)
    const explicit = /^https?:\/\/[^/]*:\d+(?:\/|$)/.test(written)
    if (!explicit) url.port = '9200'
    return `${url.protocol}//${url.host}${url.pathname.replace(/\/$/, '')}`
  })
}

/** `name:base64(domain[:port]$cluster$…)` */
function cloudUrl(id: string): string {
  const text = Buffer.from(id.slice(id.lastIndexOf(':') + 1), 'base64').toString('utf8')
  const [domain = '', cluster = ''] = text.split('$')
  if (cluster === '' || domain === '')
    throw new Error(`Cloud Id, after decoding, is invalid: ${JSON.stringify(text)}`)
  const [name = '', port = '443'] = domain.split(':')
  return `https://${cluster}.${name}:${port}`
}

async function tlsOf(options: ElasticsearchOptions, urls: readonly string[]) {
  if (options.ssl_truststore_path !== undefined) {
    throw new Error(
      '`ssl_truststore_path`: trust stores cannot be read, use `ssl_certificate_authorities` instead',
    )
  }
  const tls = await clientTls(options)
  if (options.ca_trusted_fingerprint.length > 0) {
    const found = await trustedAuthorities(urls[0]!, options.ca_trusted_fingerprint)
    if (found.length > 0) tls.ca = found
  }
  const checks = options.ssl_verification_mode === 'full' && options.ssl_certificate_verification !== false
  return { ...tls, rejectUnauthorized: checks }
}

function headersOf(options: ElasticsearchOptions, url: string): string[] {
  const headers = ['Content-Type', 'application/json', 'Accept', 'application/json']
  const token = tokenOf(options, url)
  if (token !== undefined) headers.push('Authorization', token)
  for (const [name, value] of options.custom_headers) headers.push(name, textOf(value))
  return headers
}

function tokenOf(options: ElasticsearchOptions, url: string): string | undefined {
  const { api_key, cloud_auth, user, password } = options
  const given = [api_key, cloud_auth, user].filter((one) => one !== undefined)
  if (given.length > 1) {
    throw new Error(
      'Multiple authentication options are specified, please only use one of user/password, cloud_auth or api_key',
    )
  }
  if (api_key !== undefined) {
    if (!url.startsWith('https:'))
      throw new Error(
        'Using api_key authentication requires SSL/TLS secured communication using the `ssl_enabled => true` option',
      )
    const key = api_key.value
    return `ApiKey ${key.includes(':') ? Buffer.from(key).toString('base64') : key}`
  }
  if (cloud_auth !== undefined) return `Basic ${Buffer.from(cloud_auth.value).toString('base64')}`
  if (user === undefined) return undefined
  return `Basic ${Buffer.from(`${user}:${password?.value ?? ''}`).toString('base64')}`
}
