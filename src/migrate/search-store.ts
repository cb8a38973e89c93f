/**
 * One end of a migration: a store or a cluster behind the search API. Every request of a migration may be sent twice, so
 * one that meets a busy or absent end is repeated with growing pauses for `maxRetryMillis`.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { ClusterClient } from '../cluster/cluster-client.ts'
import { ClusterUnreachable } from '../cluster/cluster-error.ts'

/** An answer that says no, in the words of the end that gave it. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly reason: string

  constructor(where: string, status: number, reason: string) {
    super(`${where}: ${status} ${reason}`)
    this.status = status
    this.reason = reason
  }
}

interface StoreOptions {
  readonly client: ClusterClient
  /** What messages call it. */
  readonly url: string
  /** How long an end may be busy or away before the migration gives up. */
  readonly maxRetryMillis: number
  /** No request begins after it; one that is under way comes to its end. */
  readonly signal?: AbortSignal | undefined
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Answers that say "not now". */
const busy = new Set([429, 502, 503, 504])
const firstPause = 200
const maxPause = 10_000
/** Answers other than documents: mappings, templates, statistics. */
const maxAnswerBytes = 256 * 1024 * 1024

export class SearchStore {
  readonly url: string
  readonly #options: StoreOptions

  constructor(options: StoreOptions) {
    this.#options = options
    this.url = options.url
  }

  /** Returns this end for work that must be done after an interruption. */
  uninterrupted(): SearchStore {
    return new SearchStore({ ...this.#options, signal: undefined })
  }

  /** The whole text of the answer, whatever its status. Rejects with `AnswerTooLarge` past `maxBytes`. */
  async text(method: Method, path: string, body?: string, maxBytes = maxAnswerBytes) {
    const { client, maxRetryMillis, signal } = this.#options
    const limit = Date.now() + maxRetryMillis
    for (let pause = firstPause; ; pause = Math.min(pause * 2, maxPause)) {
      const isOver = Date.now() + pause > limit
      signal?.throwIfAborted()
      try {
        const type = path.includes('/_bulk') ? 'application/x-ndjson' : 'application/json'
        const answer = await client.ask(
          {
            method,
            path,
            isRepeatable: true,
            ...(body !== undefined && { body: Buffer.from(body), headers: { 'content-type': type } }),
          },
          maxBytes,
        )
        if (isOver || !busy.has(answer.status))
          return { status: answer.status, text: answer.body.toString('utf8') }
      } catch (error) {
        if (isOver || !(error instanceof ClusterUnreachable)) throw error
      }
      await wait(pause, undefined, { signal })
    }
  }

  /** The value of the answer; a status that says no is a `Refusal`. */
  async json<T>(method: Method, path: string, body?: unknown): Promise<T> {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const { status, text } = await this.text(method, path, sent)
    if (status >= 300) throw new Refusal(`${this.url} ${method} ${path}`, status, reasonIn(text))
    return JSON.parse(text) as T
  }

  /** Like `get`, but undefined for a 404. */
  async find<T>(path: string): Promise<T | undefined> {
    try {
      return await this.json<T>('GET', path)
    } catch (error) {
      if (error instanceof Refusal && error.status === 404) return undefined
      throw error
    }
  }

  async count(index: string): Promise<number> {
    return (await this.json<{ count: number }>('GET', `/${part(index)}/_count`)).count
  }

  async refresh(index: string): Promise<void> {
    await this.json('POST', `/${part(index)}/_refresh`)
  }
}

/** A name as a part of a path. */
export function part(name: string): string {
  return encodeURIComponent(name)
}

function reasonIn(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { reason?: string; root_cause?: { reason?: string }[] } }
    return error?.reason ?? error?.root_cause?.[0]?.reason ?? text.slice(0, 500)
  } catch {
    return text.slice(0, 500)
  }
}
