/**
 * The lines of one TCP connection, each with its line end, as Logstash hands them to the codec. While the
 * pipeline does not take more, nothing is read from the socket.
 */
import type { Socket } from 'node:net'
import type { PluginLogger } from '../../../plugin/define.ts'
import { peerAddress } from '../peer-address.ts'

export interface LineSettings {
  readonly proxyProtocol: boolean
  readonly logger: PluginLogger
  accept(lines: Buffer[], address: string): void | Promise<void>
}

/** A line without end is handed over in pieces of this length. */
const longestLine = 1024 * 1024

/** Resolves when the connection is over. */
export async function readLines(socket: Socket, settings: LineSettings): Promise<void> {
  const { logger } = settings
  let address = peerAddress(socket.remoteAddress ?? '')
  const client = `${address}:${socket.remotePort}`
  logger.info('new connection', { client })
  let wantsHeader = settings.proxyProtocol
  let rest: Buffer[] = []
  let restLength = 0
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      rest.push(chunk)
      restLength += chunk.length
      if (!chunk.includes(10) && restLength < longestLine) continue
      const bytes = rest.length === 1 ? chunk : Buffer.concat(rest)
      const { lines, end } = cut(bytes)
      rest = end < bytes.length ? [bytes.subarray(end)] : []
      restLength = bytes.length - end
      if (wantsHeader && lines.length > 0) {
        address = proxiedAddress(lines.shift()!, logger)
        wantsHeader = false
      }
      if (lines.length > 0) await settings.accept(lines, address)
    }
    if (restLength > 0 && !wantsHeader) await settings.accept([Buffer.concat(rest)], address)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_STREAM_PREMATURE_CLOSE') logger.debug('Connection error', { client, message })
  } finally {
    socket.destroy()
    logger.info('connection closed', { client })
  }
}

function cut(bytes: Buffer): { lines: Buffer[]; end: number } {
  const lines: Buffer[] = []
  let start = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, at + 1))
    start = at + 1
  }
  if (bytes.length - start >= longestLine) {
    lines.push(bytes.subarray(start))
    start = bytes.length
  }
  return { lines, end: start }
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
