/**
 * The body of the beats and elastic_agent inputs: a server for the Lumberjack protocol whose senders get their
 * acknowledgement when their events are safe.
 */
import type { InputDefinition } from '../../../plugin/define.ts'
import { defineInput } from '../../../plugin/define.ts'
import { LumberjackConnection } from '../../lumberjack/connection.ts'
import { OpenConnections } from '../../receiving/open-connections.ts'
import { isTrusted } from '../../receiving/peer-certificate.ts'
import { compileReader, originOf } from './events.ts'
import { lumberjackServer } from './lumberjack-server.ts'
import { beatsOptions, enrichmentsOf } from './options.ts'
import { checkTls, serverTls } from './tls.ts'

/** When a sender hears of its events; the same for every input that speaks Lumberjack. */
export const acknowledgement = [
  'A window of events is acknowledged when all of them are safe: on stable storage where the queue of the pipeline is',
  'persisted, delivered by the outputs where it is in memory. Meanwhile the sender hears every five seconds that its',
  'events are still being worked on, and may send further windows, which are acknowledged in their order. What was not',
  'acknowledged when the connection ended the sender sends again, so that events may arrive twice but are not lost.',
].join('\n')

export function defineBeatsInput(name: string, summary: string): InputDefinition {
  return defineInput({
    name,
    summary,
    description: acknowledgement,
    options: beatsOptions,
    metrics: {
      current_connections: 'Connections that are open.',
      peak_connections: 'Most connections that were open at once.',
    },
    reader: ({ options, codec, codecName, ecs, logger, decorate }) =>
      compileReader({
        codec,
        codecName,
        ecs,
        enrich: enrichmentsOf(options),
        addHostname: options.add_hostname,
        logger,
        decorate,
      }),
    create({ options, codecName, metrics, ecs, logger, abort }) {
      const { host, port } = options
      const enrich = enrichmentsOf(options)
      return lumberjackServer({
        host,
        port,
        logger,
        abort,
        connections: new OpenConnections(metrics),
        check() {
          if (codecName === 'multiline') {
            throw new Error(
              'Multiline codec with beats input is not supported. Please refer to the beats documentation for how to best manage multiline data. See https://www.elastic.co/guide/en/beats/filebeat/current/multiline-examples.html',
            )
          }
          checkTls(options, enrich.peer, logger)
        },
        tls: async () => (options.ssl_enabled ? await serverTls(options) : undefined),
        started: 'Starting input listener',
        connection(socket, sink) {
          if (!isTrusted(socket)) return undefined
          const origin = originOf(socket, enrich, ecs)
          return new LumberjackConnection(socket, {
            inactivitySeconds: options.client_inactivity_timeout,
            logger,
            accept: (batch, done) => sink.payloads(batch, origin, { done }),
          })
        },
      })
    },
  })
}
