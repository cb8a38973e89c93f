/**
 * Resolves index expressions: names, wildcards, aliases, data streams, date math and exclusions. The options say
 * which index states wildcards match, and whether an unknown name is an error. (Elasticsearch's
 * IndexNameExpressionResolver.)
 */

import { indexClosed, indexNotFound, invalidIndexName } from '../request/index-errors.ts'
import { simpleMatch } from '../request/simple-match.ts'
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
  aliases: [string, AliasMetadata][]
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

export class IndexResolver {
  readonly #state: ClusterState
  readonly #now: number

  constructor(state: ClusterState, now: number) {
    this.#state = state
    this.#now = now
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
    return [...found.values()]
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
    return [...found.values()]
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
    const take = (index: IndexMetadata, alias: [string, AliasMetadata] | undefined, isShown: boolean) => {
      if (index.isOpen ? !options.expandOpen : !options.expandClosed) return
      if (!isShown && !options.expandHidden) return
      matched++
      add(found, index, alias)
    }
    const reachesHidden = pattern.startsWith('.')
    const { indices, dataStreams } = this.#state
    for (const index of sortedByName(indices)) {
      if (simpleMatch(pattern, index.name))
        take(index, undefined, !isHidden(index) || (reachesHidden && index.name.startsWith('.')))
      if (options.ignoreAliases) continue
      for (const [name, alias] of Object.entries(index.aliases)) {
        if (!simpleMatch(pattern, name)) continue
        take(index, [name, alias], alias.is_hidden !== true || (reachesHidden && name.startsWith('.')))
      }
    }
    for (const stream of sortedByName(dataStreams)) {
      if (!simpleMatch(pattern, stream.name)) continue
      for (const index of this.#backing(stream)) take(index, undefined, !stream.hidden)
    }
    return matched
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
    for (const { index } of [...found.values()]) {
      const names = [index.name, ...Object.keys(index.aliases)]
      if (names.some((name) => simpleMatch(pattern, name))) found.delete(index.name)
    }
    for (const stream of Object.values(this.#state.dataStreams)) {
      if (simpleMatch(pattern, stream.name)) for (const name of stream.indices) found.delete(name)
    }
  }

  #backing(stream: DataStream): IndexMetadata[] {
    return stream.indices
      .map((name) => memberOf(this.#state.indices, name))
      .filter((index) => index !== undefined)
  }

  /** Returns the indices of an alias, by name. */
  behindAlias(alias: string): IndexMetadata[] {
    const { indices } = this.#state
    return byName(Object.values(indices).filter(({ aliases }) => Object.hasOwn(aliases, alias)))
  }
}

function add(
  found: Map<string, Found>,
  index: IndexMetadata,
  alias: [string, AliasMetadata] | undefined,
): void {
  const known = found.get(index.name)
  if (known === undefined) {
    found.set(index.name, {
      index,
      isDirect: alias === undefined,
      aliases: alias === undefined ? [] : [alias],
    })
  } else if (alias === undefined) known.isDirect = true
  else known.aliases.push(alias)
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
