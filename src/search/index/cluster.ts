/**
 * Owns the cluster state and the open indices. Every change goes through `apply`, which writes the state before it
 * becomes visible; the changes themselves are in the files beside this one.
 */
import { type DamagedFile, isDamage, removeQuietly } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'
import { AnswerBytes } from '../answer/answer-memory.ts'
import { type IngestTools, noIngestTools } from '../ingest/processor.ts'
import { indexClosed } from '../request/index-errors.ts'
import { SearchError } from '../request/search-error.ts'
import { parseBytes } from '../request/units/units.ts'
import { FairScheduler } from '../scheduling/fair-scheduler.ts'
import type { Report } from '../shard/report.ts'
import {
  type ClusterState,
  emptyState,
  memberOf,
  readState,
  withMember,
  withoutMembers,
  writeState,
} from './cluster-state.ts'
import { type Compat, compatOf, type Flavor } from './compat.ts'
import { uuid } from './generated-ids.ts'
import { IndexResolver, type IndicesOptions, type ResolvedIndex } from './index-expressions.ts'
import { type IndexMetadata, shardCount } from './index-metadata.ts'
import { DiskWatermark } from './shards/disk-watermark.ts'
import type { EmbeddedStores, MappedStore } from './shards/embedded-stores.ts'
import { floodStage, isDiskFull, type ShardFailure, shardUnreadable } from './shards/shard-failure.ts'
import type { ShardFigures } from './shards/shard-figures.ts'
import { checkShardLimit, copyCount } from './shards/shard-limit.ts'
import { StoreMemory } from './store-memory.ts'
import { type IndexBody, type NewIndexOptions, newIndex } from './templates/create-index.ts'
import { Usage } from './usage.ts'

const answerLimit = 'indices.breaker.request.limit'

interface ClusterOptions {
  readonly files: Files
  /** The directory of the cluster state. */
  readonly directory: string
  readonly stores: EmbeddedStores
  readonly flavor?: Flavor
  readonly now?: () => number
  readonly report?: Report | undefined
  readonly memory?: StoreMemory | undefined
  /** What ingest processors need from outside. */
  readonly ingest?: IngestTools | undefined
}

/** How many tombstones of deleted indices are retained. */
const maxTombstones = 500
/** How many indices are closed concurrently. */
const maxConcurrentCloses = 8
const faultReportMillis = 10_000

export class Cluster {
  readonly compat: Compat
  readonly stores: EmbeddedStores
  readonly now: () => number
  readonly usage = new Usage()
  /** The scheduler for all long work on its indices. */
  readonly scheduler = new FairScheduler()
  readonly memory: StoreMemory
  readonly ingest: IngestTools
  /** Transient settings, which are lost when the node stops. */
  transientSettings: Readonly<Record<string, string | readonly string[]>> = {}
  #state: ClusterState
  readonly #files: Files
  readonly #directory: string
  readonly #open = new Map<string, MappedStore>()
  /** Statistics of closed indices, as of closing. */
  readonly #closed = new Map<string, readonly ShardFigures[]>()
  /** Indices with dynamic mapping updates that are not in the written state yet. */
  readonly #grown = new Set<string>()
  /** Indices that could not be opened, and why. */
  readonly #broken = new Map<string, Error>()
  readonly #report: Report | undefined
  readonly #watermark: DiskWatermark
  #faultReportedAt = Number.NEGATIVE_INFINITY

