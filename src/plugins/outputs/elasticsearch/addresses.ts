/**
 * Where the cluster is and how to log in: `hosts` in all its forms, or a cloud ID; user and password, API key,
 * or what the URLs say. The refusals are worded as in Logstash.
 */
import { basicAuthentication } from '../../http-client/basic-auth.ts'
import { percentDecoded } from '../../values/percent-decoding.ts'
import type { BulkOptions } from './settings.ts'

interface Addresses {
  /** Base URLs with port and path, without user and password; each ends with a slash. */
  readonly urls: readonly string[]
  /** Value of the `Authorization` header, by base URL. */
  readonly authorization: ReadonlyMap<string, string>
}

const defaultPort = '9200'

export function addressesOf(options: BulkOptions): Addresses {
  const { cloud_id, hosts } = options
  if (cloud_id !== undefined && hosts !== undefined) {
    throw new Error('Both `cloud_id` and `hosts` specified, please only use one of those.')
  }
  const given = cloud_id === undefined ? (hosts ?? ['//127.0.0.1']) : [cloudHost(cloud_id)]
  if (given.length === 0) throw new Error('`hosts` must not be empty')
  const secure = options.ssl_enabled ?? options.ssl
  const found = given.map((host) => readHost(host, options, secure))
  const login = loginOf(options, secure === true || found.every(({ url }) => url.startsWith('https:')))
  const authorization = new Map<string, string>()
  for (const { url, own } of found) {
    const value = login ?? own
    if (value !== undefined) authorization.set(url, value)
  }
  return { urls: [...new Set(found.map(({ url }) => url))], authorization }
}

function readHost(
  host: string,
  options: BulkOptions,
  secure: boolean | undefined,
): { url: string; own: string | undefined } {
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):)?(?:\/\/)?(.*)$/is.exec(host) ?? []
  if (scheme !== undefined && secure !== undefined && scheme !== (secure ? 'https' : 'http')) {
    throw new Error(differs('scheme', scheme, secure ? 'https' : 'http'))
  }
  const protocol = scheme ?? (secure ? 'https' : 'http')
  if (protocol !== 'http' && protocol !== 'https') throw new Error(`unknown scheme in the host ${host}`)
  const [, authority = '', path = ''] = /^([^/?#]*)([^?#]*)/.exec(rest) ?? []
  const [, user, place = ''] = /^(?:(.*)@)?(.*)$/s.exec(authority) ?? []
  const port = /:\d+$/.test(place) ? '' : `:${options.port ?? defaultPort}`
  // A port that is the scheme's own would vanish from the text; requests do not mind.
  const url = new URL(`${protocol}://${place}${port}`)
  const own = path.replace(/\/+$/, '')
  const asked = options.path === undefined ? undefined : slashed(options.path)
  if (own !== '' && asked !== undefined && own !== asked) throw new Error(differs('path', own, asked))
  return {
    url: `${url.origin}${own === '' ? (asked ?? '') : own}/`,
    own: user === undefined ? undefined : ownLogin(user),
  }
}

function slashed(path: string): string {
  const inner = path.replace(/^\/+|\/+$/g, '')
  return inner === '' ? '' : `/${inner}`
}

function differs(what: string, inUrl: string, explicit: string): string {
  return (
    `Explicit value for '${what}' was declared, but it is different in one of the URLs given! Please make sure ` +
    `your URLs are inline with explicit values. The URLs have the property set to '${inUrl}', but it was also ` +
    `explicitly set to '${explicit}'`
  )
}

function ownLogin(text: string): string {
  const colon = text.indexOf(':')
  const user = colon < 0 ? text : text.slice(0, colon)
  return basicAuthentication(percentDecoded(user), colon < 0 ? '' : percentDecoded(text.slice(colon + 1)))
}

function loginOf(options: BulkOptions, secure: boolean): string | undefined {
  const { user, password, api_key, cloud_auth, auth_type } = options
  const asked = [user !== undefined, cloud_auth !== undefined, api_key !== undefined]
  if (asked.filter(Boolean).length > 1) {
    throw new Error(
      'Multiple authentication options are specified, please only use one of user/password, cloud_auth or api_key',
    )
  }
  if (api_key !== undefined) {
    if (!secure) {
      throw new Error(
        'Using api_key authentication requires SSL/TLS secured communication using the `ssl_enabled => true` option',
      )
    }
    const key = api_key.value
    return `ApiKey ${key.includes(':') ? Buffer.from(key).toString('base64') : key}`
  }
  if (cloud_auth !== undefined) {
    const [, name, secret] = /^([^:]*):(.*)$/s.exec(cloud_auth.value) ?? []
    if (name === undefined || secret === undefined) throw new Error('`cloud_auth` must be `user:password`')
    return basicAuthentication(name, secret)
  }
  if (user !== undefined) {
    if (password === undefined || password.value === '') {
      throw new Error('password parameter is required with user, and must not be empty')
    }
    return basicAuthentication(user, password)
  }
  return auth_type === undefined ? undefined : typedLogin(auth_type)
}

function typedLogin(authType: ReadonlyMap<string, unknown>): string | undefined {
  const type = String(authType.get('type') ?? 'basic')
  if (type !== 'basic') throw new Error(`auth_type ${type} is not supported, only basic is`)
  const user = authType.get('user')
  return user === undefined
    ? undefined
    : basicAuthentication(String(user), String(authType.get('password') ?? ''))
}

/** `label:base64("host[:port]$cluster$kibana")` names `https://cluster.host:port`. */
function cloudHost(id: string): string {
  const encoded = id.slice(id.lastIndexOf(':') + 1)
  const [place = '', cluster = ''] = Buffer.from(encoded, 'base64').toString('utf8').split('$')
  if (!/^[\w.-]+(:\d+)?$/.test(place) || !/^[\w-]+(:\d+)?$/.test(cluster)) {
    throw new Error(`Cloud Id, after decoding, is invalid. Format: '<segment1>$<segment2>$<segment3>'.`)
  }
  const [host, port = '443'] = place.split(':')
  const [name, ownPort = port] = cluster.split(':')
  return `https://${name}.${host}:${ownPort}`
}

const loopback = /^https?:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::|\/)/

/** Whether all hosts are this machine. */
export function isLoopback(urls: readonly string[]): boolean {
  return urls.every((url) => loopback.test(url))
}
