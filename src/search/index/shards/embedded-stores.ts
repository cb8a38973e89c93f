/**
 * Open indices on this machine: mapping and shards. Everything of an index is in a directory named by its uuid, so
 * that a deleted index and a new one of the same name never collide.
 */

import type { Files } from '../../../storage/files.ts'
import { Analysis } from '../../analysis/analysis.ts'
import type { CompileExpression } from '../../analysis/component.ts'
import type { AnswerBytes } from '../../answer/answer-memory.ts'
import { writeJson } from '../../answer/json-text.ts'
import { bytePlan } from '../../mapping/documents/byte-plan.ts'
import { PlanReader } from '../../mapping/documents/byte-reader.ts'
import {
  type ParsedDocument,
  parseDocument,
  parseDocumentSteps,
} from '../../mapping/documents/document-parser.ts'
import { fieldCapabilities, metadataNames } from '../../mapping/field-caps.ts'
import { Mapping } from '../../mapping/mapping.ts'
import { eachValueAt } from '../../mapping/source-values.ts'
import { duplicateNameError, hasDuplicateNames } from '../../request/body/duplicate-names.ts'
import { checkNesting, maxNesting } from '../../request/body/json-nesting.ts'
import { ExtraContent, type JsonDialect, jsonSyntaxError } from '../../request/body/json-syntax-error.ts'
import { illegalArgument, mapperParsing } from '../../request/errors.ts'
import { parseExactJson } from '../../request/json-literals.ts'
import { isObject, type JsonObject } from '../../request/json-object.ts'
import { rethrowFault } from '../../request/refusal.ts'
import { SearchError } from '../../request/search-error.ts'
import { parseBytes, parseTime } from '../../request/units/units.ts'
import type { Steps } from '../../scheduling/steps.ts'
import type { TornTail } from '../../shard/log-recovery.ts'
import type { Report } from '../../shard/report.ts'
import type { JobRunner } from '../../shard/segment-job.ts'
import { type ParsedFields, Shard } from '../../shard/shard.ts'
import { analyzeText } from '../admin/analyze-text.ts'
import { type Compat, compatOf, type Flavor } from '../compat.ts'
import { filterSource } from '../documents/source-request.ts'
import { type IndexMetadata, settingOf, shardCount } from '../index-metadata.ts'
import { Maintenance } from './maintenance.ts'
import { mappingSettingsOf } from './mapping-settings.ts'
import { OpenShard } from './open-shard.ts'
import type { StoredDocument } from './shard-operations.ts'

interface EmbeddedStoresOptions {
  readonly files: Files
  /** Indices are in the folder `indices` of this directory. */
  readonly directory: string
  /** Compiles users' patterns behind the regex guard; without it, settings with patterns are refused. */
  readonly compile?: CompileExpression
  /** Runs flush and merge jobs. */
  readonly jobs?: JobRunner | undefined
  readonly report?: Report | undefined
  readonly flavor?: Flavor | undefined
  /** Numbers deletions among the documents (`compat.strict`). */
  readonly keepsDeletions?: boolean | undefined
  /** Throws SearchError when a query cannot be stored; does nothing before searches are loaded. */
  checkQueries?(document: ParsedDocument, text: string, metadata: IndexMetadata): void
  /** Called when an index may store queries, which are checked by the code of searches. */
  queriesExpected?(): void
}

const tornMessage =
  'The last write to a log was cut off by a crash before anybody was told that it is safe; its bytes were kept'

function tornDetails(index: string, shard: number, { path, from, to, operations, keptAt }: TornTail) {
  return { index, shard, file: path, from, bytes: to - from, operations, kept_at: keptAt }
}

const defaultRefresh = '1s'
const defaultFlushSize = '512mb'
const defaultMaxTokens = 10_000

export class EmbeddedStores {
  readonly #options: EmbeddedStoresOptions

  constructor(options: EmbeddedStoresOptions) {
    this.#options = options
  }

