/**
 * Admission control: work says how much memory it will take, about, and begins when there is room for it. What finds no
 * room waits in the order in which it came, bounded in number and in time. Small work passes by those who wait for much,
 * and has a part of the room that large work never takes. Large work always begins when no other is under way, because
 * there would be nothing to wait for; small work comes and goes all the time.
 */
interface AdmissionOptions {
  /** Bytes that work under way may take together. */
  readonly capacity: () => number
  readonly maxWaiting: number
  readonly maxWaitMillis: number
  /** Work of up to this many bytes does not wait behind others. */
  readonly smallBytes: number
  /** Whether the process has so much memory left; asked of work that is not small. */
  readonly hasRoom?: (bytes: number) => boolean
}

/** `full`: too many wait. `late`: there was no room in time. */
export type Verdict = 'admitted' | 'full' | 'late'

interface Waiting {
  readonly bytes: number
  readonly decide: (verdict: Verdict) => void
  timer: NodeJS.Timeout | undefined
}

/** The part of the room that is for small work alone. */
const smallShare = 0.25
/** How often those who wait are looked at, in milliseconds: memory comes back without anybody leaving. */
const lookEvery = 100

export class AdmissionQueue {
  readonly #options: AdmissionOptions
  readonly #waiting = new Set<Waiting>()
  #look: NodeJS.Timeout | undefined
  #reserved = 0
  #smallReserved = 0
  #largeActive = 0
  /** Work under way, and the most there ever was of it. */
  active = 0
  largest = 0
  rejected = 0
  completed = 0

  constructor(options: AdmissionOptions) {
    this.#options = options
  }

  get waiting(): number {
    return this.#waiting.size
  }

  get reserved(): number {
    return this.#reserved
  }

  get maxWaiting(): number {
    return this.#options.maxWaiting
  }

  /** Whoever was admitted calls `leave` with the same bytes. */
  enter(bytes: number): Verdict | Promise<Verdict> {
    const { smallBytes, maxWaiting, maxWaitMillis } = this.#options
    const mayPass = this.#waiting.size === 0 || bytes <= smallBytes
    if (mayPass && this.#fits(bytes)) {
      this.#begin(bytes)
      return 'admitted'
    }
    if (this.#waiting.size >= maxWaiting) {
      this.rejected += 1
      return 'full'
    }
    return new Promise((resolve) => {
      const waiting: Waiting = { bytes, decide: resolve, timer: undefined }
      waiting.timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        this.rejected += 1
        resolve('late')
      }, maxWaitMillis)
      this.#waiting.add(waiting)
      this.#look ??= setInterval(() => this.#admit(), lookEvery)
    })
  }

  leave(bytes: number): void {
    this.completed += 1
    this.#count(-1, bytes)
    this.#admit()
  }

  #fits(bytes: number): boolean {
    const { capacity, smallBytes, hasRoom } = this.#options
    if (this.active === 0) return true
    const isWithin = this.#reserved + bytes <= capacity()
    if (bytes <= smallBytes) return isWithin || this.#smallReserved + bytes <= capacity() * smallShare
    return this.#largeActive === 0 || (isWithin && (hasRoom?.(bytes) ?? true))
  }

  #begin(bytes: number): void {
    this.#count(1, bytes)
    this.largest = Math.max(this.largest, this.active)
  }

  #count(sign: 1 | -1, bytes: number): void {
    this.active += sign
    this.#reserved += sign * bytes
    if (bytes <= this.#options.smallBytes) this.#smallReserved += sign * bytes
    else this.#largeActive += sign
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.bytes)) break
      this.#waiting.delete(waiting)
      clearTimeout(waiting.timer)
      this.#begin(waiting.bytes)
      waiting.decide('admitted')
    }
    if (this.#waiting.size > 0) return
    clearInterval(this.#look)
    this.#look = undefined
  }
}
