/** The `ssl_…` options of the tcp input: what of them fits together, and what they mean to Node's TLS. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP, type Socket } from 'node:net'
import { type ConnectionOptions, TLSSocket, type TlsOptions } from 'node:tls'
import type { Password, PluginLogger } from '../../../plugin/define.ts'
import { checkPair, warnOfUnused } from '../../tls/checks.ts'
import { tlsOptions } from '../../tls/tls-options.ts'

interface TcpTlsOptions {
  readonly mode: 'server' | 'client'
  readonly host: string
  readonly ssl_enabled: boolean
  readonly ssl_certificate: string | undefined
  readonly ssl_key: string | undefined
  readonly ssl_key_passphrase: Password | undefined
  readonly ssl_extra_chain_certs: string[]
  readonly ssl_certificate_authorities: string[]
  readonly ssl_client_authentication: 'none' | 'optional' | 'required' | undefined
  readonly ssl_verification_mode: 'full' | 'none' | undefined
  readonly ssl_verify: boolean | undefined
  readonly ssl_supported_protocols: string[]
  readonly ssl_cipher_suites: string[]
}

type ClientAuthentication = 'none' | 'optional' | 'required'

function clientAuthentication(options: TcpTlsOptions): ClientAuthentication {
  return options.ssl_client_authentication ?? (options.ssl_verify === false ? 'none' : 'required')
}

function verificationMode(options: TcpTlsOptions): 'full' | 'none' {
  return options.ssl_verification_mode ?? (options.ssl_verify === false ? 'none' : 'full')
}

/** Throws what Logstash says about options that contradict each other. */
export function checkTls(options: TcpTlsOptions, logger: PluginLogger): void {
  if (!options.ssl_enabled) {
    warnOfUnused(givenNames(options), logger)
    return
  }
  checkPair(options.ssl_certificate, options.ssl_key)
  if (options.mode === 'client') {
    if (options.ssl_client_authentication === undefined) return
    throw new Error(
      '`ssl_client_authentication` must not be configured when mode is `client`, use `ssl_verification_mode` instead.',
    )
  }
  if (options.ssl_verification_mode !== undefined)
    throw new Error(
      '`ssl_verification_mode` must not be configured when mode is `server`, use `ssl_client_authentication` instead.',
    )
  if (options.ssl_certificate === undefined)
    throw new Error('An `ssl_certificate` is required when `ssl_enabled` => true')
  const asked = options.ssl_client_authentication
  if (asked !== undefined && asked !== 'none' && options.ssl_certificate_authorities.length === 0)
    throw new Error(
      `An \`ssl_certificate_authorities\` is required when \`ssl_client_authentication\` => \`${asked}\``,
    )
}

function givenNames(options: TcpTlsOptions): string[] {
  return Object.entries(options)
    .filter(([name]) => name.startsWith('ssl_') && name !== 'ssl_enabled')
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name]) => name)
}

async function common(options: TcpTlsOptions, trustSystem: boolean) {
  const context = await tlsOptions({
    certificate: options.ssl_certificate,
    key: options.ssl_key,
    passphrase: options.ssl_key_passphrase,
    authorities: options.ssl_certificate_authorities,
    trustSystem,
    protocols: options.ssl_supported_protocols,
    ciphers: options.ssl_cipher_suites,
  })
  const chain = await Promise.all(options.ssl_extra_chain_certs.map((path) => readFile(path)))
  if (chain.length > 0) context.cert = Buffer.concat([context.cert as Buffer, ...chain])
  return context
}

export async function serverTls(options: TcpTlsOptions): Promise<TlsOptions> {
  const authentication = clientAuthentication(options)
  return {
    ...(await common(options, false)),
    requestCert: authentication !== 'none',
    // An optional certificate may be missing but not wrong, which the server looks at itself.
    rejectUnauthorized: authentication === 'required',
  }
}

export async function clientTls(options: TcpTlsOptions): Promise<ConnectionOptions> {
  return {
    ...(await common(options, true)),
    rejectUnauthorized: verificationMode(options) === 'full',
    ...(isIP(options.host) === 0 && { servername: options.host }),
  }
}

/** Subject of the peer's certificate as Java prints it (`CN=a,O=b`), when certificates are checked at all. */
export function certificateSubject(socket: Socket, options: TcpTlsOptions): string | undefined {
  const checked =
    options.mode === 'server'
      ? clientAuthentication(options) !== 'none'
      : verificationMode(options) === 'full'
  if (!checked || !(socket instanceof TLSSocket)) return undefined
  const { raw } = socket.getPeerCertificate()
  if (raw === undefined) return undefined
  return new X509Certificate(raw).subject.split('\n').reverse().join(',')
}
