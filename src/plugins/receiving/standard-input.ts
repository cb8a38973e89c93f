/**
 * Standard input as a stream that can be left at any time. A descriptor of its own, not process.stdin: in a
 * thread that one is a copy fed by the main thread. Terminals, pipes and sockets are polled; a blocking read of
 * them would hold a thread of Node's pool, and with it the end of the process, until somebody types a line.
 */
import { createReadStream, fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { isatty, ReadStream } from 'node:tty'

const descriptor = 0

export function openStandardInput(): Readable {
  if (isatty(descriptor)) return new ReadStream(descriptor)
  const stat = fstatSync(descriptor)
  if (stat.isFIFO() || stat.isSocket()) return new Socket({ fd: descriptor, readable: true, writable: false })
  return createReadStream('', { fd: descriptor, autoClose: false, highWaterMark: 65536 })
}

export function isTerminal(): boolean {
  return isatty(descriptor)
}
