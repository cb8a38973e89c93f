/** Changes of existing indices: settings, mappings, opening, closing, blocks, deletion. */

import { illegalArgument } from '../../request/errors.ts'
import { clusterBlock, indexNotFound } from '../../request/index-errors.ts'
import type { JsonObject } from '../../request/json-object.ts'
import { SearchError } from '../../request/search-error.ts'
import type { Cluster } from '../cluster.ts'
import { memberOf, withoutMembers } from '../cluster-state.ts'
import { type IndicesOptions, isAll } from '../index-expressions.ts'
import { type IndexMetadata, settingOf } from '../index-metadata.ts'
import { checkShardLimit, copyCount } from '../shards/shard-limit.ts'
import { withoutType } from '../templates/mapping-merge.ts'
import { checkSettings, flattenSettings, type SettingChanges, withChanges } from './index-settings.ts'
import { definitionOf } from './setting-definitions.ts'

export async function putSettings(
  cluster: Cluster,
  indices: readonly IndexMetadata[],
  json: unknown,
  preserveExisting: boolean,
): Promise<void> {
  const changes = flattenSettings(json)
  checkSettings(new Map([...changes].filter(([name]) => !name.includes('*'))))
  checkScopes(cluster, indices, changes)
  const effect = (index: IndexMetadata): IndexMetadata => {
    const wanted = preserveExisting
      ? new Map([...changes].filter(([name]) => !Object.hasOwn(index.settings, name)))
      : changes
    const settings = withChanges(index.settings, withNullsAsDefaults(wanted))
    return { ...index, settings, settingsVersion: index.settingsVersion + 1 }
  }
  const added = indices.reduce((sum, index) => sum + copyCount(effect(index)) - copyCount(index), 0)
  checkShardLimit(cluster, added)
  await cluster.changeIndices(indices, effect)
}

/** Resetting the number of replicas restores the default, because every index shows it. */
function withNullsAsDefaults(changes: SettingChanges): SettingChanges {
  return changes.get('index.number_of_replicas') === null
    ? new Map([...changes, ['index.number_of_replicas', '1']])
    : changes
}

function checkScopes(cluster: Cluster, indices: readonly IndexMetadata[], changes: SettingChanges): void {
  const named = ({ name, uuid }: IndexMetadata) => `${name}/${uuid}`
  for (const name of changes.keys()) {
    const [first] = indices
    if (definitionOf(name)?.scope === 'final' && first !== undefined)
      throw illegalArgument(
        cluster.compat.isOpenSearch
          ? `Can't update non dynamic settings [[${name}]] for open indices [[${first.name}/${first.uuid}]]`
          : `final ${first.name} setting [${name}], not updateable`,
      )
  }
  const fixed = [...changes.keys()].filter((name) => definitionOf(name)?.scope === 'static').sort()
  const open = indices.filter(({ isOpen }) => isOpen)
  if (fixed.length > 0 && open.length > 0)
    throw illegalArgument(
      `Can't update non dynamic settings [[${fixed.join(', ')}]] for open indices [[${open.map(named).join(', ')}]]`,
    )
}

export function putMappings(cluster: Cluster, indices: readonly IndexMetadata[], mappings: JsonObject): void {
  const inner = withoutType(mappings)
  const stores = indices.map((index) => cluster.store(index))
  // All or nothing: a dry run on every index comes before the first change.
  try {
    for (const store of stores) store.putMappings(inner, { dryRun: true })
  } catch (error) {
    throw cluster.compat.isOpenSearch ? inOpenSearch(error) : error
  }
  for (const store of stores) store.putMappings(inner)
  const names = new Set(indices.map(({ name }) => name))
  cluster.apply((state) => ({
    ...state,
    indices: Object.fromEntries(
      Object.entries(state.indices).map(([name, index]) => [
        name,
        names.has(name)
          ? { ...index, mappings: cluster.mappingsOf(index), mappingVersion: index.mappingVersion + 1 }
          : index,
      ]),
    ),
  }))
}

