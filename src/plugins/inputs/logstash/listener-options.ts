/** The options of the logstash input as those of the http input; what contradicts itself is refused in Logstash's words. */
import type { OptionValues, Password } from '../../../plugin/define.ts'
import { show } from '../../../plugin/raw-text.ts'
import { httpOptions } from '../http/options.ts'

interface LogstashOptions {
  readonly host: string
  readonly port: number
  readonly username: string | undefined
  readonly password: Password | undefined
  readonly ssl_enabled: boolean
  readonly ssl_certificate: string | undefined
  readonly ssl_key: string | undefined
  readonly ssl_key_passphrase: Password | undefined
  readonly ssl_keystore_path: string | undefined
  readonly ssl_keystore_password: Password | undefined
  readonly ssl_certificate_authorities: string[]
  readonly ssl_client_authentication: 'none' | 'optional' | 'required' | undefined
  readonly ssl_handshake_timeout: number | undefined
  readonly ssl_cipher_suites: string[]
  readonly ssl_supported_protocols: ('TLSv1.1' | 'TLSv1.2' | 'TLSv1.3')[]
}

type HttpOptions = OptionValues<typeof httpOptions>

export function listenerOptions(given: LogstashOptions): HttpOptions {
  checkCredentials(given)
  if (given.ssl_enabled) checkIdentity(given)
  else refuseTls(given)
  const defaults = Object.fromEntries(
    Object.entries(httpOptions).map(([name, declared]) => [name, declared.default]),
  ) as unknown as HttpOptions
  const { username, ssl_handshake_timeout, ...same } = given
  return {
    ...defaults,
    ...same,
    user: username,
    additional_codecs: new Map(),
    response_headers: new Map([['Accept', 'application/x-ndjson']]),
    ssl_handshake_timeout: ssl_handshake_timeout ?? 10_000,
  }
}

function checkCredentials({ username, password }: LogstashOptions): void {
  if (username !== undefined && password === undefined)
    throw new Error('`password` is REQUIRED when `username` is provided')
  if (username === undefined && password !== undefined)
    throw new Error('`password` not allowed unless `username` is configured')
}

function refuseTls(given: object): void {
  const names = Object.entries(given)
    .filter(([name]) => name.startsWith('ssl_') && name !== 'ssl_enabled')
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name]) => name)
  if (names.length > 0)
    throw new Error(
      `Explicit SSL-related settings not supported because \`ssl_enabled => false\`: ${show(names)}`,
    )
}

function checkIdentity(given: LogstashOptions): void {
  const { ssl_certificate, ssl_key, ssl_key_passphrase, ssl_keystore_path, ssl_keystore_password } = given
  if (ssl_certificate !== undefined && ssl_keystore_path !== undefined)
    throw new Error(
      'SSL identity can be configured with EITHER `ssl_certificate` OR `ssl_keystore_*`, but not both',
    )
  if (ssl_key === undefined && ssl_key_passphrase !== undefined)
    throw new Error('`ssl_key_passphrase` is not allowed unless `ssl_key` is configured')
  if (ssl_certificate === undefined && ssl_key !== undefined)
    throw new Error('`ssl_key` is not allowed unless `ssl_certificate` is configured')
  if (ssl_keystore_path !== undefined && ssl_keystore_password === undefined)
    throw new Error('`ssl_keystore_password` is REQUIRED when `ssl_keystore_path` is configured')
  if (ssl_keystore_path === undefined && ssl_keystore_password !== undefined)
    throw new Error('`ssl_keystore_password` is not allowed unless `ssl_keystore_path` is configured')
  if (ssl_certificate === undefined && ssl_keystore_path === undefined)
    throw new Error(
      'SSL identity MUST be configured with either `ssl_certificate`/`ssl_key` or `ssl_keystore_*`',
    )
  if (given.ssl_certificate_authorities.length > 0 && (given.ssl_client_authentication ?? 'none') === 'none')
    throw new Error(
      '`ssl_certificate_authorities` is not supported because `ssl_client_authentication => none`',
    )
}
