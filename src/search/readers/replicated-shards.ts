/**
 * The shards a reader knows, by the views it was sent. A segment that left the view of its shard is closed when the
 * searches that began before have ended.
 */
import type { Files } from '../../storage/files.ts'
import { BitSet } from '../segment/encoding/bit-set.ts'
import type { LeafReader, Segment, ShardReader } from '../segment/segment.ts'
import { FileSections } from '../segment/segment-file.ts'
import { SegmentReader } from '../segment/segment-reader.ts'
import { SharedSegment } from '../segment/writer/shared-segment.ts'
import type { LeafView, OpenedSegment, ShardView } from './messages.ts'

/** Thrown when a request refers to a view that this reader does not have; the pool then sends everything again. */
export class UnknownView extends Error {
  override readonly name = 'UnknownView'
}

interface Leaving {
  readonly id: number
  readonly segment: Segment
  /** Searches that may still read it. */
  readonly readers: Set<number>
}

interface KnownShard {
  readonly reader: ShardReader
  readonly segments: ReadonlyMap<number, Segment>
}

export class ReplicatedShards {
  readonly #files: Files
  readonly #released: (segments: readonly number[]) => void
  readonly #shards = new Map<string, KnownShard>()
  readonly #running = new Set<number>()
  readonly #leaving = new Set<Leaving>()

  constructor(files: Files, released: (segments: readonly number[]) => void) {
    this.#files = files
    this.#released = released
  }

  begin(search: number): void {
    this.#running.add(search)
  }

  end(search: number): void {
    this.#running.delete(search)
    for (const { readers } of this.#leaving) readers.delete(search)
    this.#release()
  }

  /** Returns the shard as the view says. Throws when it says less than is needed. */
  reader(index: string, { key, shard, contents }: ShardView): ShardReader {
    const known = this.#shards.get(key)
    if (contents === undefined) {
      if (known === undefined) throw new UnknownView(key)
      return known.reader
    }
    const segments = new Map<number, Segment>()
    const leaves = contents.leaves.map((leaf): LeafReader => {
      const segment = known?.segments.get(leaf.id) ?? this.#open(leaf)
      segments.set(leaf.id, segment)
      const { live, base } = leaf
      return { segment, base, live: live === null ? null : new BitSet(segment.docCount, live) }
    })
    const reader = { index, shard, leaves, liveCount: contents.liveCount, release() {} }
    this.#shards.set(key, { reader, segments })
    if (known !== undefined) this.#leave(known, segments)
    return reader
  }

  #open({ name, opened }: LeafView): Segment {
    if (opened === undefined) throw new UnknownView(name)
    return isFile(opened)
      ? new SegmentReader(name, new FileSections(this.#files, opened.path))
      : new SharedSegment(name, opened)
  }

  #leave({ segments }: KnownShard, stay: ReadonlyMap<number, Segment>): void {
    for (const [id, segment] of segments)
      if (!stay.has(id)) this.#leaving.add({ id, segment, readers: new Set(this.#running) })
    this.#release()
  }

  #release(): void {
    const released: number[] = []
    for (const leaving of this.#leaving) {
      if (leaving.readers.size > 0) continue
      this.#leaving.delete(leaving)
      if (leaving.segment instanceof SegmentReader) leaving.segment.sections.close()
      released.push(leaving.id)
    }
    if (released.length > 0) this.#released(released)
  }

  forget(keys: readonly string[]): void {
    for (const key of keys) {
      const known = this.#shards.get(key)
      this.#shards.delete(key)
      if (known !== undefined) this.#leave(known, new Map())
    }
  }

  forgetAll(): void {
    this.forget([...this.#shards.keys()])
  }
}

function isFile(opened: OpenedSegment): opened is { readonly path: string } {
  return 'path' in opened
}
