/** Arrays of events by POST, over connections that stay open; what was answered with 200 counts. */
import { Agent, request } from 'node:http'
import { eventText } from './log-lines.ts'
import { eventually, Sender } from './sender.ts'

const maxBatch = 500
const maxParallel = 2
const pause = 300
const requestLimit = 60_000

export class HttpSender extends Sender {
  readonly via = 'http'
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: maxParallel })
  #running = 0
  #isFinished = false

  constructor(port: number) {
    super()
    this.#port = port
  }

  open(): Promise<void> {
    return Promise.resolve()
  }

  protected work(): void {
    while (this.#running < maxParallel && !this.#isFinished) {
      const { first, count } = this.take(maxBatch)
      if (count === 0) return
      this.#running += 1
      void this.#deliver(first, count).finally(() => {
        this.#running -= 1
        this.work()
      })
    }
  }

  async #deliver(first: number, count: number): Promise<void> {
    const body = `[${Array.from({ length: count }, (_, i) => eventText(this.via, first + i)).join(',')}]`
    for (;;) {
      const status = await this.#post(body)
      if (status === 200) return this.acknowledged.addRange(first, count)
      if (this.#isFinished) return
      if (status === 429 || status === 503) this.refused += 1
      else {
        this.broken += 1
        this.resent += 1
      }
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  /** 0 when there was no answer. */
  #post(body: string): Promise<number> {
    return new Promise((resolve) => {
      const call = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method: 'POST',
          agent: this.#agent,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
          timeout: requestLimit,
        },
        (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode ?? 0))
          response.on('error', () => resolve(0))
        },
      )
      call.on('timeout', () => call.destroy())
      call.on('error', () => resolve(0))
      call.end(body)
    })
  }

  async finish(limit: number): Promise<void> {
    await eventually(() => this.#running === 0 && !this.isBehind, limit)
    this.#isFinished = true
    await eventually(() => this.#running === 0, 2000)
    this.#agent.destroy()
  }
}
