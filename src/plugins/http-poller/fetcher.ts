/** Sends the requests of the http_poller input, with the client of the http output, and keeps whole answers. */
import type { Dispatcher } from 'undici'
import { HttpClient } from '../http-client/http-client.ts'
import { clientSettings, type HttpOptions } from '../http-client/http-options.ts'
import { readAnswer } from '../http-client/http-pool.ts'
import type { HttpPollerOptions } from './options.ts'
import type { PollRequest } from './requests.ts'

export interface PollAnswer {
  readonly status: number
  readonly message: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  readonly retries: number
}

const maxBytes = 100 * 1024 * 1024

export class Fetcher {
  readonly #client: HttpClient

  private constructor(client: HttpClient) {
    this.#client = client
  }

  static async open(options: HttpPollerOptions, abort: AbortSignal): Promise<Fetcher> {
    return new Fetcher(new HttpClient(await clientSettings(options as unknown as HttpOptions, abort)))
  }

  fetch({ method, url, headers, body }: PollRequest): Promise<PollAnswer> {
    const request = { method: method as Dispatcher.HttpMethod, url, headers, body: body ?? null }
    return this.#client.exchange(request, async (answer, retries) => ({
      status: answer.statusCode,
      message: answer.statusText,
      headers: answer.headers,
      body: await readAnswer(answer.body, maxBytes),
      retries,
    }))
  }

  /** Ends what is under way. */
  close(): Promise<void> {
    return this.#client.close()
  }
}
