/**
 * Repairs a damaged store from what can be read of it. A shard with problems is rebuilt from its documents; its old
 * folder is moved to the quarantine of the store. What is not damaged is not touched.
 */
import type { Files } from '../../storage/files.ts'
import { type ClusterState, emptyState, stateFiles, withMember, writeState } from '../index/cluster-state.ts'
import { uuid as newUuid } from '../index/generated-ids.ts'
import { type IndexMetadata, shardCount } from '../index/index-metadata.ts'
import { EmbeddedStores } from '../index/shards/embedded-stores.ts'
import { newIndex } from '../index/templates/create-index.ts'
import { SearchError } from '../request/search-error.ts'
import { quarantineName } from '../shard/quarantine.ts'
import { bestState } from './check-store.ts'
import { type Problem, Salvage } from './salvage.ts'

export interface ShardRepair {
  readonly index: string
  readonly shard: number
  readonly problems: readonly Problem[]
  readonly documents: number
  /** Documents that could be read but that the mapping refuses. */
  readonly refused: number
  /** Where the old files of the shard are. */
  readonly keptAt: string
}

interface StoreRepair {
  readonly problems: readonly Problem[]
  readonly shards: readonly ShardRepair[]
}

type CompileExpression = ConstructorParameters<typeof EmbeddedStores>[0]['compile']

interface RepairOptions {
  readonly files: Files
  readonly directory: string
  readonly compile?: CompileExpression
  /** Called for each shard when it is done. */
  done?(repair: ShardRepair): void
}

export async function repairStore(options: RepairOptions): Promise<StoreRepair> {
  const { files, directory } = options
  const { state: known, problems } = bestState(files, directory)
  let state = known ?? emptyState(newUuid())
  if (problems.length > 0) {
    keepStateFiles(options)
    state = { ...state, indices: { ...state.indices, ...danglingIndices(files, directory, state) } }
    state = writeBoth(files, directory, state)
  }
  const shards: ShardRepair[] = []
  for (const index of Object.values(state.indices)) {
    const { repairs, mappings } = await repairIndex(options, index)
    shards.push(...repairs)
    if (repairs.length === 0) continue
    const repaired = { ...index, mappings, isOpen: true, version: index.version + 1 }
    state = { ...state, indices: withMember(state.indices, index.name, repaired), version: state.version + 1 }
    writeState(files, directory, state)
  }
  return { problems, shards }
}

async function repairIndex(options: RepairOptions, index: IndexMetadata) {
  const { files, directory, compile } = options
  const folder = `${directory}/indices/${index.uuid}`
  const salvages = Array.from({ length: shardCount(index) }, (_, shard) => ({
    shard,
    salvage: new Salvage(files, `${folder}/${shard}`),
  })).filter(({ salvage }) => salvage.problems.length > 0)
  if (salvages.length === 0) return { repairs: [], mappings: index.mappings }
  const workshop = `${directory}/repair.tmp`
  files.remove(workshop)
  const stores = new EmbeddedStores({ files, directory: workshop, ...(compile !== undefined && { compile }) })
  const store = stores.create(index, () => {})
  const repairs: ShardRepair[] = []
  const counts = new Map<number, { documents: number; refused: number }>()
  for (const { shard, salvage } of salvages) {
    const port = store.shards[shard]!
    let [documents, refused] = [0, 0]
    for (const { id, routing, source, version } of salvage.documents()) {
      try {
        port.index({ id, routing, source, version, versionType: 'external' })
        documents++
      } catch (error) {
        if (!(error instanceof SearchError)) throw error
        refused++
      }
      if (documents % commitEvery === 0) await port.commit(port.term)
    }
    await port.commit(port.term)
    await port.flush()
    counts.set(shard, { documents, refused })
  }
  const mappings = store.mappings()
  await store.close()
  files.makeDirectory(folder)
  for (const { shard, salvage } of salvages) {
    const keptAt = moveAside(files, directory, `${folder}/${shard}`, `${index.uuid}-${shard}`)
    files.rename(`${workshop}/indices/${index.uuid}/${shard}`, `${folder}/${shard}`)
    files.syncDirectory(folder)
    const repair = { index: index.name, shard, problems: salvage.problems, keptAt, ...counts.get(shard)! }
    repairs.push(repair)
    options.done?.(repair)
  }
  files.remove(workshop)
  return { repairs, mappings }
}

const commitEvery = 1_000

/** Moves to a name that does not exist yet. */
function moveAside(files: Files, directory: string, path: string, name: string): string {
  const quarantine = `${directory}/${quarantineName}`
  files.makeDirectory(quarantine)
  let to = `${quarantine}/${name}`
  for (let number = 1; files.exists(to); number++) to = `${quarantine}/${name}-${number}`
  if (files.exists(path)) files.rename(path, to)
  files.syncDirectory(quarantine)
  files.syncDirectory(directory)
  return to
}

function keepStateFiles({ files, directory }: RepairOptions): void {
  for (const path of stateFiles(directory)) {
    if (files.exists(path)) moveAside(files, directory, path, path.slice(directory.length + 1))
  }
}

/** The state is two files, one version apart. */
function writeBoth(files: Files, directory: string, state: ClusterState): ClusterState {
  const first = { ...state, version: state.version + 1 }
  const second = { ...state, version: state.version + 2 }
  writeState(files, directory, first)
  writeState(files, directory, second)
  return second
}

/** Finds indices whose folders exist but that no state knows; their documents come back under a new name. */
function danglingIndices(
  files: Files,
  directory: string,
  state: ClusterState,
): Record<string, IndexMetadata> {
  const known = new Set([
    ...Object.values(state.indices).map(({ uuid }) => uuid),
    ...(state.tombstones ?? []),
  ])
  const found: Record<string, IndexMetadata> = {}
  for (const uuid of files.list(`${directory}/indices`)) {
    if (known.has(uuid)) continue
    const shards = files.list(`${directory}/indices/${uuid}`).filter((name) => /^\d+$/.test(name)).length
    if (shards === 0) continue
    const name = `recovered-${uuid.toLowerCase().replace(/[^a-z0-9]/g, '')}`
    const body = { settings: { number_of_shards: String(shards), number_of_replicas: '0' } }
    const made = newIndex(emptyState(''), name, body, { now: Date.now() })
    found[name] = { ...made, uuid }
  }
  return found
}
