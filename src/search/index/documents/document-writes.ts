/**
 * Index, create, update and delete of documents, single or bulk: each action finds its index and shard and is
 * applied; then the shards are committed once. A failed action reports its own error and does not affect the others.
 */

import { RawJson, writeJson } from '../../answer/json-text.ts'
import { jsonSyntaxError } from '../../request/body/json-syntax-error.ts'
import { illegalArgument, mapperParsing, asSearchError as refusalOf } from '../../request/errors.ts'
import { parseExactJson } from '../../request/json-literals.ts'
import { isObject, type JsonObject, own } from '../../request/json-object.ts'
import { isRefusal, rethrowFault } from '../../request/refusal.ts'
import { SearchError } from '../../request/search-error.ts'
import { partitionedShardOf, shardOf } from '../../routing/routing.ts'
import type { Steps } from '../../scheduling/steps.ts'
import { checkBlocks, writeBlocks } from '../admin/index-admin.ts'
import { type WriteTarget, writeTarget } from '../auto-create.ts'
import type { Cluster } from '../cluster.ts'
import { documentId } from '../generated-ids.ts'
import { type IndexMetadata, replicaCount, routingShards, settingOf, shardCount } from '../index-metadata.ts'
import type { OpenShard } from '../shards/open-shard.ts'
import { floodStage } from '../shards/shard-failure.ts'
import type { StoredDocument, WriteResult } from '../shards/shard-operations.ts'
import { timestampField } from '../templates/data-streams.ts'
import { admitDocument } from './document-memory.ts'
import { ingest, type TargetPipelines, targetPipelines } from './ingest.ts'
import { applyUpdate, parseUpdate } from './update-document.ts'
import { checkAction, isPlain } from './write-checks.ts'
import type { VersionType } from './write-conditions.ts'
import { nextVersion } from './write-conditions.ts'

export interface WriteAction {
  readonly kind: 'index' | 'create' | 'update' | 'delete'
  readonly index: string
  readonly id: string | undefined
  readonly routing?: string | undefined
  /** The document, or the body of an update. */
  readonly source: Uint8Array
  readonly version?: number | undefined
  readonly versionType?: VersionType
  readonly ifSeqNo?: number | undefined
  readonly ifPrimaryTerm?: number | undefined
  readonly pipeline?: string | undefined
  readonly requireAlias?: boolean
  /** For an update: which part of the document the response shows. */
  readonly shownSource?: unknown
}

export interface WriteOptions {
  readonly refresh: 'true' | 'false' | 'wait_for'
  /** `wait_for_active_shards`; this node has one copy. */
  readonly activeShards?: number | 'all' | undefined
  readonly timeout?: string
}

export type WriteAnswer =
  | {
      readonly kind: WriteAction['kind']
      readonly index: string
      readonly id: string
      readonly status: number
      readonly result: WriteResult['result'] | 'noop'
      readonly version: number
      readonly seqNo: number
      readonly primaryTerm: number
      readonly copies: number
      readonly isForced: boolean
      /** The document after an update that asked for it. */
      readonly document?: StoredDocument
      readonly shownSource?: unknown
    }
  | {
      readonly kind: WriteAction['kind']
      readonly index: string
      readonly id: string | undefined
      readonly error: SearchError
    }

export async function write(
  cluster: Cluster,
  actions: readonly WriteAction[],
  options: WriteOptions,
): Promise<WriteAnswer[]> {
  const started = performance.now()
  const batch = new WriteBatch(cluster, options)
  const answers = await cluster.scheduler.run(takeAll(batch, actions), goOn)
  batch.spent(performance.now() - started)
  return batch.finish(answers)
}

/** A bulk is never cancelled half way, because applied actions stay. */
const goOn = (): void => {}

function* takeAll(batch: WriteBatch, actions: readonly WriteAction[]): Steps<WriteAnswer[]> {
  const answers: WriteAnswer[] = []
  let actionsLeft = stepActions
  let bytesLeft = stepBytes
  for (const action of actions) {
    const { length } = action.source
    const { targetCount } = batch
    answers.push(length >= minLargeDocument ? yield* batch.takeLarge(action) : batch.take(action))
    actionsLeft--
    bytesLeft -= length
    // Another target may be a new index, which takes as long as a step.
    if (actionsLeft > 0 && bytesLeft > 0 && batch.targetCount === targetCount) continue
    yield
    actionsLeft = stepActions
    bytesLeft = stepBytes
  }
  return answers
}

