/**
 * Whether somebody who may use the API may also see events and try configurations. Both can show what an operator would
 * not show to everybody, and a configuration may read files: where other machines reach the API and nobody is asked for
 * a password, neither is offered.
 */
import { HttpProblem } from '../../../http/problem.ts'
import { isLoopback } from '../../../settings/bind-settings.ts'
import type { Settings } from '../../../settings/settings.ts'

export function requireTrust(settings: Settings): void {
  const asks = settings.get('security.enabled') || settings.get('api.auth.type') === 'basic'
  if (asks || isLoopback(settings.get('api.http.host'))) return
  throw new HttpProblem(
    403,
    'Not offered where other machines reach the API and nobody is asked for a password: set `security.enabled: true`, `api.auth.type: basic` or `api.http.host: 127.0.0.1`',
  )
}
