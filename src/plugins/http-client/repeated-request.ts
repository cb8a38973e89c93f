/**
 * Requests of outputs for one service: sent again after growing pauses while the service cannot take them, up to a
 * number of tries. What it refuses for another reason is not sent again.
 */
import type { PluginLogger } from '../../plugin/define.ts'
import { exponentialBackOff, pause } from '../delivery/pause.ts'
import { HttpClient, type HttpClientSettings, type HttpRequest } from './http-client.ts'

interface Repetition {
  /** Further tries after the first; infinite for ever. */
  readonly retries: number
  readonly firstPause: number
  readonly maxPause: number
}

/** Undefined when it was delivered, otherwise the reason why it never will be. */
type Refusal = string | undefined

const mayPass = (status: number) => status === 429 || status >= 500

export function serviceClient(signal: AbortSignal, more: Partial<HttpClientSettings> = {}): HttpClient {
  return new HttpClient({
    connectSeconds: 10,
    socketSeconds: 60,
    requestSeconds: 60,
    connectionsPerHost: 8,
    keepAlive: true,
    followRedirects: false,
    cookies: false,
    automaticRetries: 0,
    retryNonIdempotent: false,
    proxy: undefined,
    tls: { rejectUnauthorized: true },
    signal,
    ...more,
  })
}

export async function sendRepeatedly(
  client: HttpClient,
  request: HttpRequest,
  { retries, firstPause, maxPause }: Repetition,
  signal: AbortSignal,
  logger: PluginLogger,
): Promise<Refusal> {
  // Secrets may be among the parameters.
  const [url] = request.url.split('?')
  for (let attempt = 0; ; attempt++) {
    let reason: string
    try {
      const { status, body } = await client.request(request)
      if (status >= 200 && status <= 299) return undefined
      reason = `status ${status}: ${body.slice(0, 1000)}`
      if (!mayPass(status)) return reason
    } catch (error) {
      signal.throwIfAborted()
      const { message, code } = error as NodeJS.ErrnoException
      reason = message || String(code)
    }
    if (attempt >= retries) return reason
    const seconds =
      exponentialBackOff(attempt, firstPause * 1000, Math.max(firstPause, maxPause) * 1000) / 1000
    logger.warn('A request failed and is sent again', { url, reason, attempt: attempt + 1, pause: seconds })
    await pause(seconds * 1000, signal)
  }
}
