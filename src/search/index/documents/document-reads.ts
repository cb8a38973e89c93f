/** Real-time get: documents by id, also before a refresh. */
import { illegalArgument } from '../../request/errors.ts'
import { indexNotFound } from '../../request/index-errors.ts'
import { SearchError } from '../../request/search-error.ts'
import { checkBlocks } from '../admin/index-admin.ts'
import type { Cluster } from '../cluster.ts'
import { openOptions } from '../index-expressions.ts'
import type { IndexMetadata } from '../index-metadata.ts'
import type { MappedStore } from '../shards/embedded-stores.ts'
import type { StoredDocument } from '../shards/shard-operations.ts'
import { routingMissing, shardNumber } from './document-writes.ts'
import { conflict } from './write-conditions.ts'

const noSource = new Uint8Array(0)

interface GetRequest {
  readonly index: string
  readonly id: string
  readonly routing?: string | undefined
  readonly realtime?: boolean
  readonly refresh?: boolean
  readonly version?: number | undefined
}

interface GetResult {
  readonly index: IndexMetadata
  readonly store: MappedStore
  readonly document: StoredDocument | undefined
}

/**
 * The index of a single document is named: patterns expand to nothing. One that is missing is an `index_expression`,
 * not an `index_or_alias`.
 */
function resolved(cluster: Cluster, expression: string): ReturnType<Cluster['resolve']> {
  try {
    return cluster.resolve([expression], { ...openOptions, allowNoIndices: false, expandOpen: false })
  } catch (error) {
    if (error instanceof SearchError && error.type === 'index_not_found_exception')
      throw indexNotFound(expression, error.reason, 'index_expression')
    throw error
  }
}

/** Resolves an expression to the one index it names. */
export function singleIndex(
  cluster: Cluster,
  expression: string,
): { index: IndexMetadata; routing?: string | undefined } {
  const found = resolved(cluster, expression)
  const [first] = found
  if (first === undefined || found.length > 1) {
    const names = found.map(({ index }) => index.name).join(', ')
    throw illegalArgument(
      cluster.isAlias(expression)
        ? `alias [${expression}] has more than one index associated with it [${names}], can't execute a single index op`
        : `unable to return a single index as the index and options provided got resolved to multiple indices [${names}]`,
    )
  }
  const alias = first.isDirect ? undefined : first.aliases[0]?.[1]
  return { index: first.index, routing: alias?.search_routing }
}

export function getDocument(cluster: Cluster, request: GetRequest): GetResult {
  const started = performance.now()
  const { index, routing: aliasRouting } = singleIndex(cluster, request.index)
  checkBlocks(index, ['index.blocks.read'])
  const store = cluster.store(index)
  const routing = request.routing ?? aliasRouting
  if (routing === undefined && store.needsRouting) throw routingMissing(index.name, request.id)
  const number = shardNumber(index, request.id, routing)
  const shard = store.shards[number]!
  if (request.refresh === true) shard.refresh()
  const found = shard.get(request.id, request.realtime ?? true)
  // With `_source` disabled, the log and the segments still have the source, but nobody is shown it.
  const document = found === undefined || store.keepsSource ? found : { ...found, source: noSource }
  const usage = cluster.usage.of(index.uuid)
  usage.gets += 1
  usage.getMillis += performance.now() - started
  if (document !== undefined) usage.getsFound += 1
  if (document !== undefined && request.version !== undefined && request.version !== document.version)
    throw conflict(
      request.id,
      `current version [${document.version}] is different than the one provided [${request.version}]`,
      { index: index.name, uuid: index.uuid, shard: number },
    )
  return { index, store, document }
}
