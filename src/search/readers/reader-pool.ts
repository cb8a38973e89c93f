/**
 * The pool of reader threads, which search while the store's thread has other work. A reader is started when it is
 * first needed, and ends after some time without searches, which frees its memory.
 */
import { RawJson } from '../answer/json-text.ts'
import type { ReadRequest, SearchReaders } from '../index/search-readers.ts'
import type { JsonObject } from '../request/json-object.ts'
import type { FromReader, ToReader } from './messages.ts'
import { NotSendable, SentViews } from './sent-views.ts'

/** The thread of a reader, however it is made. */
interface ReaderThread {
  post(message: ToReader): void
  close(): Promise<void>
}

interface ReaderHandlers {
  message(message: FromReader): void
  /** The thread ended by itself. */
  lost(): void
}

interface ReaderPoolOptions {
  readonly maxReaders: number
  readonly start: (handlers: ReaderHandlers) => ReaderThread
}

/** A reader that died is replaced after this time. */
const restartMillis = 5_000
/** A reader without searches ends after this time. */
const idleMillis = 30_000
const idleCheckMillis = 1_000

interface Waiting {
  readonly resolve: (response: JsonObject | undefined) => void
  readonly request: ReadRequest
}

class Reader {
  readonly views = new SentViews()
  readonly waiting = new Map<number, Waiting>()
  readonly thread: ReaderThread
  isReady = false
  generation = 0
  usedAt = performance.now()

  constructor(start: (reader: Reader) => ReaderThread) {
    this.thread = start(this)
  }
}

export class ReaderPool implements SearchReaders {
  readonly #options: ReaderPoolOptions
  readonly #readers = new Set<Reader>()
  #next = 0
  #restartAt = Number.NEGATIVE_INFINITY
  #idleTimer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ReaderPoolOptions) {
    this.#options = options
  }

  read(request: ReadRequest, load: number): Promise<JsonObject | undefined> | undefined {
    if (load === 0) return undefined
    const reader = this.#leastBusy()
    if (reader === undefined || reader.waiting.size >= load) {
      this.#startReader()
      return undefined
    }
    return this.#send(reader, request)
  }

  #leastBusy(): Reader | undefined {
    let found: Reader | undefined
    for (const reader of this.#readers)
      if (reader.isReady && (found === undefined || reader.waiting.size < found.waiting.size)) found = reader
    return found
  }

  #startReader(): void {
    const { maxReaders, start } = this.#options
    if (this.#isClosed || this.#readers.size >= maxReaders || performance.now() < this.#restartAt) return
    for (const { isReady } of this.#readers) if (!isReady) return
    const reader = new Reader((self) =>
      start({ message: (message) => this.#receive(self, message), lost: () => this.#lost(self) }),
    )
    this.#readers.add(reader)
    this.#idleTimer ??= setInterval(() => this.#endIdle(), idleCheckMillis).unref()
  }

  #send(reader: Reader, request: ReadRequest): Promise<JsonObject | undefined> | undefined {
    const { call, kind, node, environment, dialect, maxBuckets, maxAnswerBytes } = request
    const number = this.#next++
    const now = performance.now()
    try {
      const indices = request.indices.map(({ metadata, index }) => reader.views.index(metadata, index, now))
      const job = {
        number,
        kind,
        body: call.body === undefined ? undefined : new Uint8Array(call.bodyText),
        parameters: call.parameters,
        namesIndices: call.namesIndices,
        node,
        environment,
        dialect,
        maxBuckets,
        maxAnswerBytes,
        scripts: reader.views.scripts(request.scripts),
        indices,
      }
      reader.thread.post({ kind: 'read', job, generation: reader.generation })
    } catch (error) {
      // What could not be sent would be taken for known by the next request.
      this.#forgetAll(reader)
      if (error instanceof NotSendable || (error as Error).name === 'DataCloneError') return undefined
      throw error
    }
    reader.usedAt = now
    return new Promise((resolve) => {
      const cancel = () => reader.thread.post({ kind: 'cancel', number })
      call.signal.addEventListener('abort', cancel, { once: true })
      const done = (response: JsonObject | undefined) => {
        call.signal.removeEventListener('abort', cancel)
        resolve(response)
      }
      reader.waiting.set(number, { resolve: done, request })
    })
  }

  #forgetAll(reader: Reader): void {
    reader.generation += 1
    reader.views.forgetAll()
    reader.thread.post({ kind: 'forget-all' })
  }

  #receive(reader: Reader, message: FromReader): void {
    if (message.kind === 'ready') reader.isReady = true
    else if (message.kind === 'released') reader.views.released(message.segments)
    else {
      const waiting = reader.waiting.get(message.number)
      reader.waiting.delete(message.number)
      reader.usedAt = performance.now()
      if (message.kind === 'answer') waiting?.resolve(responseOf(message.members))
      else {
        if (message.isLost && message.generation === reader.generation) this.#forgetAll(reader)
        waiting?.resolve(undefined)
      }
    }
  }

  #lost(reader: Reader): void {
    if (!this.#readers.delete(reader)) return
    this.#restartAt = performance.now() + restartMillis
    for (const { resolve } of reader.waiting.values()) resolve(undefined)
  }

  /** Ends idle readers, and lets the others release shards that no search has read for a while. */
  #endIdle(): void {
    const now = performance.now()
    for (const reader of this.#readers) {
      const shards = reader.views.stale(now)
      if (shards.length > 0) reader.thread.post({ kind: 'forget', shards })
      if (reader.waiting.size > 0 || now - reader.usedAt < idleMillis) continue
      this.#readers.delete(reader)
      void reader.thread.close()
    }
    if (this.#readers.size > 0) return
    clearInterval(this.#idleTimer)
    this.#idleTimer = undefined
  }

  evict(): void {
    for (const { thread } of this.#readers) thread.post({ kind: 'evict' })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#idleTimer)
    const readers = [...this.#readers]
    this.#readers.clear()
    for (const { waiting } of readers) for (const { resolve } of waiting.values()) resolve(undefined)
    await Promise.all(readers.map(({ thread }) => thread.close()))
  }
}

function responseOf(members: readonly (readonly [name: string, value: unknown])[]): JsonObject {
  return Object.fromEntries(
    members.map(([name, value]) => [name, value instanceof Uint8Array ? new RawJson(value) : value]),
  )
}
