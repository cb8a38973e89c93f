/** Fetches a pipeline configuration over HTTP: one GET, no redirects, ten seconds, 64 MiB. */
import type { IncomingMessage } from 'node:http'
import { ConfigLoadingError } from './errors.ts'

const limitMillis = 10_000
const maxBytes = 64 * 1024 * 1024

const reasons: ReadonlyMap<number, string> = new Map([
  [302, "We don't follow redirection for remote configuration"],
  [404, 'File not found'],
  [403, 'Permission denied'],
  [500, '500 error on remote host'],
])

export async function fetchConfig(address: string): Promise<string> {
  const url = new URL(address)
  const shown = withoutPassword(url)
  try {
    return await get(url)
  } catch (error) {
    const { name, message } = error as Error
    const reason =
      name === 'AbortError' || name === 'TimeoutError'
        ? `No answer within ${limitMillis / 1000} seconds`
        : message
    throw new ConfigLoadingError(`Unable to fetch config from: ${shown}\nReason: ${reason}`, error)
  }
}

async function get(url: URL): Promise<string> {
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const { STATUS_CODES } = await import('node:http')
  const signal = AbortSignal.timeout(limitMillis)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { method: 'GET', signal, agent: false, headers: { accept: '*/*' } }, resolve)
      .on('error', reject)
      .end()
  })
  try {
    const status = response.statusCode ?? 0
    if (status !== 200) {
      const named = `Net::HTTP${(STATUS_CODES[status] ?? 'UnknownResponse').replaceAll(/[^A-Za-z]/g, '')}`
      throw new Error(reasons.get(status) ?? `code: ${status}, message: ${named}`)
    }
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw new Error('The configuration is larger than 64 MiB')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    response.destroy()
  }
}

/** For logs and bodies; the user goes as well. */
export function withoutPassword(url: URL): string {
  if (url.username === '' && url.password === '') return url.href
  const copy = new URL(url)
  copy.username = ''
  copy.password = ''
  return copy.href
}
