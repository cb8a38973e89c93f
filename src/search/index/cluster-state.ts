/**
 * The cluster state: everything the node knows besides documents (indices, templates, data streams, pipelines,
 * settings), and its files.
 */
import {
  DamagedFile,
  type FileKind,
  readChecked,
  UnknownFormat,
  writeChecked,
} from '../../storage/checked-file.ts'
import type { Files } from '../../storage/files.ts'
import type { JsonObject } from '../request/json-object.ts'
import type { IndexMetadata } from './index-metadata.ts'

export interface DataStream {
  readonly name: string
  /** Backing indices; the last one is the write index. */
  readonly indices: readonly string[]
  readonly generation: number
  readonly hidden: boolean
  readonly meta?: JsonObject
}

interface LegacyTemplate {
  readonly order: number
  readonly version?: number
  readonly index_patterns: readonly string[]
  /** Flat settings with the prefix `index.`. */
  readonly settings: Readonly<Record<string, string | readonly string[]>>
  readonly mappings: JsonObject
  readonly aliases: JsonObject
}

export interface TemplateBody {
  readonly settings?: Readonly<Record<string, string | readonly string[]>>
  readonly mappings?: JsonObject
  readonly aliases?: JsonObject
}

export interface IndexTemplate {
  readonly index_patterns: readonly string[]
  readonly template?: TemplateBody
  /** Absent where the template does not say it. */
  readonly composed_of?: readonly string[]
  readonly priority?: number
  readonly version?: number
  readonly _meta?: JsonObject
  readonly data_stream?: JsonObject
  readonly allow_auto_create?: boolean
  readonly ignore_missing_component_templates?: readonly string[]
}

export interface ComponentTemplate {
  readonly template: TemplateBody
  readonly version?: number
  readonly _meta?: JsonObject
}

type Named<Value> = Readonly<Record<string, Value>>

export interface ClusterState {
  readonly uuid: string
  readonly version: number
  readonly indices: Named<IndexMetadata>
  readonly legacyTemplates: Named<LegacyTemplate>
  readonly indexTemplates: Named<IndexTemplate>
  readonly componentTemplates: Named<ComponentTemplate>
  readonly dataStreams: Named<DataStream>
  readonly pipelines: Named<JsonObject>
  readonly scripts: Named<JsonObject>
  readonly persistentSettings: Named<string | readonly string[]>
  /** Tombstones: uuids of recently deleted indices, whose folders may have survived a crash. */
  readonly tombstones?: readonly string[]
}

export function emptyState(uuid: string): ClusterState {
  return {
    uuid,
    version: 1,
    indices: {},
    legacyTemplates: {},
    indexTemplates: {},
    componentTemplates: {},
    dataStreams: {},
    pipelines: {},
    scripts: {},
    persistentSettings: {},
  }
}

/**
 * Two files that are written alternately, so that there are always two versions: when either is missing or damaged,
 * that is detected, and the other has the state of one change before.
 */
const fileNames = ['cluster-state-0.json', 'cluster-state-1.json'] as const
const kind: FileKind = { name: 'cluster-state', version: 2, firstRead: 2 }

export function stateFiles(directory: string): readonly string[] {
  return fileNames.map((name) => `${directory}/${name}`)
}

/** Returns undefined where there never was a store. Throws DamagedFile or UnknownFormat when the state is uncertain. */
export function readState(files: Files, directory: string): ClusterState | undefined {
  const paths = stateFiles(directory)
  const there = paths.filter((path) => files.exists(path))
  if (there.length === 0) {
    if (files.exists(`${directory}/cluster-state.json`))
      throw new UnknownFormat(`${directory}/cluster-state.json`, 'is of a version before the first release')
    if (files.list(`${directory}/indices`).length === 0) return undefined
    throw new DamagedFile(paths[0]!, `is missing, and so is ${paths[1]}, but there are indices`)
  }
  const states = there.map((path) => readStateFile(files, path))
  const newest = states.reduce((one, other) => (other.version > one.version ? other : one))
  // Right after the very first write there is only one file.
  const isFirst = newest.version === 1 && files.list(`${directory}/indices`).length === 0
  if (there.length === 1 && !isFirst)
    throw new DamagedFile(paths.find((path) => !there.includes(path))!, 'is missing')
  if (there.length === 2 && Math.abs(states[0]!.version - states[1]!.version) !== 1)
    throw new DamagedFile(
      paths[states[0] === newest ? 1 : 0]!,
      `is not the state before version ${newest.version}`,
    )
  return newest
}

export function readStateFile(files: Files, path: string): ClusterState {
  const body = Buffer.from(readChecked(files, path, kind)).toString('utf8')
  try {
    return JSON.parse(body) as ClusterState
  } catch (error) {
    throw new DamagedFile(path, `cannot be read: ${(error as Error).message}`)
  }
}

export function writeState(files: Files, directory: string, state: ClusterState): void {
  files.makeDirectory(directory)
  writeChecked(files, stateFiles(directory)[state.version % 2]!, kind, Buffer.from(stateText(state)))
}

/** Longer JSON texts are not cached but serialised again, so that large mappings are not held twice. */
const maxKeptText = 4096
const indexTexts = new WeakMap<IndexMetadata, string>()

/** A change concerns one index or two; the texts of the others are at hand. */
function stateText({ indices, ...rest }: ClusterState): string {
  const members = Object.entries(indices).map(
    ([name, index]) => `${JSON.stringify(name)}:${indexText(index)}`,
  )
  return `${JSON.stringify(rest).slice(0, -1)},"indices":{${members.join(',')}}}`
}

function indexText(index: IndexMetadata): string {
  let text = indexTexts.get(index)
  if (text !== undefined) return text
  text = JSON.stringify(index)
  if (text.length <= maxKeptText) indexTexts.set(index, text)
  return text
}

/** Returns a record with one member set. */
export function withMember<Value>(record: Named<Value>, name: string, value: Value): Named<Value> {
  if (!Object.hasOwn(record, name)) return { ...record, [name]: value }
  return Object.fromEntries([...Object.entries(record).filter(([known]) => known !== name), [name, value]])
}

export function withoutMembers<Value>(record: Named<Value>, names: Iterable<string>): Named<Value> {
  const gone = new Set(names)
  return Object.fromEntries(Object.entries(record).filter(([name]) => !gone.has(name)))
}

export function memberOf<Value>(record: Named<Value>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
