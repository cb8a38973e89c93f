/**
 * Keeps web pages from using an API through the browser of somebody who may. Only browsers send `Origin` and
 * `Sec-Fetch-Site`; they have to name this very server, under a name that is allowed.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { AllowedHosts } from './allowed-hosts.ts'

export function isForeignPage(headers: IncomingHttpHeaders, hosts: AllowedHosts): boolean {
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return true
  const { origin, host } = headers
  if (origin === undefined) return false
  const page = hostOf(origin)
  return page === undefined || host === undefined || page !== host.toLowerCase() || !hosts.allows(host)
}

/** Undefined for `null`, which sandboxed pages send, and for what is no URL. */
function hostOf(origin: string): string | undefined {
  try {
    const { host } = new URL(origin)
    return host === '' ? undefined : host
  } catch {
    return undefined
  }
}

export function isChange(method: string | undefined): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
}
