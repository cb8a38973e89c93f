/** The `ssl_…` options of the http input: what of them fits together, and what they mean to Node's TLS. */
import { open } from 'node:fs/promises'
import type { TlsOptions } from 'node:tls'
import type { OptionValues, PluginLogger } from '../../../plugin/define.ts'
import { checkPair, warnOfUnused } from '../../tls/checks.ts'
import { clientAuthentication, listenerTls } from '../../tls/server-tls.ts'
import type { httpOptions } from './options.ts'

type Options = OptionValues<typeof httpOptions>

/** Throws what Logstash says about options that contradict each other. */
export function checkTls(options: Options, logger: PluginLogger): void {
  if (!options.ssl_enabled) {
    const ignored = ['ssl_certificate', 'ssl_key', 'ssl_keystore_path', 'ssl_client_authentication'].filter(
      (name) => options[name as keyof Options] !== undefined,
    )
    warnOfUnused(ignored, logger)
    return
  }
  checkPair(options.ssl_certificate, options.ssl_key)
  if (options.ssl_certificate === undefined && options.ssl_keystore_path === undefined)
    throw new Error(
      'Either an `ssl_certificate` or `ssl_keystore_path` is required when SSL is enabled `ssl_enabled => true`',
    )
  if (options.ssl_truststore_path !== undefined)
    throw new Error(
      'Trust stores cannot be read: export their certificates in PEM format and set `ssl_certificate_authorities`',
    )
  const hasAuthorities = options.ssl_certificate_authorities.length > 0
  const asksClients = clientAuthentication(options) !== 'none'
  if (asksClients && !hasAuthorities)
    throw new Error(
      'Using `ssl_client_authentication` set to `optional` or `required`, requires the configuration of `ssl_certificate_authorities`',
    )
  if (!asksClients && hasAuthorities)
    throw new Error(
      "The configuration of `ssl_certificate_authorities` requires setting `ssl_client_authentication` to `optional` or 'required'",
    )
}

export async function serverTls(options: Options): Promise<TlsOptions> {
  const { ssl_keystore_path } = options
  if (ssl_keystore_path !== undefined) await refuseJavaKeyStore(ssl_keystore_path)
  return listenerTls(options, {
    keystore: ssl_keystore_path,
    passphrase: ssl_keystore_path === undefined ? options.ssl_key_passphrase : options.ssl_keystore_password,
  })
}

/** Java's own key stores begin with the bytes FE ED FE ED. */
async function refuseJavaKeyStore(path: string): Promise<void> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    if (bytesRead < 4 || buffer.readUInt32BE(0) !== 0xfeedfeed) return
  } finally {
    await file.close()
  }
  throw new Error(
    `The key store ${path} is in Java's format; convert it: keytool -importkeystore -srckeystore ${path} -destkeystore new.p12 -deststoretype pkcs12`,
  )
}
