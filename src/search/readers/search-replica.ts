/**
 * Searches in a reader's thread: over a snapshot of the segments of the moment the request arrived, with caches and a
 * scheduler of its own. Errors are not sent back: the store's thread repeats the search and meets them itself, so that
 * they are worded in one place.
 */
import type { Files } from '../../storage/files.ts'
import { aggregations } from '../aggs/aggregate.ts'
import type { CompileExpression } from '../analysis/component.ts'
import { AnswerBytes } from '../answer/answer-memory.ts'
import { plainJson } from '../answer/json-text.ts'
import { writtenBytes } from '../answer/value-writer.ts'
import { countSteps } from '../collect/count.ts'
import { type SearchContext, searchSteps } from '../collect/execute-search.ts'
import { ofSignal } from '../collect/guard.ts'
import type { Aggregations } from '../collect/prepared-search.ts'
import { isLongSearch } from '../collect/request/expected-length.ts'
import { parseSearchRequest } from '../collect/request/parse-request.ts'
import { suggestOnly } from '../collect/request/suggest-only.ts'
import { SearchCache } from '../collect/search-cache.ts'
import type { SearchIndex } from '../collect/search-index.ts'
import type { IndexMetadata } from '../index/index-metadata.ts'
import { searchIndexOf } from '../index/search-environment.ts'
import { mappingSettingsOf } from '../index/shards/mapping-settings.ts'
import { Mapping } from '../mapping/mapping.ts'
import { FilterCache } from '../query/exec/filter-cache.ts'
import type { JsonDialect } from '../request/body/json-syntax-error.ts'
import type { JsonObject } from '../request/json-object.ts'
import { FairScheduler } from '../scheduling/fair-scheduler.ts'
import type { Steps } from '../scheduling/steps.ts'
import type { StoredScripts } from '../script/script.ts'
import { decodedCache } from '../segment/decoded-cache.ts'
import { suggest } from '../suggest/suggest.ts'
import type { FromReader, IndexView, ReadJob, ToReader } from './messages.ts'
import { ReplicatedShards, UnknownView } from './replicated-shards.ts'

interface ReplicaOptions {
  readonly files: Files
  readonly compile: CompileExpression
  /** Parses a request body; throws for what is no object. */
  readonly parse: (body: Uint8Array, dialect: JsonDialect) => JsonObject
  readonly post: (message: FromReader, transfer?: readonly ArrayBuffer[]) => void
}

interface KnownIndex {
  readonly metadata: IndexMetadata
  readonly mapping: Mapping
}

type Member = readonly [name: string, value: unknown]

