/**
 * A TCP proxy that can be cut: connections end, and new ones are refused, until it is mended. Stands for a server that was
 * killed and started again, where the server keeps everything in memory and would forget it.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'

export class CutProxy {
  readonly #target: number
  readonly #port: number
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  /** How many connections were cut. */
  cuts = 0

  constructor(port: number, target: number) {
    this.#port = port
    this.#target = target
  }

  async mend(): Promise<void> {
    const server = createServer((client) => {
      const upstream = connect(this.#target, '127.0.0.1')
      for (const socket of [client, upstream]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => this.#sockets.delete(socket))
      }
      client.pipe(upstream).pipe(client)
      client.on('close', () => upstream.destroy())
      upstream.on('close', () => client.destroy())
    })
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#port, '127.0.0.1', resolve)
    })
  }

  async cut(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    const closed = new Promise((resolve) => server.close(resolve))
    this.cuts += this.#sockets.size
    for (const socket of this.#sockets) socket.resetAndDestroy()
    await closed
  }
}
