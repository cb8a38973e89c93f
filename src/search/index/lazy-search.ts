/**
 * Loads the search code, the larger half of the engine, lazily on the first call of `load`, because a node may never
 * be searched. What may be asked before is here; the rest is asked of `loaded`.
 */
import { setImmediate } from 'node:timers/promises'
import type { ParsedDocument } from '../mapping/documents/document-parser.ts'
import type { EmbeddedSearch, EmbeddedSearchOptions } from './embedded-search.ts'
import type { IndexMetadata } from './index-metadata.ts'

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

  /** Loads the search code; undefined when it is loaded. */
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

  /** The search service. Throws before its code is loaded: a route that needs it awaits `load` first. */
  get loaded(): EmbeddedSearch {
    if (this.#loaded === undefined) throw new Error('a search was asked for before its code was loaded')
    return this.#loaded
  }

  /** Stored queries can be checked once the code of queries is loaded. */
  checkQueries(document: ParsedDocument, text: string, metadata: IndexMetadata): void {
    this.#loaded?.checkQueries(document, text, metadata)
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
