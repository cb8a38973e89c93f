/**
 * Receives events from logstash-forwarder and other old senders of the Lumberjack protocol, always encrypted.
 * The codec reads the field `line`; the other fields are put on its events.
 */
import { defineInput, option, withoutEffect } from '../../plugin/define.ts'
import { LumberjackConnection } from '../lumberjack/connection.ts'
import { listenOptions } from '../receiving/listen-options.ts'
import { serverKeyOptions } from '../tls/server-options.ts'
import { tlsOptions } from '../tls/tls-options.ts'
import { compileReader } from './beats/events.ts'
import { acknowledgement } from './beats/input.ts'
import { lumberjackServer } from './beats/lumberjack-server.ts'

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
    ssl_key_passphrase: serverKeyOptions.ssl_key_passphrase,
    congestion_threshold: option.number(withoutEffect('senders wait as long as the pipeline is busy.', 5)),
    target_field_for_codec: option.string(withoutEffect('the codec reads the field `line`.')),
    max_clients: option.number({
      doc: 'No longer has a meaning.',
      deprecated: 'This setting no longer has any effect.',
    }),
  },
  reader: ({ codec, codecName, ecs, logger, decorate }) =>
    compileReader({ codec, codecName, ecs, enrich: nothingMore, addHostname: false, logger, decorate }),
  create({ options, logger, abort }) {
    const { host, port } = options
    return lumberjackServer({
      host,
      port,
      logger,
      abort,
      tls: () =>
        tlsOptions({
          certificate: options.ssl_certificate,
          key: options.ssl_key,
          passphrase: options.ssl_key_passphrase,
        }),
      started: 'Starting lumberjack input listener',
      connection: (socket, sink) =>
        new LumberjackConnection(socket, {
          inactivitySeconds,
          logger,
          accept: (batch, done) => sink.payloads(batch, {}, { done }),
        }),
    })
  },
})
