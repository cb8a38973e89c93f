/** Options of plugins that connect over TLS: certificates, key stores, versions and ciphers. */
import { option } from '../../plugin/define.ts'

const versions = option.oneOf(['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const, { doc: 'A version.' })
const aName = option.string({ doc: 'A name.' })
const aFile = option.path({ doc: 'A file.' })

/** What stores of Java may call their own kind. */
export const storeTypes = ['pkcs12', 'jks'] as const
/** The same, for plugins that take it in capital letters too. */
export const storeTypesInAnyCase = ['pkcs12', 'jks', 'PKCS12', 'JKS'] as const

export const clientTlsOptions = {
  ssl_supported_protocols: option.list(versions, {
    default: [],
    doc: 'TLS versions to use; those of the system unless given.',
  }),
  ssl_cipher_suites: option.list(aName, {
    default: [],
    doc: 'Cipher suites to use, by their IANA or OpenSSL names.',
  }),
}

/** The versions and ciphers of those who are strict about them: servers, and the clients that belong to them. */
export const allowedTlsOptions = {
  ssl_supported_protocols: option.list(versions, {
    default: [],
    doc: 'Versions of TLS to allow; TLSv1.2 and TLSv1.3 when empty.',
  }),
  ssl_cipher_suites: option.list(aName, {
    default: [],
    doc: 'Cipher suites to allow, best first, by their Java or OpenSSL names.',
  }),
}

/** An option that names several files. */
export const fileList = (settings: { doc: string; aliases?: readonly string[] }) =>
  option.list(aFile, { ...settings, default: [] })

export const ownCertificateOptions = {
  ssl_certificate: option.path({ doc: 'Own certificate, a PEM file.' }),
  ssl_key: option.path({ doc: 'Key of the own certificate, a PEM file.' }),
}

export const keyPassphrase = option.password({ doc: 'What the key file is encrypted with.' })

export const keystoreOptions = <const T extends readonly string[]>(types: T) => ({
  ssl_keystore_path: option.path({ doc: 'Own certificate and key in one PKCS#12 file.' }),
  ssl_keystore_password: option.password({ doc: 'Password of the key store.' }),
  ssl_keystore_type: option.oneOf(types, { doc: 'Kind of the key store; only `pkcs12` can be read.' }),
})

/** Trust stores of Java, which have no meaning here. */
export const truststoreOptions = <const T extends readonly string[]>(types: T) => ({
  ssl_truststore_path: option.path({
    doc: 'Java trust stores cannot be read; use `ssl_certificate_authorities`.',
  }),
  ssl_truststore_password: option.password({
    doc: 'Accepted for compatibility; trust stores cannot be read.',
  }),
  ssl_truststore_type: option.oneOf(types, {
    doc: 'Accepted for compatibility; trust stores cannot be read.',
  }),
})
