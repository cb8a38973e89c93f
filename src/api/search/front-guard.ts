/**
 * Checks before authentication: refuses unknown host names (DNS rebinding) and cross-site requests from
 * browsers (CSRF). Origins that CORS allows may pass, as in Elasticsearch.
 */
import type { IncomingMessage } from 'node:http'
import { hostname } from 'node:os'
import { AllowedHosts } from '../../http/allowed-hosts.ts'
import { isChange, isForeignPage } from '../../http/same-site.ts'
import { SearchError } from '../../search/request/search-error.ts'
import type { Security } from '../../security/security.ts'
import { errorBody } from './error-envelope.ts'
import type { Answer } from './route.ts'

export interface FrontGuardOptions {
  readonly hosts: AllowedHosts
  /** The origins that may use the API; undefined when CORS is off. */
  readonly corsOrigins?: readonly string[] | undefined
  readonly refused?: (what: 'host_refused' | 'origin_refused', message: IncomingMessage) => void
}

/** Headers for the answer, or a refusal. */
interface FrontVerdict {
  readonly answer?: Answer
  readonly headers?: Readonly<Record<string, string>>
}

export type Guard = (message: IncomingMessage) => FrontVerdict | undefined

export function frontGuard({ hosts, corsOrigins, refused }: FrontGuardOptions): Guard {
  return (message) => {
    const { headers, method } = message
    if (!hosts.allows(headers.host)) {
      refused?.('host_refused', message)
      return forbidden(
        `the host name [${headers.host}] is not allowed: name it in the setting [security.allowed_hosts]`,
      )
    }
    const { origin } = headers
    if (origin === undefined && headers['sec-fetch-site'] === undefined) return undefined
    const isForeign = isForeignPage(headers, hosts)
    if (!isForeign) return undefined
    if (corsOrigins !== undefined && origin !== undefined) {
      if (corsOrigins.includes(origin) || corsOrigins.includes('*')) return permitted(message, origin)
      refused?.('origin_refused', message)
      return forbidden(`the origin [${origin}] is not allowed`)
    }
    if (!isChange(method)) return undefined
    refused?.('origin_refused', message)
    return forbidden(`a web page of another origin [${origin ?? 'unknown'}] may not change anything`)
  }
}

function forbidden(reason: string): FrontVerdict {
  const error = new SearchError('security_exception', reason)
  return { answer: { status: 403, body: errorBody(error, false) } }
}

/** The defaults of Elasticsearch's `http.cors.*` settings. */
function permitted({ method, headers }: IncomingMessage, origin: string): FrontVerdict {
  const shared = { 'access-control-allow-origin': origin, vary: 'Origin' }
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined)
    return { headers: shared }
  return {
    headers: {
      ...shared,
      'access-control-allow-methods': 'OPTIONS,HEAD,GET,POST,PUT,DELETE',
      'access-control-allow-headers':
        'X-Requested-With,Content-Type,Content-Length,Authorization,Accept,User-Agent,X-Elastic-Client-Meta',
      'access-control-max-age': '1728000',
    },
    answer: { text: '' },
  }
}

interface ApiGuardOptions {
  readonly host: string
  readonly allowedHosts?: readonly string[] | undefined
  readonly corsOrigins: FrontGuardOptions['corsOrigins']
  readonly security?: Security | undefined
}

/** The guard of the search API, whoever keeps the documents: what it refuses is in the audit log. */
export function apiGuard({ host, allowedHosts = [], corsOrigins, security }: ApiGuardOptions): Guard {
  return frontGuard({
    hosts: new AllowedHosts([host, hostname(), ...allowedHosts]),
    corsOrigins,
    refused: (what, { method = '', url = '', socket }) => {
      const [path = ''] = url.split('?')
      const address = socket.remoteAddress ?? ''
      security?.audit.record(what, { address, port: 'search', method, path })
    },
  })
}
