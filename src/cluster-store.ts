/**
 * The store's thread when the documents are in a cluster: a client of it, the search API of port 9200 in front, and a
 * look at the cluster from time to time. Nothing is kept on this machine.
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { ConnectionOptions } from 'node:tls'
import { markHeader, startProxyApi } from './api/search/proxy/server.ts'
import type { SearchApi } from './api/search/server.ts'
import { ClusterClient, type ClusterClientOptions } from './cluster/cluster-client.ts'
import { apiKeyAuthorization, basicAuthorization, parseHost } from './cluster/cluster-host.ts'
import { type ClusterStatus, ClusterWatch } from './cluster/cluster-watch.ts'
import { Logger } from './log/logger.ts'
import { collectGarbage } from './memory/collect-garbage.ts'
import { StoreMemory } from './search/index/store-memory.ts'
import type { Settings } from './settings/settings.ts'

type Serving = Omit<
  Parameters<typeof startProxyApi>[0],
  'client' | 'flavor' | 'isStrict' | 'dropsAuthorization' | 'memory' | 'mark'
>

interface ClusterStoreOptions {
  readonly settings: Settings
  /** Where and behind what the API is served. */
  readonly serving: Serving
  changed(status: ClusterStatus): void
}

const logger = new Logger('millrace.search')

export async function openClusterStore({
  settings,
  serving,
  changed,
}: ClusterStoreOptions): Promise<{ api: SearchApi; close(): Promise<void> }> {
  const mark = randomUUID()
  const options = await clientOptionsOf(settings)
  const { hosts, authorization } = options
  const client = new ClusterClient({
    ...options,
    headers: { [markHeader]: mark },
    sniffMillis: settings.get('search.cluster.sniffing')
      ? settings.get('search.cluster.sniffing_interval')
      : undefined,
  })
  const memory = new StoreMemory({ limit: settings.get('memory.limit'), collect: collectGarbage })
  try {
    const api = await startProxyApi({
      ...serving,
      client,
      memory,
      mark,
      flavor: settings.get('search.compat.flavor'),
      isStrict: settings.get('compat.strict'),
      dropsAuthorization:
        authorization !== undefined || hosts.some((host) => host.authorization !== undefined),
    })
    memory.govern()
    const watch = new ClusterWatch(client, (status) => {
      report(status)
      changed(status)
    })
    return {
      api,
      async close() {
        watch.close()
        memory.close()
        await api.close()
        await client.close()
      },
    }
  } catch (error) {
    await client.close()
    throw error
  }
}

function report({ isReachable, name, health, nodes, reason, failedHosts }: ClusterStatus): void {
  if (!isReachable) logger.error('The cluster does not answer; who writes to it waits', { reason })
  else if (failedHosts.length > 0) logger.warn('Hosts of the cluster do not answer', { hosts: failedHosts })
  else logger.info('The cluster answers', { cluster: name, status: health, nodes })
}

/** How the cluster of the settings is reached. */
export async function clientOptionsOf(settings: Settings): Promise<ClusterClientOptions> {
  return {
    hosts: settings.get('search.cluster.hosts').map((host) => parseHost(host)),
    authorization: authorizationOf(settings),
    tls: await tlsOf(settings),
    connectMillis: settings.get('search.cluster.connect_timeout'),
    requestMillis: settings.get('search.cluster.request_timeout'),
    retries: settings.get('search.cluster.retries'),
    maxConnections: settings.get('search.cluster.max_connections'),
  }
}

function authorizationOf(settings: Settings): string | undefined {
  const key = settings.get('search.cluster.api_key')
  const username = settings.get('search.cluster.username')
  if (key !== null && username !== null)
    throw new Error('search.cluster.api_key and search.cluster.username exclude each other')
  if (key !== null) return apiKeyAuthorization(key)
  return username === null
    ? undefined
    : basicAuthorization(username, settings.get('search.cluster.password') ?? '')
}

async function tlsOf(settings: Settings): Promise<ConnectionOptions> {
  const authorities = settings.get('search.cluster.ssl.certificate_authorities')
  const mode = settings.get('search.cluster.ssl.verification_mode')
  const certificate = settings.get('search.cluster.ssl.certificate')
  const key = settings.get('search.cluster.ssl.key')
  if ((certificate === null) !== (key === null))
    throw new Error('search.cluster.ssl.certificate and search.cluster.ssl.key must be given together')
  return {
    ...(authorities.length > 0 && { ca: await Promise.all(authorities.map((path) => readFile(path))) }),
    ...(certificate !== null && { cert: await readFile(certificate) }),
    ...(key !== null && { key: await readFile(key) }),
    rejectUnauthorized: mode !== 'none',
    ...(mode === 'certificate' && { checkServerIdentity: () => undefined }),
  }
}
