/** The last traces by every name they can be asked for by, within a number of bytes; the oldest go first. */

interface KeptTrace {
  readonly keys: readonly string[]
  /** JSON. */
  readonly text: string
  readonly pipelineId: string
  readonly time: number
}

/** Document ids of the embedded store: the permanent name of an event, and the output. */
const outputSuffix = 6
/** Bytes an entry takes besides its texts, about. */
const overhead = 200

export class TraceRing {
  readonly maxBytes: number
  bytes = 0
  readonly #traces = new Set<KeptTrace>()
  readonly #byKey = new Map<string, KeptTrace>()

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  get size(): number {
    return this.#traces.size
  }

  add(trace: KeptTrace): void {
    const bytes = sizeOf(trace)
    if (bytes > this.maxBytes) return
    this.#traces.add(trace)
    for (const key of trace.keys) this.#byKey.set(key, trace)
    this.bytes += bytes
    for (const oldest of this.#traces) {
      if (this.bytes <= this.maxBytes) return
      this.#remove(oldest)
    }
  }

  #remove(trace: KeptTrace): void {
    this.#traces.delete(trace)
    this.bytes -= sizeOf(trace)
    for (const key of trace.keys) if (this.#byKey.get(key) === trace) this.#byKey.delete(key)
  }

  find(key: string): KeptTrace | undefined {
    return this.#byKey.get(key) ?? this.#byKey.get(key.slice(0, -outputSuffix))
  }

  /** Newest first. */
  last(count: number): KeptTrace[] {
    return [...this.#traces].slice(-count).reverse()
  }
}

function sizeOf({ keys, text }: KeptTrace): number {
  return overhead + 2 * text.length + keys.reduce((sum, key) => sum + 2 * key.length, 0)
}
