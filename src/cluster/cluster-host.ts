/**
 * A host of a cluster as settings name it: `es1`, `es1:9201`, `https://es1:9243/prefix`. User names in addresses are
 * taken out, as addresses are written into logs.
 */

export interface ClusterHost {
  /** Without user name and without a slash at the end; what logs and monitoring show. */
  readonly url: string
  readonly isSecure: boolean
  readonly hostname: string
  readonly port: number
  /** Stands before each path; empty, or with a slash in front. */
  readonly prefix: string
  /** User and password in the address, as an `Authorization` header. */
  readonly authorization: string | undefined
}

const defaultPort = 9200

/** `scheme` is that of hosts that name none. */
export function parseHost(text: string, scheme: 'http' | 'https' = 'http'): ClusterHost {
  const written = /^[a-z]+:\/\//i.test(text) ? text : `${scheme}://${text}`
  let url: URL
  try {
    url = new URL(written)
  } catch {
    throw new Error(`[${text}] is not the address of a host`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`[${withoutUser(url)}] is not an address of http or https`)
  const isSecure = url.protocol === 'https:'
  // An address that names a port keeps it, also where it is the one of its scheme.
  const named = /^[a-z]+:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(written)?.[1]
  const port = named === undefined ? defaultPort : Number(named)
  const prefix = url.pathname.replace(/\/+$/, '')
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  return {
    url: `${url.protocol}//${url.hostname}:${port}${prefix}`,
    isSecure,
    hostname,
    port,
    prefix,
    authorization: authorizationOf(url),
  }
}

function withoutUser(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '') return undefined
  return basicAuthorization(decodeURIComponent(username), decodeURIComponent(password))
}

export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** A key is `id:secret`, or that in base64 as the cluster hands it out. */
export function apiKeyAuthorization(key: string): string {
  return `ApiKey ${key.includes(':') ? Buffer.from(key).toString('base64') : key}`
}
