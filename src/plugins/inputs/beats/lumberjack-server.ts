/** A server for the Lumberjack protocol: every connection is served until the input stops, then ends in good order. */
import type { Socket } from 'node:net'
import type { TlsOptions } from 'node:tls'
import type { InputInstance, PluginLogger, Sink } from '../../../plugin/define.ts'
import type { LumberjackConnection } from '../../lumberjack/connection.ts'
import { graceMilliseconds } from '../../receiving/arrivals.ts'
import { OpenConnections } from '../../receiving/open-connections.ts'
import { Stop } from '../../receiving/stop.ts'
import { ListeningPort } from '../tcp/listening-port.ts'
import { TcpListener } from '../tcp/server.ts'

interface LumberjackServer {
  readonly host: string
  readonly port: number
  readonly logger: PluginLogger
  readonly abort: AbortSignal
  readonly connections?: OpenConnections
  /** Throws where the options do not fit together. */
  check?(): void
  tls(): Promise<TlsOptions | undefined>
  /** The line of the log that says where the server listens. */
  readonly started: string
  /** Undefined when the peer is not let in. */
  connection(socket: Socket, sink: Sink): LumberjackConnection | undefined
}

export function lumberjackServer(server: LumberjackServer): InputInstance {
  const { host, port, logger, abort, connections = new OpenConnections() } = server
  const stop = new Stop()
  const listening = new ListeningPort(async () => {
    const tls = await server.tls()
    const opened = await TcpListener.open({ host, port, tls, keepAlive: true, allowHalfOpen: true, logger })
    logger.info(server.started, { address: opened.address })
    return opened
  })
  return {
    async register() {
      server.check?.()
      await listening.open()
    },
    async run(sink) {
      await listening.serve(stop, (socket) => {
        const connection = server.connection(socket, sink)
        if (connection === undefined) socket.destroy()
        else connections.add(connection)
      })
      await connections.finish(abort, graceMilliseconds)
    },
    stop: () => stop.request(),
    close() {
      listening.close()
      connections.destroy()
    },
  }
}
