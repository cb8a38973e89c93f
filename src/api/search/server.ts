/** Starts the search API (port 9200) of a node. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { TlsOptions } from 'node:tls'
import { listen } from '../../http/server.ts'
import type { TlsFiles } from '../../http/tls-files.ts'
import { Tasks } from '../../search/index/admin/tasks.ts'
import type { Cluster } from '../../search/index/cluster.ts'
import type { LazySearch } from '../../search/index/lazy-search.ts'
import type { Security } from '../../security/security.ts'
import { NodeFigures } from './cluster/node-figures.ts'
import { Connections } from './connections.ts'
import { apiGuard, type FrontGuardOptions } from './front-guard.ts'
import { type SearchService, searchService } from './listener.ts'
import type { SearchNode } from './node-view.ts'
import { searchApiRoutes } from './routes.ts'

interface SearchApiOptions {
  readonly cluster: Cluster
  readonly search: LazySearch
  /** 22 characters; also the first part of task ids. */
  readonly nodeId: string
  readonly nodeName?: string
  readonly clusterName?: string
  readonly host: string
  readonly ports: { readonly first: number; readonly last: number }
  readonly tls?: TlsOptions | undefined
  readonly tlsFiles?: TlsFiles | undefined
  readonly tlsRenewed?: (error: Error | undefined) => void
  /** Accepted host names, besides addresses and names without a dot. */
  readonly allowedHosts?: readonly string[]
  readonly corsOrigins?: FrontGuardOptions['corsOrigins']
  /** Without it, everyone may do everything. */
  readonly security?: Security | undefined
  readonly hotThreads?: SearchNode['hotThreads']
  readonly dashboard?: SearchNode['dashboard']
  readonly responseShape?: 'standard' | 'flat'
  /** Settings that the node shows: `node.attr.*`, `reindex.remote.whitelist`. */
  readonly settings?: Readonly<Record<string, string>>
  /** The data directory; undefined when indices are in memory. */
  readonly dataDirectory?: string
}

export interface SearchApi {
  readonly port: number
  /** For requests from inside the process. */
  readonly answer: SearchService['answer']
  /** Lets requests finish and cancels tasks; the engine is closed by its owner. */
  close(): Promise<void>
}

/** Loaded lazily. */
async function guardedBy(security: Security) {
  const [{ Gate }, { securityRoutes }] = await Promise.all([
    import('./security/gate.ts'),
    import('./security/routes.ts'),
  ])
  return { gate: new Gate(security), routes: securityRoutes }
}

export async function startSearchApi(options: SearchApiOptions): Promise<SearchApi> {
  const { cluster, search, nodeId, host, ports, tls, security, hotThreads, responseShape } = options
  const tasks = new Tasks(nodeId, cluster.now)
  const connections = new Connections()
  let port: number | undefined
  const guarded = security && (await guardedBy(security))
  const node: SearchNode = {
    cluster,
    search,
    tasks,
    id: nodeId,
    ephemeralId: randomUUID(),
    name: options.nodeName ?? hostname(),
    clusterName: options.clusterName ?? 'millrace',
    startTime: cluster.now(),
    settings: options.settings ?? {},
    figures: new NodeFigures(options.dataDirectory),
    connections,
    address: () => (port === undefined ? null : { host, port }),
    dashboard: options.dashboard,
    ...(hotThreads !== undefined && { hotThreads }),
    ...(responseShape !== undefined && { responseShape }),
    gate: guarded?.gate,
  }
  const routes = [...searchApiRoutes, ...(guarded?.routes ?? [])]
  const { allowedHosts, corsOrigins } = options
  const guard = apiGuard({ host, allowedHosts, corsOrigins, security })
  const { listener, answer } = searchService(node, routes, guard)
  const server = await listen({
    host,
    ports,
    tls,
    tlsFiles: options.tlsFiles,
    ...(options.tlsRenewed !== undefined && { tlsRenewed: options.tlsRenewed }),
    listener: connections.counting((message, response) => {
      cluster.scheduler.requestArrived()
      listener(message, response)
    }),
  })
  port = server.port
  return {
    port: server.port,
    answer,
    async close() {
      tasks.close()
      await server.close()
    },
  }
}
