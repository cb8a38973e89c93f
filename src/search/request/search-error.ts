/**
 * What the engine refuses, in the words of Elasticsearch: `type` is its error type, the message its reason,
 * `details` stand beside them in the error body (index, line, col, …). The HTTP side renders the envelope.
 */
import { statusOf } from './error-types.ts'

export interface SearchErrorOptions {
  /** That of the type when absent (`error-types.ts`). */
  readonly status?: number
  /** The error one level further in. */
  readonly cause?: Error | undefined
  readonly details?: Readonly<Record<string, unknown>>
}

export class SearchError extends Error {
  override readonly name = 'SearchError'
  readonly type: string
  readonly status: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(type: string, reason: string, options: SearchErrorOptions = {}) {
    super(reason, options.cause === undefined ? undefined : { cause: options.cause })
    this.type = type
    this.status = options.status ?? statusOf(type)
    this.details = options.details ?? {}
  }

  get reason(): string {
    return this.message
  }

  get causedBy(): Error | undefined {
    return this.cause instanceof Error ? this.cause : undefined
  }
}
