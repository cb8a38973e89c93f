/**
 * Memory and garbage collections of the thread that asks: every thread has a heap of its own, and only it can
 * measure it. Young is V8's new space, old every other one.
 */
import type { PerformanceObserver as Observer, PerformanceEntry } from 'node:perf_hooks'

export interface HeapReading {
  used: number
  committed: number
  max: number
  physical: number
  /** Allocated by V8 and by objects of this thread outside the heap. */
  outside: number
  youngUsed: number
  youngCommitted: number
}

export interface Collections {
  youngCollections: number
  youngMillis: number
  oldCollections: number
  oldMillis: number
}

export function readHeap(): HeapReading {
  // Loaded by the first reading, a second after the start: nothing else of the control thread needs it.
  const { getHeapSpaceStatistics, getHeapStatistics } = process.getBuiltinModule('node:v8')
  const heap = getHeapStatistics()
  const reading: HeapReading = {
    used: heap.used_heap_size,
    committed: heap.total_heap_size,
    max: heap.heap_size_limit,
    physical: heap.total_physical_size,
    outside: heap.external_memory + heap.malloced_memory,
    youngUsed: 0,
    youngCommitted: 0,
  }
  for (const { space_name, space_used_size, space_size } of getHeapSpaceStatistics()) {
    if (space_name !== 'new_space' && space_name !== 'new_large_object_space') continue
    reading.youngUsed += space_used_size
    reading.youngCommitted += space_size
  }
  return reading
}

/** V8's kinds of collection, as bits; what remains (incremental steps, weak callbacks) is work on the old space. */
const minorKinds = 1 | 2
const majorKinds = 4 | 8

/** Counts the collections of this thread from now on. */
export class CollectionCounter {
  readonly counts: Collections = { youngCollections: 0, youngMillis: 0, oldCollections: 0, oldMillis: 0 }
  readonly #observer: Observer

  constructor() {
    this.#observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.#collected(entry)
    })
    this.#observer.observe({ entryTypes: ['gc'] })
  }

  #collected(entry: PerformanceEntry): void {
    const { kind = 0 } = (entry as { detail?: { kind?: number } }).detail ?? {}
    const isYoung = (kind & minorKinds) !== 0
    if ((kind & (minorKinds | majorKinds)) !== 0)
      this.counts[isYoung ? 'youngCollections' : 'oldCollections'] += 1
    this.counts[isYoung ? 'youngMillis' : 'oldMillis'] += entry.duration
  }

  close(): void {
    this.#observer.disconnect()
  }
}
