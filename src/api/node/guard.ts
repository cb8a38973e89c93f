/**
 * Who may use the monitoring API: everybody, or those who know the user name and password of the settings; probes
 * need neither. Whoever wants to change something must not come from somebody else's web page.
 */
import { hostname } from 'node:os'
import { text } from '../../http/respond.ts'
import { isForeignPage } from '../../http/same-site.ts'
import type { HttpRequest, Service } from '../../http/service.ts'
import { Logger } from '../../log/logger.ts'
import type { Settings } from '../../settings/settings.ts'
import { problemReply } from './error-bodies.ts'
import { isProbe } from './live.ts'

const challenge = { 'www-authenticate': 'Basic realm="logstash-api"' }

type Guard = NonNullable<Service['guard']>

export async function guardFor(settings: Settings): Promise<Guard> {
  const credentials = await credentialsGuard(settings)
  const ownNames = [hostname(), settings.get('api.http.host')]
  return (request) => {
    if (isProbe(request.path)) return undefined
    if (isChange(request) && isForeignPage(request.headers, ownNames))
      return problemReply(request, 403, 'Forbidden')
    return credentials?.(request)
  }
}

function isChange({ method }: HttpRequest): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

async function credentialsGuard(settings: Settings): Promise<Guard | undefined> {
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
  return ({ headers }) => {
    const verdict = check(headers.authorization)
    if (verdict === 'accepted') return undefined
    return verdict === 'malformed' ? text('', 400) : text('', 401, challenge)
  }
}