/** Few enough actions for a step of a millisecond or two. */
const stepActions = 32
const stepBytes = 64 * 1024
/** Larger documents, in bytes, are parsed in steps. */
const minLargeDocument = 256 * 1024

class WriteBatch {
  readonly #cluster: Cluster
  readonly #options: WriteOptions
  readonly #isFlooded: boolean
  readonly #targets = new Map<string, WriteTarget | SearchError>()
  /** The shards that were written to, and their term at that time. */
  readonly #touched = new Map<OpenShard, number>()
  #lastTouched: OpenShard | undefined
  /** Indexed by index of the action: its shard. */
  readonly #shards: (OpenShard | undefined)[] = []
  #lastNoted: OpenShard | undefined
  readonly #knownPipelines = new Map<string, TargetPipelines>()
  #lastPipelines: { readonly index: string; readonly found: TargetPipelines } | undefined
  #last: LastTarget | undefined
  /** Writes by index uuid, except those to the last index. */
  readonly #counts = new Map<string, number>()

  constructor(cluster: Cluster, options: WriteOptions) {
    this.#cluster = cluster
    this.#options = options
    this.#isFlooded = cluster.isDiskFlooded
  }

  get targetCount(): number {
    return this.#targets.size
  }

  /** Attributes the elapsed time to the indices that were written to. */
  spent(millis: number): void {
    this.#countLast()
    let total = 0
    for (const count of this.#counts.values()) total += count
    const { usage } = this.#cluster
    usage.totals.writes += total
    for (const [uuid, count] of this.#counts) usage.of(uuid).indexMillis += (millis * count) / total
  }

  take(action: WriteAction): WriteAnswer {
    this.#lastTouched = undefined
    let answer: WriteAnswer
    try {
      const ready = action.kind === 'delete' ? action : this.#ingested(action)
      answer = ready === undefined ? droppedAnswer(action) : this.#write(ready)
    } catch (error) {
      if (!(error instanceof SearchError)) this.#cluster.reportFault(error as Error)
      answer = failed(action, this.#cluster.failureOf(error))
    }
    this.#shards.push(this.#lastTouched)
    return answer
  }

  /** Applies a large document in steps, once memory for it is reserved. */
  *takeLarge(action: WriteAction): Steps<WriteAnswer> {
    let leave: () => void
    try {
      leave = admitDocument(this.#cluster.memory, action.source)
    } catch (error) {
      this.#shards.push(undefined)
      return failed(action, error)
    }
    try {
      yield* this.#prepare(action)
      return this.take(action)
    } finally {
      leave()
    }
  }

  /** Parses a large document before it is applied. Errors are reported when it is. */
  *#prepare(action: WriteAction): Steps<void> {
    const { id = '', source, pipeline, routing } = action
    if (!isIndexing(action) || pipeline !== undefined) return
    try {
      const { first, last } = this.#pipelines(action.index)
      if (first !== undefined || last !== undefined) return
      const { index } = this.#target(action)
      yield* this.#cluster.store(index).prepare(id, source, routing)
    } catch {
      // The write itself meets the same error and reports it.
    }
  }

  /** Commits, then refreshes as requested. Only the writes to a shard whose commit failed are refused. */
  async finish(answers: WriteAnswer[]): Promise<WriteAnswer[]> {
    const refused = await this.#commit()
    const { refresh } = this.#options
    const touched = [...this.#touched.keys()].filter((shard) => !refused.has(shard))
    if (refresh === 'true') for (const shard of touched) shard.refresh()
    if (refresh === 'wait_for') await Promise.all(touched.map((shard) => shard.refreshed()))
    if (refused.size === 0) return answers
    return answers.map((answer, i) => {
      const shard = this.#shards[i]
      const error = shard && refused.get(shard)
      return error === undefined || 'error' in answer ? answer : failed(answer, error)
    })
  }

  async #commit(): Promise<Map<OpenShard, SearchError>> {
    const refused = new Map<OpenShard, SearchError>()
    try {
      this.#cluster.keepMappings()
    } catch (error) {
      for (const shard of this.#touched.keys()) refused.set(shard, shard.refuseUncommitted(error as Error))
      return refused
    }
    const commits = [...this.#touched].map(async ([shard, term]) => {
      try {
        await shard.commit(term)
      } catch (error) {
        refused.set(shard, asSearchError(error))
      }
    })
    await Promise.all(commits)
    return refused
  }

  #target({ index, kind, requireAlias = false, versionType = 'internal' }: WriteAction): WriteTarget {
    const mayCreate = kind !== 'delete' || versionType !== 'internal'
    const last = this.#last
    // Most bulks go to one index.
    if (last?.index === index && last.requireAlias === requireAlias && last.mayCreate === mayCreate)
      return last.target
    const key = `${index} ${requireAlias} ${mayCreate}`
    let found = this.#targets.get(key)
    if (found === undefined) {
      try {
        found = writeTarget(this.#cluster, index, { requireAlias, mayCreate })
      } catch (error) {
        if (!(error instanceof SearchError)) throw error
        found = error
      }
      this.#targets.set(key, found)
    }
    if (found instanceof SearchError) throw found
    this.#countLast()
    this.#last = { index, requireAlias, mayCreate, target: found, facts: factsOf(found.index), writes: 0 }
    return found
  }

  #countLast(): void {
    const last = this.#last
    if (last === undefined || last.writes === 0) return
    const { uuid } = last.target.index
    this.#counts.set(uuid, (this.#counts.get(uuid) ?? 0) + last.writes)
    last.writes = 0
  }

  #touch(shard: OpenShard): void {
    this.#lastTouched = shard
    if (shard === this.#lastNoted) return
    this.#lastNoted = shard
    if (!this.#touched.has(shard)) this.#touched.set(shard, shard.term)
  }

  #write(action: WriteAction): WriteAnswer {
    const { kind } = action
    if (!isPlain(action)) checkAction(action)
    const target = this.#target(action)
    const last = this.#last!
    const { facts } = last
    const { index } = target
    if (target.isDataStream && kind !== 'create')
      throw illegalArgument('only write ops with an op_type of create are allowed in data streams')
    if (facts.isBlocked) checkBlocks(index, writeBlocks)
    if (kind !== 'delete' && this.#isFlooded) throw floodStage(index.name)
    const store = this.#cluster.store(index)
    last.writes++
    const routing = routingOf(action, target)
    if (routing === undefined && store.needsRouting) throw routingMissing(index.name, action.id)
    const id = action.id ?? documentId()
    const number = facts.shards === 1 ? 0 : shardNumber(index, id, routing)
    const shard = store.shards[number]!
    this.#checkActive(index, number)
    this.#touch(shard)
    if (kind === 'delete') {
      const result = shard.delete({ ...action, id, routing })
      return this.#answer(action, index, id, result)
    }
    if (kind === 'update') return this.#update(action, index, shard, id, routing)
    const { source } = action
    if (target.isDataStream) checkTimestamp(source, this.#cluster.compat.isOpenSearch)
    const create = kind === 'create' || action.id === undefined
    // Spelled out, so that these objects have one hidden class and are created once per document.
    const result = shard.index({
      id,
      routing,
      source,
      create,
      hasGeneratedId: action.id === undefined,
      version: action.version,
      versionType: action.versionType ?? 'internal',
      ifSeqNo: action.ifSeqNo,
      ifPrimaryTerm: action.ifPrimaryTerm,
    })
    return this.#answer(action, index, id, result)
  }

  #update(
    action: WriteAction,
    index: IndexMetadata,
    shard: OpenShard,
    id: string,
    routing: string | undefined,
  ): WriteAnswer {
    const request = parseUpdate(this.#parseBody(action.source, id), action)
    const current = this.#currentFor(index, shard, id)
    const { ifSeqNo, ifPrimaryTerm } = request
    if (current !== undefined && ifSeqNo !== undefined) {
      const place = { index: index.name, uuid: index.uuid, shard: shardNumber(index, id, routing) }
      nextVersion(id, { ...current, isDeleted: false }, { ifSeqNo, ifPrimaryTerm }, place)
    }
    const context = {
      index: index.name,
      now: this.#cluster.now(),
      scripts: this.#cluster.state.scripts,
    }
    const outcome = placed(index, shardNumber(index, id, routing), () =>
      applyUpdate(request, current, id, context),
    )
    const shownSource = request.source ?? action.shownSource
    const shown = () => {
      const document = shownSource === undefined ? undefined : shard.get(id, true)
      return document === undefined ? {} : { document, shownSource }
    }
    if (outcome.kind === 'noop') {
      this.#cluster.usage.of(index.uuid).noops += 1
      const { version = 0, seqNo = 0, primaryTerm = 1 } = current ?? {}
      const answer = this.#answer(action, index, id, { result: 'updated', version, seqNo, primaryTerm })
      return { ...answer, status: 200, result: 'noop', copies: 0, isForced: false, ...shown() }
    }
    if (outcome.kind === 'delete') {
      const result = shard.delete({ id, routing, ifSeqNo, ifPrimaryTerm })
      const answer = this.#answer(action, index, id, result)
      if (shownSource === undefined || current === undefined) return answer
      // The document is shown as found, without the source that it no longer has.
      const { seqNo, primaryTerm } = result
      return {
        ...answer,
        document: { ...current, seqNo, primaryTerm, source: new Uint8Array(0) },
        shownSource,
      }
    }
    const { source } = outcome
    const create = outcome.kind === 'create'
    const result = shard.index({
      id,
      routing: routing ?? current?.routing,
      source,
      create,
      ifSeqNo,
      ifPrimaryTerm,
    })
    return { ...this.#answer(action, index, id, result), ...shown() }
  }

  #currentFor(index: IndexMetadata, shard: OpenShard, id: string): StoredDocument | undefined {
    const current = shard.get(id, true)
    const isShown = current === undefined || this.#cluster.store(index).keepsSource
    return isShown ? current : { ...current, source: new Uint8Array(0) }
  }

  #answer({ kind }: WriteAction, index: IndexMetadata, id: string, result: WriteResult) {
    const status = result.result === 'created' ? 201 : result.result === 'not_found' ? 404 : 200
    const { copies } = this.#last!.facts
    const isForced = this.#options.refresh === 'true'
    const { result: what, version, seqNo, primaryTerm } = result
    return {
      kind,
      index: index.name,
      id,
      status,
      copies,
      isForced,
      result: what,
      version,
      seqNo,
      primaryTerm,
    } as const
  }

  /** Runs the pipelines of a document before its index is looked for; undefined when it is dropped. */
  #ingested(action: WriteAction): WriteAction | undefined {
    const { pipeline, index } = action
    const first =
      pipeline === '_none' || pipeline === '' ? undefined : (pipeline ?? this.#pipelines(index).first)
    if (first === undefined && this.#pipelines(index).last === undefined) return action
    const body = this.#parseBody(action.source, action.id ?? '')
    if (!isObject(body)) return action
    if (action.kind === 'update') return this.#ingestedUpdate(action, body, first)
    const changed = ingest(this.#cluster, body, action, first, (target) => this.#pipelines(target).last)
    return changed && { ...action, ...changed, pipeline: undefined }
  }

  #parseBody(source: Uint8Array, id: string): unknown {
    const refused = (cause: Error) =>
      mapperParsing(`failed to parse field [_source] in document with id '${id}'`, cause)
    const text = Buffer.from(source).toString('utf8')
    try {
      JSON.parse(text)
    } catch {
      throw refused(jsonSyntaxError(text, this.#cluster.compat.json))
    }
    try {
      return parseExactJson(text)
    } catch (error) {
      rethrowFault(error)
      throw refused(error)
    }
  }

  /** Pipelines see the document that an update would create. */
  #ingestedUpdate(action: WriteAction, body: JsonObject, first: string | undefined): WriteAction | undefined {
    const name = own(body, 'doc_as_upsert') === true ? 'doc' : 'upsert'
    const document = own(body, name)
    if (!isObject(document)) return action
    const last = this.#pipelines(action.index).last
    const changed = ingest(this.#cluster, document, { index: action.index, id: action.id }, first, () => last)
    if (changed === undefined) return undefined
    const source = Buffer.from(writeJson({ ...body, [name]: RawJson.of(changed.source) }))
    return { ...action, source }
  }

  #pipelines(index: string): TargetPipelines {
    if (this.#lastPipelines?.index === index) return this.#lastPipelines.found
    let found = this.#knownPipelines.get(index)
    if (found === undefined) {
      found = targetPipelines(this.#cluster, index)
      this.#knownPipelines.set(index, found)
    }
    this.#lastPipelines = { index, found }
    return found
  }

  #checkActive(index: IndexMetadata, shard: number): void {
    const { activeShards, timeout = '1m' } = this.#options
    if (activeShards === undefined) return
    const copies = 1 + replicaCount(index)
    const needed = activeShards === 'all' ? copies : activeShards
    if (needed <= 1) return
    throw new SearchError(
      'unavailable_shards_exception',
      `[${index.name}][${shard}] Not enough active copies to meet shard count of [${needed}] (have 1, needed ${needed}). Timeout: [${timeout}]${this.#cluster.compat.isOpenSearch ? '' : ', request: [write]'}`,
    )
  }
}

function isIndexing({ kind }: WriteAction): boolean {
  return kind === 'index' || kind === 'create'
}

/** The answer for a document that a pipeline dropped; the versions are those that OpenSearch shows. */
function droppedAnswer({ kind, index, id }: WriteAction): WriteAnswer {
  return {
    kind,
    index,
    id: id ?? 'auto-generated',
    status: 200,
    result: 'noop',
    version: kind === 'create' || id === undefined ? -4 : -3,
    seqNo: -2,
    primaryTerm: 0,
    copies: 0,
    isForced: false,
  }
}

function failed(
  { kind, index, id }: Pick<WriteAction, 'kind' | 'index' | 'id'>,
  error: unknown,
): WriteAnswer {
  return { kind, index, id, error: asSearchError(error) }
}

/** A fault of the program is an error of the one document that met it; what a processor refuses is no fault. */
function asSearchError(error: unknown): SearchError {
  if (error instanceof SearchError) return error
  if (error instanceof Error && isRefusal(error)) return refusalOf(error)
  const { message } = error as Error
  return new SearchError('exception', message, { status: 500, cause: error as Error })
}

/** The target of the last write, and how many writes in a row went there. */
interface LastTarget {
  readonly index: string
  readonly requireAlias: boolean
  readonly mayCreate: boolean
  readonly target: WriteTarget
  readonly facts: TargetFacts
  writes: number
}

/** Index settings that concern every write, looked up once per bulk. */
interface TargetFacts {
  readonly isBlocked: boolean
  readonly shards: number
  readonly copies: number
}

function factsOf(index: IndexMetadata): TargetFacts {
  return {
    isBlocked: writeBlocks.some((name) => settingOf(index, name) === 'true'),
    shards: shardCount(index),
    copies: 1 + replicaCount(index),
  }
}

/** Adds index and shard to the errors of one document. */
function placed<Result>(index: IndexMetadata, shard: number, run: () => Result): Result {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof SearchError) || error.type !== 'document_missing_exception') throw error
    const details = { index_uuid: index.uuid, shard: String(shard), index: index.name }
    throw new SearchError(error.type, error.message, { status: error.status, details })
  }
}

function routingOf({ routing }: WriteAction, { alias, aliasRouting }: WriteTarget): string | undefined {
  if (aliasRouting === undefined) return routing
  if (routing !== undefined && routing !== aliasRouting)
    throw illegalArgument(
      `Alias [${alias}] has index routing associated with it [${aliasRouting}], and was provided with routing value [${routing}], rejecting operation`,
    )
  return aliasRouting
}

export function routingMissing(index: string, id: string | undefined): SearchError {
  const place = id === undefined ? 'null' : id
  return new SearchError('routing_missing_exception', `routing is required for [${index}]/[${place}]`, {
    details: { index_uuid: '_na_', index },
  })
}

export function shardNumber(index: IndexMetadata, id: string, routing: string | undefined): number {
  const shards = shardCount(index)
  if (shards === 1) return 0
  const partition = Number(settingOf(index, 'index.routing_partition_size') ?? 1)
  return partition > 1 && routing !== undefined
    ? partitionedShardOf(routing, id, partition, shards, routingShards(index))
    : shardOf(routing ?? id, shards, routingShards(index))
}

const timestampName = Buffer.from(`"${timestampField}"`)

function checkTimestamp(source: Uint8Array, isOpenSearch: boolean): void {
  if (Buffer.from(source.buffer, source.byteOffset, source.byteLength).includes(timestampName)) return
  if (!isOpenSearch) throw mapperParsing(`data stream timestamp field [${timestampField}] is missing`)
  const reason = `documents must contain a single-valued timestamp field '${timestampField}' of date type`
  throw mapperParsing('failed to parse', illegalArgument(reason))
}
