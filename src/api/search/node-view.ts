/** What the search API serves: the cluster of one node, its searches, and facts about the node itself. */
import type { Cluster } from '../../search/index/cluster.ts'
import type { SearchPort } from '../../search/index/shard-port.ts'
import type { Tasks } from '../../search/index/tasks.ts'

export interface SearchNode {
  readonly cluster: Cluster
  readonly search: SearchPort
  readonly tasks: Tasks
  readonly id: string
  readonly ephemeralId: string
  readonly name: string
  readonly clusterName: string
  readonly startTime: number
  /** Host and port as bound; null before that. */
  address(): { readonly host: string; readonly port: number } | null
  /** The text of `_nodes/hot_threads`; absent where threads cannot be watched. */
  readonly hotThreads?: (parameters: ReadonlyMap<string, string>) => Promise<string>
  /** Answers a query as a remote cluster would, for `_reindex` from a remote; absent where that is not allowed. */
  readonly remote?: RemoteSource
  /** Default form of search answers. */
  readonly responseShape?: 'standard' | 'flat'
}

export interface RemoteRequest {
  readonly host: string
  readonly username?: string
  readonly password?: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMillis: number
}

/** Sends one request to another cluster and returns its JSON. */
export type RemoteSource = (
  remote: RemoteRequest,
  method: string,
  path: string,
  body: unknown,
) => Promise<{ readonly status: number; readonly json: unknown }>
