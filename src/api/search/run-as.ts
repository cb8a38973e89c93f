/** Impersonation: the user in whose name a request wants to be run, under Elasticsearch's header or OpenSearch's. */
import type { IncomingHttpHeaders } from 'node:http'

export function runAsOf(headers: IncomingHttpHeaders): string | undefined {
  const value = headers['es-security-runas-user'] ?? headers['opendistro_security_impersonate_as']
  return value === undefined ? undefined : String(value)
}
