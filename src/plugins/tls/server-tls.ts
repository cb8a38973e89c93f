/** What the `ssl_…` options of inputs that serve TLS mean to Node, old forms of them too. */
import type { TlsOptions } from 'node:tls'
import type { Password } from '../../plugin/define.ts'
import { tlsOptions } from './tls-options.ts'

/** Milliseconds a client has for the handshake where no option says; Node.js would give it two minutes. */
export const defaultHandshakeTimeout = 10_000

const oldModes = { none: 'none', peer: 'optional', force_peer: 'required' } as const

type ClientAuthentication = 'none' | 'optional' | 'required'

interface AuthenticationChoice {
  readonly ssl_client_authentication: ClientAuthentication | undefined
  readonly ssl_verify_mode: keyof typeof oldModes | undefined
}

interface ServerTlsChoice extends AuthenticationChoice {
  readonly ssl_certificate: string | undefined
  readonly ssl_key: string | undefined
  readonly ssl_certificate_authorities: readonly string[]
  readonly ssl_supported_protocols: readonly string[]
  readonly ssl_cipher_suites: readonly string[]
  readonly ssl_handshake_timeout: number
  readonly tls_min_version: number | undefined
  readonly tls_max_version: number | undefined
}

/** A key store instead of certificate and key, and the password of the key or of that store. */
interface OwnKey {
  readonly keystore?: string | undefined
  readonly passphrase: Password | undefined
}

/** Whether those who connect show a certificate. */
export function clientAuthentication(options: AuthenticationChoice): ClientAuthentication {
  const old = options.ssl_verify_mode
  return options.ssl_client_authentication ?? (old === undefined ? 'none' : oldModes[old])
}

export async function listenerTls(options: ServerTlsChoice, own: OwnKey): Promise<TlsOptions> {
  const authentication = clientAuthentication(options)
  const context = await tlsOptions({
    certificate: options.ssl_certificate,
    key: options.ssl_key,
    ...own,
    authorities: options.ssl_certificate_authorities,
    protocols:
      options.ssl_supported_protocols.length > 0 ? options.ssl_supported_protocols : oldRange(options),
    ciphers: options.ssl_cipher_suites,
  })
  return {
    ...context,
    handshakeTimeout: options.ssl_handshake_timeout,
    requestCert: authentication !== 'none',
    // An optional certificate may be missing but not wrong, which the input looks at itself.
    rejectUnauthorized: authentication === 'required',
  }
}

function oldRange({ tls_min_version, tls_max_version }: ServerTlsChoice): string[] {
  if (tls_min_version === undefined && tls_max_version === undefined) return []
  const [lowest, highest] = [tls_min_version ?? 1.2, tls_max_version ?? 1.3]
  return [1.1, 1.2, 1.3]
    .filter((version) => version >= lowest && version <= highest)
    .map((version) => `TLSv${version}`)
}
