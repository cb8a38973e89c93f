/**
 * An error with an Elasticsearch error type: the message is its reason, `details` stand beside it in the error body
 * (index, line, col, …). The HTTP layer renders the envelope.
 */
import { statusOf } from './error-types.ts'

export interface SearchErrorOptions {
  /** The HTTP status; that of the type when absent (`error-types.ts`). */
  readonly status?: number
  /** The error that caused this one (`caused_by`). */
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
