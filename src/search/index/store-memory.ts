/**
 * Keeps the store within the memory of the process. Under pressure, in this order: write buffers are flushed, caches
 * evicted, requests queued, requests refused. `docs/decisions/0020-memory-ceiling.md` has the shares and the
 * reasons.
 */
import { AdmissionQueue, type Verdict } from '../../memory/admission-queue.ts'
import { CircuitBreaker, CircuitBreakers, type Refusal } from '../../memory/circuit-breakers.ts'
import { memoryAccount } from '../../memory/memory-account.ts'
import { standardLimit } from '../../memory/memory-limit.ts'
import { ResidentMemory } from '../../memory/resident-memory.ts'
import { CircuitBreaking } from '../request/memory-refused.ts'
import { decodedCache } from '../segment/decoded-cache.ts'
import { mergeLimit } from '../shard/merge-policy.ts'
import { writeBuffers } from '../shard/write-buffers.ts'

const maxWriteBufferShare = 0.2
const maxDecodedShare = 0.15
const maxMergedShare = 0.2
/** A merge holds the largest of its fields, which is less than half of what it writes. */
const heldPerMergedByte = 0.5
/** Merges of this share go on whatever there is room for, or segments would pile up and take more. */
const minMergedShare = 0.05
/**
 * What the program takes before it holds anything: its code and the heaps of about ten threads. Caches and write buffers
 * are shares of what is left of the limit, so that in a small control group they leave room for merges and batches.
 */
const programBytes = 128 * 1024 * 1024
/** They get shares of at least this part of the limit. */
const minRoomShare = 0.5
/** Large bodies together take this share of what one may take, as beside them their documents are indexed and merged. */
const maxLargeBodiesShare = 0.5
const maxRequestShare = 0.25
const maxInFlightShare = 0.3
/** Above this share of the parent breaker's limit, write buffers are flushed early and expensive work waits. */
const highPressure = 0.85
/** `thread_pool.search.queue_size`. */
export const searchQueueSize = 1000
const maxWaitingBodies = 200
const maxSearchWait = 30_000
/** Shorter than the server's limit for receiving a body, so that a request is refused and not cut off. */
const maxBodyWait = 15_000
const maxSmallSearch = 512 * 1024
const maxSmallBody = 1024 * 1024
/** Small bodies do not prevent a large one from counting as alone. */
const maxSmallBodies = 8 * maxSmallBody
/** How often memory usage is sampled without requests, in milliseconds. */
const sampleMillis = 250
/**
 * Above this share buffers that searches left behind are collected as soon as they are many: V8 lets 64 MiB of them pass
 * before it looks, whatever the limit is, and the more documents there are, the more often a small node would hold them.
 */
const leftPressure = 0.5
/** Above this share everything is collected. */
const collectPressure = 0.75
/** How often garbage is collected under pressure; the interval grows while that frees little. */
const collectMillis = 1000
const maxCollectEvery = 30_000
/**
 * Shares of the limit that make a garbage collection or a flush worthwhile; many small segments would cost more than
 * they free.
 */
const minCollectedShare = 0.02
const minFlushedShare = 0.02

function roomIn(limit: number): number {
  return Math.max(limit - programBytes, limit * minRoomShare)
}

interface StoreMemoryOptions {
  /** The memory limit of the whole process. */
  readonly limit?: number
  /** Runs a garbage collection. */
  readonly collect?: () => void
  /** Runs one if many bytes of buffers could be left behind. */
  readonly collectLeft?: () => void
  readonly resident?: () => number
}

export class StoreMemory {
  readonly limit: number
  readonly breakers: CircuitBreakers
  /** Admission of searches, by their estimated memory. */
  readonly searches: AdmissionQueue
  /** Admission of request bodies. */
  readonly bodies: AdmissionQueue
  readonly #collect: () => void
  readonly #collectLeft: () => void
  readonly #sampled = new ResidentMemory()
  readonly #resident: () => number
  #timer: NodeJS.Timeout | undefined
  #collectedAt = Number.NEGATIVE_INFINITY
  #collectPause = collectMillis
  #relieved: () => void = () => {}

