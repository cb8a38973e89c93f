/**
 * The `ssl_…` options of outputs in the words of Node's TLS: certificate files read, protocol versions as a
 * range, cipher suites under OpenSSL's names.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates, type SecureContextOptions } from 'node:tls'
import type { Password } from '../../plugin/define.ts'

interface TlsSettings {
  certificate?: string | undefined
  key?: string | undefined
  /** Certificate and key in one PKCS#12 file, instead of the two above. */
  keystore?: string | undefined
  /** Password of the key, or of the key store. */
  passphrase?: Password | undefined
  /** Files, or folders of files. */
  authorities?: readonly string[] | undefined
  /** Trust what the system trusts besides the given authorities. */
  trustSystem?: boolean | undefined
  protocols?: readonly string[] | undefined
  ciphers?: readonly string[] | undefined
}

export async function tlsOptions(settings: TlsSettings): Promise<SecureContextOptions> {
  const { certificate, key, passphrase, authorities = [], protocols = [], ciphers = [] } = settings
  if ((certificate === undefined) !== (key === undefined)) {
    throw new Error('`ssl_certificate` and `ssl_key` must be given together')
  }
  const options: SecureContextOptions = { ...protocolRange(protocols) }
  if (certificate !== undefined) options.cert = await readFile(certificate)
  if (key !== undefined) options.key = await readFile(key)
  if (settings.keystore !== undefined) options.pfx = await readFile(settings.keystore)
  if (passphrase !== undefined) options.passphrase = passphrase.value
  if (authorities.length > 0) {
    const given = (await Promise.all(authorities.map(readAuthorities))).flat()
    options.ca = settings.trustSystem ? [...rootCertificates, ...given] : given
  }
  if (ciphers.length > 0) options.ciphers = ciphers.map(opensslCipher).join(':')
  return options
}

async function readAuthorities(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [await readFile(path, 'utf8')]
  const names = (await readdir(path)).filter((name) => /\.(pem|crt|cer)$/i.test(name)).sort()
  return Promise.all(names.map((name) => readFile(join(path, name), 'utf8')))
}

const versions = ['TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const

function protocolRange(protocols: readonly string[]): SecureContextOptions {
  const wanted = versions.filter((version) => protocols.includes(version))
  return wanted.length === 0 ? {} : { minVersion: wanted[0], maxVersion: wanted[wanted.length - 1] }
}

/** `TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384` to `ECDHE-RSA-AES256-GCM-SHA384`; TLS 1.3 names are the same. */
export function opensslCipher(name: string): string {
  const match = /^TLS_(.+)_WITH_(.+?)_(SHA|SHA256|SHA384)$/.exec(name)
  if (match === null) return name
  const [, exchange = '', cipher = '', digest = ''] = match
  const shortCipher = cipher
    .replace(/_CBC$/, '')
    .replace(/^(AES|CAMELLIA|ARIA)_(\d+)/, '$1$2')
    .replaceAll('_', '-')
  const parts = exchange === 'RSA' ? [] : [exchange.replaceAll('_', '-')]
  parts.push(shortCipher)
  if (!cipher.startsWith('CHACHA20')) parts.push(digest)
  return parts.join('-')
}
