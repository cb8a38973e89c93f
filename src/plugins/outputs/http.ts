/**
 * The http output: a request per event, or per batch. What fails for a reason that may pass is sent again with
 * growing pauses until it works; what the server refuses is logged and dropped.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Event } from '../../event/event.ts'
import { valueText } from '../../event/sprintf.ts'
import { defineOutput } from '../../plugin/define.ts'
import { pause } from '../delivery/pause.ts'
import { basicAuthentication } from '../http-client/basic-auth.ts'
import { compileMapping, formBody, jsonBatchBody, jsonBody } from '../http-client/http-body.ts'
import { HttpClient, type HttpRequest, isHopeless } from '../http-client/http-client.ts'
import { clientSettings, httpOptions } from '../http-client/http-options.ts'

const compress = promisify(gzip)
const maxPause = 60

const contentTypes = {
  json: 'application/json',
  json_batch: 'application/json',
  form: 'application/x-www-form-urlencoded',
  message: 'text/plain',
}

export default defineOutput({
  name: 'http',
  summary: 'Sends events to an HTTP server.',
  description:
    'Up to `pool_max` requests are under way at the same time, so the order of events is not kept. The codec is ' +
    'not used; `format` says what is sent.',
  options: httpOptions,
  concurrency: 'shared',
  create({ options, compile, abort, logger, giveUp }) {
    const { format, retry_failed, retryable_codes, ignorable_codes, pool_max } = options
    const method = options.http_method.toUpperCase() as HttpRequest['method']
    const batch = format === 'json_batch'
    const template = (text: string) => (batch ? () => text : compile.template(text))
    if (format === 'message' && options.message === undefined) {
      throw new Error('message must be set if message format is used')
    }
    const url = template(options.url)
    const message = compile.template(options.message ?? '')
    const mapping = options.mapping === undefined ? undefined : compileMapping(options.mapping, compile)
    const headers = [...options.headers]
      .filter(([name]) => name.toLowerCase() !== 'content-type')
      .map(([name, value]) => [name, template(valueText(value))] as const)
    const contentType = template(options.content_type ?? contentTypes[format])
    const fixed: [string, string][] = []
    if (options.http_compression) fixed.push(['Content-Encoding', 'gzip'])
    if (options.user !== undefined) {
      fixed.push(['Authorization', basicAuthentication(options.user, options.password)])
    }
    let client: HttpClient | undefined

    /** `events` has one element, unless a whole batch is one request. */
    const requestFor = async (events: readonly Event[]): Promise<HttpRequest> => {
      const event = events[0]!
      let body: string
      if (format === 'json_batch') body = jsonBatchBody(events, mapping)
      else if (format === 'form') body = formBody(event, mapping)
      else body = format === 'json' ? jsonBody(event, mapping) : message(event)
      return {
        method,
        url: url(event),
        headers: [
          ...headers.map(([name, value]) => [name, value(event)] as const),
          ['Content-Type', contentType(event)],
          ...fixed,
        ],
        body: options.http_compression ? await compress(body) : body,
      }
    }

    const giveUpAll = (events: readonly Event[], reason: string) => {
      for (const event of events) giveUp(event, reason)
    }

    const fail = (error: Error, requestUrl: string, willRetry: boolean) => {
      logger.error('[HTTP Output Failure] Could not fetch URL', {
        url: requestUrl,
        method: options.http_method,
        message: error.message || (error as NodeJS.ErrnoException).code,
        class: error.name,
        will_retry: willRetry,
      })
    }

    /** True when the request should be sent again. */
    const attempt = async (request: HttpRequest, events: readonly Event[]): Promise<boolean> => {
      try {
        const { status, body } = await client!.request(request)
        if ((status >= 200 && status <= 299) || ignorable_codes.includes(status)) return false
        if (!retryable_codes.includes(status)) {
          logger.error(`[HTTP Output Failure] Encountered non-2xx HTTP code ${status}`, {
            response_code: status,
            url: request.url,
            event: batch ? events.length : events[0]!.toHash(),
          })
          giveUpAll(events, `Encountered non-2xx HTTP code ${status}`)
          return false
        }
        if (status === 429) {
          logger.debug(
            'Encountered a 429 response, will retry. This is not serious, just flow control via HTTP',
          )
        } else {
          const outlook = retry_failed ? 'will retry' : "won't retry"
          const text = `Encountered a retryable HTTP request in HTTP output, ${outlook}`
          logger.warn(text, { code: status, body })
        }
        if (!retry_failed) giveUpAll(events, `Encountered non-2xx HTTP code ${status}`)
        return retry_failed
      } catch (error) {
        abort.throwIfAborted()
        const willRetry = retry_failed && !isHopeless(error as Error)
        fail(error as Error, request.url, willRetry)
        if (!willRetry) giveUpAll(events, (error as Error).message)
        return willRetry
      }
    }

    const deliver = async (events: readonly Event[]): Promise<void> => {
      let request: HttpRequest
      try {
        request = await requestFor(events)
      } catch (error) {
        fail(error as Error, options.url, false)
        // One event that cannot be written must not take its batch along.
        if (events.length > 1) for (const event of events) await deliver([event])
        else giveUpAll(events, (error as Error).message)
        return
      }
      for (let tries = 1; await attempt(request, events); tries++) {
        const seconds = pauseSeconds(tries)
        logger.info(`Retrying http request, will sleep for ${seconds} seconds`)
        await pause(seconds * 1000, abort)
      }
    }

    return {
      async register() {
        if (format === 'message' && options.mapping !== undefined) {
          logger.warn('mapping is not supported and will be ignored if message format is used')
        }
        client = new HttpClient(await clientSettings(options, abort))
      },
      async receive(events) {
        if (events.length === 0) return
        if (batch) {
          await deliver(events)
          return
        }
        let next = 0
        const run = async () => {
          while (next < events.length) await deliver([events[next++]!])
        }
        await Promise.all(Array.from({ length: Math.min(Math.max(1, pool_max), events.length) }, run))
      },
      async close() {
        const closing = client
        client = undefined
        await closing?.close()
      },
    }
  },
})

/** Whole seconds: half of the square of the number of tries for sure, up to as much again by chance. */
export function pauseSeconds(tries: number, random = Math.random()): number {
  const max = Math.min(tries ** 2, maxPause)
  return Math.floor(max / 2) + Math.floor(Math.floor(random * (max + 1)) / 2)
}