export class SearchReplica {
  readonly #options: ReplicaOptions
  readonly #scheduler = new FairScheduler()
  readonly #shards: ReplicatedShards
  readonly #indices = new Map<string, KnownIndex>()
  readonly #cache = new SearchCache()
  readonly #filters = new FilterCache()
  readonly #running = new Map<number, AbortController>()
  #scripts: StoredScripts = {}
  #aggregations: Aggregations | undefined
  #maxBuckets = 0
  #maxAnswerBytes = 0

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#shards = new ReplicatedShards(options.files, (segments) =>
      options.post({ kind: 'released', segments }),
    )
  }

  receive(message: ToReader): void {
    switch (message.kind) {
      case 'read':
        return void this.#read(message.job, message.generation)
      case 'cancel':
        return this.#running.get(message.number)?.abort()
      case 'forget':
        return this.#shards.forget(message.shards)
      case 'forget-all':
        this.#indices.clear()
        return this.#shards.forgetAll()
      case 'evict':
        return decodedCache.evict()
    }
  }

  async #read(job: ReadJob, generation: number): Promise<void> {
    const { number } = job
    const { post } = this.#options
    const abort = new AbortController()
    this.#running.set(number, abort)
    this.#shards.begin(number)
    const answer = new AnswerBytes(job.maxAnswerBytes)
    try {
      const members = await this.#answer(job, this.#indicesOf(job), answer, abort.signal)
      const buffers = members.flatMap(([, value]) =>
        value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [],
      )
      post({ kind: 'answer', number, members }, buffers)
    } catch (error) {
      post({ kind: 'failed', number, generation, isLost: error instanceof UnknownView || isOfFile(error) })
    } finally {
      this.#running.delete(number)
      this.#shards.end(number)
    }
  }

  /** Everything that a view changes is taken over, even when one of the others cannot be. */
  #indicesOf(job: ReadJob): SearchIndex[] {
    if (job.scripts !== undefined) this.#scripts = job.scripts
    this.#maxBuckets = job.maxBuckets
    this.#maxAnswerBytes = job.maxAnswerBytes
    return job.indices.map((view) => this.#indexOf(view, job))
  }

  #indexOf({ uuid, definition, filters, shards }: IndexView, { environment }: ReadJob): SearchIndex {
    if (definition !== undefined) {
      const { metadata, mappings } = definition
      const mapping = Mapping.create(mappings, mappingSettingsOf(metadata, this.#options.compile))
      this.#indices.set(uuid, { metadata, mapping })
    }
    const known = this.#indices.get(uuid)
    if (known === undefined) throw new UnknownView(uuid)
    const { metadata, mapping } = known
    return searchIndexOf(
      {
        metadata,
        mapping,
        shards: shards.map((view) => this.#shards.reader(metadata.name, view)),
        filters,
        scripts: this.#scripts,
        lookUp() {
          throw new Error('documents of other indices are looked up in the thread of the store')
        },
      },
      environment,
    )
  }

  async #answer(
    job: ReadJob,
    indices: readonly SearchIndex[],
    answer: AnswerBytes,
    signal: AbortSignal,
  ): Promise<Member[]> {
    const { parameters, dialect, namesIndices, environment, node } = job
    const body = job.body === undefined ? undefined : this.#options.parse(job.body, dialect)
    const cancellation = ofSignal(signal)
    const run = <Result>(begin: () => Steps<Result>, isLong: boolean) =>
      this.#scheduler.runWithRetries(answer.counting(begin), cancellation.check, isLong)
    const written = (response: object) => run(() => membersOf(response, answer), false)
    if (job.kind === 'count')
      return written(await run(() => countSteps(indices, body, parameters, { node, cancellation }), false))
    const text = job.body ?? new Uint8Array(0)
    const { isStrict: strict } = environment
    const request = suggestOnly(parseSearchRequest(body, parameters, { strict, text, namesIndices }))
    const context: SearchContext = {
      node,
      filters: this.#filters,
      cache: this.#cache,
      cancellation,
      answer,
      aggregations: this.#aggregationsOf(job),
      suggest,
      scoreFactor: environment.isOpenSearch ? 1 : 2.2,
      prepared: new Map(),
    }
    const { response } = await run(() => searchSteps(indices, request, context), isLongSearch(request))
    return written(response)
  }

  #aggregationsOf({ node, environment }: ReadJob): Aggregations {
    this.#aggregations ??= aggregations({
      node,
      maxBuckets: () => this.#maxBuckets,
      quantileMethod: environment.isOpenSearch ? 'nearest' : 'interpolated',
      answerBytes: () => new AnswerBytes(this.#maxAnswerBytes),
    })
    return this.#aggregations
  }
}

/** A file of the view may be gone: the shard has merged it meanwhile. */
function isOfFile(error: unknown): boolean {
  return typeof (error as { code?: unknown }).code === 'string'
}

/** Writes each member that is not a scalar as JSON, in memory of its own that can be handed over. */
function* membersOf(response: object, answer: AnswerBytes): Steps<Member[]> {
  const members: Member[] = []
  for (const [name, value] of Object.entries(response)) {
    if (typeof value !== 'object' || value === null) members.push([name, value])
    else {
      const pieces = yield* writtenBytes(value, plainJson, answer)
      const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
      let at = 0
      for (const piece of pieces) {
        bytes.set(piece, at)
        at += piece.length
      }
      members.push([name, bytes])
    }
    yield
  }
  return members
}
