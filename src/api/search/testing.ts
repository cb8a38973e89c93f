/** A node with an in-memory disk, served over HTTP, for tests of the search API. */
import { Cluster } from '../../search/index/cluster.ts'
import type { Flavor } from '../../search/index/compat.ts'
import { LazySearch } from '../../search/index/lazy-search.ts'
import { EmbeddedStores } from '../../search/index/shards/embedded-stores.ts'
import type { Security } from '../../security/security.ts'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { startSearchApi } from './server.ts'

export interface TestNode {
  readonly url: string
  readonly cluster: Cluster
  /** Sends JSON (or text as NDJSON) and reads the answer. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<TestAnswer>
  close(): Promise<void>
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: unknown
  /** A part of the JSON by its path, `error.reason`. */
  at(path: string): unknown
}

export async function startTestNode(
  flavor: Flavor = 'elasticsearch8',
  security?: Security,
): Promise<TestNode> {
  const files = new MemoryFiles()
  const stores = new EmbeddedStores({ files, directory: 'data' })
  const cluster = new Cluster({ files, directory: 'data', stores, flavor })
  const nodeId = 'testnode_testnode_test'
  const search = new LazySearch({ cluster, node: nodeId, strict: true })
  const ports = { first: 0, last: 0 }
  const hotThreads = async () => '::: {node-1}\n'
  const api = await startSearchApi({
    cluster,
    search,
    nodeId,
    nodeName: 'node-1',
    host: '127.0.0.1',
    ports,
    hotThreads,
    security,
    settings: { 'node.attr.testattr': 'test', 'reindex.remote.allowlist': '127.0.0.1:*' },
  })
  const url = `http://127.0.0.1:${api.port}`
  return {
    url,
    cluster,
    async ask(method, path, body, headers = {}) {
      const isText = typeof body === 'string'
      const response = await fetch(url + path, {
        method,
        headers: {
          connection: 'close',
          ...(body !== undefined && { 'content-type': isText ? 'application/x-ndjson' : 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') ?? false
      const json: unknown = isJson && text !== '' ? JSON.parse(text) : undefined
      const at = (path: string) =>
        path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], json)
      return { status: response.status, headers: response.headers, text, json, at }
    },
    async close() {
      await api.close()
      search.close()
      await cluster.close()
    },
  }
}
