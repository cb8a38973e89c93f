/**
 * Who may use the monitoring API: everybody; those who know the user name and password of the settings; with security
 * on, users and API keys whose roles let them monitor the node, or manage it for changes. Probes need neither. Nobody
 * comes in under a foreign host name, and whoever changes something must not come from somebody else's web page.
 */
import { hostname } from 'node:os'
import { AllowedHosts } from '../../http/allowed-hosts.ts'
import { isPageVisit } from '../../http/page-visit.ts'
import { type Reply, text } from '../../http/respond.ts'
import { Router } from '../../http/router.ts'
import { isChange, isForeignPage } from '../../http/same-site.ts'
import type { HttpRequest, Service } from '../../http/service.ts'
import { Logger } from '../../log/logger.ts'
import type { AuditEvent } from '../../security/audit-log.ts'
import type { Authentication } from '../../security/authentication.ts'
import type { Security } from '../../security/security.ts'
import type { Settings } from '../../settings/settings.ts'
import { fleetPath, searchPrefix, sessionPath } from '../ui/paths.ts'
import type { WhoIs } from '../ui/session-routes.ts'
import type { Sessions } from '../ui/sessions.ts'
import { problemReply } from './error-bodies.ts'
import { isProbe } from './live.ts'

const challenge = { 'www-authenticate': 'Basic realm="logstash-api"' }
const monitorAction = 'cluster:monitor/logstash'
const manageAction = 'cluster:admin/logstash/manage'

/** Reading these shows events, or texts with passwords in them, which takes more than reading figures. */
const showsEvents = new Router<true>()
  .add('GET', '/_node/pipelines/:id/_tap', true)
  .add('GET', '/_node/traces', true)
  .add('GET', '/_node/traces/:key', true)
  .add('GET', '/_node/pipelines/:id/_dead_letters', true)
  .add('GET', '/_node/pipelines/:id/_source', true)

function actionOf({ method, path }: HttpRequest): string {
  return isChange(method) || showsEvents.find(method, path) !== undefined ? manageAction : monitorAction
}

type Guard = NonNullable<Service['guard']>
type SyncGuard = (request: HttpRequest) => Reply | undefined

export async function guardFor(settings: Settings, security?: Security, sessions?: Sessions): Promise<Guard> {
  const basic = await credentialsGuard(settings)
  const hasPage = settings.get('api.ui.enabled')
  const hosts = new AllowedHosts([hostname(), settings.get('api.http.host'), ...namesOf(settings)])
  return (request) => {
    if (!hosts.allows(request.headers.host)) {
      note(security, 'host_refused', request)
      const named = `the host name [${request.headers.host}] is not allowed: name it in the setting [security.allowed_hosts]`
      return problemReply(request, 403, named)
    }
    if (isProbe(request.path)) return undefined
    if (isChange(request.method)) {
      if (isForeignPage(request.headers, hosts)) {
        note(security, 'origin_refused', request)
        return problemReply(request, 403, 'Forbidden')
      }
      const type = pageType(request)
      if (type !== undefined)
        return problemReply(request, 406, `Content-Type header [${type}] is not supported`)
    }
    // The page itself holds nothing; it asks for the password that everything else needs.
    if (hasPage && isPage(request)) return undefined
    const session = sessions?.authorizationOf(request.headers.cookie)
    if (session !== undefined) request.headers.authorization ??= session
    if (security === undefined) return basic?.(request)
    if (basic !== undefined && basic(request) === undefined) return undefined
    // The store asks who it is, and what they may do there.
    if (request.path.startsWith(`${searchPrefix}/`)) return undefined
    const outcome = security.authenticate(request.headers.authorization, request.remoteAddress ?? '')
    if (outcome instanceof Promise) return outcome.then((settled) => judged(security, settled, request))
    return judged(security, outcome, request)
  }
}

/** The page, its scripts, the question who looks at it, and the way to it. */
function isPage({ method, path, query, headers }: HttpRequest): boolean {
  if (path === sessionPath) return true
  if (isChange(method)) return false
  if (path === '/') return isPageVisit(headers) && query.raw === ''
  const isData = [searchPrefix, fleetPath].some((start) => path.startsWith(`${start}/`))
  return path === '/ui' || (path.startsWith('/ui/') && !isData)
}

