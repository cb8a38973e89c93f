/** The requests that the option `urls` describes: a URL, or a hash with further wishes. */
import { type Fields, isFields, readField, type Value } from '../../event/value.ts'
import type { HashValue } from '../../plugin/define.ts'
import { textOf } from '../../plugin/raw-text.ts'
import { basicAuthentication } from '../http-client/basic-auth.ts'

export interface PollRequest {
  readonly name: string
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
  /** The request as events show it. */
  readonly shown: Fields
}

interface Credentials {
  readonly user: string | undefined
  readonly password: string | undefined
}

export function requestsOf(urls: HashValue, shared: Credentials): PollRequest[] {
  return [...urls].map(([name, given]) => requestOf(name, given, shared))
}

function requestOf(name: string, given: Value, shared: Credentials): PollRequest {
  if (typeof given === 'string') return build(name, 'get', given, {}, shared)
  if (!isFields(given))
    throw new Error(`Invalid URL or request spec: '${textOf(given)}', expected a String or Hash!`)
  const url = readField(given, 'url')
  if (typeof url !== 'string') throw new Error(`No URL provided for request! ${name}`)
  const method = readField(given, 'method')
  return build(name, method === undefined ? 'get' : textOf(method).toLowerCase(), url, given, shared)
}

const methods = /^(get|head|post|put|patch|delete|options)$/

function build(name: string, method: string, url: string, spec: Fields, shared: Credentials): PollRequest {
  if (!methods.test(method)) throw new Error(`Invalid HTTP method ${method} of the request ${name}`)
  const target = parseUrl(url)
  const query = readField(spec, 'query') ?? readField(spec, 'params')
  if (isFields(query)) {
    for (const key of Object.keys(query)) target.searchParams.append(key, textOf(readField(query, key) ?? ''))
  } else if (query !== undefined && query !== null) target.search = textOf(query)
  const headers = headersOf(readField(spec, 'headers'))
  const token = tokenOf(target, spec, shared)
  target.username = ''
  target.password = ''
  if (token !== undefined && !headers.some(([header]) => /^authorization$/i.test(header))) {
    headers.push(['Authorization', token])
  }
  const body = readField(spec, 'body')
  const options: Fields = {}
  for (const key of Object.keys(spec)) {
    if (!['url', 'method', 'user', 'password', 'auth'].includes(key)) options[key] = spec[key]
  }
  const shown: Fields = { method, url: target.href }
  if (Object.keys(options).length > 0) shown['options'] = options
  return {
    name,
    method: method.toUpperCase(),
    url: target.href,
    headers,
    body: body === undefined || body === null ? undefined : textOf(body),
    shown,
  }
}

function parseUrl(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw new Error(`Invalid URL ${text}`)
  }
}

function headersOf(given: Value | undefined): [string, string][] {
  if (!isFields(given)) return []
  return Object.keys(given).map((name) => [name, textOf(readField(given, name) ?? '')])
}

function tokenOf(url: URL, spec: Fields, shared: Credentials): string | undefined {
  const auth = readField(spec, 'auth')
  const source = isFields(auth) ? auth : spec
  const user = readField(source, 'user')
  const password = readField(source, 'password') ?? readField(source, 'pass')
  if ((user === undefined) !== (password === undefined))
    throw new Error("'user' and 'password' must both be specified for input HTTP poller!")
  if (user !== undefined && password !== undefined) return basicAuthentication(textOf(user), textOf(password))
  if (url.username !== '') {
    return basicAuthentication(decodeURIComponent(url.username), decodeURIComponent(url.password))
  }
  return shared.user === undefined ? undefined : basicAuthentication(shared.user, shared.password)
}
