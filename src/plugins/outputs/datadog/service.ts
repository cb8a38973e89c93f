/** What both outputs for Datadog share: the key, the tags, and requests that are sent again for some minutes. */
import type { Event } from '../../../event/event.ts'
import type { Compile } from '../../../plugin/compile.ts'
import { option, type PluginLogger, type Value } from '../../../plugin/define.ts'
import { textOf } from '../../../plugin/raw-text.ts'
import type { HttpClient } from '../../http-client/http-client.ts'
import { sendRepeatedly, serviceClient } from '../../http-client/repeated-request.ts'

/** About five minutes of tries. */
const repetition = { retries: 8, firstPause: 1, maxPause: 60 }

export const givesUpSentence = 'What the service refuses, or cannot take for minutes, is logged and given up.'

export const datadogOptions = {
  api_key: option.string({ required: true, doc: 'Key of the Datadog API.' }),
  dd_tags: option.array({
    doc: 'Tags in Datadog; may contain `%{…}`. The tags of the event unless given.',
  }),
}

/** The tags that are sent with an event. */
export function compileTags(given: readonly Value[] | undefined, compile: Compile) {
  const tags = given?.map((tag) => compile.template(textOf(tag)))
  return (event: Event) => tags?.map((tag) => tag(event)) ?? event.get('tags')
}

export class DatadogService {
  readonly #url: string
  readonly #abort: AbortSignal
  readonly #logger: PluginLogger
  #client: HttpClient | undefined

  constructor(address: string, key: string, abort: AbortSignal, logger: PluginLogger) {
    this.#url = `${address}?api_key=${encodeURIComponent(key)}`
    this.#abort = abort
    this.#logger = logger
  }

  open(): void {
    this.#client = serviceClient(this.#abort)
  }

  /** Undefined when it was delivered, otherwise why it never will be. */
  post(body: unknown): Promise<string | undefined> {
    const headers = [['Content-Type', 'application/json']] as const
    const request = { method: 'POST', url: this.#url, headers, body: JSON.stringify(body) } as const
    return sendRepeatedly(this.#client!, request, repetition, this.#abort, this.#logger)
  }

  async close(): Promise<void> {
    const closing = this.#client
    this.#client = undefined
    await closing?.close()
  }
}
