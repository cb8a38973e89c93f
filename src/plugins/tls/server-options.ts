/** Options of inputs that serve TLS, in the words of what connects to them: senders, clients. */
import { option } from '../../plugin/define.ts'

export function serverTlsOptions(peer: 'sender' | 'client') {
  return {
    ssl_key_passphrase: option.password({ doc: 'Password of the private key.' }),
    ssl_certificate_authorities: option.list(option.path({ doc: 'A file.' }), {
      default: [],
      doc: `Files with the certificates of authorities that vouch for ${peer}s.`,
    }),
    ssl_client_authentication: option.oneOf(['none', 'optional', 'required'] as const, {
      doc: `Whether ${peer}s may or must show a certificate; \`none\` unless given.`,
    }),
    ssl_handshake_timeout: option.number({
      default: 10000,
      doc: `Milliseconds a ${peer} has for the TLS handshake.`,
    }),
    ssl_cipher_suites: option.list(option.string({ doc: 'A name.' }), {
      default: [],
      doc: 'Cipher suites to allow, best first, by their Java or OpenSSL names.',
      aliases: ['cipher_suites'],
    }),
    ssl_supported_protocols: option.list(
      option.oneOf(['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const, { doc: 'A version.' }),
      { default: [], doc: 'Versions of TLS to allow; TLSv1.2 and TLSv1.3 when empty.' },
    ),
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
