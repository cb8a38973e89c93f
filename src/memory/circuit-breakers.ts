/**
 * Circuit breakers as Elasticsearch has them: each counts one use of memory against a limit of its own, and the parent
 * compares what the process really uses, plus what is about to be taken, with the limit of all. Who asks for more than
 * there is gets a refusal to show; nothing is thrown here. `docs/decisions/0020-memory-ceiling.md` gives the shares.
 */

/** Why something was refused; `message` in the words of Elasticsearch. */
export interface Refusal {
  readonly message: string
  readonly bytesWanted: number
  readonly bytesLimit: number
  /** Whether waiting may help. */
  readonly durability: 'TRANSIENT' | 'PERMANENT'
}

export interface BreakerStats {
  readonly limit: number
  readonly estimated: number
  readonly overhead: number
  readonly tripped: number
}

export class CircuitBreaker {
  readonly name: string
  readonly overhead: number
  limit: number
  tripped = 0
  #used = 0
  /** For memory that another part counts itself. */
  readonly #measure: (() => number) | undefined

  constructor(name: string, limit: number, options: { overhead?: number; measure?: () => number } = {}) {
    this.name = name
    this.limit = Math.floor(limit)
    this.overhead = options.overhead ?? 1
    this.#measure = options.measure
  }

  get used(): number {
    return this.#measure?.() ?? this.#used
  }

  get stats(): BreakerStats {
    return { limit: this.limit, estimated: this.used, overhead: this.overhead, tripped: this.tripped }
  }

  /** Undefined when there is room, which is taken then. */
  take(bytes: number, label: string): Refusal | undefined {
    const refusal = this.refusal(bytes, label)
    if (refusal === undefined) this.#used += bytes
    return refusal
  }

  /** What `take` would say, without taking anything; counts as tripped. */
  refusal(bytes: number, label: string): Refusal | undefined {
    const wanted = Math.round((this.#used + bytes) * this.overhead)
    if (wanted <= this.limit) return undefined
    this.tripped += 1
    return {
      message: `[${this.name}] Data too large, data for [${label}] would be [${shownBytes(wanted)}], which is larger than the limit of [${shownBytes(this.limit)}]`,
      bytesWanted: wanted,
      bytesLimit: this.limit,
      durability: bytes * this.overhead > this.limit ? 'PERMANENT' : 'TRANSIENT',
    }
  }

  /** Takes it whether there is room or not, for whoever may pass the limit. */
  hold(bytes: number): void {
    this.#used += bytes
  }

  giveBack(bytes: number): void {
    this.#used = Math.max(0, this.#used - bytes)
  }
}

interface BreakerOptions {
  /** Limit of the whole process, in bytes. */
  readonly limit: number
  /** What the process uses now. */
  readonly resident: () => number
  /** Frees what can be freed: caches, free slabs, garbage. */
  readonly relieve?: (() => void) | undefined
  readonly now?: (() => number) | undefined
}

/** `indices.breaker.total.limit` with real memory. */
const parentShare = 0.95
/** Share of the limit of the process; a control group allows a quarter more. */
const headRoom = 1.15
/** How often memory may be freed for the sake of a request, in milliseconds. */
const reliefInterval = 250

export class CircuitBreakers {
  /** Answers and aggregations while they come together. */
  readonly request: CircuitBreaker
  /** Bodies of requests until they are answered. */
  readonly inFlight: CircuitBreaker
  readonly others: readonly CircuitBreaker[]
  readonly #limit: number
  readonly #resident: () => number
  readonly #relieve: () => void
  readonly #now: () => number
  #relievedAt = Number.NEGATIVE_INFINITY
  #tripped = 0

  constructor(
    breakers: {
      readonly request: CircuitBreaker
      readonly inFlight: CircuitBreaker
      readonly others?: readonly CircuitBreaker[]
    },
    { limit, resident, relieve = () => {}, now = () => performance.now() }: BreakerOptions,
  ) {
    this.request = breakers.request
    this.inFlight = breakers.inFlight
    this.others = breakers.others ?? []
    this.#limit = Math.floor(limit * parentShare)
    this.#resident = resident
    this.#relieve = relieve
    this.#now = now
  }

  get parentStats(): BreakerStats {
    return { limit: this.#limit, estimated: this.#resident(), overhead: 1, tripped: this.#tripped }
  }

  /** The part of the process limit that is in use. */
  get pressure(): number {
    return this.#resident() / this.#limit
  }

  /**
   * Undefined when the process may take so much more. What can be freed is freed first. A request that finds itself
   * alone (`isAlone`), so that there is nothing to wait for, may go into the head room between the limit and what ends
   * the process; the C library seldom gives back all that was freed.
   */
  check(bytes: number, label: string, isAlone: boolean): Refusal | undefined {
    if (this.#resident() + bytes <= this.#limit) return undefined
    if (this.#now() - this.#relievedAt >= reliefInterval) {
      this.#relievedAt = this.#now()
      this.#relieve()
      if (this.#resident() + bytes <= this.#limit) return undefined
    }
    if (isAlone && this.#resident() + bytes <= this.#limit * headRoom) return undefined
    return this.refusal(bytes, label)
  }

  /** The parent's words, whatever it would decide; counts as tripped. */
  refusal(bytes: number, label: string): Refusal {
    this.#tripped += 1
    const real = this.#resident()
    const wanted = real + bytes
    const usages = [this.request, ...this.others, this.inFlight]
      .map(({ name, used }) => `${name}=${shownBytes(used)}`)
      .join(', ')
    return {
      message: `[parent] Data too large, data for [${label}] would be [${shownBytes(wanted)}], which is larger than the limit of [${shownBytes(this.#limit)}], real usage: [${shownBytes(real)}], new bytes reserved: [${shownBytes(bytes)}], usages [${usages}]`,
      bytesWanted: wanted,
      bytesLimit: this.#limit,
      durability: 'TRANSIENT',
    }
  }
}

const units = ['b', 'kb', 'mb', 'gb', 'tb', 'pb']

/** `276824064/264mb`. */
export function shownBytes(bytes: number): string {
  return `${bytes}/${shortBytes(bytes)}`
}

/** `264mb`; one decimal, cut off. */
export function shortBytes(bytes: number): string {
  let amount = bytes
  let unit = 0
  while (amount >= 1024 && unit < units.length - 1) {
    amount /= 1024
    unit += 1
  }
  return `${Math.floor(amount * 10) / 10}${units[unit]}`
}