  constructor({
    limit = standardLimit(),
    collect = () => {},
    collectLeft = () => {},
    resident,
  }: StoreMemoryOptions = {}) {
    this.limit = limit
    this.#collect = collect
    this.#collectLeft = collectLeft
    const sampled = this.#sampled
    this.#resident = resident ?? (() => sampled.bytes)
    const request = new CircuitBreaker('request', limit * maxRequestShare)
    const inFlight = new CircuitBreaker('inflight_requests', limit * maxInFlightShare)
    const fielddata = new CircuitBreaker('fielddata', roomIn(limit) * maxDecodedShare, {
      overhead: 1.03,
      measure: () => decodedCache.bytes,
    })
    const accounting = new CircuitBreaker('accounting', roomIn(limit) * maxWriteBufferShare, {
      measure: () => writeBuffers.heldBytes,
    })
    // Accounts for pipelines, which run in other threads. It never refuses a request; their inputs wait instead.
    const pipelines = new CircuitBreaker('pipelines', memoryAccount.pipelinesLimit, {
      measure: () => memoryAccount.pipelines + memoryAccount.total('inputs') + memoryAccount.total('waiting'),
    })
    this.breakers = new CircuitBreakers(
      { request, inFlight, others: [fielddata, accounting, pipelines] },
      {
        limit,
        resident: this.#resident,
        relieve: () => {
          this.relieve()
          sampled.forget()
        },
      },
    )
    const hasRoom = (bytes: number) => this.breakers.pressure + bytes / limit < highPressure
    this.searches = new AdmissionQueue({
      capacity: () => request.limit / 2,
      maxWaiting: searchQueueSize,
      maxWaitMillis: maxSearchWait,
      smallBytes: maxSmallSearch,
      hasRoom,
    })
    this.bodies = new AdmissionQueue({
      capacity: () => inFlight.limit * maxLargeBodiesShare,
      maxWaiting: maxWaitingBodies,
      maxWaitMillis: maxBodyWait,
      smallBytes: maxSmallBody,
      hasRoom,
    })
  }

  /** Applies the shares to the write buffers and caches of this thread; `relieved` is called when caches are evicted. */
  govern(relieved: () => void = () => {}): void {
    this.#relieved = relieved
    writeBuffers.maxBytes = roomIn(this.limit) * maxWriteBufferShare
    decodedCache.limit = roomIn(this.limit) * maxDecodedShare
    mergeLimit.maxBytes = roomIn(this.limit) * maxMergedShare
    this.#timer = setInterval(() => {
      this.publish()
      const free = this.limit * highPressure - this.#resident()
      mergeLimit.roomBytes = Math.max(free / heldPerMergedByte, this.limit * minMergedShare)
      const { pressure } = this.breakers
      if (pressure >= highPressure) writeBuffers.flushLargest(this.limit * minFlushedShare)
      if (pressure >= leftPressure) this.#collectLeft()
      if (pressure >= collectPressure) this.#collectIfDue()
      else this.#collectPause = collectMillis
    }, sampleMillis)
    this.#timer.unref()
  }

  /** V8 does not know how little memory is left, and would let its heap grow. */
  #collectIfDue(): void {
    if (performance.now() - this.#collectedAt < this.#collectPause) return
    const before = this.#resident()
    this.#collect()
    this.#sampled.forget()
    const isWorth = before - this.#resident() >= this.limit * minCollectedShare
    this.#collectPause = isWorth ? collectMillis : Math.min(2 * this.#collectPause, maxCollectEvery)
    this.#collectedAt = performance.now()
  }

  /** Publishes the store's usage to the account of the process. */
  publish(): void {
    const { request, inFlight } = this.breakers
    memoryAccount.set('requests', inFlight.used)
    memoryAccount.set('answers', request.used)
    memoryAccount.set('caches', decodedCache.bytes)
    memoryAccount.set('buffers', writeBuffers.heldBytes)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Evicts what can be computed again. Free slabs stay: the C library would keep them anyway. */
  relieve(): void {
    writeBuffers.flushLargest(this.limit * minFlushedShare)
    decodedCache.evict()
    this.#relieved()
    this.#collect()
  }

  /** True when at most one expensive search is running. */
  readonly isAlone = (): boolean => this.searches.active <= 1

  /** Reserves memory for a body; throws when there is none in time. The caller invokes the result to release it. */
  async admitBody(bytes: number): Promise<() => void> {
    const label = '<http_request>'
    const { inFlight } = this.breakers
    if (bytes > inFlight.limit) throw new CircuitBreaking(inFlight.take(bytes, label)!)
    const entered = this.bodies.enter(bytes)
    const verdict = typeof entered === 'string' ? entered : await entered
    const refusal = this.#refusedBody(verdict, bytes, label)
    if (refusal !== undefined) {
      if (verdict === 'admitted') this.bodies.leave(bytes)
      throw new CircuitBreaking(refusal)
    }
    let isDone = false
    return () => {
      if (isDone) return
      isDone = true
      inFlight.giveBack(bytes)
      this.bodies.leave(bytes)
    }
  }

  #refusedBody(verdict: Verdict, bytes: number, label: string): Refusal | undefined {
    const { breakers } = this
    if (verdict !== 'admitted')
      // Waiting did not help: report the breaker that is in the way.
      return breakers.inFlight.refusal(bytes, label) ?? breakers.refusal(bytes, label)
    // Small bodies are always admitted, so that requests for the node's health are answered.
    const refusal =
      bytes <= maxSmallBody
        ? undefined
        : breakers.check(bytes, label, this.bodies.reserved - bytes <= maxSmallBodies)
    return refusal ?? breakers.inFlight.take(bytes, label)
  }
}
