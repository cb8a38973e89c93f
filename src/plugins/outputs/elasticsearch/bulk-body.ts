/**
 * The bytes of bulk requests: action line and document of each item, each with a line feed. A body is all that is
 * kept of a batch while it is on its way; what a message or a second try needs of an item is read back from it.
 */

import { cloneValue } from '../../../event/clone.ts'
import { Event } from '../../../event/event.ts'
import { parseJson } from '../../../event/json-parse.ts'
import { type Fields, isFields } from '../../../event/value.ts'
import { lineFeed } from '../../../text/ascii.ts'
import type { BulkAction } from './bulk-actions.ts'
import { ownText } from './bulk-document.ts'

/** Larger requests than clusters are known to take are cut. */
const targetBulkBytes = 20 * 1024 * 1024

/** What the bytes of an item do not tell. */
interface Aside {
  /** Null when the document is the event. */
  readonly event: Event | null
  readonly meta: Fields | null
  readonly isMinted: boolean
}

export interface BulkBody {
  readonly bytes: Uint8Array
  readonly count: number
  /** Asides by position; undefined when the bytes tell all. */
  readonly asides: readonly (Aside | undefined)[] | undefined
}

export interface BulkItem {
  readonly name: string
  readonly line: string
  readonly event: Event
  readonly isMinted: boolean
}

// --------------------------------------------------------------------------------------------- gathering

/** Characters joined before they become bytes; keeps one exotic character from widening a whole batch. */
const pieceLength = 8 * 1024
const encoder = new TextEncoder()

/** Bodies of several batches, one behind the other in one piece of memory. */
export class BulkGathering {
  #memory: Buffer
  #used = 0
  #count = 0
  #joined = ''
  #asides: (Aside | undefined)[] | undefined
  #lastAside: Aside | undefined

  constructor(memory: Buffer) {
    this.#memory = memory
  }

  add(event: Event, action: BulkAction): void {
    const { line, document } = action
    this.#joined += document === undefined ? `${line}\n` : `${line}\n${document(event)}\n`
    const aside = this.#asideOf(event, action)
    if (aside !== undefined) {
      this.#asides ??= []
      this.#asides[this.#count] = aside
    }
    this.#count += 1
    if (this.#joined.length >= pieceLength) this.#settle()
  }

  #settle(): void {
    const joined = this.#joined
    this.#reserve(joined.length > 1_000_000 ? Buffer.byteLength(joined) : joined.length * 3)
    this.#used += encoder.encodeInto(joined, this.#memory.subarray(this.#used)).written
    this.#joined = ''
  }

  #reserve(bytes: number): void {
    const end = this.#used + bytes
    if (end <= this.#memory.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(end, this.#memory.length * 2))
    larger.set(this.#memory.subarray(0, this.#used))
    this.#memory = larger
  }

  /** Events that share their metadata share this. */
  #asideOf(event: Event, { document, isMinted }: BulkAction): Aside | undefined {
    if (document !== ownText) return { event, meta: null, isMinted }
    const meta = event.metaView
    if (meta === null) return isMinted ? onlyMinted : undefined
    const last = this.#lastAside
    if (last !== undefined && last.meta === meta && last.isMinted === isMinted) return last
    this.#lastAside = { event: null, meta, isMinted }
    return this.#lastAside
  }

  get count(): number {
    return this.#count
  }

  get memory(): Buffer {
    return this.#memory
  }

  /** Shares the memory. */
  get body(): BulkBody {
    this.#settle()
    return { bytes: this.#memory.subarray(0, this.#used), count: this.#count, asides: this.#asides }
  }
}

const onlyMinted: Aside = { event: null, meta: null, isMinted: true }

// ------------------------------------------------------------------------------------------ parts of a body

/** In pieces of at most `limit` bytes; a single item may be larger. */
export function cutBySize(body: BulkBody, limit = targetBulkBytes): BulkBody[] {
  if (body.bytes.length <= limit || body.count === 1) return [body]
  const ends = endsOf(body)
  const pieces: BulkBody[] = []
  let from = 0
  let start = 0
  for (let i = 1; i < body.count; i++) {
    if (ends[i]! - start <= limit) continue
    pieces.push(partOf(body, ends, from, i))
    from = i
    start = ends[i - 1]!
  }
  return [...pieces, partOf(body, ends, from, body.count)]
}

export function halvesOf(body: BulkBody): [BulkBody, BulkBody] {
  const ends = endsOf(body)
  const middle = body.count >> 1
  return [partOf(body, ends, 0, middle), partOf(body, ends, middle, body.count)]
}

/** Some items, in memory of their own. */
export function selectItems(body: BulkBody, positions: readonly number[]): BulkBody {
  const ends = endsOf(body)
  const parts = positions.map((at) => partOf(body, ends, at, at + 1))
  return joinBodies(parts)
}

export function joinBodies(bodies: readonly BulkBody[]): BulkBody {
  const asides = bodies.flatMap(({ asides: own, count }) => Array.from({ length: count }, (_, i) => own?.[i]))
  return {
    bytes: Buffer.concat(bodies.map(({ bytes }) => bytes)),
    count: asides.length,
    asides: asides.some((aside) => aside !== undefined) ? asides : undefined,
  }
}

function partOf({ bytes, asides }: BulkBody, ends: Uint32Array, from: number, to: number): BulkBody {
  const start = from === 0 ? 0 : ends[from - 1]!
  return { bytes: bytes.subarray(start, ends[to - 1]), count: to - from, asides: asides?.slice(from, to) }
}

const deletion = Buffer.from('{"delete"')

/** Where each item ends. JSON has no bare newlines, so items are counted by theirs. */
function endsOf({ bytes, count }: BulkBody): Uint32Array {
  const ends = new Uint32Array(count)
  let end = 0
  for (let i = 0; i < count; i++) {
    const isDeletion = deletion.equals(bytes.subarray(end, end + deletion.length))
    end = bytes.indexOf(lineFeed, end) + 1
    if (!isDeletion) end = bytes.indexOf(lineFeed, end) + 1
    ends[i] = end
  }
  return ends
}

/** Reads items back; made once for a body of which several are wanted. */
export function itemReader(body: BulkBody): (position: number) => BulkItem {
  const ends = endsOf(body)
  return (position) => {
    const { bytes } = partOf(body, ends, position, position + 1)
    const [line = '', document = ''] = Buffer.from(bytes).toString('utf8').split('\n')
    const aside = body.asides?.[position]
    return {
      name: Object.keys(parseJson(line) as Fields)[0]!,
      line,
      event: aside?.event ?? eventOf(document, aside?.meta ?? null),
      isMinted: aside?.isMinted ?? false,
    }
  }
}

function eventOf(document: string, meta: Fields | null): Event {
  const fields = parseJson(document)
  const event = Event.from(isFields(fields) ? fields : {})
  event.meta = cloneValue(meta)
  return event
}
