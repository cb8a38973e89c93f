/** The node that the search API serves: its cluster, searches and identity. */

import type { Tasks } from '../../search/index/admin/tasks.ts'
import type { Cluster } from '../../search/index/cluster.ts'
import type { LazySearch } from '../../search/index/lazy-search.ts'
import type { NodeFigures } from './cluster/node-figures.ts'
import type { Connections } from './connections.ts'
import type { Gate } from './security/gate.ts'

/** The dashboard that browsers are redirected to. */
export interface Dashboard {
  readonly port: number
  readonly isSecure: boolean
}

export interface SearchNode {
  /** Resource usage. */
  readonly figures: NodeFigures
  readonly connections: Connections
  /** The settings it was started with, such as `node.attr.rack`. */
  readonly settings: Readonly<Record<string, string>>
  readonly cluster: Cluster
  readonly search: LazySearch
  readonly tasks: Tasks
  readonly id: string
  readonly ephemeralId: string
  readonly name: string
  readonly clusterName: string
  readonly startTime: number
  /** The bound host and port; null before binding. */
  address(): { readonly host: string; readonly port: number } | null
  /** The text of `_nodes/hot_threads`; absent when threads cannot be sampled. */
  readonly hotThreads?: (parameters: ReadonlyMap<string, string>) => Promise<string>
  /** Absent when there is none that a visitor of this API could reach. */
  readonly dashboard?: Dashboard | undefined
  /** The default shape of search answers. */
  readonly responseShape?: 'standard' | 'flat'
  /** Authentication; absent when security is off. */
  readonly gate?: Gate | undefined
}
