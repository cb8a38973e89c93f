/**
 * What goes wrong on the way to a cluster. Answers of the cluster, whatever their status, are no errors here: they are
 * passed on as they are.
 */

export interface FailedAttempt {
  readonly host: string
  readonly message: string
}

/** No host could be asked, or the one that was asked gave no answer and the request may not be sent twice. */
export class ClusterUnreachable extends Error {
  override readonly name = 'ClusterUnreachable'
  readonly status = 503
  /** The name Elasticsearch's own client has for it. */
  readonly type = 'no_node_available_exception'
  readonly attempts: readonly FailedAttempt[]
  /** True when the request may have arrived all the same. */
  readonly mayHaveArrived: boolean

  constructor(attempts: readonly FailedAttempt[], mayHaveArrived: boolean) {
    const tried = attempts.map(({ host, message }) => `${host} (${message})`).join(', ')
    super(
      mayHaveArrived
        ? `The node of the cluster that was asked gave no answer: [${tried}]`
        : `None of the configured nodes are available: [${tried}]`,
    )
    this.attempts = attempts
    this.mayHaveArrived = mayHaveArrived
  }

  /** The body of the answer that says so, in the envelope of Elasticsearch and OpenSearch. */
  get body() {
    const cause = { type: this.type, reason: this.message }
    return { error: { root_cause: [cause], ...cause }, status: this.status }
  }
}

/** An answer that was to be read whole has more bytes than its reader takes. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge'

  constructor(maxBytes: number) {
    super(`The answer of the cluster is larger than ${maxBytes} bytes`)
  }
}
