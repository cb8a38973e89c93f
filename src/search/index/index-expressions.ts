/**
 * Resolves index expressions: names, wildcards, aliases, data streams, date math and exclusions. The options say
 * which index states wildcards match, and whether an unknown name is an error. (Elasticsearch's
 * IndexNameExpressionResolver.)
 */

import { indexClosed, indexNotFound, invalidIndexName } from '../request/index-errors.ts'
import { NameIndex } from '../request/name-index.ts'
import { type ClusterState, type DataStream, memberOf } from './cluster-state.ts'
import { type AliasMetadata, type IndexMetadata, isHidden } from './index-metadata.ts'
import { resolveDateMathName } from './templates/date-math-names.ts'

export interface IndicesOptions {
  readonly ignoreUnavailable: boolean
  readonly allowNoIndices: boolean
  readonly expandOpen: boolean
  readonly expandClosed: boolean
  readonly expandHidden: boolean
  /** Naming a closed index is an error (or is skipped with `ignoreUnavailable`). */
  readonly forbidClosed: boolean
  /** Aliases are not resolved. */
  readonly ignoreAliases: boolean
}

export const lenientOptions: IndicesOptions = {
  ignoreUnavailable: true,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: true,
  expandHidden: false,
  forbidClosed: false,
  ignoreAliases: false,
}

/** For searches: named indices must exist and be open, wildcards match open ones. */
export const openOptions: IndicesOptions = {
  ignoreUnavailable: false,
  allowNoIndices: true,
  expandOpen: true,
  expandClosed: false,
  expandHidden: false,
  forbidClosed: true,
  ignoreAliases: false,
}

/** For requests about indices themselves. */
export const metadataOptions: IndicesOptions = { ...openOptions, forbidClosed: false }

export interface ResolvedIndex {
  readonly index: IndexMetadata
  /** Named directly or by a data stream, so that alias filters do not apply. */
  readonly isDirect: boolean
  readonly aliases: readonly (readonly [name: string, alias: AliasMetadata])[]
}

interface Found {
  index: IndexMetadata
  isDirect: boolean
  aliases: Map<string, AliasMetadata>
}

const maxExpressions = 10_000

