/** What the search API serves: the cluster of one node, its searches, and facts about the node itself. */

import type { Tasks } from '../../search/index/admin/tasks.ts'
import type { Cluster } from '../../search/index/cluster.ts'
import type { SearchPort } from '../../search/index/shards/shard-port.ts'
import type { NodeFigures } from './cluster/node-figures.ts'
import type { Connections } from './connections.ts'
import type { Gate } from './security/gate.ts'

/** Where browsers are sent that open this API. */
export interface Dashboard {
  readonly port: number
  readonly isSecure: boolean
}

export interface SearchNode {
  /** What it uses of its machine. */
  readonly figures: NodeFigures
  readonly connections: Connections
  /** Settings it was started with, `node.attr.rack` and the like. */
  readonly settings: Readonly<Record<string, string>>
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
  /** Absent where there is none, or none that a visitor of this API could reach. */
  readonly dashboard?: Dashboard | undefined
  /** Default form of search answers. */
  readonly responseShape?: 'standard' | 'flat'
  /** Who may come in; absent when everybody may do everything. */
  readonly gate?: Gate | undefined
}