/** The dashboard has a form of its own: for its requests the browser is not told to ask for a password. */
export function challengeFor({ headers }: Pick<HttpRequest, 'headers'>): typeof challenge | undefined {
  const isOfPage = headers['x-requested-with'] === 'millrace' || headers.accept === 'text/event-stream'
  return isOfPage ? undefined : challenge
}

/** Says who somebody is that signs in at the dashboard; undefined where nobody has to. */
export async function whoIsFor(settings: Settings, security?: Security): Promise<WhoIs> {
  const isBasic = settings.get('api.auth.type') === 'basic'
  if (security === undefined && !isBasic) return undefined
  const { basicAuth } = await import('../../http/basic-auth.ts')
  const username = settings.get('api.auth.basic.username') ?? ''
  const check = isBasic ? basicAuth(username, settings.get('api.auth.basic.password') ?? '') : undefined
  return async (authorization, address) => {
    if (check?.(authorization) === 'accepted') return { user: username, mayLook: true, mayChange: true }
    const outcome = await security?.authenticate(authorization, address)
    if (outcome === undefined) return { failure: 'refused' }
    if ('principal' in outcome) {
      const { username: user, grants } = outcome.principal
      return {
        user,
        mayLook: grants.allowsCluster(monitorAction),
        mayChange: grants.allowsCluster(manageAction),
      }
    }
    if (outcome.failure === 'locked')
      return { failure: 'locked', retryAfterSeconds: outcome.retryAfterSeconds }
    return { failure: 'refused' }
  }
}

/** Where a password is asked for, a name that leads here from elsewhere gains nothing. */
function namesOf(settings: Settings): readonly string[] {
  const named = settings.get('security.allowed_hosts')
  const asks = settings.get('security.enabled') || settings.get('api.auth.type') === 'basic'
  return named.length === 0 && asks ? ['*'] : named
}

/**
 * A content type that a web page can send without a preflight, which only POST can do; undefined for any other. PUT
 * takes any type, as in Logstash.
 */
function pageType({ headers, method }: HttpRequest): string | undefined {
  if (method !== 'POST') return undefined
  const type = headers['content-type']
  if (
    type === undefined ||
    !/^\s*(?:text\/plain|multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)
  )
    return undefined
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return hasBody ? type : undefined
}

function judged(security: Security, outcome: Authentication, request: HttpRequest): Reply | undefined {
  if ('principal' in outcome) {
    const action = actionOf(request)
    const { principal } = outcome
    const who = { user: principal.username, apiKey: principal.apiKey?.id, action }
    if (principal.grants.allowsCluster(action)) {
      note(security, isChange(request.method) ? 'node_change' : 'access_granted', request, who)
      return undefined
    }
    note(security, 'access_denied', request, who)
    return problemReply(request, 403, 'Forbidden')
  }
  if (outcome.failure === 'locked') {
    note(security, 'authentication_locked', request)
    return text('', 429, { 'retry-after': String(outcome.retryAfterSeconds) })
  }
  const user = outcome.failure === 'user' ? outcome.username.slice(0, 256) : undefined
  note(
    security,
    outcome.failure === 'missing' ? 'anonymous_access_denied' : 'authentication_failed',
    request,
    user === undefined ? {} : { user },
  )
  return text('', 401, challengeFor(request))
}

function note(
  security: Security | undefined,
  event: AuditEvent,
  { method, path, remoteAddress = '' }: HttpRequest,
  details: { user?: string; apiKey?: string | undefined; action?: string } = {},
): void {
  security?.audit.record(event, { ...details, method, path, address: remoteAddress, port: 'api' })
}

async function credentialsGuard(settings: Settings): Promise<SyncGuard | undefined> {
  if (settings.get('api.auth.type') !== 'basic') return undefined
  const [{ basicAuth }, { passwordComplaint }] = await Promise.all([
    import('../../http/basic-auth.ts'),
    import('./password-policy.ts'),
  ])
  const password = settings.get('api.auth.basic.password') ?? ''
  const complaint = passwordComplaint(settings, password)
  if (complaint !== undefined) {
    if (settings.get('api.auth.basic.password_policy.mode') === 'ERROR') throw new Error(complaint)
    new Logger('logstash.agent').warn(complaint)
  }
  const check = basicAuth(settings.get('api.auth.basic.username') ?? '', password)
  return (request) => {
    const verdict = check(request.headers.authorization)
    if (verdict === 'accepted') return undefined
    return verdict === 'malformed' ? text('', 400) : text('', 401, challengeFor(request))
  }
}
