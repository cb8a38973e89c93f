/**
 * Headers on their way to a cluster and back. Those of one connection stay behind, credentials of the settings take the
 * place of the client's, and the vendor types of Elasticsearch's clients are said plainly to an OpenSearch, which does
 * not know them, and given back in the answer.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { acceptedType, jsonTypeFor, parseMediaType } from '../media-type.ts'
import type { Product } from './product.ts'

const ofConnection = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'host', 'expect'],
])
/** Headers that browsers send for this server; a cluster does not get them. */
const ofBrowsers = /^(?:origin|referer|cookie|sec-.*|access-control-.*)$/

interface RequestHeaderOptions {
  readonly product: Product | undefined
  /** True when the client's credentials are not for the cluster. */
  readonly dropsAuthorization: boolean
}

export function requestHeaders(
  headers: IncomingHttpHeaders,
  { product, dropsAuthorization }: RequestHeaderOptions,
): Record<string, string> {
  const sent: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || ofConnection.has(name) || ofBrowsers.test(name)) continue
    if (name === 'authorization' && dropsAuthorization) continue
    // Whoever is let in here is who the settings say there.
    if (name === 'es-security-runas-user' || name === 'opendistro_security_impersonate_as') continue
    sent[name] = Array.isArray(value) ? value.join(', ') : value
  }
  if (product?.isOpenSearch !== true) return sent
  for (const name of ['content-type', 'accept']) {
    const type = sent[name]
    if (type?.includes('vnd.elasticsearch+') !== true) continue
    const { kind } = (name === 'accept' ? acceptedType(type) : parseMediaType(type)) ?? { kind: 'json' }
    sent[name] = kind === 'ndjson' ? 'application/x-ndjson' : `application/${kind}`
  }
  return sent
}

/** `asked` are the headers of the client. */
export function answerHeaders(
  headers: IncomingHttpHeaders,
  asked: IncomingHttpHeaders,
): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !ofConnection.has(name)) kept[name] = value
  const type = headers['content-type']
  if (type?.startsWith('application/json') === true) kept['content-type'] = jsonType(asked, type)
  return { ...kept, ...alwaysSent(asked) }
}

/** The type of a JSON answer: that of the client's vendor, when it named one. */
export function jsonType(asked: IncomingHttpHeaders, plain: string): string {
  const type = acceptedType(asked.accept) ?? parseMediaType(asked['content-type'] ?? '')
  return type?.vendor === undefined ? plain : jsonTypeFor(type, true)
}

/** Official clients look for the product in every answer. */
export function alwaysSent(asked: IncomingHttpHeaders): OutgoingHttpHeaders & Record<string, string> {
  const opaque = asked['x-opaque-id']
  return {
    'x-elastic-product': 'Elasticsearch',
    ...(opaque !== undefined && { 'x-opaque-id': String(opaque) }),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  }
}
