/**
 * Shared memory for write buffers that is used again instead of being freed. The C library keeps megabyte-sized blocks
 * that are freed in its arenas and seldom finds a use for them, so a store that allocates and frees such blocks grows
 * although nothing leaks. A slab goes back when nobody can see it any more: what is handed out is a second
 * `SharedArrayBuffer` over the same memory, and the pool learns from the garbage collector when that one is gone.
 * Searches that still read a slab keep it by reading it. A slab that is used again is not cleared.
 */

/** Less than this comes from the C library, which uses small blocks well. */
const minSlabBytes = 64 * 1024
/** Sizes between a power of two and the next, so that at most a fifth of a slab is unused. */
const stepsPerDoubling = 4
/** A free slab is used for what needs at least this share of it. */
const minUsedShare = 0.6

export class SlabPool {
  #maxFreeBytes: number
  /** Free slabs, the smallest first. */
  readonly #free: SharedArrayBuffer[] = []
  #freeBytes = 0
  #lentBytes = 0
  readonly #originals = new WeakMap<SharedArrayBuffer, SharedArrayBuffer>()
  readonly #gone = new FinalizationRegistry<SharedArrayBuffer>((slab) => this.#takeBack(slab))

  constructor(maxFreeBytes: number) {
    this.#maxFreeBytes = maxFreeBytes
  }

  /** Slabs that somebody may still see. */
  get lentBytes(): number {
    return this.#lentBytes
  }

  /** Slabs that wait to be used again. */
  get freeBytes(): number {
    return this.#freeBytes
  }

  set maxFreeBytes(bytes: number) {
    this.#maxFreeBytes = bytes
    this.#trim()
  }

  /** At least as many bytes, holding whatever was there before. */
  take(bytes: number): SharedArrayBuffer {
    if (bytes < minSlabBytes) return new SharedArrayBuffer(bytes)
    const slab = this.#fitting(bytes) ?? new SharedArrayBuffer(slabBytes(bytes))
    const lent = structuredClone(slab)
    this.#lentBytes += slab.byteLength
    this.#originals.set(lent, slab)
    this.#gone.register(lent, slab, lent)
    return lent
  }

  /** For a slab of which the caller alone has views, none of which is used after this. */
  giveBack(lent: SharedArrayBuffer): void {
    const slab = this.#originals.get(lent)
    if (slab === undefined) return
    this.#originals.delete(lent)
    this.#gone.unregister(lent)
    this.#takeBack(slab)
  }

  /** The smallest that is large enough, unless most of it would be wasted. */
  #fitting(bytes: number): SharedArrayBuffer | undefined {
    const place = this.#place(bytes)
    const slab = this.#free[place]
    if (slab === undefined || bytes < slab.byteLength * minUsedShare) return undefined
    this.#free.splice(place, 1)
    this.#freeBytes -= slab.byteLength
    return slab
  }

  /** Position of the first free slab with at least as many bytes. */
  #place(bytes: number): number {
    let low = 0
    let high = this.#free.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#free[middle]!.byteLength < bytes) low = middle + 1
      else high = middle
    }
    return low
  }

  #takeBack(slab: SharedArrayBuffer): void {
    this.#lentBytes -= slab.byteLength
    this.#free.splice(this.#place(slab.byteLength), 0, slab)
    this.#freeBytes += slab.byteLength
    this.#trim()
  }

  /** Large ones go first: they are few, and the next writer grows up to them through the small ones. */
  #trim(): void {
    while (this.#freeBytes > this.#maxFreeBytes) this.#freeBytes -= this.#free.pop()!.byteLength
  }
}

/** The next size of a slab: a power of two, or a quarter, half or three quarters of the way to the next. */
export function slabBytes(bytes: number): number {
  let power = minSlabBytes
  while (power * 2 <= bytes) power *= 2
  const step = power / stepsPerDoubling
  return Math.max(minSlabBytes, power + Math.ceil((bytes - power) / step) * step)
}

/** The pool of this thread; an engine runs in one. Its limit follows the budget of the write buffers. */
export const slabPool = new SlabPool(64 * 1024 * 1024)
