/**
 * A configuration that cannot be loaded: Logstash's sentence, and the place in the source it speaks of.
 */
import type { Place } from '../../lang/ast.ts'

export class ConfigurationError extends Error {
  readonly code: string
  readonly place: Place | undefined
  readonly hint: string | undefined

  constructor(message: string, place?: Place, details: { code?: string; hint?: string } = {}) {
    super(message)
    this.name = 'ConfigurationError'
    this.place = place
    this.code = details.code ?? 'configuration'
    this.hint = details.hint
  }
}