export function splitExpression(text: string | undefined): string[] {
  if (text === undefined || text === '') return []
  const parts: string[] = []
  let start = 0
  let depth = 0
  // A comma inside `<…{…}…>` belongs to date math.
  for (let at = 0; at <= text.length; at++) {
    const character = text[at]
    if (character === '{') depth++
    else if (character === '}') depth--
    else if (at === text.length || (character === ',' && depth <= 0)) {
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  return parts.filter((part) => part !== '')
}

export function isAll(expressions: readonly string[]): boolean {
  return expressions.length === 0 || (expressions.length === 1 && expressions[0] === '_all')
}

/** A name that patterns match: of an index, of an alias of one, or of a data stream. */
type Target =
  | { readonly index: IndexMetadata; readonly alias?: readonly [string, AliasMetadata] }
  | { readonly stream: DataStream }

/** The names of a cluster state in the order in which patterns find them. */
interface Targets {
  readonly names: NameIndex
  /** What stands behind each distinct name, and at which place. */
  readonly byName: ReadonlyMap<string, readonly number[]>
  readonly all: readonly Target[]
}

/** The names of a cluster state, which are collected when they are asked for. */
class KnownNames {
  readonly #state: ClusterState
  #all: Targets | undefined
  #withoutAliases: Targets | undefined
  #behind: ReadonlyMap<string, readonly IndexMetadata[]> | undefined

  constructor(state: ClusterState) {
    this.#state = state
  }

  targets(ignoreAliases: boolean): Targets {
    if (ignoreAliases) return (this.#withoutAliases ??= targetsOf(this.#state, true))
    return (this.#all ??= targetsOf(this.#state, false))
  }

  /** The indices of each alias, by name. */
  get behind(): ReadonlyMap<string, readonly IndexMetadata[]> {
    return (this.#behind ??= indicesByAlias(this.#state))
  }
}

/** A state never changes, so its names are collected once. */
const known = new WeakMap<ClusterState, KnownNames>()

function namesOf(state: ClusterState): KnownNames {
  let names = known.get(state)
  if (names === undefined) known.set(state, (names = new KnownNames(state)))
  return names
}

export class IndexResolver {
  readonly #state: ClusterState
  readonly #now: number
  readonly #names: KnownNames

  constructor(state: ClusterState, now: number) {
    this.#state = state
    this.#now = now
    this.#names = namesOf(state)
  }

  /** Returns indices in the order of the expression, those of a wildcard by name. */
  resolve(expressions: readonly string[], options: IndicesOptions): ResolvedIndex[] {
    if (!options.expandOpen && !options.expandClosed && !isAll(expressions))
      return this.#literal(expressions.slice(0, maxExpressions), options)
    const found = new Map<string, Found>()
    const wanted = isAll(expressions) ? ['*'] : expressions.slice(0, maxExpressions)
    let sawWildcard = false
    for (const written of wanted) {
      if (written.startsWith('-') && sawWildcard) {
        this.#exclude(found, resolveDateMathName(written.slice(1), this.#now))
        continue
      }
      const expression = written === '_all' ? '*' : resolveDateMathName(written, this.#now)
      if (expression.includes('*')) {
        sawWildcard = true
        const before = found.size
        const matched = this.#expand(found, expression, options)
        if (matched === 0 && found.size === before && !options.allowNoIndices)
          throw indexNotFound(written === '*' ? (expressions[0] ?? '_all') : written)
      } else this.#name(found, expression, options)
    }
    if (found.size === 0 && !options.allowNoIndices) {
      const text = expressions.join(',')
      throw indexNotFound(text === '' ? '_all' : text, undefined, 'index_expression')
    }
    return resolved(found)
  }

  /**
   * Resolves expressions that stand for nothing but themselves (`expand_wildcards=none`). A single one that is not
   * there is no error where there may be no indices.
   */
  #literal(expressions: readonly string[], options: IndicesOptions): ResolvedIndex[] {
    const mayMiss = expressions.length === 1 ? options.allowNoIndices : options.ignoreUnavailable
    const found = new Map<string, Found>()
    for (const written of expressions) {
      const name = resolveDateMathName(written, this.#now)
      const before = found.size
      this.#name(found, name, { ...options, ignoreUnavailable: true })
      if (found.size === before && !mayMiss && this.#isUnknown(name))
        throw indexNotFound(written, undefined, 'index_expression')
    }
    return resolved(found)
  }

  #isUnknown(name: string): boolean {
    const { indices, dataStreams } = this.#state
    return (
      memberOf(indices, name) === undefined &&
      memberOf(dataStreams, name) === undefined &&
      this.behindAlias(name).length === 0
    )
  }

  #expand(found: Map<string, Found>, pattern: string, options: IndicesOptions): number {
    let matched = 0
    const take = (
      index: IndexMetadata,
      alias: readonly [string, AliasMetadata] | undefined,
      isShown: boolean,
    ) => {
      if (index.isOpen ? !options.expandOpen : !options.expandClosed) return
      if (!isShown && !options.expandHidden) return
      matched++
      add(found, index, alias)
    }
    const reachesHidden = pattern.startsWith('.')
    for (const target of this.#matching(pattern, options.ignoreAliases)) {
      if ('stream' in target) {
        for (const index of this.#backing(target.stream)) take(index, undefined, !target.stream.hidden)
      } else if (target.alias === undefined) {
        const { index } = target
        take(index, undefined, !isHidden(index) || (reachesHidden && index.name.startsWith('.')))
      } else {
        const [name, alias] = target.alias
        take(target.index, target.alias, alias.is_hidden !== true || (reachesHidden && name.startsWith('.')))
      }
    }
    return matched
  }

  /** What a pattern matches: indices by name, each before its aliases, then data streams. */
  #matching(pattern: string, ignoreAliases: boolean): readonly Target[] {
    const { names, byName, all } = this.#names.targets(ignoreAliases)
    const places: number[] = []
    for (const name of names.matching(pattern)) for (const place of byName.get(name)!) places.push(place)
    return places.sort((a, b) => a - b).map((place) => all[place]!)
  }

  #name(found: Map<string, Found>, name: string, options: IndicesOptions): void {
    if (name.startsWith('_')) throw invalidIndexName(name, "must not start with '_'.")
    const { indices, dataStreams } = this.#state
    const index = memberOf(indices, name)
    if (index !== undefined) return this.#take(found, index, undefined, options)
    const stream = memberOf(dataStreams, name)
    if (stream !== undefined) {
      for (const backing of this.#backing(stream)) this.#take(found, backing, undefined, options)
      return
    }
    const behind = options.ignoreAliases ? [] : this.behindAlias(name)
    if (behind.length === 0) {
      if (options.ignoreUnavailable) return
      throw indexNotFound(name)
    }
    for (const one of behind) this.#take(found, one, [name, one.aliases[name]!], options)
  }

  #take(
    found: Map<string, Found>,
    index: IndexMetadata,
    alias: [string, AliasMetadata] | undefined,
    { forbidClosed, ignoreUnavailable }: IndicesOptions,
  ): void {
    if (!index.isOpen && forbidClosed) {
      if (ignoreUnavailable) return
      throw indexClosed(index.name, index.uuid)
    }
    add(found, index, alias)
  }

  #exclude(found: Map<string, Found>, pattern: string): void {
    if (found.size === 0) return
    if (!pattern.includes('*')) {
      found.delete(pattern)
      for (const { name } of this.behindAlias(pattern)) found.delete(name)
      const stream = memberOf(this.#state.dataStreams, pattern)
      if (stream !== undefined) for (const name of stream.indices) found.delete(name)
      return
    }
    for (const target of this.#matching(pattern, false)) {
      if ('index' in target) found.delete(target.index.name)
      else for (const name of target.stream.indices) found.delete(name)
    }
  }

  #backing(stream: DataStream): IndexMetadata[] {
    return stream.indices
      .map((name) => memberOf(this.#state.indices, name))
      .filter((index) => index !== undefined)
  }

  /** Returns the indices of an alias, by name. */
  behindAlias(alias: string): readonly IndexMetadata[] {
    return this.#names.behind.get(alias) ?? []
  }
}

function indicesByAlias({ indices }: ClusterState): ReadonlyMap<string, readonly IndexMetadata[]> {
  const behind = new Map<string, IndexMetadata[]>()
  for (const index of sortedByName(indices)) {
    for (const alias of Object.keys(index.aliases)) {
      const known = behind.get(alias)
      if (known === undefined) behind.set(alias, [index])
      else known.push(index)
    }
  }
  return behind
}

function targetsOf({ indices, dataStreams }: ClusterState, ignoreAliases: boolean): Targets {
  const byName = new Map<string, number[]>()
  const all: Target[] = []
  const addTarget = (name: string, target: Target) => {
    const known = byName.get(name)
    if (known === undefined) byName.set(name, [all.length])
    else known.push(all.length)
    all.push(target)
  }
  for (const index of sortedByName(indices)) {
    addTarget(index.name, { index })
    if (ignoreAliases) continue
    for (const alias of Object.entries(index.aliases)) addTarget(alias[0], { index, alias })
  }
  for (const stream of sortedByName(dataStreams)) addTarget(stream.name, { stream })
  return { names: new NameIndex([...byName.keys()]), byName, all }
}

function resolved(found: ReadonlyMap<string, Found>): ResolvedIndex[] {
  return Array.from(found.values(), ({ index, isDirect, aliases }) => ({
    index,
    isDirect,
    aliases: [...aliases],
  }))
}

function add(
  found: Map<string, Found>,
  index: IndexMetadata,
  alias: readonly [string, AliasMetadata] | undefined,
): void {
  const known = found.get(index.name)
  if (known === undefined) {
    found.set(index.name, {
      index,
      isDirect: alias === undefined,
      aliases: new Map(alias === undefined ? [] : [alias]),
    })
  } else if (alias === undefined) known.isDirect = true
  else known.aliases.set(alias[0], alias[1])
}

export function sortedByName<Value extends { readonly name: string }>(
  record: Readonly<Record<string, Value>>,
): Value[] {
  return byName(Object.values(record))
}

/** Sorts in place. */
function byName<Value extends { readonly name: string }>(values: Value[]): Value[] {
  return values.sort((a, b) => (a.name < b.name ? -1 : 1))
}