/** OpenSearch has other words for a field that becomes an object. */
function inOpenSearch(error: unknown): unknown {
  const changed = /^mapper \[(.*)\] cannot be changed from type \[.*\] to \[ObjectMapper\]$/
  const [, path] = (error instanceof SearchError && changed.exec(error.reason)) || []
  return path === undefined
    ? error
    : illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`)
}

export async function openIndices(cluster: Cluster, indices: readonly IndexMetadata[]): Promise<void> {
  const closed = indices.filter(({ isOpen }) => !isOpen)
  checkShardLimit(
    cluster,
    closed.reduce((sum, index) => sum + copyCount(index), 0),
  )
  await cluster.changeIndices(closed, (index) => ({ ...index, isOpen: true }))
}

export async function closeIndices(cluster: Cluster, indices: readonly IndexMetadata[]): Promise<void> {
  for (const { name } of indices) {
    for (const stream of Object.values(cluster.state.dataStreams)) {
      if (stream.indices.at(-1) === name)
        throw illegalArgument(
          `cannot close the following data stream write indices [${name}] from data stream [${stream.name}]`,
        )
    }
  }
  const open = indices.filter(({ isOpen }) => isOpen)
  cluster.keepMappings()
  await cluster.changeIndices(open, (index) => ({
    ...index,
    isOpen: false,
    mappings: cluster.mappingsOf(index),
  }))
}

/** Resolves the indices of `DELETE /{index}`; aliases are refused. */
export function indicesToDelete(
  cluster: Cluster,
  expressions: readonly string[],
  options: IndicesOptions,
): IndexMetadata[] {
  for (const expression of expressions) {
    const isConcrete = !expression.includes('*') && !isAll([expression])
    if (isConcrete && memberOf(cluster.state.indices, expression) === undefined) {
      const isStream = memberOf(cluster.state.dataStreams, expression) !== undefined
      if (isStream && cluster.compat.isOpenSearch) throw indexNotFound(expression)
      if (cluster.isAlias(expression) && !options.ignoreUnavailable)
        throw illegalArgument(
          `The provided expression [${expression}] matches an alias, specify the corresponding concrete indices instead.`,
        )
    }
  }
  const found = cluster.resolve(expressions, { ...options, ignoreAliases: true })
  const indices = found.map(({ index }) => index)
  for (const index of indices) {
    for (const stream of Object.values(cluster.state.dataStreams)) {
      if (stream.indices.at(-1) === index.name)
        throw illegalArgument(
          `index [${index.name}] is the write index for data stream [${stream.name}] and cannot be deleted`,
        )
    }
    checkBlocks(index, ['index.blocks.read_only'])
  }
  return indices
}

export async function deleteIndices(cluster: Cluster, indices: readonly IndexMetadata[]): Promise<void> {
  const gone = new Set(indices.map(({ name }) => name))
  await cluster.removeIndices(indices, (state) => ({
    ...state,
    dataStreams: Object.fromEntries(
      Object.entries(withoutMembers(state.dataStreams, [])).map(([name, stream]) => [
        name,
        { ...stream, indices: stream.indices.filter((index) => !gone.has(index)) },
      ]),
    ),
  }))
}

const blockNames = ['read_only', 'read', 'write', 'metadata', 'read_only_allow_delete'] as const
type BlockName = `index.blocks.${(typeof blockNames)[number]}`

export function checkBlocks(index: IndexMetadata, blocks: readonly BlockName[]): void {
  const set = blocks.filter((name) => settingOf(index, name) === 'true')
  if (set.length > 0) throw clusterBlock(index.name, set)
}

export const writeBlocks: readonly BlockName[] = [
  'index.blocks.read_only',
  'index.blocks.write',
  'index.blocks.read_only_allow_delete',
]

export function blocksOf(index: IndexMetadata): BlockName[] {
  return blockNames
    .map((name): BlockName => `index.blocks.${name}`)
    .filter((name) => settingOf(index, name) === 'true')
}

export async function addBlock(
  cluster: Cluster,
  indices: readonly IndexMetadata[],
  block: string,
): Promise<void> {
  if (!(['read_only', 'read', 'write', 'metadata'] as readonly string[]).includes(block))
    throw illegalArgument(`No block found with name ${block}`)
  await putSettings(cluster, indices, { [`index.blocks.${block}`]: true }, false)
}
