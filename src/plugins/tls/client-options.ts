/** Options of plugins that connect over TLS: which versions and ciphers to use. */
import { option } from '../../plugin/define.ts'

export const clientTlsOptions = {
  ssl_supported_protocols: option.list(
    option.oneOf(['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const, { doc: 'A version.' }),
    { default: [], doc: 'TLS versions to use; those of the system unless given.' },
  ),
  ssl_cipher_suites: option.list(option.string({ doc: 'A name.' }), {
    default: [],
    doc: 'Cipher suites to use, by their IANA or OpenSSL names.',
  }),
}

/** Trust stores of Java, which have no meaning here. */
export const truststoreOptions = {
  ssl_truststore_path: option.path({
    aliases: ['truststore'],
    doc: 'Java trust stores cannot be read; use `ssl_certificate_authorities`.',
  }),
  ssl_truststore_password: option.password({
    aliases: ['truststore_password'],
    doc: 'Accepted for compatibility; trust stores cannot be read.',
  }),
}
