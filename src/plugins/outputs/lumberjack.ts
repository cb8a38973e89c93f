/**
 * The lumberjack output: batches over TLS to a Logstash or Millrace with the lumberjack or beats input. A batch
 * is delivered when its last event is acknowledged; otherwise it is sent again, to any of the hosts.
 */
import { lookup } from 'node:dns/promises'
import { connect, type TLSSocket } from 'node:tls'
import { defineOutput, option, withoutEffect } from '../../plugin/define.ts'
import { encodeFrames, encodeOf, readFrames } from '../../plugin/encode-buffer.ts'
import { exponentialBackOff, pause } from '../delivery/pause.ts'
import { tlsOptions } from '../tls/tls-options.ts'
import { AckReader, batchFrames } from './lumberjack/frames.ts'
import { HostChoice } from './lumberjack/host-choice.ts'

const connectMilliseconds = 30_000
const ackMilliseconds = 60_000

export default defineOutput({
  name: 'lumberjack',
  summary: 'Sends events over the Lumberjack protocol.',
  description: [
    'A batch counts as delivered when the receiver has acknowledged its last event. One that is not acknowledged is sent',
    'again, to another host where there is one, so that events may arrive twice: the protocol has no place for their names.',
    'Where that matters, give the receiver something to make `document_id` of, such as what a `fingerprint` filter puts',
    'into the event, or use the `logstash` output.',
  ].join('\n'),
  options: {
    hosts: option.list(option.string({ doc: 'A host.' }), {
      required: true,
      doc: 'Hosts that receive, with all their addresses; one by chance at a time, another one as soon as it fails.',
    }),
    port: option.number({ required: true, doc: 'Port of the hosts.' }),
    ssl_certificate: option.path({
      required: true,
      doc: 'Certificate of the receivers or of their authority, a PEM file; names in it are not compared.',
    }),
    flush_size: option.number({ default: 1024, doc: 'Most events that are sent before an acknowledgement.' }),
    window_size: option.number({ doc: 'The former name of `flush_size`.', deprecated: 'Use `flush_size`' }),
    idle_flush_time: option.number(withoutEffect('events never wait for others.', 1)),
  },
  codec: 'plain',
  concurrency: 'single',
  create({ options, codec, codecName, abort, logger }) {
    const { hosts, port } = options
    const encode = encodeOf(codec, codecName)
    const step = Math.max(1, Math.trunc(options.window_size ?? options.flush_size))
    const choice = new HostChoice()
    let authority: Buffer | string | undefined
    let receiver: Receiver | undefined
    const stop = () => receiver?.close()

    const open = async (): Promise<Receiver> => {
      const addresses = await addressesOf(hosts)
      const host = choice.next(addresses)
      logger.info('Connecting to lumberjack server.', { addresses, port })
      // As in Logstash the certificate is what counts, not the name of the host that has it.
      const socket = connect({ host, port, ca: authority, checkServerIdentity: () => undefined })
      const opened = new Receiver(socket, host)
      try {
        await opened.connected()
        return opened
      } catch (error) {
        choice.failed(host)
        throw error
      }
    }

    const send = async (frames: readonly Uint8Array[]): Promise<void> => {
      receiver ??= await open()
      await receiver.send(batchFrames(frames), frames.length)
    }

    const deliver = async (frames: readonly Uint8Array[]): Promise<void> => {
      for (let attempt = 0; ; attempt++) {
        try {
          await send(frames)
          return
        } catch (error) {
          if (receiver !== undefined) choice.failed(receiver.host)
          receiver?.close()
          receiver = undefined
          abort.throwIfAborted()
          const { message, name } = error as Error
          logger.error('Client write error, trying connect', { message, exception: name })
          // The other hosts are tried at once.
          const round = Math.floor(attempt / hosts.length)
          if ((attempt + 1) % hosts.length === 0) await pause(exponentialBackOff(round, 500), abort)
        }
      }
    }

    return {
      async register() {
        if (hosts.length === 0) throw new Error('`hosts` must not be empty')
        const { ca } = await tlsOptions({ authorities: [options.ssl_certificate] })
        authority = (Array.isArray(ca) ? ca.join('\n') : ca) as string | undefined
        abort.addEventListener('abort', stop, { once: true })
      },
      encode: (events) => [encodeFrames(events, encode, `lumberjack:${port}`)],
      async write(blocks) {
        for (const { bytes } of blocks) {
          const frames = readFrames(bytes)
          for (let i = 0; i < frames.length; i += step) await deliver(frames.slice(i, i + step))
        }
      },
      close() {
        abort.removeEventListener('abort', stop)
        receiver?.close()
        receiver = undefined
      },
    }
  },
})

/** All addresses that the hosts have, as several may have one name. */
async function addressesOf(hosts: readonly string[]): Promise<string[]> {
  const found = await Promise.allSettled(hosts.map((host) => lookup(host, { all: true })))
  const known = found.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value.map(({ address }) => address) : [],
  )
  if (known.length === 0) throw (found[0] as PromiseRejectedResult).reason
  return [...new Set(known)]
}

/** A connection that waits for one thing at a time: to be made, or to be told that a window has arrived. */
class Receiver {
  readonly host: string
  readonly #socket: TLSSocket
  readonly #acks = new AckReader()
  #acknowledged = 0
  #failure: Error | undefined
  #look: () => void = () => {}
  #timer: NodeJS.Timeout | undefined

  constructor(socket: TLSSocket, host: string) {
    this.host = host
    this.#socket = socket
    socket.on('secureConnect', () => this.#look())
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the receiver closed the connection')))
    socket.on('data', (chunk: Buffer) => {
      // A receiver that is busy says every few seconds that it is still there.
      this.#timer?.refresh()
      try {
        this.#acknowledged = Math.max(this.#acknowledged, this.#acks.push(chunk))
        this.#look()
      } catch (error) {
        this.#fail(error as Error)
      }
    })
  }

  connected(): Promise<void> {
    return this.#until(() => this.#socket.authorized, connectMilliseconds)
  }

  send(bytes: Uint8Array, count: number): Promise<void> {
    this.#acknowledged = 0
    this.#socket.write(bytes)
    return this.#until(() => this.#acknowledged >= count, ackMilliseconds)
  }

  close(): void {
    this.#socket.destroy()
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#socket.destroy()
    this.#look()
  }

  #until(isTrue: () => boolean, milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(new Error('the receiver does not answer')), milliseconds)
      this.#timer = timer
      this.#look = () => {
        if (this.#failure === undefined && !isTrue()) return
        clearTimeout(timer)
        this.#look = () => {}
        if (this.#failure === undefined) resolve()
        else reject(this.#failure)
      }
      this.#look()
    })
  }
}
