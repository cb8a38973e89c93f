/**
 * Who listens to the stats. Listeners that want the same, equally often, share one timer and one text. A listener
 * that has not taken the last text gets no further one, and is dropped when that lasts: nothing piles up here.
 */
import type { Outlet } from '../../http/respond.ts'
import type { Body } from './envelope.ts'
import { type NodeView, userPipelines } from './view.ts'

interface Subscription {
  /** Path of the stats, for example `/_node/stats`. */
  readonly path: string
  readonly interval: number
}

interface Listener {
  readonly outlet: Outlet
  /** When something was last written to it. */
  spokenAt: number
  /** Since when it has not taken what was written. */
  behindSince: number | undefined
}

interface ReloadCounts {
  readonly successes: number
  readonly failures: number
  readonly message: string | null
}

interface Channel {
  readonly path: string
  readonly listeners: Set<Listener>
  timer: NodeJS.Timeout | undefined
  /** One question at a time: the next round waits for its turn rather than overtake. */
  asking: boolean
  sent: number
  /** Reloads counted so far, by pipeline. */
  reloads: Map<string, ReloadCounts>
}

const maxListeners = 32
const silence = 15_000
const maxBehindMillis = 10_000

export class StatsStreams {
  readonly #node: NodeView
  readonly #read: (path: string) => Promise<Body>
  readonly #channels = new Map<string, Channel>()
  #count = 0
  #keepAlive: NodeJS.Timeout | undefined

  constructor(node: NodeView, read: (path: string) => Promise<Body>) {
    this.#node = node
    this.#read = read
    node.closing.addEventListener('abort', () => this.#end(), { once: true })
  }

  get isFull(): boolean {
    return this.#count >= maxListeners
  }

  add(outlet: Outlet, subscription: Subscription, first: Body): void {
    if (this.isFull || this.#node.closing.aborted) return outlet.drop()
    if (outlet.closed.aborted) return
    const channel = this.#channelOf(subscription)
    const listener: Listener = { outlet, spokenAt: Date.now(), behindSince: undefined }
    channel.listeners.add(listener)
    this.#count += 1
    outlet.closed.addEventListener('abort', () => this.#remove(listener, subscription, channel), {
      once: true,
    })
    outlet.write(`retry: 3000\n\n${event('stats', channel.sent, first)}`)
    this.#keepAlive ??= setInterval(() => this.#breakSilence(), silence / 3).unref()
  }

  #channelOf({ path, interval }: Subscription): Channel {
    const key = keyOf({ path, interval })
    const known = this.#channels.get(key)
    if (known !== undefined) return known
    const channel: Channel = {
      path,
      listeners: new Set(),
      timer: undefined,
      asking: false,
      sent: 0,
      reloads: this.#reloads(),
    }
    channel.timer = setInterval(() => void this.#round(channel), interval).unref()
    this.#channels.set(key, channel)
    return channel
  }

  #remove(listener: Listener, subscription: Subscription, channel: Channel): void {
    if (!channel.listeners.delete(listener)) return
    this.#count -= 1
    if (channel.listeners.size === 0) {
      clearInterval(channel.timer)
      this.#channels.delete(keyOf(subscription))
    }
    if (this.#count > 0) return
    clearInterval(this.#keepAlive)
    this.#keepAlive = undefined
  }

  async #round(channel: Channel): Promise<void> {
    if (channel.asking) return
    channel.asking = true
    try {
      const news = this.#reloadEvents(channel)
      const stats = await this.#read(channel.path)
      channel.sent += 1
      const text = news + event('stats', channel.sent, stats)
      for (const listener of channel.listeners) speak(listener, text)
    } catch {
      // The same question was answered when the stream began; the next round asks it again.
    } finally {
      channel.asking = false
    }
  }

  /** `reload` events for what was reloaded, or could not be, since the round before. */
  #reloadEvents(channel: Channel): string {
    const before = channel.reloads
    channel.reloads = this.#reloads()
    return [...channel.reloads]
      .flatMap(([id, { successes, failures, message }]) => {
        const earlier = before.get(id)
        const hasFailed = failures !== earlier?.failures
        if (earlier === undefined || (!hasFailed && successes === earlier.successes)) return []
        const result = hasFailed ? 'failure' : 'success'
        return event('reload', channel.sent, { pipeline: id, result, message: hasFailed ? message : null })
      })
      .join('')
  }

  #reloads(): Map<string, ReloadCounts> {
    return new Map(
      userPipelines(this.#node.agent).map(({ id, reloads: { successes, failures, lastError } }) => [
        id,
        { successes, failures, message: lastError?.message ?? null },
      ]),
    )
  }

  #breakSilence(): void {
    const now = Date.now()
    for (const { listeners } of this.#channels.values())
      for (const listener of listeners)
        if (now - listener.spokenAt >= silence || listener.behindSince !== undefined)
          speak(listener, ': keep-alive\n\n')
  }

  #end(): void {
    for (const { listeners } of this.#channels.values())
      for (const { outlet } of listeners) {
        if (outlet.waiting > 0) outlet.drop()
        else outlet.end()
      }
  }
}

function speak(listener: Listener, text: string): void {
  const now = Date.now()
  const { outlet } = listener
  if (outlet.waiting > 0) {
    listener.behindSince ??= now
    if (now - listener.behindSince > maxBehindMillis) outlet.drop()
    return
  }
  listener.behindSince = undefined
  listener.spokenAt = now
  outlet.write(text)
}

/** A line break inside the data would end it; JSON without indentation has none. */
function event(name: string, id: number, data: unknown): string {
  return `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`
}

function keyOf({ path, interval }: Subscription): string {
  return `${interval} ${path}`
}
