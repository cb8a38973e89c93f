/** The whole engine over one directory: cluster state, indices, searches. What a node or a test opens and closes. */
import type { Files } from '../storage/files.ts'
import type { CompileExpression } from './analysis/component.ts'
import { Cluster } from './index/cluster.ts'
import type { Flavor } from './index/compat.ts'
import { LazySearch } from './index/lazy-search.ts'
import type { SearchReaders } from './index/search-readers.ts'
import { EmbeddedStores } from './index/shards/embedded-stores.ts'
import { StoreMemory } from './index/store-memory.ts'
import type { IngestTools } from './ingest/processor.ts'
import { type BackgroundRunner, backgroundWork } from './scheduling/background-work.ts'
import type { Report } from './shard/report.ts'
import type { JobRunner } from './shard/segment-job.ts'

interface EngineOptions {
  readonly files: Files
  readonly directory: string
  /** Id of the node, as failures name it. */
  readonly node: string
  readonly flavor?: Flavor
  /** Applies Elasticsearch's default limits. */
  readonly strict?: boolean
  /** Compiles users' patterns behind the regex guard. */
  readonly compile?: CompileExpression
  /** What ingest processors need besides patterns. */
  readonly ingest?: Omit<IngestTools, 'compile'>
  /** Runs flush and merge jobs; the calling thread by default. */
  readonly jobs?: JobRunner
  /** Runs background work of searches; the calling thread by default. */
  readonly sideRunner?: BackgroundRunner
  /** Threads that search beside the calling one. */
  readonly readers?: SearchReaders | undefined
  /** Receives reports of damage, disk failures and recovered shards. */
  readonly report?: Report
  /** The memory limits of the process; those of the machine by default. */
  readonly memory?: StoreMemory
}

interface Engine {
  readonly cluster: Cluster
  readonly search: LazySearch
  /** Writes what is only in memory; nothing may be asked afterwards. */
  close(): Promise<void>
}

/** Opens every index: what was acknowledged is there, whatever happened to the process before. */
export function openEngine(options: EngineOptions): Engine {
  const { files, directory, node, flavor, strict, compile, ingest, jobs, sideRunner, readers, report } =
    options
  const memory = options.memory ?? new StoreMemory()
  memory.govern(() => readers?.evict())
  backgroundWork.use(sideRunner)
  files.makeDirectory(directory)
  let search: LazySearch | undefined
  let isQueryExpected = false
  const stores = new EmbeddedStores({
    files,
    directory,
    jobs,
    report,
    flavor,
    keepsDeletions: strict,
    queriesExpected() {
      isQueryExpected = true
      void search?.load()
    },
    checkQueries: (document, text, metadata) => search?.checkQueries(document, text, metadata),
    ...(compile !== undefined && { compile }),
  })
  const cluster = new Cluster({
    files,
    directory,
    stores,
    report,
    memory,
    ...(flavor !== undefined && { flavor }),
    ...(ingest !== undefined && compile !== undefined && { ingest: { ...ingest, compile } }),
  })
  const lazy = new LazySearch({ cluster, node, strict: strict ?? false, readers })
  search = lazy
  if (isQueryExpected) void lazy.load()
  return {
    cluster,
    search: lazy,
    async close() {
      lazy.close()
      memory.close()
      await readers?.close()
      await cluster.close()
    },
  }
}
