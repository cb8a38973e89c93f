/** Own certificate, trusted authorities, versions and ciphers of a client, as its `ssl_…` options name them. */
import type { SecureContextOptions } from 'node:tls'
import type { Password } from '../../plugin/define.ts'
import { tlsOptions } from './tls-options.ts'

interface ClientTlsChoice {
  readonly ssl_certificate: string | undefined
  readonly ssl_key: string | undefined
  readonly ssl_keystore_path: string | undefined
  readonly ssl_keystore_password: Password | undefined
  readonly ssl_certificate_authorities: readonly string[]
  readonly ssl_supported_protocols: readonly string[]
  readonly ssl_cipher_suites: readonly string[]
}

export function clientTls(options: ClientTlsChoice): Promise<SecureContextOptions> {
  return tlsOptions({
    certificate: options.ssl_certificate,
    key: options.ssl_key,
    keystore: options.ssl_keystore_path,
    passphrase: options.ssl_keystore_password,
    authorities: options.ssl_certificate_authorities,
    protocols: options.ssl_supported_protocols,
    ciphers: options.ssl_cipher_suites,
  })
}
