/**
 * Loads the search code, the larger half of the engine, lazily on the first call of `load`, because a node may never
 * be searched. Everything else is as in `embedded-search.ts`.
 */
import { setImmediate } from 'node:timers/promises'
import type { ParsedDocument } from '../mapping/documents/document-parser.ts'
import type { JsonObject } from '../request/json-object.ts'
import type { EmbeddedSearch, EmbeddedSearchOptions } from './embedded-search.ts'
import type { IndexMetadata } from './index-metadata.ts'
import type { OpenPit, Scan, ScanRequest, SearchCall, SearchTarget } from './search-calls.ts'

/** Loaded one after the other in dependency order: compiling a module blocks the thread, so the steps are small. */
const parts = [
  () => import('../query/exec/terms/rewrite.ts'),
  () => import('../query/dsl/parse-query.ts'),
  () => import('../collect/execute-search.ts'),
  () => import('../aggs/pipeline/pipeline.ts'),
  () => import('../aggs/agg-kinds.ts'),
]

export class LazySearch {
  readonly #options: EmbeddedSearchOptions
  #loading: Promise<void> | undefined
  #loaded: EmbeddedSearch | undefined
  #isClosed = false

  constructor(options: EmbeddedSearchOptions) {
    this.#options = options
  }

  /** Loads the search code; undefined when it is loaded. The calls below require it. */
  load(): Promise<void> | undefined {
    if (this.#loaded !== undefined) return undefined
    this.#loading ??= this.#load()
    return this.#loading
  }

  /** The loading that has begun, until it is done. */
  get loading(): Promise<void> | undefined {
    return this.#loaded === undefined ? this.#loading : undefined
  }

  async #load(): Promise<void> {
    for (const part of parts) {
      await part()
      await setImmediate()
    }
    const { EmbeddedSearch } = await import('./embedded-search.ts')
    this.#loaded = new EmbeddedSearch(this.#options)
    if (this.#isClosed) this.#loaded.close()
  }

  get #search(): EmbeddedSearch {
    if (this.#loaded === undefined) throw new Error('a search was asked for before its code was loaded')
    return this.#loaded
  }

  async search(targets: readonly SearchTarget[], call: SearchCall): Promise<JsonObject> {
    return this.#search.search(targets, call)
  }

  async count(targets: readonly SearchTarget[], call: SearchCall): Promise<JsonObject> {
    return this.#search.count(targets, call)
  }

  async validate(targets: readonly SearchTarget[], call: SearchCall): Promise<JsonObject> {
    return this.#search.validate(targets, call)
  }

  async explain(target: SearchTarget, id: string, call: SearchCall): Promise<JsonObject> {
    return this.#search.explain(target, id, call)
  }

  async termVectors(
    ...asked: Parameters<EmbeddedSearch['termVectors']>
  ): ReturnType<EmbeddedSearch['termVectors']> {
    return this.#search.termVectors(...asked)
  }

  prepareSearch(call: SearchCall): Promise<void> | undefined {
    return this.#search.prepareSearch(call)
  }

  checkSearch(call: SearchCall): void {
    this.#search.checkSearch(call)
  }

  /** Stored queries can be checked once the code of queries is loaded. */
  checkQueries(document: ParsedDocument, text: string, metadata: IndexMetadata): void {
    this.#loaded?.checkQueries(document, text, metadata)
  }

  checkQuery(query: unknown): void {
    this.#search.checkQuery(query)
  }

  async canMatch(target: SearchTarget, query: unknown, signal: AbortSignal): Promise<boolean> {
    return this.#search.canMatch(target, query, signal)
  }

  async scan(targets: readonly SearchTarget[], request: ScanRequest): Promise<Scan> {
    return this.#search.scan(targets, request)
  }

  async scroll(id: string, keepAliveMillis: number | undefined, call: SearchCall): Promise<JsonObject> {
    return this.#search.scroll(id, keepAliveMillis, call)
  }

  clearScrolls(ids: readonly string[] | 'all'): number {
    return this.#search.clearScrolls(ids)
  }

  openPit(targets: readonly SearchTarget[], keepAliveMillis: number): OpenPit {
    return this.#search.openPit(targets, keepAliveMillis)
  }

  closePits(ids: readonly string[] | 'all'): ReturnType<EmbeddedSearch['closePits']> {
    return this.#search.closePits(ids)
  }

  pits(): readonly OpenPit[] {
    return this.#search.pits()
  }

  /** Statistics ask for this too: before the first search nothing is open. */
  openContexts(index: string): number {
    return this.#loaded?.openContexts(index) ?? 0
  }

  close(): void {
    this.#isClosed = true
    this.#loaded?.close()
  }
}
