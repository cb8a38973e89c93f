/** JSON lines over TCP. The protocol has no acknowledgement: events count when their connection ended in order. */
import { connect, type Socket } from 'node:net'
import { eventText } from './log-lines.ts'
import { eventually, Sender } from './sender.ts'

const maxBlock = 1000

export class TcpSender extends Sender {
  readonly via = 'tcp'
  readonly #port: number
  #socket: Socket | undefined
  /** First number of this connection. */
  #from = 0
  #isFinished = false
  #extra = ''

  constructor(port: number) {
    super()
    this.#port = port
  }

  async open(): Promise<void> {
    this.#from = this.sent
    const socket = connect(this.#port, '127.0.0.1')
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (this.#isFinished || this.#socket !== socket) return
      this.broken += 1
      this.#socket = undefined
      setTimeout(() => this.#isFinished || void this.open(), 500)
    })
    await new Promise<void>((resolve) => {
      socket.once('connect', () => {
        this.#socket = socket
        resolve()
      })
      socket.once('close', () => resolve())
    })
    socket.on('drain', () => this.work())
    socket.resume()
  }

  /** From now on events carry a mark that ends the worker thread which meets the first of them; none without an id. */
  mark(id: string | undefined): void {
    this.#extra = id === undefined ? '' : `,"soak_kill":"${id}"`
  }

  protected work(): void {
    while (this.#socket !== undefined && !this.#socket.writableNeedDrain) {
      const { first, count } = this.take(maxBlock)
      if (count === 0) return
      let block = ''
      for (let n = first; n < first + count; n++) block += `${eventText(this.via, n, this.#extra)}\n`
      this.#socket.write(block)
    }
  }

  async finish(limit: number): Promise<void> {
    this.#isFinished = true
    const socket = this.#socket
    if (socket === undefined) return
    let isClosed = false
    let isClean = true
    socket.on('error', () => {
      isClean = false
    })
    socket.on('close', () => {
      isClosed = true
    })
    socket.end()
    const isOver = await eventually(() => isClosed, limit)
    if (isOver && isClean) this.acknowledged.addRange(this.#from, this.sent - this.#from)
    socket.destroy()
  }
}
