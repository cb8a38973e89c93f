/**
 * The bounded queue between inputs and workers. It counts records and bytes; a push that finds it full
 * waits, which is the back-pressure the inputs pass on to their sockets.
 */
export interface QueueItem {
  readonly from: number
  readonly to: number
}

export interface QueueLimits {
  records: number
  bytes: number
  /** Whether there is no room for more, for reasons that lie outside of the queue. */
  isShort?: () => boolean
}

interface Waiting<T> {
  item: T
  accepted: () => void
}

export class MemoryQueue<T extends QueueItem> {
  records = 0
  bytes = 0
  #items: T[] = []
  #head = 0
  #waiting: Waiting<T>[] = []
  #limits: QueueLimits
  #weigh: (item: T) => number
  #split: (item: T, count: number) => [T, T]
  /** Called when something can be taken. */
  onReadable: () => void = () => {}

  constructor(limits: QueueLimits, weigh: (item: T) => number, split: (item: T, count: number) => [T, T]) {
    this.#limits = limits
    this.#weigh = weigh
    this.#split = split
  }

  get full(): boolean {
    const { records, bytes, isShort } = this.#limits
    return this.records >= records || this.bytes >= bytes || isShort?.() === true
  }

  get empty(): boolean {
    return this.records === 0
  }

  /** Pushes that wait for room. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Undefined when accepted at once; otherwise resolves when accepted. */
  push(item: T): void | Promise<void> {
    if (this.full || this.#waiting.length > 0) {
      return new Promise((accepted) => {
        this.#waiting.push({ item, accepted })
      })
    }
    this.#accept(item)
    this.onReadable()
  }

  #accept(item: T): void {
    this.records += item.to - item.from
    this.bytes += this.#weigh(item)
    this.#items.push(item)
  }

  /**
   * Up to `max` records of about `maxBytes`, in order; the last item is split when it holds more. A record that is
   * larger comes alone.
   */
  take(max: number, maxBytes = Number.POSITIVE_INFINITY): T[] {
    const taken: T[] = []
    let room = max
    let byteRoom = maxBytes
    while (room > 0 && byteRoom > 0 && this.#head < this.#items.length) {
      const item = this.#items[this.#head]!
      const count = item.to - item.from
      const bytes = this.#weigh(item)
      const fitting = bytes <= byteRoom ? count : Math.floor((count * byteRoom) / bytes)
      const wanted = Math.min(room, fitting)
      if (wanted === 0 && taken.length > 0) break
      const most = Math.max(1, wanted)
      if (count <= most) {
        this.#head += 1
        taken.push(item)
        this.#release(item, count)
        room -= count
        byteRoom -= bytes
      } else {
        const [first, rest] = this.#split(item, most)
        this.#items[this.#head] = rest
        taken.push(first)
        this.#release(first, most)
        room = 0
      }
    }
    if (this.#head > 1024 || this.#head === this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    this.admit()
    return taken
  }

  /** Takes those who wait, as far as there is room. */
  admit(): void {
    while (this.#waiting.length > 0 && !this.full) {
      const { item, accepted } = this.#waiting.shift()!
      this.#accept(item)
      accepted()
    }
  }

  #release(item: T, count: number): void {
    this.records -= count
    this.bytes = this.records === 0 ? 0 : Math.max(0, this.bytes - this.#weigh(item))
  }
}
