/**
 * The `jvm` section from what V8 and the kernel say about this process. The words are those of a Java heap:
 * young is V8's new space, old is every other space, survivors do not exist and are zero. Heap numbers are
 * those of the control thread; the heaps of pipeline threads are part of non_heap_committed.
 */
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { threadCount } from './proc-files.ts'

interface Pool {
  used_in_bytes: number
  committed_in_bytes: number
  max_in_bytes: number
  peak_used_in_bytes: number
  peak_max_in_bytes: number
}

/** V8's kinds of collection, as bits; what remains (incremental steps, weak callbacks) is work on the old space. */
const minorKinds = 1 | 2
const majorKinds = 4 | 8

export class MemoryReadings {
  readonly #young = { count: 0, millis: 0 }
  readonly #old = { count: 0, millis: 0 }
  #peakThreads = 0
  #peakYoung = 0
  #peakOld = 0
  #observer: PerformanceObserver

  constructor() {
    this.#observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) this.#collected(entry)
    })
    this.#observer.observe({ entryTypes: ['gc'] })
  }

  #collected(entry: PerformanceEntry): void {
    const { kind = 0 } = (entry as { detail?: { kind?: number } }).detail ?? {}
    const collector = (kind & minorKinds) !== 0 ? this.#young : this.#old
    if ((kind & (minorKinds | majorKinds)) !== 0) collector.count += 1
    collector.millis += entry.duration
  }

  close(): void {
    this.#observer.disconnect()
  }

  /** Keeps the peaks. */
  observe(): void {
    this.read()
  }

  read() {
    const heap = getHeapStatistics()
    const spaces = this.#spaces()
    const threads = threadCount()
    this.#peakThreads = Math.max(this.#peakThreads, threads)
    this.#peakYoung = Math.max(this.#peakYoung, spaces.youngUsed)
    this.#peakOld = Math.max(this.#peakOld, spaces.oldUsed)
    const nonHeapUsed = heap.external_memory + heap.malloced_memory
    const max = heap.heap_size_limit
    return {
      threads: { count: threads, peak_count: this.#peakThreads },
      mem: {
        heap_used_percent: Math.floor((100 * heap.used_heap_size) / max),
        heap_committed_in_bytes: heap.total_heap_size,
        heap_max_in_bytes: max,
        heap_used_in_bytes: heap.used_heap_size,
        non_heap_used_in_bytes: nonHeapUsed,
        non_heap_committed_in_bytes: Math.max(
          nonHeapUsed,
          process.memoryUsage.rss() - heap.total_physical_size,
        ),
        pools: {
          young: pool(spaces.youngUsed, spaces.youngCommitted, -1, this.#peakYoung),
          old: pool(spaces.oldUsed, spaces.oldCommitted, max, this.#peakOld),
          survivor: pool(0, 0, -1, 0),
        },
      },
      gc: {
        collectors: {
          young: collections(this.#young),
          old: collections(this.#old),
        },
      },
      uptime_in_millis: Math.floor(process.uptime() * 1000),
    }
  }

  #spaces() {
    const sums = { youngUsed: 0, youngCommitted: 0, oldUsed: 0, oldCommitted: 0 }
    for (const { space_name, space_used_size, space_size } of getHeapSpaceStatistics()) {
      const isYoung = space_name === 'new_space' || space_name === 'new_large_object_space'
      sums[isYoung ? 'youngUsed' : 'oldUsed'] += space_used_size
      sums[isYoung ? 'youngCommitted' : 'oldCommitted'] += space_size
    }
    return sums
  }
}

function pool(used: number, committed: number, max: number, peak: number): Pool {
  return {
    used_in_bytes: used,
    committed_in_bytes: committed,
    max_in_bytes: max,
    peak_used_in_bytes: peak,
    peak_max_in_bytes: max,
  }
}

function collections({ count, millis }: { count: number; millis: number }) {
  return { collection_count: count, collection_time_in_millis: Math.floor(millis) }
}
