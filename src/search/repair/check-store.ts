/** Checks every byte of a store that nobody has open, and reports what is wrong; changes nothing. */
import { isUnknownFormat } from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'
import { type ClusterState, readState, readStateFile, stateFiles } from '../index/cluster-state.ts'
import { type IndexMetadata, shardCount } from '../index/index-metadata.ts'
import { type Problem, Salvage } from './salvage.ts'

interface ShardCheck {
  readonly shard: number
  readonly directory: string
  /** The number of documents that can be read. */
  readonly documents: number
  readonly problems: readonly Problem[]
}

interface IndexCheck {
  readonly index: string
  readonly uuid: string
  readonly shards: readonly ShardCheck[]
}

export interface StoreCheck {
  /** Problems of the cluster state. */
  readonly problems: readonly Problem[]
  readonly indices: readonly IndexCheck[]
  /** Folders that belong to no index. */
  readonly dangling: readonly string[]
}

export function isSound({ problems, indices }: StoreCheck): boolean {
  return (
    problems.length === 0 &&
    indices.every(({ shards }) => shards.every((shard) => shard.problems.length === 0))
  )
}

export function checkStore(files: Files, directory: string, only?: readonly string[]): StoreCheck {
  const { state, problems } = bestState(files, directory)
  const indices = Object.values(state?.indices ?? {})
  const known = new Set([...indices.map(({ uuid }) => uuid), ...(state?.tombstones ?? [])])
  return {
    problems,
    indices: indices
      .filter(({ name }) => only === undefined || only.includes(name))
      .map((index) => checkIndex(files, directory, index)),
    dangling: files
      .list(`${directory}/indices`)
      .filter((uuid) => !known.has(uuid))
      .map((uuid) => `${directory}/indices/${uuid}`),
  }
}

function checkIndex(files: Files, directory: string, index: IndexMetadata): IndexCheck {
  const { name, uuid } = index
  const shards = Array.from({ length: shardCount(index) }, (_, shard): ShardCheck => {
    const folder = `${directory}/indices/${uuid}/${shard}`
    const { count, problems } = new Salvage(files, folder)
    return { shard, directory: folder, documents: count, problems }
  })
  return { index: name, uuid, shards }
}

/** Returns the cluster state, or what is left of it where it is damaged. */
export function bestState(
  files: Files,
  directory: string,
): { readonly state: ClusterState | undefined; readonly problems: readonly Problem[] } {
  try {
    return { state: readState(files, directory), problems: [] }
  } catch (error) {
    if (isUnknownFormat(error)) throw error
    const { message, path = directory } = error as Error & { path?: string }
    const left = stateFiles(directory).flatMap((one) => {
      try {
        return [readStateFile(files, one)]
      } catch {
        return []
      }
    })
    const state = left.sort((a, b) => a.version - b.version).at(-1)
    return { state, problems: [{ path, message, lost: undefined }] }
  }
}
