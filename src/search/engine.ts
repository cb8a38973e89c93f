/** The whole engine over one directory: cluster state, indices, searches. What a node or a test opens and closes. */
import type { Files } from '../storage/files.ts'
import type { CompileExpression } from './analysis/component.ts'
import { Cluster } from './index/cluster.ts'
import type { Flavor } from './index/compat.ts'
import { LateSearch } from './index/late-search.ts'
import { EmbeddedStores } from './index/shards/embedded-stores.ts'
import { StoreMemory } from './index/store-memory.ts'
import { type BackgroundRunner, backgroundWork } from './scheduling/background-work.ts'
import type { Report } from './shard/report.ts'
import type { JobRunner } from './shard/segment-job.ts'

export interface EngineOptions {
  readonly files: Files
  readonly directory: string
  /** Id of the node, as failures name it. */
  readonly node: string
  readonly flavor?: Flavor
  /** Limits of the reference instead of none. */
  readonly strict?: boolean
  /** The guard patterns of users run behind. */
  readonly compile?: CompileExpression
  /** Who writes and joins segments; the calling thread unless given. */
  readonly jobs?: JobRunner
  /** Who reads and sorts what takes long; the calling thread unless given. */
  readonly sideRunner?: BackgroundRunner
  /** Told of damage, of disks that fail and of shards that work again. */
  readonly report?: Report
  /** Limit of the process and who frees memory; what the machine allows unless given. */
  readonly memory?: StoreMemory
}

export interface Engine {
  readonly cluster: Cluster
  readonly search: LateSearch
  /** Writes what is only in memory; nothing may be asked afterwards. */
  close(): Promise<void>
}

/** Opens every index: what was acknowledged is there, whatever happened to the process before. */
export function openEngine(options: EngineOptions): Engine {
  const { files, directory, node, flavor, strict, compile, jobs, sideRunner, report } = options
  const memory = options.memory ?? new StoreMemory()
  memory.govern()
  backgroundWork.use(sideRunner)
  files.makeDirectory(directory)
  const stores = new EmbeddedStores({
    files,
    directory,
    jobs,
    report,
    ...(compile !== undefined && { compile }),
  })
  const cluster = new Cluster({
    files,
    directory,
    stores,
    report,
    memory,
    ...(flavor !== undefined && { flavor }),
  })
  const search = new LateSearch({ cluster, node, strict: strict ?? false })
  return {
    cluster,
    search,
    async close() {
      search.close()
      memory.close()
      await cluster.close()
    },
  }
}
