/** Names of parts in a path, separated by commas; and which shape `/_node` and `/_node/stats` have. */
import type { HttpRequest } from '../../../http/service.ts'
import type { Settings } from '../../../settings/settings.ts'

export function namesIn({ parameters }: HttpRequest): string[] {
  return (parameters['parts'] ?? '').split(',').map((name) => name.trim())
}

/** Before version 6 there was one pipeline. */
export function isOldShape(settings: Settings): boolean {
  return Number.parseInt(settings.get('api.compat.version'), 10) < 6
}
