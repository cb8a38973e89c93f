/** `POST /_aliases`: actions that are applied atomically. */
import { contentError, illegalArgument } from '../../request/errors.ts'
import { isObject, type JsonObject, own, textList } from '../../request/json-object.ts'
import { NameIndex } from '../../request/name-index.ts'
import { failedField, unknownField } from '../../request/object-shape.ts'
import { placesOf } from '../../request/request-source.ts'
import { SearchError } from '../../request/search-error.ts'
import { isPattern, simpleMatch } from '../../request/simple-match.ts'
import type { SourcePlaces } from '../../request/source-place.ts'
import { finish, type Steps } from '../../scheduling/steps.ts'
import type { Cluster } from '../cluster.ts'
import { type ClusterState, withoutMembers } from '../cluster-state.ts'
import { metadataOptions } from '../index-expressions.ts'
import type { AliasMetadata, IndexMetadata } from '../index-metadata.ts'
import { aliasIsIndex } from '../index-names.ts'
import { parseAlias } from './alias-parse.ts'

type Aliases = Record<string, AliasMetadata>

/** Actions parsed or planned per step. */
const stepActions = 256

interface Action {
  readonly kind: 'add' | 'remove' | 'remove_index'
  readonly indices: readonly string[]
  readonly aliases: readonly string[]
  readonly body: JsonObject
}

const actionMembers = ['index', 'indices', 'alias', 'aliases', 'must_exist']

export function* parseActions(json: unknown): Steps<Action[]> {
  const actions = isObject(json) ? json['actions'] : undefined
  if (!Array.isArray(actions)) throw illegalArgument('No action specified')
  if (actions.length === 0) throw illegalArgument('No action specified')
  const places = placesOf(json)
  const parsed: Action[] = []
  for (const entry of actions) {
    try {
      parsed.push(parseAction(entry, places))
    } catch (error) {
      throw failedField(error, 'aliases', 'actions', places.endOf(actions))
    }
    if (parsed.length % stepActions === 0) yield
  }
  return parsed
}

const kinds = ['add', 'remove', 'remove_index']

function parseAction(entry: unknown, places: SourcePlaces): Action {
  const [kind, body] = isObject(entry) ? (Object.entries(entry)[0] ?? []) : []
  if (kind !== 'add' && kind !== 'remove' && kind !== 'remove_index')
    throw isObject(entry) && kind !== undefined
      ? unknownField('alias_action', entry, kind, kinds, places)
      : contentError('[alias_action] expected an action')
  if (!isObject(body)) throw contentError(`[1:1] [alias_action] failed to parse field [${kind}]`)
  if (own(body, 'index') !== undefined && own(body, 'indices') !== undefined)
    throw illegalArgument('Only one of [index] and [indices] is supported')
  if (own(body, 'alias') !== undefined && own(body, 'aliases') !== undefined)
    throw illegalArgument('Only one of [alias] and [aliases] is supported')
  const indices = textList(own(body, 'index') ?? own(body, 'indices')).flatMap((text) => text.split(','))
  const aliases = textList(own(body, 'alias') ?? own(body, 'aliases'))
  if (indices.length === 0) throw illegalArgument('One of [index] or [indices] is required')
  if (kind !== 'remove_index') {
    if (aliases.length === 0) throw illegalArgument('One of [alias] or [aliases] is required')
    if (aliases.includes('')) throw illegalArgument(`[alias] can't be empty string`)
  }
  return { kind, indices, aliases, body }
}

export async function updateAliases(cluster: Cluster, actions: readonly Action[]): Promise<void> {
  const before = cluster.state
  let plan = await cluster.scheduler.begin(planSteps(cluster, actions), () => {})
  // What other requests did between two steps is not in the plan.
  if (cluster.state !== before) plan = finish(planSteps(cluster, actions))
  const { changed, removed } = plan
  const setAliases = (state: ClusterState): ClusterState => ({
    ...state,
    indices: Object.fromEntries(
      Object.entries(state.indices).map(([name, index]) => [
        name,
        changed.has(name)
          ? { ...index, aliases: changed.get(name)!, aliasesVersion: index.aliasesVersion + 1 }
          : index,
      ]),
    ),
  })
  if (removed.size > 0) await cluster.removeIndices([...removed], setAliases)
  else cluster.apply(setAliases)
}

/** What the actions of a request change together. */
interface Plan {
  readonly changed: ReadonlyMap<string, Aliases>
  readonly removed: ReadonlySet<IndexMetadata>
}

