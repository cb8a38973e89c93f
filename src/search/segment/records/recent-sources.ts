/**
 * The sources of records that were read last in this thread, as JSON, of whichever segment. Those who page through
 * hits or ask for a page again read the same documents, and a copy costs a fraction of decompressing a record. The
 * bytes lie in a ring buffer: new sources overwrite the oldest, and a table by document says what is where.
 */
import { type CachedValue, decodedCache } from '../decoded-cache.ts'

const ringBytes = 256 * 1024
/** A longer source would displace too many others. */
export const maxRecentBytes = ringBytes / 16
const slots = 512
const noReader = 0xffffffff

class RecentSources {
  static readonly bytes = ringBytes + slots * (4 + 4 + 8 + 4)
  readonly #ring = Buffer.alloc(ringBytes)
  readonly view = new DataView(this.#ring.buffer, this.#ring.byteOffset, ringBytes)
  /** Indexed by slot: which document of which reader it has. */
  readonly #readers = new Uint32Array(slots).fill(noReader)
  readonly #docs = new Uint32Array(slots)
  /** Where the source of a slot begins, counted over all rounds of the ring. */
  readonly #starts = new Float64Array(slots)
  readonly #lengths = new Uint32Array(slots)
  /** Where the source that is being written begins, and where the next one will. */
  #start = 0
  #next = 0

  /** Returns undefined when the source is not there, or not any more. */
  text(reader: number, doc: number): string | undefined {
    const slot = doc % slots
    if (this.#docs[slot] !== doc || this.#readers[slot] !== reader) return undefined
    const start = this.#starts[slot]!
    return start + ringBytes < this.#next ? undefined : this.#textAt(start, this.#lengths[slot]!)
  }

  /** Returns where in the view a source of at most so many bytes, at most `maxRecentBytes`, can be written. */
  room(bytes: number): number {
    const at = this.#next % ringBytes
    this.#start = at + bytes > ringBytes ? this.#next + ringBytes - at : this.#next
    // What was there is gone at once, even when nothing is added because the record is damaged.
    this.#next = this.#start + bytes
    return this.#start % ringBytes
  }

  /** Adds the source that was written to the room that was given last; returns its text. */
  add(reader: number, doc: number, length: number): string {
    const slot = doc % slots
    this.#readers[slot] = reader
    this.#docs[slot] = doc
    this.#starts[slot] = this.#start
    this.#lengths[slot] = length
    this.#next = this.#start + length
    return this.#textAt(this.#start, length)
  }

  #textAt(start: number, length: number): string {
    const at = start % ringBytes
    return this.#ring.toString('utf8', at, at + length)
  }
}

let held: CachedValue<RecentSources> | undefined

/** Made when a thread first reads a record; counted, and evicted, with what is decoded of segments. */
export function recentSources(): RecentSources {
  let recent = held?.value
  if (recent === undefined) {
    recent = new RecentSources()
    held = decodedCache.hold(recent, RecentSources.bytes)
  }
  return recent
}
