/** The `ssl_…` options of the beats input: what of them fits together, and what they mean to Node's TLS. */
import { X509Certificate } from 'node:crypto'
import type { Socket } from 'node:net'
import { TLSSocket, type TlsOptions } from 'node:tls'
import { type Fields, isFields, putField, readField } from '../../../event/value.ts'
import type { EcsCompatibility, PluginLogger } from '../../../plugin/define.ts'
import { warnOfUnused } from '../../tls/checks.ts'
import { clientAuthentication, listenerTls } from '../../tls/server-tls.ts'
import type { BeatsOptions } from './options.ts'

/** Throws what Logstash says about options that contradict each other. */
export function checkTls(options: BeatsOptions, asksForPeer: boolean, logger: PluginLogger): void {
  const authentication = clientAuthentication(options)
  if (!options.ssl_enabled) {
    warnOfUnused(givenNames(options), logger)
    return
  }
  if (options.ssl_key === undefined) {
    throw new Error('ssl_key => is a required setting when ssl_enabled => true is configured')
  }
  if (options.ssl_certificate === undefined) {
    throw new Error('ssl_certificate => is a required setting when ssl_enabled => true is configured')
  }
  const hasAuthorities = options.ssl_certificate_authorities.length > 0
  if (authentication !== 'none' && !hasAuthorities) {
    throw new Error(
      `ssl_certificate_authorities => is a required setting when ssl_client_authentication => '${authentication}' is configured`,
    )
  }
  if (authentication === 'none' && hasAuthorities) {
    throw new Error(
      "Configuring ssl_certificate_authorities requires ssl_client_authentication => to be configured with 'optional' or 'required'",
    )
  }
  if (asksForPeer && !hasAuthorities) {
    throw new Error(
      'Enabling `ssl_peer_metadata` requires `ssl_client_authentication` to be set to `optional` or `required`',
    )
  }
}

function givenNames(options: BeatsOptions): string[] {
  return Object.entries(options)
    .filter(([name]) => name.startsWith('ssl_') && name !== 'ssl_enabled' && name !== 'ssl_handshake_timeout')
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(([name]) => name)
}

export function serverTls(options: BeatsOptions): Promise<TlsOptions> {
  return listenerTls(options, { passphrase: options.ssl_key_passphrase })
}

/** Facts about a sender's certificate, as nested metadata; undefined when the connection is not encrypted. */
export function peerMetadata(socket: Socket, ecs: EcsCompatibility): Fields | undefined {
  if (!(socket instanceof TLSSocket)) return undefined
  const { raw } = socket.getPeerCertificate()
  const metadata: Fields = {}
  put(metadata, ['tls_peer', 'status'], raw === undefined ? 'unverified' : 'verified')
  if (raw === undefined) return metadata
  const subject = new X509Certificate(raw).subject.split('\n').reverse().join(',')
  const names =
    ecs === 'disabled'
      ? {
          protocol: ['tls_peer', 'protocol'],
          subject: ['tls_peer', 'subject'],
          cipher: ['tls_peer', 'cipher_suite'],
        }
      : {
          protocol: ['input', 'beats', 'tls', 'version_protocol'],
          subject: ['input', 'beats', 'tls', 'client', 'subject'],
          cipher: ['input', 'beats', 'tls', 'cipher'],
        }
  put(metadata, names.protocol, socket.getProtocol() ?? '')
  put(metadata, names.subject, subject)
  put(metadata, names.cipher, socket.getCipher().standardName ?? socket.getCipher().name)
  return metadata
}

function put(target: Fields, path: readonly string[], value: string): void {
  let fields = target
  for (const name of path.slice(0, -1)) {
    const inner = readField(fields, name)
    const next: Fields = isFields(inner) ? inner : {}
    putField(fields, name, next)
    fields = next
  }
  putField(fields, path[path.length - 1]!, value)
}
