/**
 * What one reader knows already, so that a request only carries what changed: mappings, shards, segments. Unflushed
 * documents are held here until the reader has released them, because their memory would be reused otherwise.
 */
import type { SearchIndex } from '../collect/search-index.ts'
import type { IndexMetadata } from '../index/index-metadata.ts'
import type { StoredScripts } from '../script/script.ts'
import type { LeafReader, Segment, ShardReader } from '../segment/segment.ts'
import { SegmentReader } from '../segment/segment-reader.ts'
import { BufferedSegment } from '../segment/writer/buffered-segment.ts'
import type { SharedDocuments } from '../segment/writer/shared-segment.ts'
import type { IndexView, LeafView, OpenedSegment, ShardView } from './messages.ts'

interface SentShard {
  readonly reader: ShardReader
  readonly ids: ReadonlySet<number>
  readonly isBuffered: boolean
  usedAt: number
}

/**
 * After these milliseconds without a search a view is released: soon where it holds memory of the write buffer, later
 * where it only holds segment files open.
 */
const maxBufferedAge = 2_000
const maxAge = 60_000

let nextId = 1
const ids = new WeakMap<Segment, number>()

function idOf(segment: Segment): number {
  let id = ids.get(segment)
  if (id === undefined) ids.set(segment, (id = nextId++))
  return id
}

/** Thrown for what a reader cannot be told. */
export class NotSendable extends Error {
  override readonly name = 'NotSendable'
}

export class SentViews {
  readonly #definitions = new Map<string, { metadata: IndexMetadata; mapping: object }>()
  readonly #shards = new Map<string, SentShard>()
  readonly #kept = new Map<number, SharedDocuments>()
  #scripts: StoredScripts | undefined

  /** Returns undefined when the reader has them. */
  scripts(scripts: StoredScripts): StoredScripts | undefined {
    if (this.#scripts === scripts) return undefined
    this.#scripts = scripts
    return scripts
  }

  index(metadata: IndexMetadata, index: SearchIndex, now: number): IndexView {
    const { uuid, mapping, filters } = index
    const known = this.#definitions.get(uuid)
    const isKnown = known?.metadata === metadata && known.mapping === mapping
    if (!isKnown) this.#definitions.set(uuid, { metadata, mapping })
    return {
      uuid,
      definition: isKnown
        ? undefined
        : { metadata: { ...metadata, mappings: {} }, mappings: mapping.toJson() },
      filters,
      shards: index.shards.map((reader) => this.#shard(`${uuid}/${reader.shard}`, reader, now)),
    }
  }

  #shard(key: string, reader: ShardReader, now: number): ShardView {
    if (reader.failure !== undefined) throw new NotSendable('the shard cannot be read')
    const { shard, leaves, liveCount } = reader
    const before = this.#shards.get(key)
    if (before?.reader === reader) {
      before.usedAt = now
      return { key, shard, contents: undefined }
    }
    const sent = leaves.map((leaf) => this.#leaf(leaf, before?.ids))
    this.#shards.set(key, {
      reader,
      ids: new Set(sent.map(({ id }) => id)),
      isBuffered: leaves.some(({ segment }) => segment instanceof BufferedSegment),
      usedAt: now,
    })
    return { key, shard, contents: { leaves: sent, liveCount } }
  }

  #leaf({ segment, live, base }: LeafReader, known: ReadonlySet<number> | undefined): LeafView {
    const id = idOf(segment)
    const opened = known?.has(id) === true ? undefined : this.#opened(id, segment)
    return { id, name: segment.name, base, live: live?.words ?? null, opened }
  }

  #opened(id: number, segment: Segment): OpenedSegment {
    if (segment instanceof SegmentReader && segment.sections.path !== undefined)
      return { path: segment.sections.path }
    if (!(segment instanceof BufferedSegment)) throw new NotSendable('the segment is of this thread alone')
    const shared = segment.shared()
    this.#kept.set(id, shared)
    return shared
  }

  released(segments: readonly number[]): void {
    for (const id of segments) this.#kept.delete(id)
  }

  /** Forgets shards that were not asked for lately and returns their keys. */
  stale(now: number): string[] {
    const stale: string[] = []
    for (const [key, { isBuffered, usedAt }] of this.#shards) {
      if (now - usedAt < (isBuffered ? maxBufferedAge : maxAge)) continue
      this.#shards.delete(key)
      stale.push(key)
    }
    return stale
  }

  /** Forgets what was sent; held documents stay until the reader has released them. */
  forgetAll(): void {
    this.#definitions.clear()
    this.#shards.clear()
    this.#scripts = undefined
  }
}
