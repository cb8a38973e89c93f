/** Receives syslog messages over RELP; a sender hears of each message when its events are safe. */
import type { Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { defineInput, option, type Password } from '../../plugin/define.ts'
import { graceMilliseconds } from '../receiving/arrivals.ts'
import { listenOptions } from '../receiving/listen-options.ts'
import { peerAddress } from '../receiving/peer-address.ts'
import { isTrusted } from '../receiving/peer-certificate.ts'
import { orAborted, Stop } from '../receiving/stop.ts'
import { checkPair } from '../tls/checks.ts'
import { serverCertificate, serverKeyOptions } from '../tls/server-options.ts'
import { tlsOptions } from '../tls/tls-options.ts'
import { RelpSession } from './relp/session.ts'
import { ListeningPort } from './tcp/listening-port.ts'
import { TcpListener } from './tcp/server.ts'
import { certificateSubject } from './tcp/tls.ts'

const maxSessions = 10_000

export default defineInput({
  name: 'relp',
  summary: 'Receives syslog messages over the Reliable Event Logging Protocol.',
  description: [
    'A message is acknowledged when its events are safe: on stable storage where the queue of the pipeline is persisted,',
    'delivered by the outputs where it is in memory. What was not acknowledged when the connection ended the sender sends',
    'again, so that events may arrive twice but are not lost. Messages are up to 16 MiB long.',
  ].join('\n'),
  originLast: true,
  options: {
    ...listenOptions,
    ssl_enable: option.boolean({
      default: false,
      doc: 'Whether connections are encrypted; all other `ssl_` options need it.',
      aliases: ['ssl_enabled'],
    }),
    ssl_verify: option.boolean({
      default: true,
      doc: 'Whether senders must show a certificate, whose subject is then in `sslsubject`.',
    }),
    ssl_cacert: option.path({
      doc: 'Certificates of authorities that vouch for senders, a PEM file or a folder of them, besides those of the system.',
    }),
    ssl_cert: serverCertificate,
    ...serverKeyOptions,
  },
  metrics: {
    current_connections: 'Connections that are open.',
  },
  create({ options, metrics, ecs, logger, abort }) {
    const { host, port, ssl_enable, ssl_verify } = options
    const stop = new Stop()
    const sessions = new Set<RelpSession>()
    const listening = new ListeningPort(async () => {
      const tls = ssl_enable ? await serverTls(options) : undefined
      const opened = await TcpListener.open({ host, port, tls, keepAlive: true, allowHalfOpen: true, logger })
      logger.info('Starting relp input listener', { address: opened.address })
      return opened
    })

    const originOf = (socket: Socket) => {
      const address = peerAddress(socket.remoteAddress ?? '')
      const overwrite: [string, string][] =
        ecs === 'disabled'
          ? [['host', `${address}:${socket.remotePort}`]]
          : [
              ['[host][ip]', address],
              ['[@metadata][input][relp][source][port]', String(socket.remotePort)],
            ]
      const subject = ssl_enable
        ? certificateSubject(socket, {
            mode: 'server',
            ssl_client_authentication: ssl_verify ? 'required' : 'none',
          } as Parameters<typeof certificateSubject>[1])
        : undefined
      if (subject !== undefined)
        overwrite.push([
          ecs === 'disabled' ? 'sslsubject' : '[@metadata][input][relp][tls][client][subject]',
          subject,
        ])
      return { overwrite }
    }

    return {
      async register() {
        if (ssl_enable) checkPair(options.ssl_cert, options.ssl_key)
        await listening.open()
      },
      async run(sink) {
        await listening.serve(stop, (socket) => {
          if (!isTrusted(socket) || sessions.size >= maxSessions) {
            socket.destroy()
            return
          }
          const origin = originOf(socket)
          const session = new RelpSession(socket, {
            logger,
            accept: (message, done) => sink.record(message, origin, { done }),
          })
          sessions.add(session)
          metrics.current_connections.set(sessions.size)
          void session.ended.then(() => {
            sessions.delete(session)
            metrics.current_connections.set(sessions.size)
          })
        })
        for (const session of sessions) session.stop()
        const idle = Promise.all([...sessions].map((session) => session.idle()))
        await orAborted(idle, abort, graceMilliseconds)
        for (const session of sessions) session.close()
      },
      stop() {
        stop.request()
      },
      close() {
        listening.close()
        for (const session of sessions) session.close()
      },
    }
  },
})

interface TlsChoice {
  readonly ssl_verify: boolean
  readonly ssl_cacert: string | undefined
  readonly ssl_cert: string | undefined
  readonly ssl_key: string | undefined
  readonly ssl_key_passphrase: Password | undefined
}

async function serverTls(options: TlsChoice): Promise<TlsOptions> {
  const { ssl_cacert } = options
  return {
    ...(await tlsOptions({
      certificate: options.ssl_cert,
      key: options.ssl_key,
      passphrase: options.ssl_key_passphrase,
      authorities: ssl_cacert === undefined ? [] : [ssl_cacert],
      trustSystem: true,
    })),
    requestCert: options.ssl_verify,
    rejectUnauthorized: options.ssl_verify,
  }
}
