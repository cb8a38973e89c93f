/**
 * An LRU cache of what was decoded out of segments, with one byte limit for all segments of the thread. An evicted
 * value is decoded again when it is next asked for; a reader that still holds it is not affected. Entries of
 * segments that were garbage collected leave the count by a FinalizationRegistry. Elasticsearch leaves this job to
 * the page cache, because Lucene reads mapped files; we decode into typed arrays and have to bound them.
 */
const defaultMaxBytes = 256 * 1024 * 1024
/** An eviction goes down to this share of the limit, so that the next few entries fit without another one. */
const lowWatermark = 0.9

let clock = 0

/** One cached value; it becomes undefined when it is evicted. */
export class CachedValue<T extends object> {
  #value: T | undefined
  /** The logical time of the last access. */
  used = ++clock

  constructor(value: T) {
    this.#value = value
  }

  get value(): T | undefined {
    this.used = ++clock
    return this.#value
  }

  /** Whether it was not evicted; asking does not count as an access. */
  get isHeld(): boolean {
    return this.#value !== undefined
  }

  drop(): void {
    this.#value = undefined
  }
}

interface Entry {
  readonly held: WeakRef<CachedValue<object>>
  bytes: number
}

export class DecodedCache {
  #limit: number
  #bytes = 0
  readonly #entries = new Set<Entry>()
  readonly #entryOf = new WeakMap<CachedValue<object>, Entry>()
  readonly #gone = new FinalizationRegistry<Entry>((entry) => this.#forget(entry))

  constructor(limitBytes = defaultMaxBytes) {
    this.#limit = limitBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  get limit(): number {
    return this.#limit
  }

  set limit(bytes: number) {
    this.#limit = bytes
    this.#evictTo(bytes)
  }

  /** Evicts the least recently used half, for a process that runs out of memory. */
  evict(): void {
    this.#evictTo(this.#bytes / 2)
  }

  /** Adds a value. The owner keeps the handle and asks it for the value each time. */
  hold<T extends object>(value: T, bytes: number): CachedValue<T> {
    const held = new CachedValue(value)
    const entry = { held: new WeakRef<CachedValue<object>>(held), bytes: 0 }
    this.#entries.add(entry)
    this.#entryOf.set(held, entry)
    this.#gone.register(held, entry)
    this.grow(held, bytes)
    return held
  }

  /** Adds bytes to an entry whose value has decoded more of itself. */
  grow(held: CachedValue<object>, bytes: number): void {
    const entry = this.#entryOf.get(held)
    // The entry was evicted meanwhile, or is not counted at all.
    if (entry === undefined || !this.#entries.has(entry)) return
    entry.bytes += bytes
    this.#bytes += bytes
    if (this.#bytes > this.#limit) this.#evictTo(this.#limit * lowWatermark, held)
  }

  #forget(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#bytes -= entry.bytes
  }

  #evictTo(target: number, newest?: CachedValue<object>): void {
    if (this.#bytes <= target) return
    const all: { readonly entry: Entry; readonly held: CachedValue<object> }[] = []
    for (const entry of this.#entries) {
      const held = entry.held.deref()
      if (held === undefined) this.#forget(entry)
      else if (held !== newest) all.push({ entry, held })
    }
    all.sort((left, right) => left.held.used - right.held.used)
    for (const { entry, held } of all) {
      if (this.#bytes <= target) break
      held.drop()
      this.#forget(entry)
    }
  }
}

/** The cache of this thread; an engine runs in one thread. */
export const decodedCache = new DecodedCache()
