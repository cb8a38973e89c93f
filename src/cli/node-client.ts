/** Asks a node over HTTP: ours, or any with Logstash's monitoring API. Every question has a limit in time. */
import { remoteResponse } from '../http/remote-request.ts'
import { SettingsError } from '../settings/errors.ts'
import type { Arguments } from './arguments.ts'

export const nodeFlags: readonly string[] = ['--url', '--user']

const limitMillis = 10_000

export class NodeClient {
  readonly url: string
  readonly #headers: Record<string, string>

  constructor(url: string, user: string | undefined) {
    this.url = (/^https?:\/\//.test(url) ? url : `http://${url}`).replace(/\/+$/, '')
    this.#headers =
      user === undefined ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` }
  }

  static from(given: Arguments, standard = 'http://127.0.0.1:9600'): NodeClient {
    return new NodeClient(
      given.value('--url') ?? standard,
      given.value('--user') ?? process.env['MILLRACE_USER'],
    )
  }

  async json<T>(path: string, body?: unknown): Promise<T> {
    const response = await this.open(
      path,
      AbortSignal.timeout(limitMillis),
      body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body),
          },
    )
    return (await response.json()) as T
  }

  async open(path: string, signal: AbortSignal, init: RequestInit = {}): Promise<Response> {
    let response: Response
    try {
      const headers = { ...(init.headers as Record<string, string>), ...this.#headers }
      response = await remoteResponse(`${this.url}${path}`, { ...init, headers }, signal)
    } catch (error) {
      const { cause, message } = error as Error
      const { code, message: reason = message } = (cause ?? {}) as { code?: string; message?: string }
      const hint =
        code === 'ECONNREFUSED'
          ? '\n\nNothing listens there. Start a node with `millrace -f PATH`, or name another one with --url.'
          : ''
      throw new SettingsError(`${this.url} does not answer: ${reason}${hint}`)
    }
    if (response.ok) return response
    const text = (await response.text()).slice(0, 1000)
    if (response.status === 401)
      throw new SettingsError(`${this.url} asks for a password: --user NAME:PASSWORD`)
    throw new SettingsError(`${this.url}${path}: ${response.status} ${reasonIn(text)}`)
  }
}

function reasonIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string; reason?: string } | string }
    return typeof error === 'string' ? error : (error?.message ?? error?.reason ?? text)
  } catch {
    return text
  }
}
