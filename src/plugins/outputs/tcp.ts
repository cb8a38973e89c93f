/** The tcp output: events over a connection to a peer, or to every peer that connects. */
import { defineOutput, oldName, option, withAliases } from '../../plugin/define.ts'
import { encodeBlock, encodeOf } from '../../plugin/encode-buffer.ts'
import { TcpClient } from '../delivery/tcp-client.ts'
import { TcpServer } from '../delivery/tcp-server.ts'
import { clientTlsOptions, fileList, keyPassphrase, ownCertificateOptions } from '../tls/client-options.ts'
import { oldTcpTlsOptions } from '../tls/old-tcp-options.ts'
import { tlsOptions } from '../tls/tls-options.ts'

const readerBufferLimit = 16 * 1024 * 1024

export default defineOutput({
  name: 'tcp',
  summary: 'Sends events over TCP.',
  description:
    'As a client it connects, and reconnects for ever, waiting for the peer to take what it sends. As a server it ' +
    'sends every event to all who are connected. The `json` codec writes nothing between two events; use ' +
    '`json_lines` for a peer that reads lines.',
  options: {
    host: option.string({
      required: true,
      doc: 'Address to connect to, or to listen on when `mode` is `server`.',
    }),
    port: option.number({ required: true, doc: 'Port to connect to or to listen on.' }),
    mode: option.oneOf(['server', 'client'], {
      default: 'client',
      doc: 'Whether to wait for connections or to make one.',
    }),
    reconnect_interval: option.number({
      default: 10,
      doc: 'Seconds to wait before connecting again.',
    }),
    ssl_enabled: option.boolean({
      default: false,
      aliases: ['ssl_enable'],
      doc: 'Whether to use TLS; the other `ssl_` options need it.',
    }),
    ...withAliases(ownCertificateOptions, { ssl_certificate: 'ssl_cert' }),
    ssl_key_passphrase: keyPassphrase,
    ssl_certificate_authorities: fileList({
      aliases: ['ssl_cacert'],
      doc: 'Certificates, PEM files or a folder of them, that are trusted besides those of the system.',
    }),
    ssl_verification_mode: option.oneOf(['full', 'none'], {
      default: 'full',
      doc: 'As a client: whether to check certificate and name of the server.',
    }),
    ssl_verify: option.boolean({
      obsolete:
        "Use 'ssl_client_authentication' when mode is 'server' or 'ssl_verification_mode' when mode is 'client'",
      accepted: 'Use `ssl_verification_mode`, or `ssl_client_authentication` in `server` mode, instead.',
      doc: 'Whether to check the certificate of the other side.',
    }),
    ssl_client_authentication: option.oneOf(['none', 'optional', 'required'], {
      default: 'none',
      doc: 'As a server: whether clients have to show a certificate.',
    }),
    ...clientTlsOptions,
    ...oldTcpTlsOptions,
    ssl_cacert: option.path(oldName('ssl_certificate_authorities')),
    message_format: option.string({
      doc: 'Old form of the `line` codec with a format.',
      obsolete: 'This setting is obsolete. The event will be formatted according to the codec used',
      accepted: 'Use the `line` codec with `format` instead.',
    }),
  },
  codec: 'json',
  concurrency: 'single',
  create({ options, codec, codecName, abort, logger }) {
    const { host, port, mode, ssl_enabled, ssl_verify } = options
    const encode = encodeOf(codec, codecName)
    let client: TcpClient | undefined
    let server: TcpServer | undefined

    const clientChecks = ssl_verify ?? options.ssl_verification_mode === 'full'
    const serverAsks = ssl_verify ? 'required' : options.ssl_client_authentication

    return {
      async register() {
        const tls = ssl_enabled
          ? await tlsOptions({
              certificate: options.ssl_certificate,
              key: options.ssl_key,
              passphrase: options.ssl_key_passphrase,
              authorities: options.ssl_certificate_authorities,
              trustSystem: true,
              protocols: options.ssl_supported_protocols,
              ciphers: options.ssl_cipher_suites,
            })
          : undefined
        if (mode === 'server') {
          if (tls !== undefined && tls.cert === undefined) {
            throw new Error('`ssl_certificate` and `ssl_key` are needed in `server` mode')
          }
          const asking = { requestCert: serverAsks !== 'none', rejectUnauthorized: serverAsks === 'required' }
          server = new TcpServer({
            host,
            port,
            tls: tls === undefined ? undefined : { ...tls, ...asking },
            logger,
            bufferLimit: readerBufferLimit,
          })
          await server.listen()
        } else {
          client = new TcpClient({
            host,
            port,
            tls: tls === undefined ? undefined : { ...tls, rejectUnauthorized: clientChecks },
            reconnectMilliseconds: Math.max(10, options.reconnect_interval * 1000),
            logger,
            signal: abort,
          })
        }
      },
      encode: (events) => [encodeBlock(events, encode, `${host}:${port}`)],
      async write(blocks) {
        for (const { bytes } of blocks) {
          server?.broadcast(bytes)
          await client?.send(bytes)
        }
      },
      async close() {
        await client?.close()
        await server?.close()
      },
    }
  },
})
