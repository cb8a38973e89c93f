/**
 * Asks a server about every event of a batch, all at the same time within the limits of the client, and hands
 * over the answer. Which requests to send and what to make of answers is up to the filter.
 */
import type { Event } from '../../../event/event.ts'
import type { Fields } from '../../../event/value.ts'
import { isFields, readField, type Value } from '../../../event/value.ts'
import { textOf } from '../../../plugin/raw-text.ts'
import { basicAuthentication } from '../../http-client/basic-auth.ts'
import { Fetcher, type PollAnswer } from '../../http-poller/fetcher.ts'
import type { HttpPollerOptions } from '../../http-poller/options.ts'

export interface Question {
  readonly method: string
  readonly url: string
  readonly query: Value | undefined
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
  readonly user: string | undefined
  readonly password: string | undefined
}

export class Asking {
  readonly #open: () => Promise<Fetcher>
  #fetcher: Fetcher | undefined

  constructor(options: unknown, abort: AbortSignal) {
    this.#open = () => Fetcher.open(options as HttpPollerOptions, abort)
  }

  async register(): Promise<void> {
    this.#fetcher ??= await this.#open()
  }

  /** Rejects when there is no answer. */
  async ask(question: Question): Promise<PollAnswer> {
    await this.register()
    const url = urlOf(question)
    const headers = [...question.headers]
    if (question.user !== undefined && !headers.some(([name]) => /^authorization$/i.test(name)))
      headers.push(['Authorization', basicAuthentication(question.user, question.password ?? '')])
    const { method, body } = question
    return this.#fetcher!.fetch({ name: '', method, url, headers, body, shown: {} })
  }

  async close(): Promise<void> {
    await this.#fetcher?.close()
    this.#fetcher = undefined
  }
}

function urlOf({ url, query }: Question): string {
  const target = new URL(url)
  if (isFields(query)) {
    for (const name of Object.keys(query))
      target.searchParams.append(name, textOf(readField(query, name) ?? ''))
  }
  return target.href
}

export function headersOf(given: Value): [string, string][] {
  if (!isFields(given)) return []
  return Object.keys(given).map((name) => [name.toLowerCase(), textOf(readField(given, name) ?? '')])
}

/** As fields: a header that came several times is a list. */
export function headerFields({ headers }: PollAnswer): Fields {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Fields
}

export function isJson({ headers }: PollAnswer): boolean {
  const types = [headers['content-type'] ?? ''].flat()
  return types.flatMap((type) => type.split(';')).some((part) => part.trim() === 'application/json')
}

export function tagAll(event: Event, tags: readonly string[]): void {
  for (const tag of tags) event.tag(tag)
}
