/**
 * What the store does to stay within the memory of the process. Under pressure, in this order: write buffers are
 * flushed, caches are emptied, requests wait, requests are refused. `docs/decisions/0020-memory-ceiling.md` gives the
 * shares and why.
 */
import { AdmissionQueue, type Verdict } from '../../memory/admission-queue.ts'
import { CircuitBreaker, CircuitBreakers, type Refusal } from '../../memory/circuit-breakers.ts'
import { memoryAccount } from '../../memory/memory-account.ts'
import { standardLimit } from '../../memory/memory-limit.ts'
import { ResidentMemory } from '../../memory/resident-memory.ts'
import { CircuitBreaking } from '../request/memory-refused.ts'
import { decodedMemory } from '../segment/decoded-cache.ts'
import { writeBuffers } from '../shard/write-buffers.ts'

export const maxWriteBufferShare = 0.2
const maxDecodedShare = 0.15
const maxRequestShare = 0.25
const maxInFlightShare = 0.3
/** Above this part of the parent's limit write buffers are flushed early and work that takes much waits. */
const highPressure = 0.85
/** `thread_pool.search.queue_size`. */
export const searchQueueSize = 1000
const maxWaitingBodies = 200
const maxSearchWait = 30_000
/** Shorter than the server lets a sender take, so that it is refused and not cut off. */
const maxBodyWait = 15_000
const smallSearch = 512 * 1024
const smallBody = 1024 * 1024
/** Small bodies do not keep a large one from being alone. */
const smallTogether = 8 * smallBody
/** How often the real usage is looked at while nobody asks, in milliseconds. */
const lookEvery = 250
/** How often garbage is collected meanwhile: ever more seldom while that frees little. */
const collectEvery = 1000
const maxCollectEvery = 30_000
/** Parts of the limit: what is worth a collection, and a flush; many small segments would cost more than they free. */
const worthCollecting = 0.02
const worthFlushing = 0.02

export interface StoreMemoryOptions {
  /** Memory limit of the whole process. */
  readonly limit?: number
  /** Collects garbage at once. */
  readonly collect?: () => void
  readonly resident?: () => number
}

export class StoreMemory {
  readonly limit: number
  readonly breakers: CircuitBreakers
  /** Searches, by what they are expected to take. */
  readonly searches: AdmissionQueue
  /** Bodies of requests. */
  readonly bodies: AdmissionQueue
  readonly #collect: () => void
  readonly #sampled = new ResidentMemory()
  readonly #resident: () => number
  #timer: NodeJS.Timeout | undefined
  #collectedAt = Number.NEGATIVE_INFINITY
  #collectPause = collectEvery

  constructor({ limit = standardLimit(), collect = () => {}, resident }: StoreMemoryOptions = {}) {
    this.limit = limit
    this.#collect = collect
    const sampled = this.#sampled
    this.#resident = resident ?? (() => sampled.bytes)
    const request = new CircuitBreaker('request', limit * maxRequestShare)
    const inFlight = new CircuitBreaker('inflight_requests', limit * maxInFlightShare)
    const fielddata = new CircuitBreaker('fielddata', limit * maxDecodedShare, {
      overhead: 1.03,
      measure: () => decodedMemory.bytes,
    })
    const accounting = new CircuitBreaker('accounting', limit * maxWriteBufferShare, {
      measure: () => writeBuffers.heldBytes,
    })
    // Not of this thread: what pipelines hold. It never refuses a request, their inputs wait instead.
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
      smallBytes: smallSearch,
      hasRoom,
    })
    this.bodies = new AdmissionQueue({
      capacity: () => inFlight.limit,
      maxWaiting: maxWaitingBodies,
      maxWaitMillis: maxBodyWait,
      smallBytes: smallBody,
      hasRoom,
    })
  }

  /** The write buffers and caches of this thread keep to their shares from now on. */
  govern(): void {
    writeBuffers.maxBytes = this.limit * maxWriteBufferShare
    decodedMemory.limit = this.limit * maxDecodedShare
    this.#timer = setInterval(() => {
      this.publish()
      if (this.breakers.pressure < highPressure) {
        this.#collectPause = collectEvery
        return
      }
      writeBuffers.flushLargest(this.limit * worthFlushing)
      this.#collectIfDue()
    }, lookEvery)
    this.#timer.unref()
  }

  /** V8 does not know how little there is left, and would let its heap grow. */
  #collectIfDue(): void {
    if (performance.now() - this.#collectedAt < this.#collectPause) return
    const before = this.#resident()
    this.#collect()
    this.#sampled.forget()
    const isWorth = before - this.#resident() >= this.limit * worthCollecting
    this.#collectPause = isWorth ? collectEvery : Math.min(2 * this.#collectPause, maxCollectEvery)
    this.#collectedAt = performance.now()
  }

  /** What the store holds, for everybody who looks at the memory of the process. */
  publish(): void {
    const { request, inFlight } = this.breakers
    memoryAccount.set('requests', inFlight.used)
    memoryAccount.set('answers', request.used)
    memoryAccount.set('caches', decodedMemory.bytes)
    memoryAccount.set('buffers', writeBuffers.heldBytes)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Frees what can be made again. Free slabs stay: the C library would keep them just as well. */
  relieve(): void {
    writeBuffers.flushLargest(this.limit * worthFlushing)
    decodedMemory.evict()
    this.#collect()
  }

  /** At most one search that takes much is under way. */
  readonly isAlone = (): boolean => this.searches.active <= 1

  /** Room for a body of that many bytes; throws when there is none in time. Call what it returns when it is done with. */
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
      // Waiting did not help: say what stands in the way.
      return breakers.inFlight.refusal(bytes, label) ?? breakers.refusal(bytes, label)
    // Small ones are always let in, so that whoever asks how the node is gets an answer.
    const refusal =
      bytes <= smallBody
        ? undefined
        : breakers.check(bytes, label, this.bodies.reserved - bytes <= smallTogether)
    return refusal ?? breakers.inFlight.take(bytes, label)
  }
}
