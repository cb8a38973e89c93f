/** The options of the http output, and those that describe its connections in the words of its client. */
import type { Value } from '../../event/value.ts'
import { type Option, type OptionValues, option, withAliases, withoutEffect } from '../../plugin/define.ts'
import { clientTlsOptions, fileList, ownCertificateOptions } from '../tls/client-options.ts'
import { keystoreOptions, storeTypesInAnyCase, truststoreOptions } from '../tls/store-options.ts'
import { tlsOptions } from '../tls/tls-options.ts'
import { basicAuthentication, basicAuthOptions } from './basic-auth.ts'
import type { HttpClientSettings } from './http-client.ts'

const aNumber = option.number({ doc: 'A status code.' })

export const httpOptions = {
  url: option.string({ required: true, doc: 'Where to send events; may contain `%{…}`.' }),
  http_method: option.oneOf(['put', 'post', 'patch', 'delete', 'get', 'head'], {
    required: true,
    doc: 'Method of the requests.',
  }),
  format: option.oneOf(['json', 'json_batch', 'form', 'message'], {
    default: 'json',
    doc: 'Body of the requests: an event as JSON, a whole batch as a list, an event as a form, or `message`.',
  }),
  message: option.string({ doc: 'Body for the format `message`; may contain `%{…}`.' }),
  mapping: option.hash({
    doc: 'What to send instead of the whole event: names, and values with `%{…}`, nested at will.',
  }),
  headers: option.hash({ default: new Map(), doc: 'Headers to send; values may contain `%{…}`.' }),
  content_type: option.string({
    doc: 'Value of the `Content-Type` header; follows from `format` unless given.',
  }),
  http_compression: option.boolean({ default: false, doc: 'Whether to compress the body with gzip.' }),
  retry_failed: option.boolean({
    default: true,
    doc: 'Whether to send again, until it works, what failed for a reason that may pass.',
  }),
  retryable_codes: option.list(aNumber, {
    default: [429, 500, 502, 503, 504],
    doc: 'Status codes after which a request is sent again.',
  }),
  ignorable_codes: option.list(aNumber, {
    default: [],
    doc: 'Status codes outside 200 to 299 that count as success.',
  }),
  automatic_retries: option.number({
    default: 1,
    doc: 'How often to repeat a request at once when its connection breaks.',
  }),
  retry_non_idempotent: option.boolean({
    default: false,
    doc: 'Whether `automatic_retries` applies to POST and PATCH too.',
  }),
  ...basicAuthOptions,
  cookies: option.boolean({
    default: true,
    doc: 'Whether to send cookies back to the server that set them.',
  }),
  follow_redirects: option.boolean({
    default: true,
    doc: 'Whether to follow redirects of GET and HEAD requests.',
  }),
  request_timeout: option.number({ default: 60, doc: 'Seconds a request may take.' }),
  socket_timeout: option.number({ default: 10, doc: 'Seconds to wait for the next data of an answer.' }),
  connect_timeout: option.number({ default: 10, doc: 'Seconds to wait for a connection.' }),
  pool_max: option.number({ default: 50, doc: 'Requests under way at the same time.' }),
  pool_max_per_route: option.number({ default: 25, doc: 'Connections to one server at the same time.' }),
  keepalive: option.boolean({ default: true, doc: 'Whether to use a connection for more than one request.' }),
  validate_after_inactivity: option.number(
    withoutEffect('connections the server has closed are noticed without it.', 200),
  ),
  proxy: option.array({
    doc: 'HTTP proxy: a URL, or a hash of `host`, `port`, `scheme` or of `url`, with `user` and `password`.',
  }),
  ...withAliases(ownCertificateOptions, { ssl_certificate: 'client_cert', ssl_key: 'client_key' }),
  ssl_certificate_authorities: fileList({
    aliases: ['cacert'],
    doc: 'Certificates, PEM files, that are trusted instead of those of the system.',
  }),
  ssl_verification_mode: option.oneOf(['full', 'none'], {
    default: 'full',
    doc: 'Whether to check certificate and name of the server.',
  }),
  ...clientTlsOptions,
  ...withAliases(keystoreOptions(storeTypesInAnyCase), {
    ssl_keystore_path: 'keystore',
    ssl_keystore_password: 'keystore_password',
    ssl_keystore_type: 'keystore_type',
  }),
  ...withAliases(truststoreOptions(storeTypesInAnyCase), {
    ssl_truststore_path: 'truststore',
    ssl_truststore_password: 'truststore_password',
    ssl_truststore_type: 'truststore_type',
  }),
  ...oldNames({
    client_cert: 'ssl_certificate',
    client_key: 'ssl_key',
    cacert: 'ssl_certificate_authorities',
    keystore: 'ssl_keystore_path',
    keystore_password: 'ssl_keystore_password',
    keystore_type: 'ssl_keystore_type',
    truststore: 'ssl_truststore_path',
    truststore_password: 'ssl_truststore_password',
    truststore_type: 'ssl_truststore_type',
  }),
}

