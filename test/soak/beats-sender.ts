/** Windows of the Lumberjack protocol as Beats send them: the next one goes when the last was acknowledged. */
import { LumberjackClient, windowOf } from '../../src/plugins/lumberjack/test-client.ts'
import { eventText } from './log-lines.ts'
import { eventually, Sender } from './sender.ts'

const maxWindow = 1024
const pause = 500

export class BeatsSender extends Sender {
  readonly via = 'beats'
  readonly #port: number
  #client: LumberjackClient | undefined
  #isBusy = false
  #isFinished = false

  constructor(port: number) {
    super()
    this.#port = port
  }

  async open(): Promise<void> {
    this.#client = await LumberjackClient.connect(this.#port)
  }

  protected work(): void {
    if (this.#isBusy || this.#isFinished) return
    const { first, count } = this.take(maxWindow)
    if (count === 0) return
    this.#isBusy = true
    void this.#deliver(first, count).finally(() => {
      this.#isBusy = false
      this.work()
    })
  }

  async #deliver(first: number, count: number): Promise<void> {
    const frames = windowOf(Array.from({ length: count }, (_, i) => eventText(this.via, first + i)))
    for (;;) {
      try {
        this.#client ??= await LumberjackClient.connect(this.#port)
        this.#client.send(frames)
        let ack: string
        // A busy input acknowledges 0 now and then to say that it lives.
        do ack = await this.#client.ack()
        while (ack !== 'closed' && Number(ack.slice(2)) < count)
        if (ack !== 'closed') return this.acknowledged.addRange(first, count)
      } catch {
        // Not listening at present.
      }
      if (this.#isFinished) return
      this.broken += 1
      this.resent += 1
      this.#client?.close()
      this.#client = undefined
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  async finish(limit: number): Promise<void> {
    await eventually(() => !this.#isBusy && !this.isBehind, limit)
    this.#isFinished = true
    this.#client?.close()
    await eventually(() => !this.#isBusy, 2000)
  }
}
