/**
 * Receives syslog messages (RFC 3164) over UDP and TCP on one port. Each line is read by the codec, taken apart
 * by grok, and gets its facility, severity and time. A listener that fails is opened again after five seconds.
 */
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { isIPv6, type Socket } from 'node:net'
import { compileSet } from '../../event/accessors.ts'
import type { Event } from '../../event/event.ts'
import { defineInput, type Origin, type Sink } from '../../plugin/define.ts'
import { LimitedLog } from '../../plugin/limited-log.ts'
import { keepListening } from '../receiving/keep-listening.ts'
import { payloadDecoder } from '../receiving/payload-events.ts'
import { peerAddress } from '../receiving/peer-address.ts'
import { orAborted, Stop } from '../receiving/stop.ts'
import { compileLineStep } from './syslog/line-step.ts'
import { syslogOptions } from './syslog/options.ts'
import { readLines } from './syslog/tcp-lines.ts'
import { TcpListener } from './tcp/server.ts'

/** Datagrams that may wait for the pipeline; further ones are lost, as is UDP's way, and counted. */
const maxWaiting = 10_000
const burst = 500

export default defineInput({
  name: 'syslog',
  summary: 'Receives syslog messages over UDP and TCP and takes them apart.',
  description: [
    'Lines are matched with `grok_pattern`; those that do not fit get the tag `_grokparsefailure_sysloginput`',
    'and, as in Logstash, the priority 0. Messages in the newer format (RFC 5424) need a pattern of their own.',
    'Over TCP messages are lines, or begin with their length when the first one of a connection does (RFC 6587).',
  ].join('\n'),
  options: syslogOptions,
  metrics: {
    messages_received: 'Lines and datagrams that came in.',
    unknown_messages: 'Kept for compatibility, always 0.',
    dropped: 'Datagrams lost because the pipeline was busy.',
  },
  reader({ options, codec, ecs, logger, decorate }) {
    const decode = payloadDecoder(codec)
    const step = compileLineStep(options, ecs, logger)
    const setHost = compileSet(ecs === 'disabled' ? 'host' : '[host][ip]')
    const log = new LimitedLog(logger)
    return {
      read(payload, { facts }, emit, time) {
        const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
        const finish = (event: Event): void => {
          decorate(event)
          try {
            setHost(event, facts!['address']!)
            step(event)
          } catch (error) {
            event.tag('_inputfailure')
            log.say('error', 'Fields of the line could not be set on its event', () => ({
              exception: (error as Error).name,
              message: (error as Error).message,
            }))
          }
          emit(event)
        }
        decode(bytes, finish, time)
      },
    }
  },
  create({ options, metrics, logger, abort }) {
    const { host, port } = options
    const stop = new Stop()
    const origins = new Origins()
    const sockets = new Set<Socket>()
    const connections = new Set<Promise<void>>()
    let udp: UdpSocket | undefined
    let tcp: TcpListener | undefined

    const hand = (sink: Sink, lines: readonly Buffer[], address: string): void | Promise<void> => {
      metrics.messages_received.increment(lines.length)
      return sink.payloads(lines, origins.of(address))
    }

    const untilStopped = (protocol: 'udp' | 'tcp', listen: () => Promise<void>): Promise<void> =>
      keepListening(stop, listen, ({ name: exception, message }) =>
        logger.warn('syslog listener died', { protocol, address: `${host}:${port}`, exception, message }),
      )

    const listenUdp = async (sink: Sink): Promise<void> => {
      const waiting: { bytes: Buffer; address: string }[] = []
      let busy: Promise<void> | undefined
      const drain = async (): Promise<void> => {
        // Datagrams that are here already travel together.
        await new Promise<void>((resolve) => setImmediate(resolve))
        try {
          while (waiting.length > 0) {
            const { address } = waiting[0]!
            let same = 1
            while (same < Math.min(burst, waiting.length) && waiting[same]!.address === address) same += 1
            const bytes = waiting.splice(0, same).map((datagram) => datagram.bytes)
            await hand(sink, bytes, address)
          }
        } catch (error) {
          logger.error('Datagrams were not accepted', { message: (error as Error).message })
        } finally {
          busy = undefined
        }
      }
      const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
      udp = socket
      const failed = new Promise<never>((_, reject) => socket.on('error', reject))
      socket.on('message', (bytes, { address }) => {
        if (waiting.length >= maxWaiting) metrics.dropped.increment()
        else waiting.push({ bytes, address: peerAddress(address) })
        busy ??= drain()
      })
      try {
        const bound = new Promise<void>((resolve) => socket.bind(port, host, resolve))
        await Promise.race([bound, failed])
        const address = socket.address()
        logger.info('Starting syslog udp listener', { address: `${address.address}:${address.port}` })
        await stop.during(failed)
      } finally {
        udp = undefined
        socket.close()
      }
      if (busy !== undefined) await orAborted(busy, abort)
    }

    const listenTcp = async (sink: Sink): Promise<void> => {
      const listener = await TcpListener.open({ host, port, tls: undefined, keepAlive: true, logger })
      tcp = listener
      logger.info('Starting syslog tcp listener', { address: listener.address })
      listener.deliver((socket) => {
        sockets.add(socket)
        socket.on('error', () => undefined)
        const reading = readLines(socket, {
          proxyProtocol: options.proxy_protocol,
          logger,
          accept: (lines, address) => hand(sink, lines, address),
        })
        connections.add(reading)
        void reading.then(() => {
          connections.delete(reading)
          sockets.delete(socket)
        })
      })
      await stop.requested
      listener.close()
      tcp = undefined
      for (const socket of sockets) socket.destroy()
      await orAborted(Promise.all(connections), abort)
    }

    return {
      async run(sink) {
        await Promise.all([
          untilStopped('udp', () => listenUdp(sink)),
          untilStopped('tcp', () => listenTcp(sink)),
        ])
      },
      stop() {
        stop.request()
      },
      close() {
        tcp?.close()
        tcp = undefined
        try {
          udp?.close()
        } catch {
          // It was closed when the listener ended.
        }
        udp = undefined
        for (const socket of sockets) socket.destroy()
      },
    }
  },
})

/** Senders that are remembered; beyond, all are forgotten and met anew. */
const maxSenders = 10_000

/** One origin for all lines of a sender. */
class Origins {
  readonly #byAddress = new Map<string, Origin>()

  of(address: string): Origin {
    let origin = this.#byAddress.get(address)
    if (origin === undefined) {
      if (this.#byAddress.size >= maxSenders) this.#byAddress.clear()
      origin = { facts: { address } }
      this.#byAddress.set(address, origin)
    }
    return origin
  }
}
