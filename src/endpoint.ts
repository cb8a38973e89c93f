/** The search API without pipelines, inside the calling process: for tests of programs that use Elasticsearch. */
import { startSearchApi } from './api/search/server.ts'
import { compileIngestGrok, ingestGrokPatterns } from './grok/ingest-grok.ts'
import { compileJavaPattern } from './regex/java-pattern.ts'
import { openEngine } from './search/engine.ts'
import type { Flavor } from './search/index/compat.ts'
import { uuid } from './search/index/generated-ids.ts'
import { diskFiles } from './storage/files.ts'
import { MemoryFiles } from './storage/memory-files.ts'
import { userAgentFacts } from './user-agent/facts.ts'

export interface EndpointOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  readonly host?: string
  /** Where documents are kept; without it in memory, and they end with the endpoint. */
  readonly directory?: string
  /** Which product it says it is: `elasticsearch8` unless given. */
  readonly flavor?: Flavor
  /** Limits of Elasticsearch, `from + size` of at most 10,000 among them. */
  readonly strict?: boolean
  /** Names that the node gives itself and its cluster. */
  readonly nodeName?: string
  readonly clusterName?: string
}

export interface Endpoint {
  /** `http://127.0.0.1:49152` */
  readonly url: string
  readonly port: number
  stop(): Promise<void>
}

export async function startEndpoint(options: EndpointOptions = {}): Promise<Endpoint> {
  const { port = 0, host = '127.0.0.1', directory, flavor, strict, nodeName, clusterName } = options
  const nodeId = uuid()
  const engine = openEngine({
    files: directory === undefined ? new MemoryFiles() : diskFiles,
    directory: directory ?? 'search',
    node: nodeId,
    compile: compileJavaPattern,
    ingest: {
      compileGrok: compileIngestGrok,
      grokPatterns: ingestGrokPatterns,
      userAgent: userAgentFacts,
    },
    ...(flavor !== undefined && { flavor }),
    ...(strict !== undefined && { strict }),
  })
  const { cluster, search } = engine
  try {
    const api = await startSearchApi({
      cluster,
      search,
      nodeId,
      host,
      ports: { first: port, last: port },
      ...(nodeName !== undefined && { nodeName }),
      ...(clusterName !== undefined && { clusterName }),
    })
    return {
      url: `http://${host.includes(':') ? `[${host}]` : host}:${api.port}`,
      port: api.port,
      async stop() {
        await api.close()
        await engine.close()
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}
