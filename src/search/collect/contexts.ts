/**
 * Search contexts that outlive their request: points in time and scrolls. Each holds the shard readers it was
 * opened on until its keep-alive runs out; every use renews it. Ids are opaque and never change: base64 of
 * the context's number with a random text that detects forged ids.
 */

import { randomBytes } from 'node:crypto'
import { illegalArgument } from '../request/errors.ts'
import { SearchError } from '../request/search-error.ts'
import type { SearchRequest } from './request/search-request.ts'
import type { SearchIndex } from './search-index.ts'

const maxKeepAlive = 24 * 3_600_000

interface PointInTime {
  readonly kind: 'pit'
  readonly id: string
  readonly number: number
  readonly indices: readonly SearchIndex[]
  readonly created: number
  keepAlive: number
  /** When it expires, by the monotonic clock. */
  expires: number
}

interface Scroll {
  readonly kind: 'scroll'
  readonly id: string
  readonly number: number
  readonly indices: readonly SearchIndex[]
  readonly request: SearchRequest
  readonly created: number
  /** The rank of the next hit. */
  next: number
  keepAlive: number
  expires: number
}

type Context = PointInTime | Scroll

export interface ContextLimits {
  /** `search.max_open_scroll_context` */
  readonly maxScrolls: number
  /** `search.max_open_pit_context` */
  readonly maxPits: number
  /** `search.max_keep_alive`, in milliseconds. */
  readonly maxKeepAlive: number
}

export const defaultContextLimits: ContextLimits = { maxScrolls: 500, maxPits: 300, maxKeepAlive }

interface ContextSettings {
  /** Read whenever a context is opened or used, as settings may change. */
  readonly limits?: () => ContextLimits
  /** Wall clock in milliseconds since 1970, for creation times in answers. */
  readonly clock?: () => number
  /** Monotonic clock in milliseconds, for expiry. */
  readonly elapsed?: () => number
}

