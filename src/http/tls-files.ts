/** Certificate and key of a server from files: a PKCS#12 keystore, or two PEM files. Bad files are told at the start. */
import { readFile } from 'node:fs/promises'
import type { SecureVersion, TlsOptions } from 'node:tls'

export interface TlsFiles {
  readonly keystore?: string | null
  readonly password?: string | null
  readonly certificate?: string | null
  readonly key?: string | null
  /** Empty is TLS 1.2 and later; earlier versions are never spoken. */
  readonly protocols?: readonly string[]
}

const jksMagic = 'feedfeed'
const versions: readonly SecureVersion[] = ['TLSv1.2', 'TLSv1.3']

export async function readTls({
  keystore,
  password,
  certificate,
  key,
  protocols = [],
}: TlsFiles): Promise<TlsOptions> {
  const wanted = versions.filter((version) => protocols.includes(version))
  if (protocols.length > 0 && wanted.length === 0)
    throw new Error(
      `none of the TLS versions ${protocols.join(', ')} is safe; TLSv1.2 and TLSv1.3 are spoken`,
    )
  const options: TlsOptions = {
    minVersion: wanted[0] ?? 'TLSv1.2',
    maxVersion: wanted[wanted.length - 1] ?? 'TLSv1.3',
  }
  if (keystore) {
    options.pfx = await readFile(keystore)
    options.passphrase = password ?? ''
    if (options.pfx.subarray(0, 4).toString('hex') === jksMagic) throw new Error(jksText(keystore))
  } else if (certificate && key) {
    options.cert = await readFile(certificate)
    options.key = await readFile(key)
  }
  // Loaded here, not above: most servers never need it.
  const { createSecureContext } = await import('node:tls')
  try {
    createSecureContext(options)
  } catch (error) {
    throw new Error(`${keystore ?? certificate} cannot be used for TLS: ${reason(error as Error)}`, {
      cause: error,
    })
  }
  return options
}

function reason({ message }: Error): string {
  if (/mac verify failure/i.test(message)) return 'the password is wrong'
  if (!/unsupported/i.test(message)) return message
  return `${message}. It is probably encrypted with RC2 or 3DES, which OpenSSL 3 no longer reads; write it anew with a current keytool or openssl`
}

function jksText(path: string): string {
  return `${path} is a Java keystore of the old JKS format. Convert it with: keytool -importkeystore -srckeystore ${path} -destkeystore ${path}.p12 -deststoretype pkcs12`
}