/** Names that Logstash refuses and that are aliases here. */
function oldNames<K extends string>(
  table: Readonly<Record<K, string>>,
): Record<K, Option<string | undefined>> {
  const entries = Object.entries<string>(table).map(([old, current]) => [
    old,
    option.string({ obsolete: `Use \`${current}\` instead`, doc: `Old name of \`${current}\`.` }),
  ])
  return Object.fromEntries(entries) as Record<K, Option<string | undefined>>
}

export type HttpOptions = OptionValues<typeof httpOptions>

export async function clientSettings(options: HttpOptions, signal: AbortSignal): Promise<HttpClientSettings> {
  return {
    connectSeconds: options.connect_timeout,
    socketSeconds: options.socket_timeout,
    requestSeconds: options.request_timeout,
    connectionsPerHost: Math.max(1, Math.min(options.pool_max, options.pool_max_per_route)),
    keepAlive: options.keepalive,
    followRedirects: options.follow_redirects,
    cookies: options.cookies,
    automaticRetries: options.automatic_retries,
    retryNonIdempotent: options.retry_non_idempotent,
    proxy: proxyOf(options.proxy ?? []),
    tls: await tlsOf(options),
    signal,
  }
}

async function tlsOf(options: HttpOptions): Promise<HttpClientSettings['tls']> {
  if (options.ssl_truststore_path !== undefined) {
    throw new Error(
      '`ssl_truststore_path`: trust stores cannot be read, use `ssl_certificate_authorities` instead',
    )
  }
  const keystore = options.ssl_keystore_path
  if (keystore !== undefined && /^jks$/i.test(options.ssl_keystore_type ?? '')) {
    throw new Error('`ssl_keystore_path`: only PKCS#12 key stores can be read')
  }
  const tls = await tlsOptions({
    certificate: options.ssl_certificate,
    key: options.ssl_key,
    keystore,
    passphrase: options.ssl_keystore_password,
    authorities: options.ssl_certificate_authorities,
    protocols: options.ssl_supported_protocols,
    ciphers: options.ssl_cipher_suites,
  })
  return { ...tls, rejectUnauthorized: options.ssl_verification_mode === 'full' }
}

/** A URL, or the pairs of a hash, which is how the option hands one over. */
export function proxyOf(given: readonly Value[]): HttpClientSettings['proxy'] {
  const [first] = given
  if (first === undefined) return undefined
  if (typeof first === 'string') return proxyAt(first === '' ? undefined : first, undefined, undefined)
  const pairs = new Map(given.map((pair) => [String((pair as Value[])[0]), String((pair as Value[])[1])]))
  const address = `${pairs.get('scheme') ?? 'http'}://${pairs.get('host')}:${pairs.get('port') ?? '80'}`
  return proxyAt(pairs.get('url') ?? address, pairs.get('user'), pairs.get('password'))
}

function proxyAt(
  url: string | undefined,
  user: string | undefined,
  password: string | undefined,
): HttpClientSettings['proxy'] {
  if (url === undefined) return undefined
  const uri = new URL(url)
  const name = user ?? decodeURIComponent(uri.username)
  const secret = password ?? decodeURIComponent(uri.password)
  uri.username = ''
  uri.password = ''
  return { uri: uri.href, token: name === '' ? undefined : basicAuthentication(name, secret) }
}

const {
  url: _url,
  http_method: _method,
  format: _format,
  message: _message,
  mapping: _mapping,
  headers: _headers,
  content_type: _contentType,
  http_compression: _compression,
  retry_failed: _retryFailed,
  retryable_codes: _retryable,
  ignorable_codes: _ignorable,
  ...httpClientOptions
} = httpOptions

/** Those of its client alone, for other plugins that ask a server. */
export { httpClientOptions }
