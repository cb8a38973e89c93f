/**
 * How far a migration is, in one small file that is replaced as a whole and synced: a second run of the same command goes
 * on where the first one ended. The sequence numbers in it are low marks, everything up to them is in the target.
 */
import { createHash } from 'node:crypto'
import { type FileKind, readChecked, removeQuietly, writeChecked } from '../storage/checked-file.ts'
import type { Files } from '../storage/files.ts'

/** One index of the source. */
export interface IndexState {
  uuid: string
  /** Per shard: everything up to here is copied. */
  copied: number[]
  /** Per shard: everything up to here was compared with the target; absent before the first comparison. */
  compared?: number[]
}

interface MigrationState {
  readonly from: string
  readonly to: string
  /** Names of indices and streams of the target that this migration has begun to make. */
  made: string[]
  indices: Record<string, IndexState>
  /** Indices of the source that carry a write block of this migration. */
  blocked: string[]
  isDone: boolean
}

const kind: FileKind = { name: 'migration', version: 1, firstRead: 1 }

/** One name for each pair of ends. */
export function stateName(from: string, to: string): string {
  return `migration-${createHash('sha256').update(`${from}\n${to}`).digest('hex').slice(0, 16)}`
}

export class StateFile {
  readonly #files: Files
  readonly #path: string
  readonly state: MigrationState
  /** Whether an earlier run has left something to go on with. */
  readonly isResumed: boolean

  constructor(files: Files, directory: string, from: string, to: string) {
    this.#files = files
    files.makeDirectory(directory)
    this.#path = `${directory}/${stateName(from, to)}`
    const found = files.exists(this.#path) ? parsed(readChecked(files, this.#path, kind)) : undefined
    this.isResumed = found !== undefined && !found.isDone
    this.state =
      found !== undefined && !found.isDone
        ? found
        : { from, to, made: [], indices: Object.create(null), blocked: [], isDone: false }
  }

  get path(): string {
    return this.#path
  }

  save(): void {
    writeChecked(this.#files, this.#path, kind, Buffer.from(JSON.stringify(this.state)))
  }

  remove(): void {
    removeQuietly(this.#files, this.#path)
  }
}

function parsed(body: Uint8Array): MigrationState {
  const state = JSON.parse(Buffer.from(body).toString('utf8')) as MigrationState
  // Names of indices are data, whatever they are.
  return { ...state, indices: Object.assign(Object.create(null) as object, state.indices) }
}
