/**
 * What was decoded out of segments, kept within a limit of bytes for all segments of the thread together; what was
 * not asked for longest goes first, and is decoded again when it is. Who is reading a column that goes still has it.
 * What belongs to a segment that is gone itself does not count any more.
 */
const standardBytes = 256 * 1024 * 1024
/** Down to this share of the limit, so that the next few find room. */
const lowWatermark = 0.9

let clock = 0

/** One decoded thing, as long as there is room for it. */
export class Held<T extends object> {
  #value: T | undefined
  /** When it was asked for last. */
  used = ++clock

  constructor(value: T) {
    this.#value = value
  }

  get value(): T | undefined {
    this.used = ++clock
    return this.#value
  }

  drop(): void {
    this.#value = undefined
  }
}

interface Entry {
  readonly held: WeakRef<Held<object>>
  bytes: number
}

export class DecodedMemory {
  #limit: number
  #bytes = 0
  readonly #entries = new Set<Entry>()
  readonly #entryOf = new WeakMap<Held<object>, Entry>()
  readonly #gone = new FinalizationRegistry<Entry>((entry) => this.#forget(entry))

  constructor(limitBytes = standardBytes) {
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

  /** Drops the longer unused half, for a process that has no memory left. */
  evict(): void {
    this.#evictTo(this.#bytes / 2)
  }

  /** The owner keeps what this returns, and asks it for the value each time. */
  hold<T extends object>(value: T, bytes: number): Held<T> {
    const held = new Held(value)
    const entry = { held: new WeakRef<Held<object>>(held), bytes: 0 }
    this.#entries.add(entry)
    this.#entryOf.set(held, entry)
    this.#gone.register(held, entry)
    this.grow(held, bytes)
    return held
  }

  /** More was decoded that goes with it. */
  grow(held: Held<object>, bytes: number): void {
    const entry = this.#entryOf.get(held)
    // Dropped meanwhile, or not counted at all.
    if (entry === undefined || !this.#entries.has(entry)) return
    entry.bytes += bytes
    this.#bytes += bytes
    if (this.#bytes > this.#limit) this.#evictTo(this.#limit * lowWatermark, held)
  }

  #forget(entry: Entry): void {
    if (this.#entries.delete(entry)) this.#bytes -= entry.bytes
  }

  #evictTo(target: number, newest?: Held<object>): void {
    if (this.#bytes <= target) return
    const all: { readonly entry: Entry; readonly held: Held<object> }[] = []
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

/** Decoded sections of this thread; an engine runs in one. */
export const decodedMemory = new DecodedMemory()
