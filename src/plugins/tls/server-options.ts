/** Options of inputs that serve TLS, in the words of what connects to them: senders, clients. */
import { option, withAliases } from '../../plugin/define.ts'
import { allowedTlsOptions, fileList } from './client-options.ts'

export const serverCertificate = option.path({
  doc: 'File with the certificate of the server, in PEM format.',
})

export const serverKeyOptions = {
  ssl_key: option.path({ doc: 'File with the private key of the certificate, in PEM format.' }),
  ssl_key_passphrase: option.password({ doc: 'Password of the private key.' }),
}

export function serverTlsOptions(peer: 'sender' | 'client') {
  return {
    ssl_key_passphrase: serverKeyOptions.ssl_key_passphrase,
    ssl_certificate_authorities: fileList({
      doc: `Files with the certificates of authorities that vouch for ${peer}s.`,
    }),
    ssl_client_authentication: option.oneOf(['none', 'optional', 'required'] as const, {
      doc: `Whether ${peer}s may or must show a certificate; \`none\` unless given.`,
    }),
    ssl_handshake_timeout: option.number({
      default: 10000,
      doc: `Milliseconds a ${peer} has for the TLS handshake.`,
    }),
    ...withAliases(allowedTlsOptions, { ssl_cipher_suites: 'cipher_suites' }),
  }
}

/** Versions of TLS as they were given before `ssl_supported_protocols`. */
export const oldServerTlsOptions = {
  tls_min_version: option.number({
    doc: 'Lowest version of TLS, as a number: 1.1, 1.2 or 1.3.',
    obsolete: "Use 'ssl_supported_protocols' instead.",
    accepted: 'Use `ssl_supported_protocols` instead.',
  }),
  tls_max_version: option.number({
    doc: 'Highest version of TLS, as a number: 1.1, 1.2 or 1.3.',
    obsolete: "Use 'ssl_supported_protocols' instead.",
    accepted: 'Use `ssl_supported_protocols` instead.',
  }),
}
