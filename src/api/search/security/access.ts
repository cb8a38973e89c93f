/**
 * What the sender of a request may do with the existing indices. Names that are not permitted are refused
 * with the product's error; wildcards expand to permitted indices only: everything else they match is
 * excluded by name, so that no route can see it.
 */
import type { Cluster } from '../../../search/index/cluster.ts'
import { isAll, splitExpression } from '../../../search/index/index-expressions.ts'
import { resolveDateMathName } from '../../../search/index/templates/date-math-names.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import { simpleMatch } from '../../../search/request/simple-match.ts'
import { denialReason } from '../../../security/denial.ts'
import type { Principal } from '../../../security/principal.ts'
import type { ContextOwners } from './context-owners.ts'

/** With more exclusions the permitted names are listed instead. */
const maxExclusions = 5000
/** An expression that matches no index; an empty one would match all. */
const noIndices: readonly string[] = ['*', '-*']

type Report = (
  event: 'access_denied' | 'access_granted' | 'security_config_change',
  action: string,
  indices?: readonly string[],
) => void

interface NarrowOptions {
  readonly ignoreUnavailable: boolean
  /** False where aliases do not apply, as in deleting indices. */
  readonly reachesAliases: boolean
}

export class Access {
  readonly principal: Principal
  readonly #cluster: Cluster
  readonly #owners: ContextOwners
  readonly #report: Report
  /** The action of the route, which `permits` checks by default. */
  action = ''

  constructor(principal: Principal, cluster: Cluster, owners: ContextOwners, report: Report) {
    this.principal = principal
    this.#cluster = cluster
    this.#owners = owners
    this.#report = report
  }

  permits(name: string, action = this.action): boolean {
    const { grants } = this.principal
    if (grants.allowsIndex(action, name)) return true
    // Access to a data stream includes its backing indices.
    const stream = name.startsWith('.ds-') ? this.#streamOf(name) : undefined
    return stream !== undefined && grants.allowsIndex(action, stream)
  }

  #streamOf(index: string): string | undefined {
    for (const { name, indices } of Object.values(this.#cluster.state.dataStreams))
      if (indices.includes(index)) return name
    return undefined
  }

  demandCluster(action: string): void {
    if (!this.principal.grants.allowsCluster(action)) throw this.refusal(action)
  }

  /** Requires the action on some index, for requests whose parts are checked one by one. */
  demandSomewhere(action: string): void {
    if (!this.principal.grants.allowsIndexAction(action)) throw this.refusal(action)
  }

  /** Requires the action on each of these names or patterns, which need not exist. */
  demand(action: string, names: readonly string[]): void {
    const refused = names
      .flatMap((name) => splitExpression(name))
      .map((name) => resolveDateMathName(name, this.#cluster.now()))
      .filter((name) => !this.permits(name, action))
    if (refused.length > 0) throw this.refusal(action, refused)
  }

  /** Required when a write creates the index. */
  demandCreation(name: string): void {
    const { state } = this.#cluster
    const plain = resolveDateMathName(name, this.#cluster.now())
    const isThere =
      Object.hasOwn(state.indices, plain) ||
      Object.hasOwn(state.dataStreams, plain) ||
      this.#cluster.isAlias(plain)
    if (!isThere) this.demand('indices:admin/auto_create', [plain])
  }

  refusal(action: string, indices?: readonly string[]): SearchError {
    this.#report('access_denied', action, indices)
    const dialect = this.#cluster.compat.isOpenSearch ? 'opensearch' : 'elasticsearch'
    const reason = denialReason(dialect, this.principal, action, indices)
    return new SearchError('security_exception', reason)
  }

  noteGranted(): void {
    this.#report('access_granted', this.action)
  }

  /** For the audit log. */
  noteChange(action: string): void {
    this.#report('security_config_change', action)
  }

  /** Removes what is not permitted from the expression; throws for a plain name that is not. */
  narrow(action: string, expressions: readonly string[], options: NarrowOptions): readonly string[] {
    const { grants } = this.principal
    if (grants.allowsEverywhere(action)) return expressions
    if (!grants.allowsIndexAction(action)) throw this.refusal(action)
    const wanted = isAll(expressions) ? ['*'] : expressions
    const narrowed: string[] = []
    const refused: string[] = []
    const aliases = new Set<string>()
    let sawWildcard = false
    for (const written of wanted) {
      if (written.startsWith('-') && sawWildcard) {
        narrowed.push(written)
        for (const alias of aliases) if (simpleMatch(written.slice(1), alias)) aliases.delete(alias)
        continue
      }
      const expression = written === '_all' ? '*' : resolveDateMathName(written, this.#cluster.now())
      if (expression.includes('*')) {
        sawWildcard = true
        narrowed.push(...this.#wildcard(action, expression, options, aliases))
      } else if (this.permits(expression, action)) narrowed.push(expression)
      else refused.push(expression)
    }
    if (refused.length > 0 && !options.ignoreUnavailable) throw this.refusal(action, refused)
    narrowed.push(...aliases)
    return narrowed.length === 0 ? noIndices : narrowed
  }

  /** Adds to `aliases` those that are permitted although their index is not. */
  #wildcard(
    action: string,
    pattern: string,
    { reachesAliases }: NarrowOptions,
    aliases: Set<string>,
  ): readonly string[] {
    const { state } = this.#cluster
    const streams = new Map<string, string>()
    for (const { name, indices } of Object.values(state.dataStreams))
      for (const index of indices) streams.set(index, name)
    const excluded: string[] = []
    const permitted: string[] = []
    for (const index of Object.values(state.indices)) {
      const stream = streams.get(index.name)
      const names = Object.keys(index.aliases)
      const isReached =
        simpleMatch(pattern, index.name) ||
        names.some((name) => simpleMatch(pattern, name)) ||
        (stream !== undefined && simpleMatch(pattern, stream))
      if (!isReached) continue
      if (this.permits(index.name, action)) {
        if (index.isOpen && simpleMatch(pattern, index.name)) permitted.push(index.name)
        continue
      }
      excluded.push(`-${index.name}`)
      if (!reachesAliases) continue
      for (const name of names)
        if (simpleMatch(pattern, name) && this.permits(name, action)) aliases.add(name)
    }
    if (excluded.length > maxExclusions) return permitted.length === 0 ? noIndices : permitted
    return [pattern, ...excluded]
  }

  /** A scroll or point in time belongs to the user who opened it. */
  own(contextId: unknown): void {
    if (typeof contextId === 'string') this.#owners.add(contextId, this.#ownerName())
  }

  owns(contextId: string): boolean {
    return this.#owners.isOwner(contextId, this.#ownerName())
  }

  demandContext(contextId: unknown): void {
    if (typeof contextId !== 'string' || this.owns(contextId)) return
    throw new SearchError('search_context_missing_exception', 'No search context found for id [0]')
  }

  #ownerName(): string {
    const { username, apiKey } = this.principal
    return apiKey === undefined ? `user ${username}` : `key ${apiKey.id}`
  }
}
