/**
 * A UDP port whose datagrams go to the pipeline in their order. Between socket and pipeline waits a bounded number of
 * datagrams and bytes; beyond, they are lost, as is UDP's way, and counted. A port that fails is opened again.
 */
import { createSocket, type Socket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import type { Metric, PluginLogger } from '../../plugin/define.ts'
import { keepListening } from './keep-listening.ts'
import { peerAddress } from './peer-address.ts'
import { orAborted, type Stop } from './stop.ts'

const maxWaiting = { datagrams: 10_000, bytes: 64 * 1024 * 1024 }

interface Datagram {
  readonly bytes: Buffer
  readonly address: string
  readonly port: number
}

interface DatagramSettings {
  /** Name in log lines: `gelf`. */
  readonly name: string
  readonly host: string
  readonly port: number
  readonly receiveBufferBytes?: number | undefined
  readonly logger: PluginLogger
  readonly dropped: Metric
  readonly stop: Stop
  readonly abort: AbortSignal
  /** Takes a datagram; a promise means to wait before the next one. */
  accept(datagram: Datagram): void | Promise<void>
}

/** Receives until the input has to stop; resolves when what was received is handed over. */
export async function receiveDatagrams(settings: DatagramSettings): Promise<void> {
  const { stop, logger, name, host, port } = settings
  await keepListening(
    stop,
    () => receiveOnce(settings),
    ({ message, name: exception }) =>
      logger.warn(`${name} listener died`, { address: `${host}:${port}`, exception, message }),
  )
}

async function receiveOnce(settings: DatagramSettings): Promise<void> {
  const { host, port, stop, abort, logger, name } = settings
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  const queue = new DatagramQueue(settings)
  const failed = new Promise<never>((_, reject) => socket.on('error', reject))
  failed.catch(() => undefined)
  socket.on('message', (bytes, { address, port: from }) =>
    queue.push({ bytes, address: peerAddress(address), port: from }),
  )
  try {
    await Promise.race([new Promise<void>((resolve) => socket.bind(port, host, resolve)), failed])
    if (settings.receiveBufferBytes !== undefined)
      setReceiveBuffer(socket, settings.receiveBufferBytes, logger)
    const bound = socket.address()
    logger.info(`Starting ${name} listener`, { address: `${bound.address}:${bound.port}` })
    await stop.during(failed)
  } finally {
    socket.close()
  }
  if (queue.busy !== undefined) await orAborted(queue.busy, abort)
}

class DatagramQueue {
  /** Until everything that waits is handed over. */
  busy: Promise<void> | undefined
  readonly #settings: DatagramSettings
  readonly #waiting: Datagram[] = []
  #bytes = 0

  constructor(settings: DatagramSettings) {
    this.#settings = settings
  }

  push(datagram: Datagram): void {
    const { length } = datagram.bytes
    if (this.#waiting.length >= maxWaiting.datagrams || this.#bytes + length > maxWaiting.bytes) {
      this.#settings.dropped.increment()
      return
    }
    this.#waiting.push(datagram)
    this.#bytes += length
    this.busy ??= this.#drain()
  }

  async #drain(): Promise<void> {
    const { accept, logger, name } = this.#settings
    try {
      while (this.#waiting.length > 0) {
        for (const datagram of this.#waiting.splice(0, 500)) {
          this.#bytes -= datagram.bytes.length
          const accepted = accept(datagram)
          if (accepted !== undefined) await accepted
        }
        // Datagrams that the system holds come before those that follow.
        await new Promise<void>((resolve) => setImmediate(resolve))
      }
    } catch (error) {
      logger.error(`Datagrams of ${name} were not accepted`, { message: (error as Error).message })
    } finally {
      this.busy = undefined
    }
  }
}

function setReceiveBuffer(socket: Socket, wanted: number, logger: PluginLogger): void {
  socket.setRecvBufferSize(wanted)
  const obtained = socket.getRecvBufferSize()
  // Linux doubles what it is asked for, to have room for its own bookkeeping.
  if (obtained === wanted || obtained === 2 * wanted) return
  logger.warn(
    `Unable to set receive_buffer_bytes to desired size. Requested ${wanted} but obtained ${obtained} bytes.`,
  )
}
