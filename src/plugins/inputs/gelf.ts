/**
 * Receives GELF messages over UDP, in one datagram or in chunks, and over TCP. Here they are only put together; they are
 * unpacked and become events in the worker that runs their filters.
 */
import type { Socket } from 'node:net'
import { defineInput, type Origin, option, type Sink } from '../../plugin/define.ts'
import { LimitedLog } from '../../plugin/limited-log.ts'
import { receiveDatagrams } from '../receiving/datagrams.ts'
import { keepListening } from '../receiving/keep-listening.ts'
import { listenOptionsAt } from '../receiving/listen-options.ts'
import { peerAddress } from '../receiving/peer-address.ts'
import { orAborted, Stop } from '../receiving/stop.ts'
import { GelfChunks, isChunk } from './gelf/chunks.ts'
import { gelfEvent } from './gelf/message.ts'
import { NulFrames } from './gelf/tcp-frames.ts'
import { TcpListener } from './tcp/server.ts'

const maxSenders = 10_000

export default defineInput({
  name: 'gelf',
  summary: 'Receives messages in the Graylog Extended Log Format over UDP and TCP.',
  description: [
    'Messages may be compressed with gzip or zlib, and over UDP come in up to 128 chunks, which have to arrive within five',
    'seconds. Incomplete messages take at most 64 MiB, one message unpacks to at most 8 MiB. A message that is no JSON',
    'object becomes an event with its text as `message` and the tags `_jsonparsefailure` and `_fromjsonparser`; one that',
    'cannot be unpacked gets the tag `_gelfparsefailure`. The address of the sender is in `source_host`.',
  ].join('\n'),
  options: {
    ...listenOptionsAt(12201),
    port_udp: option.number({ doc: 'Port for UDP, if it is another one.' }),
    port_tcp: option.number({ doc: 'Port for TCP, if it is another one.' }),
    use_udp: option.boolean({ default: true, doc: 'Whether to listen for datagrams.' }),
    use_tcp: option.boolean({ default: false, doc: 'Whether to listen for connections.' }),
    receive_buffer_bytes: option.number({
      doc: 'Size of the receive buffer of the UDP socket; what the operating system gives unless set.',
    }),
    remap: option.boolean({
      default: true,
      doc: 'Whether `full_message`, or else `short_message`, becomes `message`.',
    }),
    strip_leading_underscore: option.boolean({
      default: true,
      doc: 'Whether additional fields lose the underscore that they begin with.',
    }),
  },
  metrics: {
    dropped: 'Datagrams lost because the pipeline was busy.',
    incomplete: 'Messages of which not all chunks came in time.',
    failures: 'Messages or chunks that could not be read.',
  },
  reader({ options, logger, metrics, decorate }) {
    const reading = { remap: options.remap, stripUnderscore: options.strip_leading_underscore }
    const log = new LimitedLog(logger)
    const failed = (message: string, error: Error) => {
      metrics.failures.increment()
      log.say('warn', message, () => ({ message: error.message }))
    }
    return {
      read(payload, { facts }, emit, time) {
        const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
        const event = gelfEvent(bytes, String(facts?.['address'] ?? ''), time, reading, failed)
        if (event === undefined) return
        decorate(event)
        emit(event)
      },
    }
  },
  create({ options, metrics, logger, abort }) {
    const { host } = options
    const stop = new Stop()
    const log = new LimitedLog(logger)
    const chunks = new GelfChunks((messages) => metrics.incomplete.increment(messages))
    const origins = new Map<string, Origin>()
    const connections = new Map<Socket, Promise<void>>()
    let listener: TcpListener | undefined

    const originOf = (address: string): Origin => {
      let origin = origins.get(address)
      if (origin === undefined) {
        if (origins.size >= maxSenders) origins.clear()
        origins.set(address, (origin = { facts: { address } }))
      }
      return origin
    }

    const takeDatagram = (sink: Sink, bytes: Buffer, address: string, port: number): void | Promise<void> => {
      let message: Buffer | undefined = bytes
      try {
        if (isChunk(bytes)) message = chunks.add(bytes, `${address} ${port}`)
      } catch (error) {
        metrics.failures.increment()
        log.say('warn', 'Gelfd failed to parse a message skipping', () => ({
          exception: (error as Error).message,
        }))
        return
      }
      if (message !== undefined) return sink.payloads([message], originOf(address))
    }

    const readConnection = async (socket: Socket, sink: Sink): Promise<void> => {
      const origin = originOf(peerAddress(socket.remoteAddress ?? ''))
      const frames = new NulFrames()
      try {
        for await (const chunk of socket as AsyncIterable<Buffer>) {
          const complete = frames.push(chunk)
          if (complete.length > 0) await sink.payloads(complete, origin)
        }
        const last = frames.end()
        if (last.length > 0) await sink.payloads(last, origin)
      } catch (error) {
        log.say('warn', 'Gelf (tcp): client socket failed.', () => ({ exception: (error as Error).message }))
      } finally {
        socket.destroy()
      }
    }

    const listenTcp = async (sink: Sink): Promise<void> => {
      const port = options.port_tcp ?? options.port
      const listen = async (): Promise<void> => {
        try {
          listener = await TcpListener.open({ host, port, tls: undefined, keepAlive: true, logger })
          logger.info('Starting gelf listener (tcp) ...', { address: listener.address })
          listener.deliver((socket) => {
            const over = readConnection(socket, sink).finally(() => connections.delete(socket))
            connections.set(socket, over)
          })
          await stop.requested
        } finally {
          listener?.close()
          listener = undefined
        }
      }
      await keepListening(stop, listen, ({ message }) =>
        logger.warn('gelf listener died', { protocol: 'tcp', exception: message }),
      )
      for (const socket of connections.keys()) socket.destroy()
      await orAborted(Promise.allSettled(connections.values()), abort)
    }

    return {
      async run(sink) {
        const listening: Promise<void>[] = []
        if (options.use_udp) {
          listening.push(
            receiveDatagrams({
              name: 'gelf',
              host,
              port: options.port_udp ?? options.port,
              receiveBufferBytes: options.receive_buffer_bytes,
              logger,
              dropped: metrics.dropped,
              stop,
              abort,
              accept: ({ bytes, address, port }) => takeDatagram(sink, bytes, address, port),
            }),
          )
        }
        if (options.use_tcp) listening.push(listenTcp(sink))
        await Promise.all(listening)
      },
      stop() {
        stop.request()
      },
      close() {
        listener?.close()
        for (const socket of connections.keys()) socket.destroy()
      },
    }
  },
})