function durationText(millis: number): string {
  for (const [unit, size] of [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const) {
    if (millis >= size) return `${Math.round((millis / size) * 10) / 10}${unit}`
  }
  return `${millis}ms`
}

/** One or two letters are no Base64. */
function unreadableScroll(id: string): SearchError {
  const reason = 'Input byte[] should at least have 2 bytes for base64 bytes'
  return illegalArgument('Cannot parse scroll id', id.length < 2 ? illegalArgument(reason) : undefined)
}

function contextMissing(number: number | string): SearchError {
  return new SearchError('search_context_missing_exception', `No search context found for id [${number}]`)
}

export class SearchContexts {
  readonly #kept = new Map<number, Context>()
  readonly #limits: () => ContextLimits
  readonly #clock: () => number
  readonly #elapsed: () => number
  /** Makes ids of an earlier run of the node unknown, though well formed. */
  readonly #session = randomBytes(12).toString('base64url')
  #next = 1

  constructor({
    limits = () => defaultContextLimits,
    clock = Date.now,
    elapsed = () => performance.now(),
  }: ContextSettings = {}) {
    this.#limits = limits
    this.#clock = clock
    this.#elapsed = elapsed
  }

  #newId(kind: Context['kind'], number: number): string {
    return Buffer.from(`millrace ${kind} ${this.#session} ${number}`, 'utf8').toString('base64')
  }

  #numberOf(id: string, kind: Context['kind']): number | undefined {
    const match = /^millrace (pit|scroll) \S+ (\d{1,15})$/.exec(Buffer.from(id, 'base64').toString('utf8'))
    return match === null || match[1] !== kind ? undefined : Number(match[2])
  }

  #checkKeepAlive(keepAlive: number): void {
    const { maxKeepAlive: max } = this.#limits()
    if (keepAlive <= max) return
    throw illegalArgument(
      `Keep alive for request (${durationText(keepAlive)}) is too large. It must be less than (${durationText(max)}). This limit can be set by changing the [search.max_keep_alive] cluster level setting.`,
    )
  }

  #count(kind: Context['kind']): number {
    let count = 0
    for (const context of this.#kept.values()) if (context.kind === kind) count++
    return count
  }

  openPit(indices: readonly SearchIndex[], keepAlive: number): PointInTime {
    this.#checkKeepAlive(keepAlive)
    this.reap()
    const { maxPits } = this.#limits()
    if (this.#count('pit') >= maxPits) {
      throw new SearchError(
        'rejected_execution_exception',
        `Trying to create too many Point In Time contexts. Must be less than or equal to: [${maxPits}]. This limit can be set by changing the [search.max_open_pit_context] setting.`,
      )
    }
    return this.#keep({ kind: 'pit', indices, ...this.#identity('pit', keepAlive) })
  }

  openScroll(indices: readonly SearchIndex[], request: SearchRequest, keepAlive: number): Scroll {
    this.#checkKeepAlive(keepAlive)
    this.reap()
    const { maxScrolls } = this.#limits()
    if (this.#count('scroll') >= maxScrolls) {
      throw new SearchError(
        'exception',
        `Trying to create too many scroll contexts. Must be less than or equal to: [${maxScrolls}]. This limit can be set by changing the [search.max_open_scroll_context] setting.`,
        { status: 429 },
      )
    }
    return this.#keep({
      kind: 'scroll',
      indices,
      request,
      next: 0,
      ...this.#identity('scroll', keepAlive),
    })
  }

  #identity(kind: 'pit' | 'scroll', keepAlive: number) {
    const number = this.#next++
    const expires = this.#elapsed() + keepAlive
    return { id: this.#newId(kind, number), number, created: this.#clock(), keepAlive, expires }
  }

  #keep<C extends PointInTime | Scroll>(context: C): C {
    this.#kept.set(context.number, context)
    return context
  }

  /** Renews the context, with a new keep-alive if one is given. */
  usePit(id: string, keepAlive?: number): PointInTime {
    const number = this.#numberOf(id, 'pit')
    if (number === undefined) throw illegalArgument(`invalid id: [${id}]`)
    return this.#use(id, number, keepAlive) as PointInTime
  }

  useScroll(id: string, keepAlive?: number): Scroll {
    const number = this.#numberOf(id, 'scroll')
    if (number === undefined) throw unreadableScroll(id)
    return this.#use(id, number, keepAlive) as Scroll
  }

  #use(id: string, number: number, keepAlive: number | undefined): Context {
    if (keepAlive !== undefined) this.#checkKeepAlive(keepAlive)
    this.reap()
    const context = this.#kept.get(number)
    if (context === undefined || context.id !== id) throw contextMissing(number)
    if (keepAlive !== undefined) context.keepAlive = Math.max(keepAlive, context.keepAlive)
    context.expires = this.#elapsed() + context.keepAlive
    return context
  }

  /** Returns true when the context existed. Throws when the id is malformed. */
  closeScroll(id: string): boolean {
    const number = this.#numberOf(id, 'scroll')
    if (number === undefined) throw unreadableScroll(id)
    return this.#close(id, number)
  }

  closePit(id: string): boolean {
    const number = this.#numberOf(id, 'pit')
    if (number === undefined) throw illegalArgument(`invalid id: [${id}]`)
    return this.#close(id, number)
  }

  #close(id: string, number: number): boolean {
    const context = this.#kept.get(number)
    if (context === undefined || context.id !== id) return false
    this.#kept.delete(number)
    release(context)
    return true
  }

  /** Closes all contexts of a kind and returns their ids. */
  closeAll(kind: Context['kind']): string[] {
    this.reap()
    const open = [...this.#kept.values()].filter((context) => context.kind === kind)
    for (const { id, number } of open) this.#close(id, number)
    return open.map(({ id }) => id)
  }

  pits(): PointInTime[] {
    this.reap()
    return [...this.#kept.values()].filter((context) => context.kind === 'pit')
  }

  /** Counts the open contexts over an index. */
  countOf(index: string): number {
    let count = 0
    for (const { indices } of this.#kept.values()) if (indices.some(({ name }) => name === index)) count++
    return count
  }

  /** Closes expired contexts; called on every use, and every minute by the owner. */
  reap(): void {
    const now = this.#elapsed()
    for (const context of [...this.#kept.values()]) {
      if (context.expires < now) this.#close(context.id, context.number)
    }
  }

  close(): void {
    for (const context of [...this.#kept.values()]) this.#close(context.id, context.number)
  }
}

function release({ indices }: Context): void {
  for (const { shards } of indices) for (const shard of shards) shard.release()
}
