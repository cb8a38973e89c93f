/**
 * The name that a client gives to a request, in the header `Idempotency-Key` of the IETF draft of that name: a request
 * that is sent again has the same one. It counts for the path it was sent to, as the draft has it. Quotes, which the
 * draft wants and many clients leave out, make no difference.
 */
import type { IncomingMessage } from 'node:http'

export function idempotencyKey({
  headers,
  url,
}: Pick<IncomingMessage, 'headers' | 'url'>): string | undefined {
  const given = headers['idempotency-key']
  const text = (Array.isArray(given) ? given[0] : given)?.trim()
  const key = text !== undefined && /^".*"$/.test(text) ? text.slice(1, -1) : text
  return key === undefined || key === '' ? undefined : `http ${url ?? '/'} ${key}`
}
