/**
 * The lazily decoded parts of a segment or of one of its fields. A part is decoded on first use and again after an
 * eviction; while it is in memory, the cache of decoded data counts it.
 */
import { CachedValue, type DecodedCache } from './decoded-cache.ts'

export interface Decoded<T extends object> {
  readonly value: T
  readonly bytes: number
}

/** Tells the cache that a part takes so many bytes more. */
export type Grow = (bytes: number) => void

export class DecodedParts {
  readonly #memory: DecodedCache | null
  #parts: Map<string, CachedValue<object> | null> | undefined

  /** Without a cache nothing is counted or evicted. */
  constructor(memory: DecodedCache | null) {
    this.#memory = memory
  }

  /** False when the part was evicted, too. */
  has(name: string): boolean {
    return this.#parts?.get(name)?.value !== undefined
  }

  /** For a part that is always there. */
  need<T extends object>(name: string, decode: (grow: Grow) => Decoded<T>): T {
    return this.get(name, decode)!
  }

  /** Null where `decode` finds nothing to decode, which it is asked once. */
  get<T extends object>(name: string, decode: (grow: Grow) => Decoded<T> | null): T | null {
    const known = this.#parts?.get(name)
    if (known === null) return null
    const value = known?.value
    // A name always stands for the same kind of part.
    if (value !== undefined) return value as T
    let held: CachedValue<T> | undefined
    const grow = (bytes: number) => {
      if (held !== undefined) this.#memory?.grow(held, bytes)
    }
    const decoded = decode(grow)
    if (decoded !== null)
      held = this.#memory?.hold(decoded.value, decoded.bytes) ?? new CachedValue(decoded.value)
    this.#parts ??= new Map()
    this.#parts.set(name, held ?? null)
    return decoded?.value ?? null
  }
}
