/**
 * Authentication of the search API, and the answers to those who fail it: those of Elasticsearch, or of
 * OpenSearch's security plugin.
 */
import type { Cluster } from '../../../search/index/cluster.ts'
import { SearchError } from '../../../search/request/search-error.ts'
import type { Authentication } from '../../../security/authentication.ts'
import type { Principal } from '../../../security/principal.ts'
import type { Security } from '../../../security/security.ts'
import type { Call } from '../call.ts'
import { errorBody } from '../error-envelope.ts'
import type { Answer, Route } from '../route.ts'
import { Access } from './access.ts'
import { authorize } from './authorization.ts'
import { ContextOwners } from './context-owners.ts'
import { healthAnswer } from './health-answer.ts'

export interface Visitor {
  readonly method: string
  /** Includes the query string. */
  readonly url: string
  readonly authorization: string | undefined
  /** `es-security-runas-user`, which is always refused. */
  readonly runAs?: string | undefined
  readonly address: string
}

export type Entry = { readonly access: Access } | { readonly refused: Answer }

const challenges = ['Basic realm="security" charset="UTF-8"', 'ApiKey']
/** A liveness probe; it only tells that this thread answers. */
const livePath = '/-/live'
const healthPath = '/_plugins/_security/health'

export class Gate {
  readonly security: Security
  readonly #owners = new ContextOwners()

  constructor(security: Security) {
    this.security = security
  }

  /** Returns the access of the sender, or a refusal. Only credentials that are not cached take time. */
  enter(visitor: Visitor, cluster: Cluster): Entry | Promise<Entry> {
    const outcome = this.security.authenticate(visitor.authorization, visitor.address)
    if (!(outcome instanceof Promise)) return this.#judged(outcome, visitor, cluster)
    return outcome.then((settled) => this.#judged(settled, visitor, cluster))
  }

  #judged(outcome: Authentication, visitor: Visitor, cluster: Cluster): Entry {
    if ('principal' in outcome) {
      const { principal } = outcome
      const access = this.#access(principal, cluster, visitor)
      if (visitor.runAs === undefined) return { access }
      // A request to run with fewer rights must not run with all of them.
      const reason = `user [${principal.username}] is unauthorized to run as [${visitor.runAs}]`
      const error = new SearchError('security_exception', reason)
      return { refused: { status: 403, body: errorBody(error, false) } }
    }
    return { refused: this.refusal(outcome, visitor, cluster.compat.isOpenSearch) }
  }

  /** The answer to somebody who did not say who they are, or not rightly. */
  refusal(outcome: Failure, { method, address, url }: Visitor, isOpenSearch: boolean): Answer {
    const [path = url] = url.split('?')
    if (outcome.failure === 'missing' && (method === 'GET' || method === 'HEAD')) {
      if (path === livePath) return { text: 'live\n' }
      if (path === healthPath) return healthAnswer
    }
    const event =
      outcome.failure === 'missing'
        ? 'anonymous_access_denied'
        : outcome.failure === 'locked'
          ? 'authentication_locked'
          : 'authentication_failed'
    const user = outcome.failure === 'user' ? outcome.username.slice(0, 256) : undefined
    this.security.audit.record(event, { user, address, method, path, port: 'search' })
    return isOpenSearch ? unauthorizedText(outcome) : unauthorizedBody(outcome, url)
  }

  authorize(access: Access, route: Route, call: Call): void {
    authorize(access, route, call)
    if (this.security.audit.wantsGranted) access.noteGranted()
  }

  #access(principal: Principal, cluster: Cluster, visitor: Visitor): Access {
    return new Access(principal, cluster, this.#owners, (event, action, indices) =>
      this.#record(event, principal, visitor, action, indices),
    )
  }

  #record(
    event: 'access_denied' | 'access_granted' | 'security_config_change',
    principal: Principal,
    { address, method, url }: Visitor,
    action: string,
    indices?: readonly string[],
  ): void {
    const [path = url] = url.split('?')
    const { username: user, apiKey } = principal
    const who = { user, apiKey: apiKey?.id }
    this.security.audit.record(event, { ...who, address, method, path, action, indices, port: 'search' })
  }
}

type Failure = Exclude<Authentication, { readonly principal: Principal }>

function unauthorizedText(outcome: Failure): Answer {
  if (outcome.failure === 'locked')
    return {
      status: 429,
      text: 'Too Many Requests',
      headers: { 'retry-after': String(outcome.retryAfterSeconds) },
    }
  const headers = { 'www-authenticate': 'Basic realm="OpenSearch Security"' }
  return { status: 401, text: 'Unauthorized', headers }
}

function unauthorizedBody(outcome: Failure, url: string): Answer {
  if (outcome.failure === 'locked') {
    const seconds = outcome.retryAfterSeconds
    const reason = `too many failed authentication attempts, try again in ${seconds} seconds`
    const body = errorBody(new SearchError('security_exception', reason, { status: 429 }), false)
    return { status: 429, body, headers: { 'retry-after': String(seconds) } }
  }
  const details = {
    ...(outcome.failure === 'api_key' && { additional_unsuccessful_credentials: outcome.detail }),
    header: { 'WWW-Authenticate': challenges },
  }
  const error = new SearchError('security_exception', reasonOf(outcome, url), { status: 401, details })
  return { status: 401, body: errorBody(error, false), headers: { 'www-authenticate': challenges } }
}

function reasonOf(outcome: Exclude<Failure, { failure: 'locked' }>, url: string): string {
  if (outcome.failure === 'user')
    return `unable to authenticate user [${outcome.username}] for REST request [${url}]`
  if (outcome.failure === 'api_key')
    return 'unable to authenticate with provided credentials and anonymous access is not allowed for this request'
  return `missing authentication credentials for REST request [${url}]`
}