function* planSteps(cluster: Cluster, actions: readonly Action[]): Steps<Plan> {
  const changed = new Map<string, Aliases>()
  const removed = new Set<IndexMetadata>()
  const aliasesOf = (index: IndexMetadata): Aliases => {
    const aliases = changed.get(index.name) ?? { ...index.aliases }
    changed.set(index.name, aliases)
    return aliases
  }
  const names = new Map<string, NameIndex>()
  /** The names of the aliases that an index had when the request came. */
  const namesOf = (index: IndexMetadata): NameIndex => {
    let own = names.get(index.name)
    if (own === undefined) names.set(index.name, (own = new NameIndex(Object.keys(index.aliases))))
    return own
  }
  /** Indices that got aliases by an action before. */
  const added = new Set<string>()
  for (const [at, action] of actions.entries()) {
    const indices = cluster
      .resolve(action.indices, {
        ...metadataOptions,
        expandClosed: true,
        ignoreAliases: true,
        allowNoIndices: false,
      })
      .map(({ index }) => index)
    if (action.kind === 'remove_index') for (const index of indices) removed.add(index)
    else if (action.kind === 'add') {
      addTo(indices, action, aliasesOf)
      for (const { name } of indices) added.add(name)
    } else removeFrom(indices, action, aliasesOf, namesOf, added)
    if (at % stepActions === stepActions - 1) yield
  }
  for (const { name } of removed) {
    if (changed.has(name)) throw indexGone(name)
  }
  checkNames(cluster.state, changed, removed)
  checkWriteIndices(cluster.state, changed, removed)
  return { changed, removed }
}

function addTo(
  indices: readonly IndexMetadata[],
  { aliases, body }: Action,
  aliasesOf: (index: IndexMetadata) => Aliases,
): void {
  for (const name of aliases) {
    const alias = parseAlias(name, body, actionMembers)
    for (const index of indices) aliasesOf(index)[name] = alias
  }
}

function removeFrom(
  indices: readonly IndexMetadata[],
  { aliases: patterns, body }: Action,
  aliasesOf: (index: IndexMetadata) => Aliases,
  namesOf: (index: IndexMetadata) => NameIndex,
  added: ReadonlySet<string>,
): void {
  const missing = new Set(patterns)
  for (const index of indices) {
    const aliases = aliasesOf(index)
    for (const written of new Set(patterns)) {
      const pattern = written === '_all' ? '*' : written
      // What an action before this one has removed was there when the request came, and is not missing.
      if (!isPattern(pattern)) {
        if (Object.hasOwn(index.aliases, pattern) || Object.hasOwn(aliases, pattern)) missing.delete(written)
        delete aliases[pattern]
        continue
      }
      const before = namesOf(index).matching(pattern)
      if (before.length > 0) missing.delete(written)
      for (const name of before) delete aliases[name]
      if (!added.has(index.name)) continue
      for (const name of Object.keys(aliases)) {
        if (!simpleMatch(pattern, name)) continue
        delete aliases[name]
        missing.delete(written)
      }
    }
  }
  const mustExist = own(body, 'must_exist')
  if (mustExist === false) return
  if (missing.size === patterns.length || (mustExist === true && missing.size > 0))
    throw aliasesMissing([...missing])
}

/** Indices are removed before aliases are changed. */
function indexGone(index: string): SearchError {
  return new SearchError('index_not_found_exception', `no such index [${index}]`, {
    details: { index, index_uuid: '_na_' },
  })
}

export function aliasesMissing(names: readonly string[]): SearchError {
  return new SearchError('aliases_not_found_exception', `aliases [${names.join(',')}] missing`, {
    details: { 'resource.type': 'aliases', 'resource.id': names.join(',') },
  })
}

function checkNames(
  state: ClusterState,
  changed: ReadonlyMap<string, Aliases>,
  removed: ReadonlySet<IndexMetadata>,
): void {
  const left = withoutMembers(
    state.indices,
    [...removed].map(({ name }) => name),
  )
  for (const [, aliases] of changed) {
    for (const name of Object.keys(aliases)) {
      if (Object.hasOwn(left, name)) throw aliasIsIndex(name, name, left[name]!.uuid)
    }
  }
}

/** An alias has at most one write index. */
function checkWriteIndices(
  state: ClusterState,
  changed: ReadonlyMap<string, Readonly<Record<string, AliasMetadata>>>,
  removed: ReadonlySet<IndexMetadata> = new Set(),
): void {
  const writers = new Map<string, string[]>()
  for (const index of Object.values(state.indices)) {
    if (removed.has(index)) continue
    for (const [name, alias] of Object.entries(changed.get(index.name) ?? index.aliases)) {
      if (alias.is_write_index === true) writers.set(name, [...(writers.get(name) ?? []), index.name])
    }
  }
  for (const [alias, indices] of writers) {
    if (indices.length > 1)
      throw new SearchError(
        'illegal_state_exception',
        `alias [${alias}] has more than one write index [${indices.join(',')}]`,
        { status: 500 },
      )
  }
}
