/**
 * Threads that search beside the store's own, so that searches and writes do not wait for each other. They see a
 * snapshot: the segments of the moment the request arrived. Everything else stays with the store's thread.
 */
import type { SearchIndex } from '../collect/search-index.ts'
import type { JsonDialect } from '../request/body/json-syntax-error.ts'
import type { JsonObject } from '../request/json-object.ts'
import type { StoredScripts } from '../script/script.ts'
import type { IndexMetadata } from './index-metadata.ts'
import type { SearchCall } from './search-calls.ts'
import type { SearchEnvironment } from './search-environment.ts'

export interface ReadRequest {
  readonly kind: 'search' | 'count'
  readonly call: SearchCall
  /** Id of the node, as failures name it. */
  readonly node: string
  readonly indices: readonly { readonly metadata: IndexMetadata; readonly index: SearchIndex }[]
  readonly environment: SearchEnvironment
  readonly scripts: StoredScripts
  readonly dialect: JsonDialect
  readonly maxBuckets: number
  readonly maxAnswerBytes: number
}

export interface SearchReaders {
  /**
   * Returns undefined when no reader has less to do than the caller, who has `load` searches. The promise resolves
   * with undefined when the reader could not answer: the caller then has to search, and finds the error itself.
   */
  read(request: ReadRequest, load: number): Promise<JsonObject | undefined> | undefined
  /** Makes readers give up cached memory. */
  evict(): void
  close(): Promise<void>
}
