/** Peers for tests over TCP: a sender that respects back-pressure, and a receiver that can be slow or absent. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { Patience } from '../../src/plugin/testing/patience.ts'

export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      // The other side may go away while we send; the test looks at what arrived.
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}

export interface Push {
  /** Lines handed to the operating system or waiting in our own socket. */
  lines: number
  /** How often the socket was full. */
  waits: number
}

/** Sends numbered lines of about `size` bytes for some time, never faster than the other side takes them. */
export async function push(socket: Socket, size: number, milliseconds: number): Promise<Push> {
  const end = Date.now() + milliseconds
  const filler = 'x'.repeat(size)
  const result: Push = { lines: 0, waits: 0 }
  while (Date.now() < end) {
    let block = ''
    for (let i = 0; i < 50; i++) block += `${result.lines++} ${filler}\n`
    if (socket.write(block)) continue
    result.waits += 1
    await Promise.race([
      new Promise((resolve) => socket.once('drain', resolve)),
      new Promise((resolve) => setTimeout(resolve, Math.max(0, end - Date.now()))),
    ])
  }
  return result
}

export class Receiver {
  readonly port: number
  /** First word of each complete line so far. */
  readonly lines: string[] = []
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #rest = ''

  private constructor(server: Server, port: number) {
    this.#server = server
    this.port = port
  }

  /** Reads one chunk, then rests for `pauseMilliseconds`. */
  static listen(port: number, pauseMilliseconds = 0): Promise<Receiver> {
    return new Promise((resolve, reject) => {
      const server = createServer({ highWaterMark: 16384 })
      const receiver = new Receiver(server, port)
      server.on('connection', (socket) => receiver.#receive(socket, pauseMilliseconds))
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => resolve(receiver))
    })
  }

  #receive(socket: Socket, pauseMilliseconds: number): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    socket.setEncoding('utf8').on('data', (text) => {
      const parts = (this.#rest + String(text)).split('\n')
      this.#rest = parts.pop() ?? ''
      for (const line of parts) this.lines.push(line.split(' ', 1)[0]!)
      if (pauseMilliseconds === 0) return
      socket.pause()
      setTimeout(() => socket.resume(), pauseMilliseconds)
    })
  }

  /** Resolves when every connection has been read to its end. */
  async drained(limit = 20_000): Promise<void> {
    const patience = new Patience(limit)
    while (this.#sockets.size > 0) {
      if (patience.isOver) throw new Error(`still reading after ${limit} ms`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
