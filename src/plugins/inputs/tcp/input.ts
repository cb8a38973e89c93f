/**
 * The body of the tcp input, and of others whose streams come over TCP. Each connection is a stream of its own; the port is
 * opened in `register`, so that one that is taken is an error at start.
 */
import { connect as connectPlain, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import {
  defineInput,
  type InputDefinition,
  type PayloadReader,
  type ReaderContext,
  type Sink,
} from '../../../plugin/define.ts'
import { setUp } from '../../delivery/socket-setup.ts'
import { OpenConnections } from '../../receiving/open-connections.ts'
import { peerAddress } from '../../receiving/peer-address.ts'
import { isTrusted } from '../../receiving/peer-certificate.ts'
import { Stop } from '../../receiving/stop.ts'
import { Connection } from './connection.ts'
import { HostNames } from './host-names.ts'
import { ListeningPort } from './listening-port.ts'
import { tcpOptions } from './options.ts'
import { originOf } from './origin.ts'
import type { ProxiedPeer } from './proxy-header.ts'
import { TcpListener } from './server.ts'
import { certificateSubject, checkTls, clientTls, serverTls } from './tls.ts'

const reconnectMilliseconds = 1000
const connectMilliseconds = 60_000

const tcpMetrics = {
  current_connections: 'Connections that are open.',
  peak_connections: 'Most connections that were open at once.',
}

interface TcpVariant extends Pick<InputDefinition, 'name' | 'summary' | 'description'> {
  reader?(context: ReaderContext<typeof tcpOptions, typeof tcpMetrics>): PayloadReader
  /** Stands between the connections and the pipeline. */
  withSink?(sink: Sink): Sink
}

export function defineTcpInput({ withSink, ...declared }: TcpVariant): InputDefinition {
  return defineInput({
    ...declared,
    codec: 'line',
    streaming: true,
    options: tcpOptions,
    metrics: tcpMetrics,
    create({ options, metrics, ecs, logger, abort }) {
      const { host, port, mode, proxy_protocol, tcp_keep_alive, dns_reverse_lookup_enabled } = options
      const stop = new Stop()
      const names = new HostNames()
      const connections = new OpenConnections(metrics)
      let clientOptions: ConnectionOptions | undefined

      const listening = new ListeningPort(async () => {
        const tls = options.ssl_enabled ? await serverTls(options) : undefined
        const opened = await TcpListener.open({ host, port, tls, keepAlive: tcp_keep_alive, logger })
        logger.info('Starting tcp input listener', {
          address: opened.address,
          ssl_enabled: options.ssl_enabled,
        })
        return opened
      })

      const nameOf = (ip: string) => (dns_reverse_lookup_enabled ? names.nameOf(ip) : ip)

      const originFor = async (socket: Socket, proxied: ProxiedPeer | undefined) => {
        const ip = proxied?.address ?? peerAddress(socket.remoteAddress ?? '')
        return originOf(
          {
            name: await nameOf(ip),
            ip,
            port: proxied?.port ?? socket.remotePort ?? 0,
            proxyIp: proxied?.proxyAddress,
            proxyPort: proxied?.proxyPort,
            certificateSubject: options.ssl_enabled ? certificateSubject(socket, options) : undefined,
          },
          ecs,
        )
      }

      const connect = async (): Promise<Socket> => {
        const socket =
          clientOptions === undefined
            ? connectPlain({ host, port, keepAlive: tcp_keep_alive })
            : connectTls({ ...clientOptions, host, port })
        if (clientOptions !== undefined) socket.setKeepAlive(tcp_keep_alive)
        const limit = { milliseconds: connectMilliseconds, message: 'connect timed out' }
        return setUp(socket, limit, async () => {
          const connected = new Promise<void>((resolve, reject) => {
            socket.once(clientOptions === undefined ? 'connect' : 'secureConnect', resolve)
            socket.once('error', reject)
          })
          await stop.during(connected)
          if (stop.isRequested) throw new Error('stopped')
          return socket
        })
      }

      return {
        async register() {
          checkTls(options, logger)
          if (mode === 'server') await listening.open()
          else if (options.ssl_enabled) clientOptions = await clientTls(options)
        },

        async run(given) {
          const sink = withSink === undefined ? given : withSink(given)
          const settings = {
            proxyProtocol: proxy_protocol,
            logger,
            open: async (socket: Socket, proxied: ProxiedPeer | undefined) =>
              sink.stream(await originFor(socket, proxied)),
          }
          if (mode === 'server') {
            await listening.serve(stop, (socket) => {
              if (isTrusted(socket)) connections.add(new Connection(socket, settings))
              else socket.destroy()
            })
            await connections.finish(abort)
            return
          }
          while (!stop.isRequested) {
            let connection: Connection
            try {
              connection = new Connection(await connect(), settings)
            } catch (error) {
              if (stop.isRequested) return
              if (clientOptions === undefined || isNetworkError(error)) throw error
              logger.error('SSL Error', {
                message: (error as Error).message,
                exception: (error as Error).name,
              })
              await stop.sleep(reconnectMilliseconds)
              continue
            }
            connections.add(connection)
            await stop.during(connection.ended)
            if (stop.isRequested) await connections.finish(abort)
            else if (!connection.used) await stop.sleep(reconnectMilliseconds)
          }
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

function isNetworkError(error: unknown): boolean {
  const { syscall } = error as NodeJS.ErrnoException
  return syscall === 'connect' || syscall === 'getaddrinfo'
}
