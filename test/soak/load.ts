/** Events from all senders at a common rate: half over TCP, a quarter each over Beats and HTTP. */
import { BeatsSender } from './beats-sender.ts'
import { HttpSender } from './http-sender.ts'
import type { Ports } from './pipeline-config.ts'
import type { Sender } from './sender.ts'
import { TcpSender } from './tcp-sender.ts'

const tick = 25

export class Load {
  readonly tcp: TcpSender
  readonly senders: readonly Sender[]
  /** Events a second that are wanted. */
  rate = 0
  readonly #shares: readonly number[] = [0.5, 0.25, 0.25]
  #timer: NodeJS.Timeout | undefined
  #last = 0

  constructor(ports: Ports) {
    this.tcp = new TcpSender(ports.tcp)
    this.senders = [this.tcp, new BeatsSender(ports.beats), new HttpSender(ports.http)]
  }

  async start(): Promise<void> {
    for (const sender of this.senders) await sender.open()
    this.#last = performance.now()
    this.#timer = setInterval(() => this.#tick(), tick)
  }

  #tick(): void {
    const now = performance.now()
    const seconds = Math.min((now - this.#last) / 1000, 1)
    this.#last = now
    this.senders.forEach((sender, i) => {
      const rate = this.rate * this.#shares[i]!
      sender.demand(rate * seconds, rate)
    })
  }

  get sent(): number {
    return this.senders.reduce((sum, sender) => sum + sender.sent, 0)
  }

  /** Stops sending; waits for what is under way. */
  async finish(limit: number): Promise<void> {
    this.rate = 0
    clearInterval(this.#timer)
    await Promise.all(this.senders.map((sender) => sender.finish(limit)))
  }
}
