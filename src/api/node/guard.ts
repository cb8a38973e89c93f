/** Who may use the monitoring API: everybody, or those who know the user name and password of the settings. */

import { text } from '../../http/respond.ts'
import type { Service } from '../../http/service.ts'
import { Logger } from '../../log/logger.ts'
import type { Settings } from '../../settings/settings.ts'

const challenge = { 'www-authenticate': 'Basic realm="logstash-api"' }

export async function guardFor(settings: Settings): Promise<Service['guard']> {
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
