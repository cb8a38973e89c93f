/**
 * Refuses to listen where other machines can reach the node while nobody is asked for a password, unless the operator
 * said so. Each API is looked at by itself.
 */
import { SettingsError } from './errors.ts'
import type { Settings } from './settings.ts'

/** Stands in for the setting in containers. */
export const insecureBindVariable = 'MILLRACE_INSECURE_BIND'

export function isLoopback(host: string): boolean {
  const plain = host.toLowerCase().replace(/^\[|\]$/g, '')
  return plain === 'localhost' || plain === '::1' || /^127(?:\.\d{1,3}){3}$/.test(plain)
}

export function checkBinds(settings: Settings): void {
  if (settings.get('security.enabled') || settings.get('security.insecure_bind')) return
  if (settings.get('search.enabled')) check('search.http.host', settings.get('search.http.host'), '')
  if (settings.get('api.enabled') && settings.get('api.auth.type') !== 'basic')
    check('api.http.host', settings.get('api.http.host'), 'or `api.auth.type: basic` ')
}

function check(setting: string, host: string, alternative: string): void {
  if (isLoopback(host)) return
  throw new SettingsError(
    `\`${setting}\` is ${host}: other machines could reach the node, and nobody would be asked for a password. ` +
      `Set \`security.enabled: true\` ${alternative}(docs/guide/security.md), or leave \`${setting}\` at 127.0.0.1. ` +
      `If everybody who reaches this machine may use it, say so with \`security.insecure_bind: true\`, ` +
      `--insecure-bind or the environment variable ${insecureBindVariable}=true.`,
  )
}
