/**
 * Everything the node knows besides documents: indices, templates, data streams, pipelines, settings. One JSON
 * file with its checksum on the first line, replaced as a whole, so that a crash leaves the old one or the new.
 */
import { crc32 } from 'node:zlib'
import type { Files } from '../../storage/files.ts'
import type { IndexMetadata } from './index-metadata.ts'
import type { JsonObject } from './json-object.ts'

export interface DataStream {
  readonly name: string
  /** Names of backing indices, the one written to last. */
  readonly indices: readonly string[]
  readonly generation: number
  readonly hidden: boolean
  readonly meta?: JsonObject
}

export interface LegacyTemplate {
  readonly order: number
  readonly version?: number
  readonly index_patterns: readonly string[]
  /** Flat, with `index.`. */
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
  readonly composed_of: readonly string[]
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

const fileName = 'cluster-state.json'

export function readState(files: Files, directory: string): ClusterState | undefined {
  const path = `${directory}/${fileName}`
  if (!files.exists(path)) return undefined
  const text = Buffer.from(files.read(path)).toString('utf8')
  const split = text.indexOf('\n')
  const body = text.slice(split + 1)
  if (Number(text.slice(0, split)) !== crc32(body)) throw new Error(`${path} is damaged`)
  return JSON.parse(body) as ClusterState
}

export function writeState(files: Files, directory: string, state: ClusterState): void {
  const body = JSON.stringify(state)
  const path = `${directory}/${fileName}`
  files.makeDirectory(directory)
  files.write(`${path}.tmp`, [Buffer.from(`${crc32(body)}\n${body}`)])
  files.rename(`${path}.tmp`, path)
  files.syncDirectory(directory)
}

/** A record with one member set, or without it. */
export function withMember<Value>(record: Named<Value>, name: string, value: Value): Named<Value> {
  return Object.fromEntries([...Object.entries(record).filter(([known]) => known !== name), [name, value]])
}

export function withoutMembers<Value>(record: Named<Value>, names: Iterable<string>): Named<Value> {
  const gone = new Set(names)
  return Object.fromEntries(Object.entries(record).filter(([name]) => !gone.has(name)))
}

export function memberOf<Value>(record: Named<Value>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
