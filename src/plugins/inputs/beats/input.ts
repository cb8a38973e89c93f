/**
 * The body of the beats and elastic_agent inputs: a server for the Lumberjack protocol whose senders get their
 * acknowledgement when their events are safe.
 */
import type { InputDefinition } from '../../../plugin/define.ts'
import { defineInput } from '../../../plugin/define.ts'
import { LumberjackConnection } from '../../lumberjack/connection.ts'
import { graceMilliseconds } from '../../receiving/arrivals.ts'
import { OpenConnections } from '../../receiving/open-connections.ts'
import { isTrusted } from '../../receiving/peer-certificate.ts'
import { Stop } from '../../receiving/stop.ts'
import { ListeningPort } from '../tcp/listening-port.ts'
import { TcpListener } from '../tcp/server.ts'
import { compileReader, originOf } from './events.ts'
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
      const stop = new Stop()
      const connections = new OpenConnections(metrics)
      const listening = new ListeningPort(async () => {
        const tls = options.ssl_enabled ? await serverTls(options) : undefined
        const opened = await TcpListener.open({
          host,
          port,
          tls,
          keepAlive: true,
          allowHalfOpen: true,
          logger,
        })
        logger.info('Starting input listener', { address: opened.address })
        return opened
      })

      return {
        async register() {
          if (codecName === 'multiline') {
            throw new Error(
              'Multiline codec with beats input is not supported. Please refer to the beats documentation for how to best manage multiline data. See https://www.elastic.co/guide/en/beats/filebeat/current/multiline-examples.html',
            )
          }
          checkTls(options, enrichmentsOf(options).peer, logger)
          await listening.open()
        },

        async run(sink) {
          const enrich = enrichmentsOf(options)
          await listening.serve(stop, (socket) => {
            if (!isTrusted(socket)) {
              socket.destroy()
              return
            }
            const origin = originOf(socket, enrich, ecs)
            connections.add(
              new LumberjackConnection(socket, {
                inactivitySeconds: options.client_inactivity_timeout,
                logger,
                accept: (batch, done) => sink.payloads(batch, origin, { done }),
              }),
            )
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
}