  #path({ uuid }: IndexMetadata): string {
    return `${this.#options.directory}/indices/${uuid}`
  }

  /** Creates the files of a new index. `mappingsChanged` is called when a document adds fields. */
  create(metadata: IndexMetadata, mappingsChanged: () => void): MappedStore {
    return new MappedStore(this.#options, this.#path(metadata), metadata, mappingsChanged, true)
  }

  /** Opens an existing index; a shard that cannot be opened fails alone. */
  open(metadata: IndexMetadata, mappingsChanged: () => void): MappedStore {
    return new MappedStore(this.#options, this.#path(metadata), metadata, mappingsChanged, false)
  }

  /** Returns the index and shard that own a file. */
  ownerOf(path: string): { readonly uuid: string; readonly shard: number } | undefined {
    const prefix = `${this.#options.directory}/indices/`
    if (!path.startsWith(prefix)) return undefined
    const [uuid = '', shard] = path.slice(prefix.length).split('/')
    return { uuid, shard: Number(shard) }
  }

  /** Throws when an index with these settings and mappings could not be created. */
  check(metadata: IndexMetadata): void {
    const settings = mappingSettingsOf(metadata, this.#options.compile)
    settings.analysis.check(this.#options.flavor === 'opensearch')
    Mapping.create(metadata.mappings, settings)
  }

  /** Deletes the files of a closed index. */
  remove(metadata: IndexMetadata): void {
    this.#options.files.remove(this.#path(metadata))
  }

  /** `_analyze` without an index. */
  analyze(request: JsonObject, answer: AnswerBytes): Steps<JsonObject> {
    const { compile } = this.#options
    const analysis = new Analysis(compile === undefined ? {} : { compile })
    return analyzeText(request, { analysis, mapping: undefined, maxTokens: defaultMaxTokens, answer })
  }
}

interface PreparedDocument {
  /** The mapping it was parsed with. */
  readonly mapping: Mapping
  readonly id: string
  readonly routing: string | undefined
  readonly parsed?: ParsedDocument
  readonly error?: SearchError
}

/** Throws for a duplicate name in an object and for deep nesting, unless the document was accepted before. */
function parseSource(raw: Uint8Array, dialect: JsonDialect, isKnown = false): unknown {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8')
  let source: unknown
  try {
    source = JSON.parse(text)
  } catch {
    throw mapperParsing('failed to parse', documentSyntaxError(text, dialect))
  }
  if (dialect === 'jackson3' && !isObject(source)) throw mapperParsing('failed to parse', notContent())
  if (isKnown) return source
  // Shorter texts have no room for the brackets.
  if (raw.length > 2 * maxNesting) checkDepth(raw)
  if (!hasDuplicateNames(raw, source)) return source
  throw mapperParsing('failed to parse', duplicateNameError(text, dialect))
}

function checkDepth(raw: Uint8Array): void {
  try {
    checkNesting(raw)
  } catch (error) {
    rethrowFault(error)
    throw mapperParsing('failed to parse', error)
  }
}

/** OpenSearch looks at the first bytes to tell JSON from other formats. */
function notContent(): SearchError {
  const reason = 'Compressor detection can only be called on some xcontent bytes or compressed xcontent bytes'
  return new SearchError('not_x_content_exception', reason)
}

function documentSyntaxError(text: string, dialect: JsonDialect): SearchError {
  if (dialect === 'jackson3' && !/^\s*\{/.test(text)) return notContent()
  const error = jsonSyntaxError(text, dialect)
  return error instanceof ExtraContent
    ? illegalArgument(`Malformed content, found extra data after parsing: ${error.token}`)
    : error
}

/** A field as `GET _mapping/field` and `_field_caps` see it. */
export interface FieldCapability {
  readonly type: string
  readonly searchable: boolean
  readonly aggregatable: boolean
  readonly metadata: boolean
  readonly meta?: Readonly<Record<string, string>>
}

/** An open index: its mapping and its shards. */
export class MappedStore {
  readonly shards: readonly OpenShard[]
  readonly #compile: CompileExpression | undefined
  readonly #compat: Compat
  readonly #checkQueries: EmbeddedStoresOptions['checkQueries']
  readonly #queriesExpected: EmbeddedStoresOptions['queriesExpected']
  readonly #mappingsChanged: () => void
  #metadata: IndexMetadata
  #mapping: Mapping
  #reader: PlanReader | undefined
  #readerOf: Mapping | undefined
  #timer: NodeJS.Timeout | undefined
  readonly #maintenance: Maintenance
  /** Parsed large documents that are about to be written, by their bytes. */
  readonly #prepared = new WeakMap<Uint8Array, PreparedDocument>()

  constructor(
    {
      files,
      compile,
      jobs,
      report,
      flavor = 'elasticsearch8',
      keepsDeletions,
      checkQueries,
      queriesExpected,
    }: EmbeddedStoresOptions,
    path: string,
    metadata: IndexMetadata,
    mappingsChanged: () => void,
    isNew: boolean,
  ) {
    this.#metadata = metadata
    this.#compile = compile
    this.#compat = compatOf(flavor)
    this.#checkQueries = checkQueries
    this.#queriesExpected = queriesExpected
    this.#mappingsChanged = mappingsChanged
    const { isOpenSearch } = this.#compat
    this.#mapping = Mapping.create(metadata.mappings, mappingSettingsOf(metadata, compile, isOpenSearch))
    this.#expectQueries()
    type Parse = (id: string, source: Uint8Array, routing: string | undefined) => ParsedFields
    const parse: Parse = (id, source, routing) => this.#parse(id, source, routing, false)
    const parseLogged: Parse = (id, source, routing) => this.#parse(id, source, routing, true)
    const reader = () => this.#byteReader()
    const { name: index, uuid } = metadata
    this.shards = Array.from({ length: shardCount(metadata) }, (_, shard) => {
      const options = {
        files,
        directory: `${path}/${shard}`,
        index,
        shard,
        parse: parseLogged,
        reader,
        jobs,
        keepsDeletions,
        tombstoneMillis: () =>
          Math.max(0, parseTime(settingOf(this.#metadata, 'index.gc_deletes') ?? '60s', 'index.gc_deletes')),
        syncs: settingOf(metadata, 'index.translog.durability')?.toLowerCase() !== 'async',
        report: (tail: TornTail) => report?.('warn', tornMessage, tornDetails(index, shard, tail)),
      }
      const created = isNew ? Shard.create(options) : undefined
      const open = (isLogSuspect: boolean) => Shard.open({ ...options, isLogSuspect })
      return new OpenShard({ index, shard, uuid, open, created, parse, reader, report })
    })
    this.#maintenance = new Maintenance(this.shards, () => ({
      logBytes: parseBytes(
        settingOf(this.#metadata, 'index.translog.flush_threshold_size') ?? defaultFlushSize,
        'index.translog.flush_threshold_size',
      ),
    }))
    this.#schedule()
  }

  /** The mapping as it is now; a change gives another one. */
  get mapping(): Mapping {
    return this.#mapping
  }

  #expectQueries(): void {
    if (this.#mapping.hasQueries) this.#queriesExpected?.()
  }

  /** One reader per version of the mapping; undefined when it can read no document. */
  #byteReader(): PlanReader | undefined {
    if (this.#readerOf !== this.#mapping) {
      this.#readerOf = this.#mapping
      const plan = bytePlan(this.#mapping)
      this.#reader = plan && new PlanReader(plan)
    }
    return this.#reader
  }

  /**
   * Parses a large document in steps; a following write of the same bytes and id uses the result, unless the mapping
   * has changed.
   */
  *prepare(id: string, raw: Uint8Array, routing: string | undefined): Steps<void> {
    const mapping = this.#mapping
    try {
      const source = parseSource(raw, this.#compat.json)
      yield
      const parsed = yield* parseDocumentSteps({ id, routing, source, raw }, mapping)
      this.#prepared.set(raw, { mapping, id, routing, parsed })
    } catch (error) {
      if (!(error instanceof SearchError)) throw error
      this.#prepared.set(raw, { mapping, id, routing, error })
    }
  }

  #parsed(id: string, raw: Uint8Array, routing: string | undefined, isKnown: boolean): ParsedDocument {
    const prepared = this.#prepared.get(raw)
    if (prepared !== undefined && prepared.mapping === this.#mapping) {
      this.#prepared.delete(raw)
      // The error text may contain the id, and a join the id and the routing.
      const isSame = prepared.id === id && prepared.routing === routing
      if (prepared.parsed !== undefined && (isSame || this.#mapping.join === undefined))
        return prepared.parsed
      if (prepared.error !== undefined && isSame) throw prepared.error
    }
    const source = parseSource(raw, this.#compat.json, isKnown)
    return parseDocument({ id, routing, source, raw }, this.#mapping)
  }

  /** `isKnown`: the document is in the log already. */
  #parse(id: string, raw: Uint8Array, routing: string | undefined, isKnown: boolean): ParsedFields {
    const parsed = this.#parsed(id, raw, routing, isKnown)
    if (!isKnown && parsed.queries.length > 0)
      this.#checkQueries?.(parsed, Buffer.from(raw).toString('utf8'), this.#metadata)
    if (parsed.mapping !== this.#mapping) {
      this.#mapping = parsed.mapping
      this.#expectQueries()
      this.#mappingsChanged()
    }
    const { includes, excludes } = parsed.mapping.source
    if (includes.length === 0 && excludes.length === 0) return parsed
    const kept = filterSource(parseExactJson(raw) as JsonObject, { includes, excludes })
    return { ...parsed, kept: Buffer.from(writeJson(kept)) }
  }

  /** Schedules refreshes by `index.refresh_interval`. */
  #schedule(): void {
    clearInterval(this.#timer)
    const interval = parseTime(
      settingOf(this.#metadata, 'index.refresh_interval') ?? defaultRefresh,
      'index.refresh_interval',
    )
    if (interval <= 0) return
    this.#timer = setInterval(() => {
      for (const shard of this.shards) if (shard.hasPending) shard.refresh()
    }, interval)
    this.#timer.unref()
  }

  /** Returns what `GET _mapping` prints. */
  mappings(): JsonObject {
    return this.#mapping.toJson()
  }

  /** Merges mappings; throws on a conflict and then has changed nothing. */
  putMappings(mappings: JsonObject, { dryRun = false }: { readonly dryRun?: boolean } = {}): void {
    const merged = this.#mapping.merge(mappings)
    if (dryRun) return
    this.#mapping = merged
    this.#expectQueries()
  }

  /** `_routing.required`. */
  get needsRouting(): boolean {
    return this.#mapping.routingRequired
  }

  /** Whether `_source` is stored. */
  get keepsSource(): boolean {
    return this.#mapping.source.enabled
  }

  /** Called when dynamic settings have changed. */
  settingsChanged(metadata: IndexMetadata): void {
    this.#metadata = metadata
    const settings = mappingSettingsOf(metadata, this.#compile, this.#compat.isOpenSearch)
    this.#mapping = Mapping.create(this.#mapping.toJson(), settings)
    this.#schedule()
  }

  /** Returns `{ full_name, mapping }` of each field the patterns name, by full path. */
  fieldMappings(patterns: readonly string[], includeDefaults: boolean): JsonObject {
    const names = patterns.flatMap((pattern) =>
      this.#mapping.namesMatching(pattern === '_all' ? '*' : pattern),
    )
    const defaults = !includeDefaults ? 'none' : this.#compat.isOpenSearch ? 'opensearch' : 'own'
    const fields = [...new Set(names)].map((name): [string, unknown] => [
      name,
      this.#mapping.fieldJson(name, defaults),
    ])
    const metadata = this.#compat.isOpenSearch ? metadataNames(this.#mapping, patterns) : []
    return Object.fromEntries([
      ...metadata.map((name): [string, unknown] => [
        name,
        this.#mapping.fieldJson(name, defaults) ?? { full_name: name, mapping: {} },
      ]),
      ...fields,
    ])
  }

  fieldCapabilities(patterns: readonly string[]): ReadonlyMap<string, FieldCapability> {
    return new Map(
      fieldCapabilities(this.#mapping, patterns, this.#compat.isOpenSearch).map((field) => [
        field.name,
        {
          type: field.type,
          searchable: field.isSearchable,
          aggregatable: field.isAggregatable,
          metadata: field.isMetadata,
          ...(field.meta !== undefined && { meta: field.meta }),
        },
      ]),
    )
  }

  /** `_analyze` with the index's analyzers. */
  analyze(request: JsonObject, answer: AnswerBytes): Steps<JsonObject> {
    const maxTokens = Number(settingOf(this.#metadata, 'index.analyze.max_token_count') ?? defaultMaxTokens)
    return analyzeText(request, {
      analysis: this.#mapping.settings.analysis,
      mapping: this.#mapping,
      maxTokens,
      answer,
    })
  }

  /** Returns the values of stored fields of a document, each as a list. */
  storedFields({ source }: StoredDocument, names: readonly string[]): JsonObject {
    if (source.length === 0) return {}
    const json = parseExactJson(source)
    const entries = names
      .filter((name) => this.#mapping.field(name)?.isStored === true)
      .map((name): [string, unknown] => [name, eachValueAt(json, name)])
      .filter(([, values]) => Array.isArray(values) && values.length > 0)
    return Object.fromEntries(entries)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#maintenance.close()
    await Promise.all(this.shards.map((shard) => shard.close()))
  }
}
