/**
 * Receives events from logstash-forwarder and other old senders of the Lumberjack protocol, always encrypted.
 * The codec reads the field `line`; the other fields are put on its events.
 */
import { defineInput, option } from '../../plugin/define.ts'
import { LumberjackConnection } from '../lumberjack/connection.ts'
import { graceMilliseconds } from '../receiving/arrivals.ts'
import { listenOptions } from '../receiving/listen-options.ts'
import { OpenConnections } from '../receiving/open-connections.ts'
import { Stop } from '../receiving/stop.ts'
import { tlsOptions } from '../tls/tls-options.ts'
import { compileReader } from './beats/events.ts'
import { acknowledgement } from './beats/input.ts'
import { ListeningPort } from './tcp/listening-port.ts'
import { TcpListener } from './tcp/server.ts'

const inactivitySeconds = 60
const nothingMore = { source: false, codec: false, peer: false }

export default defineInput({
  name: 'lumberjack',
  summary: 'Receives events from logstash-forwarder over the Lumberjack protocol.',
  description: acknowledgement,
  options: {
    ...listenOptions,
    ssl_certificate: option.path({ required: true, doc: 'File with the certificate, in PEM format.' }),
    ssl_key: option.path({
      required: true,
      doc: 'File with the private key of the certificate, in PEM format.',
    }),
    ssl_key_passphrase: option.password({ doc: 'Password of the private key.' }),
    congestion_threshold: option.number({
      default: 5,
      doc: 'Accepted for compatibility; senders wait as long as the pipeline is busy.',
    }),
    target_field_for_codec: option.string({
      doc: 'Accepted for compatibility; the codec reads the field `line`.',
    }),
    max_clients: option.number({
      doc: 'No longer has a meaning.',
      deprecated: 'This setting no longer has any effect.',
    }),
  },
  reader: ({ codec, codecName, ecs, logger, decorate }) =>
    compileReader({ codec, codecName, ecs, enrich: nothingMore, addHostname: false, logger, decorate }),
  create({ options, logger, abort }) {
    const { host, port } = options
    const stop = new Stop()
    const connections = new OpenConnections()
    const listening = new ListeningPort(async () => {
      const tls = await tlsOptions({
        certificate: options.ssl_certificate,
        key: options.ssl_key,
        passphrase: options.ssl_key_passphrase,
      })
      const opened = await TcpListener.open({ host, port, tls, keepAlive: true, allowHalfOpen: true, logger })
      logger.info('Starting lumberjack input listener', { address: opened.address })
      return opened
    })

    return {
      register: () => listening.open(),
      async run(sink) {
        await listening.serve(stop, (socket) => {
          const connection = new LumberjackConnection(socket, {
            inactivitySeconds,
            logger,
            accept: (batch, done) => sink.payloads(batch, {}, { done }),
          })
          connections.add(connection)
        })
        await connections.finish(abort, graceMilliseconds)
      },
      stop() {
        stop.request()
      },
      close() {
        listening.close()
        connections.destroy()
      },
    }
  },
})
