/**
 * Reads the messages of one TCP connection. While the pipeline does not take more, nothing is read from the socket.
 */
import type { Socket } from 'node:net'
import type { PluginLogger } from '../../../plugin/define.ts'
import { peerAddress } from '../../receiving/peer-address.ts'
import { LineFrames } from './line-frames.ts'

interface LineSettings {
  readonly proxyProtocol: boolean
  readonly logger: PluginLogger
  accept(lines: Buffer[], address: string): void | Promise<void>
}

const maxHeaderLength = 4096

/** Resolves when the connection is over. */
export async function readLines(socket: Socket, settings: LineSettings): Promise<void> {
  const { logger } = settings
  let address = peerAddress(socket.remoteAddress ?? '')
  const client = `${address}:${socket.remotePort}`
  logger.info('new connection', { client })
  const frames = new LineFrames()
  let header: Buffer | undefined = settings.proxyProtocol ? Buffer.alloc(0) : undefined
  try {
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      let chunk = bytes
      if (header !== undefined) {
        header = Buffer.concat([header, chunk])
        const end = header.indexOf(10) + 1
        if (end === 0 && header.length < maxHeaderLength) continue
        address = proxiedAddress(header.subarray(0, end), logger)
        chunk = header.subarray(end)
        header = undefined
      }
      const lines = frames.push(chunk)
      if (lines.length > 0) await settings.accept(lines, address)
    }
    const last = frames.end()
    if (last.length > 0) await settings.accept(last, address)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE') logger.debug('Connection error', { client, message })
  } finally {
    socket.destroy()
    logger.info('connection closed', { client })
  }
}

/** `PROXY TCP4 <client address> <proxy address> <client port> <proxy port>` */
function proxiedAddress(line: Buffer, logger: PluginLogger): string {
  const [label, , address = ''] = line.toString('latin1').split(/\s/)
  if (label !== 'PROXY') {
    logger.error('invalid proxy protocol header label', { header: line.toString('latin1', 0, 200) })
    throw new Error('invalid proxy protocol header label')
  }
  return address
}
