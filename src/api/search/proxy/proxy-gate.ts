/**
 * Who may send what to the cluster, when users are kept here. Which indices a pattern stands for is known to the cluster
 * alone, so patterns are not narrowed as those of the embedded store are: whoever names indices must be permitted all
 * that the expression could name. Requests that name indices in their body are for those who are permitted the action
 * everywhere, but for bulk requests, whose lines are looked at.
 */
import { Router } from '../../../http/router.ts'
import type { Compat } from '../../../search/index/compat.ts'
import { splitExpression } from '../../../search/index/index-expressions.ts'
import { resolveDateMathName } from '../../../search/index/templates/date-math-names.ts'
import { isObject, own } from '../../../search/request/json-object.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import { denialReason } from '../../../security/denial.ts'
import type { Principal } from '../../../security/principal.ts'
import type { Security } from '../../../security/security.ts'
import { errorBody } from '../error-envelope.ts'
import type { Answer, Route } from '../route.ts'
import { searchApiRoutes } from '../routes.ts'
import { Gate, type Visitor } from '../security/gate.ts'
import { routeAction } from '../security/route-actions.ts'

type Verdict =
  /** `checksBulk`: the lines of the body are still to be looked at. */
  { readonly principal: Principal; readonly checksBulk: boolean } | { readonly refused: Answer }

const unlisted = 'cluster:admin/millrace/unlisted'
const bulkAction = 'indices:data/write/bulk'
/** Their ids were given to somebody who was permitted the search. */
const byContext = /^indices:data\/read\/scroll|^indices:data\/read\/close_point_in_time/
/** User management of the cluster, whose users are not those of this node: only who may do everything may use it. */
const ofUsers = /^\/(?:_security|_xpack\/security|_plugins\/_security|_opendistro\/_security)(?:\/|$)/

export class ProxyGate {
  readonly #gate: Gate
  readonly #security: Security
  readonly #compat: Compat
  readonly #router = new Router<Route>()

  constructor(security: Security, compat: Compat) {
    this.#gate = new Gate(security)
    this.#security = security
    this.#compat = compat
    for (const one of searchApiRoutes)
      for (const path of one.paths) for (const method of one.methods) this.#router.add(method, path, one)
  }

  async enter(visitor: Visitor): Promise<Verdict> {
    const outcome = await this.#security.authenticate(visitor.authorization, visitor.address)
    if (!('principal' in outcome))
      return { refused: this.#gate.refusal(outcome, visitor, this.#compat.isOpenSearch) }
    const { principal } = outcome
    const denied = visitor.runAs === undefined ? this.#denied(principal, visitor) : ([unlisted] as const)
    if (denied === undefined) return { principal, checksBulk: false }
    if (denied === 'bulk') return { principal, checksBulk: true }
    const [action, indices] = denied
    return { refused: this.#refusal(principal, visitor, action, indices) }
  }

  /** A refusal when the principal may not write to an index that a bulk request names. */
  bulkRefusal(principal: Principal, visitor: Visitor, body: Buffer): Answer | undefined {
    const [, index] = /^\/([^/]+)\/_bulk/.exec(visitor.url) ?? []
    const refused = new Set<string>()
    for (const { name, action } of bulkTargets(body, index === undefined ? '' : decodeURIComponent(index)))
      if (!principal.grants.allowsIndex(action, name)) refused.add(name)
    return refused.size === 0 ? undefined : this.#refusal(principal, visitor, bulkAction, [...refused])
  }

  #refusal(principal: Principal, visitor: Visitor, action: string, indices?: readonly string[]): Answer {
    const { method, url, address } = visitor
    const [path = url] = url.split('?')
    const user = principal.username
    this.#security.audit.record('access_denied', {
      user,
      address,
      method,
      path,
      action,
      indices,
      port: 'search',
    })
    const dialect = this.#compat.isOpenSearch ? 'opensearch' : 'elasticsearch'
    const reason = denialReason(dialect, principal, action, indices)
    return { status: 403, body: errorBody(new SearchError('security_exception', reason), false) }
  }

  /** The action that is not permitted, and on what; undefined when all is. */
  #denied(
    { grants }: Principal,
    { method, url }: Visitor,
  ): readonly [action: string, indices?: readonly string[]] | 'bulk' | undefined {
    const question = url.indexOf('?')
    const path = question < 0 ? url : url.slice(0, question)
    const match = ofUsers.test(path) ? undefined : this.#router.find(method, path)
    const rule = match && (match.handler.access ?? routeAction(match.handler, method))
    if (match === undefined || rule === undefined)
      return grants.allowsCluster(unlisted) ? undefined : [unlisted]
    const { action, target } = rule
    if (target === 'self') return undefined
    if (target === 'cluster') return grants.allowsCluster(action) ? undefined : [action]
    if (grants.allowsEverywhere(action)) return undefined
    if (!grants.allowsIndexAction(action)) return [action]
    if (target === 'parts') {
      if (action === bulkAction) return 'bulk'
      return byContext.test(action) ? undefined : [action]
    }
    const parameters = new URLSearchParams(question < 0 ? '' : url.slice(question + 1))
    const written = match.parameters['index'] ?? match.parameters['name'] ?? parameters.get('index') ?? '*'
    const names = namesOf(written)
    const actions = action.endsWith('/byquery') ? [action, 'indices:data/read/search'] : [action]
    const refused = names.filter((name) => !actions.every((one) => grants.allowsIndex(one, name)))
    return refused.length === 0 ? undefined : [action, refused]
  }
}

/** What an expression could name; what it leaves out needs no permission. */
function namesOf(expression: string): string[] {
  const names = splitExpression(expression).filter((name) => !name.startsWith('-'))
  if (names.length === 0) return ['*']
  return names.map((name) => (name === '_all' ? '*' : resolveDateMathName(name, Date.now())))
}

const bulkActions: Readonly<Record<string, string>> = {
  index: 'indices:data/write/index',
  create: 'indices:data/write/index:op_type/create',
  update: 'indices:data/write/update',
  delete: 'indices:data/write/delete',
}

/** What each action line of a bulk request does, and where; what cannot be read counts as everything. */
function* bulkTargets(body: Buffer, standard: string): Generator<{ name: string; action: string }> {
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf(10, at)
    const line = body.toString('utf8', at, end < 0 ? body.length : end)
    at = end < 0 ? body.length : end + 1
    if (line.trim() === '') continue
    const { kind, name } = actionOf(line) ?? { kind: 'index', name: '*' }
    yield { name: resolveDateMathName(name ?? standard, Date.now()), action: bulkActions[kind] ?? bulkAction }
    if (kind === 'delete') continue
    const next = body.indexOf(10, at)
    at = next < 0 ? body.length : next + 1
  }
}

function actionOf(line: string): { kind: string; name: string | undefined } | undefined {
  try {
    const value: unknown = JSON.parse(line)
    const [kind] = isObject(value) ? Object.keys(value) : []
    if (kind === undefined || !Object.hasOwn(bulkActions, kind)) return undefined
    const options = (value as Record<string, unknown>)[kind]
    const name = isObject(options) ? own(options, '_index') : undefined
    return { kind, name: name === undefined ? undefined : String(name) }
  } catch {
    return undefined
  }
}
