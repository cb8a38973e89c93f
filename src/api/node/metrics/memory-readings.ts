/**
 * The `jvm` section from what V8 and the kernel say about this process. The words are those of a Java heap:
 * young is V8's new space, old is every other space, survivors do not exist and are zero. Heaps of all threads
 * are added up: this one's is measured here, those of pipeline threads stand on their boards.
 */
import type { Board } from '../../../metrics/board.ts'
import { CollectionCounter, type Collections, type HeapReading, readHeap } from '../../../metrics/heap.ts'
import { heapKeys } from '../../../metrics/pipeline-keys.ts'
import { residentBytes, threadCount } from './proc-files.ts'

interface Pool {
  used_in_bytes: number
  committed_in_bytes: number
  max_in_bytes: number
  peak_used_in_bytes: number
  peak_max_in_bytes: number
}

const heapNames = [
  'used',
  'committed',
  'max',
  'physical',
  'outside',
  'youngUsed',
  'youngCommitted',
] as const satisfies readonly (keyof HeapReading)[]
const collectionNames = [
  'youngCollections',
  'youngMillis',
  'oldCollections',
  'oldMillis',
] as const satisfies readonly (keyof Collections)[]

export class MemoryReadings {
  /** What this process began with. */
  readonly initial = readHeap()
  readonly #boards: () => Iterable<Board>
  readonly #own = new CollectionCounter()
  readonly #collections: Collections = {
    youngCollections: 0,
    youngMillis: 0,
    oldCollections: 0,
    oldMillis: 0,
  }
  #peakThreads = 0
  #peakYoung = 0
  #peakOld = 0

  /** `boards`: of the pipelines that run. */
  constructor(boards: () => Iterable<Board> = () => []) {
    this.#boards = boards
  }

  close(): void {
    this.#own.close()
  }

  /** Keeps the peaks. */
  observe(): void {
    this.read()
  }

  /** The most the heaps of all threads may grow to. */
  get limit(): number {
    return this.#heap().max
  }

  #heap(): HeapReading {
    const sum = readHeap()
    for (const board of this.#boards()) for (const name of heapNames) sum[name] += board.sum(heapKeys[name])
    return sum
  }

  /** A pipeline that is gone takes its counters along; the sum stays what it was. */
  #countCollections(): Collections {
    for (const name of collectionNames) {
      let sum = this.#own.counts[name]
      for (const board of this.#boards()) sum += board.sum(heapKeys[name])
      this.#collections[name] = Math.max(this.#collections[name], sum)
    }
    return this.#collections
  }

  read() {
    const heap = this.#heap()
    const collections = this.#countCollections()
    const threads = threadCount()
    const oldUsed = Math.max(0, heap.used - heap.youngUsed)
    this.#peakThreads = Math.max(this.#peakThreads, threads)
    this.#peakYoung = Math.max(this.#peakYoung, heap.youngUsed)
    this.#peakOld = Math.max(this.#peakOld, oldUsed)
    return {
      threads: { count: threads, peak_count: this.#peakThreads },
      mem: {
        heap_used_percent: Math.floor((100 * heap.used) / heap.max),
        heap_committed_in_bytes: heap.committed,
        heap_max_in_bytes: heap.max,
        heap_used_in_bytes: heap.used,
        non_heap_used_in_bytes: heap.outside,
        non_heap_committed_in_bytes: Math.max(heap.outside, residentBytes() - heap.physical),
        pools: {
          young: pool(heap.youngUsed, heap.youngCommitted, -1, this.#peakYoung),
          old: pool(oldUsed, Math.max(0, heap.committed - heap.youngCommitted), heap.max, this.#peakOld),
          survivor: pool(0, 0, -1, 0),
        },
      },
      gc: {
        collectors: {
          young: {
            collection_count: collections.youngCollections,
            collection_time_in_millis: Math.floor(collections.youngMillis),
          },
          old: {
            collection_count: collections.oldCollections,
            collection_time_in_millis: Math.floor(collections.oldMillis),
          },
        },
      },
      uptime_in_millis: Math.floor(process.uptime() * 1000),
    }
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
