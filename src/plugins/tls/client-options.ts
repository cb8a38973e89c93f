/** Options of plugins that connect over TLS: certificates, versions and ciphers. */
import { option } from '../../plugin/define.ts'

const aVersion = option.oneOf(['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const, { doc: 'A version.' })
const aName = option.string({ doc: 'A name.' })
const aFile = option.path({ doc: 'A file.' })

const versionOptions = (versions: string, ciphers: string) => ({
  ssl_supported_protocols: option.list(aVersion, { default: [], doc: versions }),
  ssl_cipher_suites: option.list(aName, { default: [], doc: ciphers }),
})

export const clientTlsOptions = versionOptions(
  'TLS versions to use; those of the system unless given.',
  'Cipher suites to use, by their IANA or OpenSSL names.',
)

/** The versions and ciphers of servers, and of the clients that belong to them. */
export const allowedTlsOptions = versionOptions(
  'Versions of TLS to allow; TLSv1.2 and TLSv1.3 when empty.',
  'Cipher suites to allow, best first, by their Java or OpenSSL names.',
)

/** An option that names several files. */
export const fileList = (settings: { doc: string; aliases?: readonly string[] }) =>
  option.list(aFile, { ...settings, default: [] })

export const ownCertificateOptions = {
  ssl_certificate: option.path({ doc: 'Own certificate, a PEM file.' }),
  ssl_key: option.path({ doc: 'Key of the own certificate, a PEM file.' }),
}

export const keyPassphrase = option.password({ doc: 'What the key file is encrypted with.' })
