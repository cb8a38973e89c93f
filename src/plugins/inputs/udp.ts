/**
 * Receives datagrams; each is one payload. Between the socket and the pipeline is a queue of `queue_size`
 * datagrams; when that is full, datagrams are lost, as is UDP's way, and counted.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { defineInput, type Origin, option, type Sink, withoutEffect } from '../../plugin/define.ts'
import { listenOptions } from '../receiving/listen-options.ts'
import { peerAddress } from '../receiving/peer-address.ts'
import { orAborted, Stop } from '../receiving/stop.ts'

const maxSenders = 10_000
/** Datagrams taken off the queue at once. */
const burst = 128

interface Datagram {
  readonly payload: Buffer
  readonly origin: Origin
}

export default defineInput({
  name: 'udp',
  summary: 'Receives datagrams over UDP; each becomes one payload for the codec.',
  originLast: true,
  options: {
    ...listenOptions,
    buffer_size: option.number({
      default: 65536,
      doc: 'Longest datagram, in bytes; longer ones are cut off.',
    }),
    receive_buffer_bytes: option.number({
      doc: 'Size of the receive buffer of the socket; what the operating system gives unless set.',
    }),
    workers: option.number(withoutEffect('datagrams are decoded by the workers of the pipeline.', 2)),
    queue_size: option.number({
      default: 2000,
      doc: 'How many datagrams may wait for the pipeline before further ones are lost.',
    }),
    source_ip_fieldname: option.string({
      doc: "Field that takes the sender's address; `host` (ECS: `[host][ip]`) unless given.",
    }),
  },
  metrics: {
    events: 'Datagrams handed to the pipeline.',
    queue_size: 'How many datagrams may wait.',
    workers: 'The option `workers`.',
    dropped: 'Datagrams lost because the queue was full.',
  },
  create({ options, metrics, ecs, logger, abort }) {
    const { host, port, buffer_size, receive_buffer_bytes, queue_size } = options
    const field = options.source_ip_fieldname ?? (ecs === 'disabled' ? 'host' : '[host][ip]')
    const stop = new Stop()
    const origins = new Map<string, Origin>()
    const waiting: Datagram[] = []
    let socket: Socket | undefined
    let sink: Sink | undefined
    let busy: Promise<void> | undefined
    let hasWarned = false

    /** One origin per sender, so that its accessors are compiled once. */
    const originOf = (address: string): Origin => {
      let origin = origins.get(address)
      if (origin === undefined) {
        if (origins.size >= maxSenders) origins.clear()
        origin = { fields: [[field, peerAddress(address)]] }
        origins.set(address, origin)
      }
      return origin
    }

    const drop = () => {
      metrics.dropped.increment()
      if (hasWarned) return
      hasWarned = true
      logger.warn('The queue is full and datagrams are lost', { queue_size })
    }

    const receive = (message: Buffer, { address }: RemoteInfo) => {
      const payload = message.length > buffer_size ? message.subarray(0, buffer_size) : message
      const origin = originOf(address)
      if (sink !== undefined && busy === undefined && waiting.length === 0) {
        const accepted = hand(sink, payload, origin)
        if (accepted !== undefined) busy = drain(sink, accepted)
      } else if (waiting.length < queue_size) waiting.push({ payload, origin })
      else drop()
    }

    const hand = (target: Sink, payload: Buffer, origin: Origin) => {
      metrics.events.increment()
      try {
        return target.record(payload, origin)
      } catch (error) {
        return Promise.reject(error)
      }
    }

    /** Hands over what waits, one datagram after the other, until nothing does. */
    const drain = async (target: Sink, before?: Promise<void>): Promise<void> => {
      try {
        await before
        while (waiting.length > 0) {
          for (const { payload, origin } of waiting.splice(0, burst)) await hand(target, payload, origin)
        }
        hasWarned = false
      } catch (error) {
        logger.error('Exception in inputworker', { exception: (error as Error).message })
      } finally {
        busy = undefined
      }
    }

    const open = async (): Promise<Socket> => {
      logger.info('Starting UDP listener', { address: `${host}:${port}` })
      const opened = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
      opened.on('message', receive)
      await new Promise<void>((resolve, reject) => {
        opened.once('error', reject)
        opened.bind(port, host, () => {
          opened.off('error', reject)
          resolve()
        })
      })
      setReceiveBuffer(opened)
      const { address, port: bound } = opened.address()
      logger.info('UDP listener started', {
        address: `${address}:${bound}`,
        receive_buffer_bytes: String(opened.getRecvBufferSize()),
        queue_size: String(queue_size),
      })
      metrics.queue_size.set(queue_size)
      metrics.workers.set(options.workers)
      return opened
    }

    const setReceiveBuffer = (opened: Socket) => {
      if (receive_buffer_bytes === undefined) return
      opened.setRecvBufferSize(receive_buffer_bytes)
      const obtained = opened.getRecvBufferSize()
      // Linux doubles what it is asked for, to have room for its own bookkeeping.
      if (obtained === receive_buffer_bytes || obtained === 2 * receive_buffer_bytes) return
      logger.warn(
        `Unable to set receive_buffer_bytes to desired size. Requested ${receive_buffer_bytes} but obtained ${obtained} bytes.`,
      )
    }

    const close = () => {
      socket?.close()
      socket = undefined
    }

    return {
      async register() {
        socket = await open()
      },
      async run(target) {
        socket ??= await open()
        const failed = new Promise<void>((_, reject) => {
          socket!.on('error', (error) => {
            logger.error('UDP listener died', { exception: error.message })
            close()
            reject(error)
          })
        })
        sink = target
        if (waiting.length > 0) busy ??= drain(target)
        await stop.during(failed)
        close()
        if (busy !== undefined) await orAborted(busy, abort)
      },
      stop() {
        stop.request()
      },
      close,
    }
  },
})
