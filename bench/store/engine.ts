/** The embedded store as the benchmark drives it: the cluster's own write and search paths, without HTTP. */
import { bodyMemory } from '../../src/http/body-memory.ts'
import { Cluster } from '../../src/search/index/cluster.ts'
import { type WriteAction, write } from '../../src/search/index/documents/document-writes.ts'
import { EmbeddedSearch } from '../../src/search/index/embedded-search.ts'
import { openOptions } from '../../src/search/index/index-expressions.ts'
import type { SearchCall } from '../../src/search/index/search-calls.ts'
import { searchTargets } from '../../src/search/index/search-targets.ts'
import { EmbeddedStores } from '../../src/search/index/shards/embedded-stores.ts'
import { diskFiles } from '../../src/storage/files.ts'

/** Where the bodies of requests are. */
export { bodyMemory }

export async function openStore(directory: string) {
  diskFiles.makeDirectory(directory)
  const stores = new EmbeddedStores({ files: diskFiles, directory })
  const cluster = new Cluster({ files: diskFiles, directory, stores })
  const embedded = new EmbeddedSearch({ cluster, node: 'bench' })
  const { signal } = new AbortController()
  const shardsOf = (index: string) => cluster.store(cluster.index(index)!).shards
  return {
    cluster,
    embedded,
    createIndex: (name: string, body: { settings: Record<string, unknown> }) =>
      cluster.createIndex(name, body as Parameters<Cluster['createIndex']>[1]),
    async write(actions: readonly WriteAction[], refresh: boolean): Promise<void> {
      const answers = await write(cluster, actions, { refresh: refresh ? 'true' : 'false' })
      const failed = answers.find((answer) => 'error' in answer)
      if (failed !== undefined && 'error' in failed) throw failed.error
    },
    async flush(index: string): Promise<void> {
      for (const shard of shardsOf(index)) await shard.flush()
    },
    async merge(index: string, segments = 1): Promise<void> {
      for (const shard of shardsOf(index)) await shard.forceMerge(segments)
    },
    segments: (index: string) => shardsOf(index).reduce((sum, shard) => sum + shard.figures().segments, 0),
    search: (index: string, body: SearchCall['body']) =>
      embedded.search(searchTargets(cluster, [index], openOptions, undefined), {
        body,
        bodyText: new Uint8Array(0),
        parameters: new Map(),
        namesIndices: true,
        signal,
      }),
    readers: (index: string) => shardsOf(index).map((shard) => shard.reader()),
    async close(): Promise<void> {
      embedded.close()
      await cluster.close()
    },
  }
}