  constructor({
    files,
    directory,
    stores,
    flavor = 'elasticsearch8',
    now = Date.now,
    report,
    memory,
    ingest = noIngestTools,
  }: ClusterOptions) {
    this.ingest = ingest
    this.memory = memory ?? new StoreMemory()
    this.compat = compatOf(flavor)
    this.stores = stores
    this.now = now
    this.#files = files
    this.#directory = directory
    this.#report = report
    this.#watermark = new DiskWatermark(files, directory, (name) => this.setting(name))
    const known = readState(files, directory)
    this.#state = known ?? emptyState(uuid())
    if (known === undefined) writeState(files, directory, this.#state)
    if (this.#state.version === 1) this.apply((state) => state)
    for (const index of Object.values(this.#state.indices)) if (index.isOpen) this.#tryToOpen(index)
    this.#lookForDangling()
  }

  /** An index whose settings or mappings cannot be read fails alone, as a shard does. */
  #tryToOpen(index: IndexMetadata): void {
    try {
      this.#openStore(index)
    } catch (error) {
      const { message } = error as Error
      this.#broken.set(index.uuid, error as Error)
      this.#report?.('error', 'Index could not be opened', { index: index.name, reason: message })
    }
  }

  /**
   * Looks for folders of indices that the state does not name: deleted ones are removed, dangling ones are left for
   * the operator.
   */
  #lookForDangling(): void {
    const known = new Set(Object.values(this.#state.indices).map((index) => index.uuid))
    const deleted = new Set(this.#state.tombstones)
    const folder = `${this.#directory}/indices`
    for (const uuid of this.#files.list(folder)) {
      if (known.has(uuid)) continue
      const path = `${folder}/${uuid}`
      if (deleted.has(uuid)) removeQuietly(this.#files, path)
      else this.#report?.('warn', 'A folder of no index was left alone', { path })
    }
  }

  get state(): ClusterState {
    return this.#state
  }

  /** Throws, and changes nothing, when the state cannot be written. */
  apply(change: (state: ClusterState) => ClusterState): void {
    const next = { ...change(this.#withGrownMappings()), version: this.#state.version + 1 }
    try {
      writeState(this.#files, this.#directory, next)
    } catch (error) {
      throw isDiskFull(error) ? floodStage('_all') : error
    }
    this.#grown.clear()
    this.#state = next
  }

  /** Persists dynamic mapping updates; called before the writes that caused them are acknowledged. */
  keepMappings(): void {
    if (this.#grown.size > 0) this.apply((state) => state)
  }

  #withGrownMappings(): ClusterState {
    if (this.#grown.size === 0) return this.#state
    const indices = { ...this.#state.indices }
    for (const index of Object.values(indices)) {
      const store = this.#grown.has(index.uuid) ? this.#open.get(index.uuid) : undefined
      if (store === undefined) continue
      const { name, version, mappingVersion } = index
      const grown = { version: version + 1, mappingVersion: mappingVersion + 1, mappings: store.mappings() }
      indices[name] = { ...index, ...grown }
    }
    return { ...this.#state, indices }
  }

  /** Returns the memory accounting of one response. */
  answerBytes(): AnswerBytes {
    const { breakers, limit: all, isAlone } = this.memory
    const limit = this.setting(answerLimit)
    const share = /^(\d+(?:\.\d+)?)%$/.exec(limit ?? '')?.[1]
    let max = breakers.request.limit
    if (share !== undefined) max = (Number(share) / 100) * all
    else if (limit !== undefined) max = parseBytes(limit, answerLimit)
    return new AnswerBytes(max, breakers, isAlone)
  }

  index(name: string): IndexMetadata | undefined {
    return memberOf(this.#state.indices, name)
  }

  resolve(expressions: readonly string[], options: IndicesOptions): ResolvedIndex[] {
    return new IndexResolver(this.#state, this.now()).resolve(expressions, options)
  }

  resolver(): IndexResolver {
    return new IndexResolver(this.#state, this.now())
  }

  isAlias(name: string): boolean {
    return Object.values(this.#state.indices).some(({ aliases }) => Object.hasOwn(aliases, name))
  }

  /** Throws when the index is closed. */
  store(index: IndexMetadata): MappedStore {
    const store = this.#open.get(index.uuid)
    if (store !== undefined) return store
    const broken = this.#broken.get(index.uuid)
    if (broken !== undefined)
      throw shardUnreadable(index.name, 0, { kind: 'damaged', message: broken.message })
    throw indexClosed(index.name, index.uuid)
  }

  /** Returns failures by shard; for an index that could not be opened, of all its shards. */
  failures(index: IndexMetadata): ReadonlyMap<number, ShardFailure> {
    const broken = this.#broken.get(index.uuid)
    const found = new Map<number, ShardFailure>()
    for (let shard = 0; shard < shardCount(index); shard++) {
      const failure = broken
        ? ({ kind: 'damaged', message: broken.message } as const)
        : this.#open.get(index.uuid)?.shards[shard]?.failure
      if (failure !== undefined) found.set(shard, failure)
    }
    return found
  }

  /** Returns the shards of all indices that refuse reads or writes. */
  failedShards(): ({ readonly index: string; readonly shard: number } & ShardFailure)[] {
    return Object.values(this.#state.indices).flatMap((index) =>
      [...this.failures(index)].map(([shard, failure]) => ({ index: index.name, shard, ...failure })),
    )
  }

  /** True above the flood-stage watermark: writes are blocked until there is room on the disk. */
  get isDiskFlooded(): boolean {
    return this.#watermark.isFlooded
  }

  /** Converts an error for the response; one caused by a damaged file fails its shard. */
  failureOf(error: unknown): unknown {
    if (error instanceof SearchError || !isDamage(error)) return error
    const owner = this.stores.ownerOf((error as DamagedFile).path ?? '')
    const shard = owner && this.#open.get(owner.uuid)?.shards[owner.shard]
    const index = Object.values(this.#state.indices).find(({ uuid }) => uuid === owner?.uuid)
    if (owner === undefined || shard === undefined || index === undefined) return error
    shard.damaged(error)
    return shardUnreadable(index.name, owner.shard, { kind: 'damaged', message: error.message })
  }

  openStore(index: IndexMetadata): MappedStore | undefined {
    return this.#open.get(index.uuid)
  }

  /** For a closed index, the mappings it had. */
  mappingsOf(index: IndexMetadata): IndexMetadata['mappings'] {
    return this.#open.get(index.uuid)?.mappings() ?? index.mappings
  }

  /** Statistics of the shards; for a closed index, as of closing. */
  figures(index: IndexMetadata): readonly ShardFigures[] {
    const store = this.#open.get(index.uuid)
    return store === undefined ? (this.#closed.get(index.uuid) ?? []) : figuresOf(store)
  }

  /** Logs a fault that one document met, rate limited. */
  reportFault({ message, stack }: Error): void {
    const now = performance.now()
    if (now - this.#faultReportedAt < faultReportMillis) return
    this.#faultReportedAt = now
    this.#report?.('error', 'A fault while a document was written', { reason: message, stack })
  }

  #openStore(index: IndexMetadata, isNew = false): MappedStore {
    this.#closed.delete(index.uuid)
    const grown = () => void this.#grown.add(index.uuid)
    const store = isNew ? this.stores.create(index, grown) : this.stores.open(index, grown)
    this.#broken.delete(index.uuid)
    this.#open.set(index.uuid, store)
    return store
  }

  createIndex(
    name: string,
    body: IndexBody,
    options: Omit<NewIndexOptions, 'now'> & { readonly also?: (state: ClusterState) => ClusterState } = {},
  ): IndexMetadata {
    const made = newIndex(this.#state, name, body, { ...options, now: this.now() })
    checkShardLimit(this, copyCount(made))
    this.stores.check(made)
    if (this.isDiskFlooded) throw floodStage(name)
    const store = this.#createStore(made)
    const index = { ...made, mappings: store.mappings() }
    try {
      const { also = (state) => state } = options
      this.apply((state) => also({ ...state, indices: withMember(state.indices, name, index) }))
    } catch (error) {
      this.#open.delete(index.uuid)
      void store.close().then(
        () => this.#removeFiles(index),
        () => this.#removeFiles(index),
      )
      throw error
    }
    return index
  }

  #createStore(index: IndexMetadata): MappedStore {
    try {
      return this.#openStore(index, true)
    } catch (error) {
      this.#removeFiles(index)
      throw isDiskFull(error) ? floodStage(index.name) : error
    }
  }

  /** Folders that cannot be removed now are found again at the next start. */
  #removeFiles(index: IndexMetadata): void {
    try {
      this.stores.remove(index)
    } catch (error) {
      const { message } = error as Error
      this.#report?.('warn', 'Files of an index could not be removed', { index: index.name, reason: message })
    }
  }

  /** `also` is applied in the same state change. */
  async removeIndices(
    indices: readonly IndexMetadata[],
    also: (state: ClusterState) => ClusterState = (state) => state,
  ): Promise<void> {
    const names = indices.map(({ name }) => name)
    const uuids = indices.map((index) => index.uuid)
    this.apply((state) => ({
      ...also({ ...state, indices: withoutMembers(state.indices, names) }),
      tombstones: [...(state.tombstones ?? []), ...uuids].slice(-maxTombstones),
    }))
    for (const index of indices) {
      await this.#dropStore(index)
      this.usage.forget(index.uuid)
      this.#closed.delete(index.uuid)
    }
    for (const index of indices) this.#removeFiles(index)
  }

  async #dropStore(index: IndexMetadata): Promise<void> {
    const store = this.#open.get(index.uuid)
    this.#open.delete(index.uuid)
    this.#grown.delete(index.uuid)
    this.#broken.delete(index.uuid)
    await store?.close()
  }

  /** Replaces metadata, and opens or closes indices whose state changed. */
  async changeIndices(
    indices: readonly IndexMetadata[],
    change: (index: IndexMetadata) => IndexMetadata,
  ): Promise<void> {
    const names = new Set(indices.map(({ name }) => name))
    this.apply((state) => {
      const changed = Object.entries(state.indices).map(([name, index]): [string, IndexMetadata] => [
        name,
        names.has(name) ? { ...change(index), version: index.version + 1 } : index,
      ])
      return { ...state, indices: Object.fromEntries(changed) }
    })
    for (const name of names) {
      const index = this.index(name)
      if (index === undefined) continue
      const store = this.#open.get(index.uuid)
      if (!index.isOpen) {
        if (store !== undefined) this.#closed.set(index.uuid, figuresOf(store))
        await this.#dropStore(index)
      } else if (store === undefined) this.#openStore(index)
      else store.settingsChanged(index)
    }
  }

  /** Transient settings override persistent ones. */
  setting(name: string): string | undefined {
    const value = memberOf(this.transientSettings, name) ?? memberOf(this.#state.persistentSettings, name)
    return typeof value === 'string' ? value : value?.join(',')
  }

  async close(): Promise<void> {
    const failures: Error[] = []
    const noting = async (work: () => Promise<void> | void) => {
      try {
        await work()
      } catch (error) {
        failures.push(error as Error)
      }
    }
    await noting(() => this.keepMappings())
    const stores = [...this.#open.values()]
    this.#open.clear()
    const closeNext = async (): Promise<void> => {
      for (let store = stores.pop(); store !== undefined; store = stores.pop()) {
        const closing = store
        await noting(() => closing.close())
      }
    }
    await Promise.all(Array.from({ length: maxConcurrentCloses }, closeNext))
    if (failures.length > 0) throw failures[0]
  }
}

function figuresOf({ shards }: MappedStore): ShardFigures[] {
  return shards.map((shard) => shard.figures())
}
