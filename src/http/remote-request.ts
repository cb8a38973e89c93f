/**
 * One request to another server and its answer, for APIs that fetch from elsewhere on behalf of a user. Bounded in
 * time and size; redirects are answers, not followed.
 */

interface RemoteRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly timeoutMillis: number
  readonly maxBytes: number
  readonly signal?: AbortSignal | undefined
}

export interface RemoteAnswer {
  readonly status: number
  readonly statusText: string
  readonly body: Buffer
}

/** Throws what fetch throws: a TypeError whose cause has the code of the socket's error. */
export async function remoteRequest(request: RemoteRequest): Promise<RemoteAnswer> {
  const { method, url, headers = {}, body, timeoutMillis, maxBytes, signal } = request
  const timeout = AbortSignal.timeout(timeoutMillis)
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    redirect: 'manual',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  })
  const chunks: Uint8Array[] = []
  let size = 0
  if (response.body !== null) {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`)
      chunks.push(chunk)
    }
  }
  return { status: response.status, statusText: response.statusText, body: Buffer.concat(chunks) }
}

/** An answer whose body is read as it comes. Whoever asks bounds it in time by the signal. */
export function remoteResponse(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
  return fetch(url, { ...init, signal })
}
