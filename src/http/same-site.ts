/**
 * Keeps web pages from using an API through the browser of somebody who may. Only browsers send `Origin`; it has
 * to name this very server. A page whose own name was made to resolve to our address names us that way too, so
 * besides addresses only names count that cannot be given away: localhost, and those the operator listens on.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

export function isForeignPage(headers: IncomingHttpHeaders, ownNames: readonly string[]): boolean {
  const site = headers['sec-fetch-site']
  if (site === 'cross-site' || site === 'same-site') return true
  const { origin, host } = headers
  if (origin === undefined) return false
  const page = hostOf(origin)
  if (page === undefined || host === undefined || page.host !== host.toLowerCase()) return true
  const name = page.hostname.replace(/^\[|\]$/g, '')
  return isIP(name) === 0 && name !== 'localhost' && !ownNames.some((own) => own.toLowerCase() === name)
}

/** Undefined for `null`, which sandboxed pages send, and for what is no URL. */
function hostOf(origin: string): { readonly host: string; readonly hostname: string } | undefined {
  try {
    const { host, hostname } = new URL(origin)
    return host === '' ? undefined : { host, hostname }
  } catch {
    return undefined
  }
}
