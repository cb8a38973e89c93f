/**
 * The way of an output's events to one address. Several deliveries are under way at once and arrive in their order. When
 * the receiver goes away, or is not there yet, everything it has not confirmed waits and is sent again, in that order.
 */
import type { BusSender, PluginLogger } from '../../../plugin/define.ts'
import { pause } from '../../delivery/pause.ts'

interface LaneSettings {
  readonly address: string
  /** Whether to wait for a receiver; if not, what it does not take is discarded. */
  readonly ensureDelivery: boolean
  readonly retryMilliseconds: number
  readonly abort: AbortSignal
  readonly logger: PluginLogger
}

interface Parcel {
  readonly bytes: Uint8Array
  readonly count: number
  deliver(): void
  fail(error: unknown): void
}

export class Lane {
  readonly #sender: BusSender
  readonly #settings: LaneSettings
  /** What the receiver has not confirmed, in order. */
  readonly #parcels = new Set<Parcel>()
  readonly #underWay = new Set<Promise<void>>()
  #isRetrying = false
  #isClosed = false
  readonly #abandon = () => this.#failAll(this.#settings.abort.reason)

  constructor(sender: BusSender, settings: LaneSettings) {
    this.#sender = sender
    this.#settings = settings
    settings.abort.addEventListener('abort', this.#abandon, { once: true })
  }

  /** Resolves when the events are safe with the receiver, or discarded; rejects when the pipeline has to stop now. */
  deliver(bytes: Uint8Array, count: number): Promise<void> {
    return new Promise((deliver, fail) => {
      const { abort } = this.#settings
      if (abort.aborted) return fail(abort.reason)
      const parcel: Parcel = { bytes, count, deliver, fail }
      this.#parcels.add(parcel)
      if (!this.#isRetrying) this.#send(parcel)
    })
  }

  #send(parcel: Parcel): void {
    const sending = this.#attempt(parcel).finally(() => this.#underWay.delete(sending))
    this.#underWay.add(sending)
  }

  async #attempt(parcel: Parcel): Promise<void> {
    const isSafe = await this.#sender.send(parcel.bytes, parcel.count).catch(() => false)
    const { ensureDelivery, address, logger } = this.#settings
    if (!isSafe && ensureDelivery) return void this.#retry()
    if (!isSafe) logger.debug(`Attempted to send event to '${address}' but that address was unavailable.`)
    this.#parcels.delete(parcel)
    parcel.deliver()
  }

  async #retry(): Promise<void> {
    if (this.#isRetrying || this.#isClosed) return
    this.#isRetrying = true
    const { address, abort, logger, retryMilliseconds } = this.#settings
    // What was sent along is confirmed or lost as well before anything is sent again.
    await Promise.all(this.#underWay)
    logger.warn(
      `Attempted to send event to '${address}' but that address was unavailable. ` +
        'Maybe the destination pipeline is down or stopping? Will Retry.',
    )
    await pause(retryMilliseconds, abort).catch((error: Error) => this.#failAll(error))
    this.#isRetrying = false
    for (const parcel of this.#parcels) this.#send(parcel)
  }

  #failAll(error: unknown): void {
    const parcels = [...this.#parcels]
    this.#parcels.clear()
    for (const { fail } of parcels) fail(error)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#settings.abort.removeEventListener('abort', this.#abandon)
    await this.#sender.close()
  }
}
