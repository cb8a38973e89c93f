/**
 * Gets a batch into the cluster, however long that takes. What the cluster cannot do now is tried again, only
 * the items concerned, with doubling pauses; what it will never do is turned away once. A request without an
 * answer goes to the next host.
 */
import type { Event } from '../../../event/event.ts'
import { inspect } from '../../../log/ruby-inspect.ts'
import type { Metric, PluginLogger } from '../../../plugin/define.ts'
import { recycle } from '../../../plugin/encode-buffer.ts'
import { longestTimer } from '../pause.ts'
import { type BulkAction, type Refusal, shownAction } from './bulk-actions.ts'
import { type ItemAnswer, readBulkAnswer } from './bulk-answer.ts'
import { type BulkRequest, bulkRequests } from './bulk-body.ts'
import type { Answer, BulkClient } from './bulk-client.ts'
import { badResponse, HostUnreachable, NoConnectionAvailable } from './cluster-client.ts'
import type { Product } from './settings.ts'

export interface DeliverySettings {
  readonly client: BulkClient
  readonly product: Product
  readonly bulkPath: string
  readonly initialSeconds: number
  readonly longestSeconds: number
  /** Statuses of items that will never work. */
  readonly hopeless: ReadonlySet<number>
  readonly droppedErrors: ReadonlySet<string>
  readonly silencedErrors: ReadonlySet<string>
  readonly logger: PluginLogger
  /** Takes an event that cannot be stored; false when there is no place for such events. */
  deadLetter(event: Event, reason: string): boolean
  metric(name: string): Metric
}

/** Statuses that are counted one by one. */
const countedStatuses = [200, 201, 400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504] as const

/** What an output that delivers declares about its metrics. */
export const deliveryMetrics = {
  metrics: {
    'bulk_requests.successes': 'Bulk requests all items of which succeeded.',
    'bulk_requests.with_errors': 'Bulk requests some items of which failed.',
    'bulk_requests.failures': 'Bulk requests without an answer, or refused as a whole.',
    'documents.successes': 'Events stored.',
    'documents.retryable_failures': 'Events that failed and were tried again.',
    'documents.non_retryable_failures': 'Events that were dropped.',
    'documents.dlq_routed': 'Events that went to the dead letter queue.',
  },
  metricsOf: () =>
    Object.fromEntries(
      countedStatuses.map((status) => [
        `bulk_requests.responses.${status}`,
        `Answers with the status ${status}.`,
      ]),
    ),
}

export class Delivery {
  readonly #settings: DeliverySettings
  readonly #responses: ReadonlyMap<number, Metric>
  readonly #count: Readonly<Record<CounterName, Metric>>

  constructor(settings: DeliverySettings) {
    this.#settings = settings
    const { metric } = settings
    this.#responses = new Map(
      countedStatuses.map((status) => [status, metric(`bulk_requests.responses.${status}`)]),
    )
    this.#count = Object.fromEntries(counterNames.map((name) => [name, metric(name)])) as Record<
      CounterName,
      Metric
    >
  }

  /** Resolves when every action is stored or turned away; rejects only when the pipeline has to stop. */
  async deliver(actions: readonly BulkAction[]): Promise<void> {
    let left = actions
    let seconds = this.#settings.initialSeconds
    while (left.length > 0) {
      const again: BulkAction[] = []
      for (const request of bulkRequests(left)) again.push(...(await this.#send(request)))
      if (again.length === 0) return
      this.#settings.logger.info(
        'Retrying individual bulk actions that failed or were rejected by the previous bulk request',
        { count: again.length },
      )
      seconds = await this.#pause(seconds)
      left = again
    }
  }

  refuse({ event, message }: Refusal): void {
    this.#turnAway(event, message, 'warn')
  }

  /** One request until it has an answer; the actions to try again. */
  async #send(request: BulkRequest): Promise<BulkAction[]> {
    let seconds = this.#settings.initialSeconds
    for (;;) {
      try {
        const answer = await this.#request(request)
        if (answer === 'too large') return await this.#halves(request)
        const items = readBulkAnswer(answer.body, request.actions.length)
        this.#count[items === undefined ? 'bulk_requests.successes' : 'bulk_requests.with_errors'].increment()
        recycle([request.block])
        if (items !== undefined) return this.#judge(request.actions, items)
        this.#count['documents.successes'].increment(request.actions.length)
        return []
      } catch (error) {
        this.#settings.client.signal.throwIfAborted()
        this.#count['bulk_requests.failures'].increment()
        // Another host may take it at once; this one is out of the pool.
        const elsewhere = error instanceof HostUnreachable && this.#settings.client.pool.anyAlive
        this.#explain(error as Error, request, elsewhere ? 0 : seconds)
        if (!elsewhere) seconds = await this.#pause(seconds)
      }
    }
  }

  async #request({ actions, block }: BulkRequest): Promise<Answer | 'too large'> {
    const { client, bulkPath, product, logger } = this.#settings
    const answer = await client.request('POST', bulkPath, block.bytes, bulkFilter)
    const { status, url, body } = answer
    this.#responses.get(status)?.increment()
    if (status === 413) {
      logger.warn('Bulk request rejected: `413 Payload Too Large`', {
        action_count: actions.length,
        content_length: block.bytes.length,
      })
      if (actions.length > 1) return 'too large'
      if (this.#settings.hopeless.has(413)) return { ...answer, body: tooLargeAnswer }
    }
    if (status < 200 || status > 299) throw new BadAnswer(badResponse(product, status, url), answer)
    return { ...answer, body }
  }

  /** What is too large in one piece may not be in two. */
  async #halves({ actions }: BulkRequest): Promise<BulkAction[]> {
    const middle = actions.length >> 1
    const again: BulkAction[] = []
    for (const half of [actions.slice(0, middle), actions.slice(middle)]) {
      for (const request of bulkRequests(half)) again.push(...(await this.#send(request)))
    }
    return again
  }

  #judge(actions: readonly BulkAction[], items: readonly ItemAnswer[]): BulkAction[] {
    const { hopeless, droppedErrors, silencedErrors, logger, product } = this.#settings
    const again: BulkAction[] = []
    actions.forEach((action, index) => {
      const { status, errorType = '', error, response } = items[index]!
      const silent = silencedErrors.has(errorType)
      // A minted id that is taken: the document got there when the same request was sent before.
      const isThere = status === 409 && action.isMinted
      if (status === 200 || status === 201 || isThere) this.#count['documents.successes'].increment()
      else if (status === 409 || droppedErrors.has(errorType)) {
        this.#count['documents.non_retryable_failures'].increment()
        if (!silent) logger.warn('Failed action', { status, action: shownAction(action), response })
      } else if (hopeless.has(status)) {
        const text =
          `Could not index event to ${product.name}. status: ${status}, ` +
          `action: ${inspect(shownAction(action))}, response: ${inspect(response)}`
        const level = errorType === 'invalid_index_name_exception' ? 'error' : 'warn'
        this.#turnAway(action.event, text, silent ? undefined : level)
      } else {
        this.#count['documents.retryable_failures'].increment()
        if (!silent) logger.info('Retrying failed action', { status, action: shownAction(action), error })
        again.push(action)
      }
    })
    return again
  }

  #turnAway(event: Event, reason: string, level: 'warn' | 'error' | undefined): void {
    if (this.#settings.deadLetter(event, reason)) {
      this.#count['documents.dlq_routed'].increment()
      return
    }
    this.#count['documents.non_retryable_failures'].increment()
    if (level !== undefined) this.#settings.logger[level](reason)
  }

  #explain(error: Error, { actions, block }: BulkRequest, seconds: number): void {
    const { product, logger } = this.#settings
    const { message, name } = error
    if (error instanceof BadAnswer) {
      const { status, url } = error.answer
      const details = { code: status, url, content_length: block.bytes.length }
      const text = 'Encountered a retryable error (will retry with exponential backoff)'
      if (status === 429) logger.debug(text, details)
      else logger.error(text, details)
      return
    }
    const details = { message, exception: name, will_retry_in_seconds: seconds }
    if (error instanceof NoConnectionAvailable) {
      logger.error(
        'Attempted to send a bulk request, but there are no living connections in the pool ' +
          `(perhaps ${product.name} is unreachable or down?)`,
        details,
      )
    } else if (error instanceof HostUnreachable) {
      const text = `Attempted to send a bulk request but ${product.name} appears to be unreachable or down`
      logger.error(text, details)
    } else {
      logger.error(
        `An unknown error occurred sending a bulk request to ${product.name} (will retry indefinitely)`,
        { message, exception: name },
      )
    }
    logger.debug('Failed actions for last bad bulk request', { count: actions.length })
  }

  /** Waits, but not longer than until a dead host comes back; then the next, doubled interval. */
  #pause(seconds: number): Promise<number> {
    const { client, longestSeconds } = this.#settings
    const { signal, pool } = client
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        forget()
        signal.removeEventListener('abort', stop)
        resolve(Math.min(seconds * 2, longestSeconds))
      }
      const stop = () => {
        clearTimeout(timer)
        forget()
        reject(signal.reason as Error)
      }
      const timer = setTimeout(settle, Math.min(Math.max(0, seconds) * 1000, longestTimer))
      const forget = pool.onRevival(settle)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }
}

class BadAnswer extends Error {
  readonly answer: Answer

  constructor(error: Error, answer: Answer) {
    super(error.message)
    this.name = error.name
    this.answer = answer
  }
}

/** Only what is looked at; the rest of the answer would be larger than the request. */
const bulkFilter = 'filter_path=errors,items.*.error,items.*.status'
const tooLargeAnswer =
  '{"errors":true,"items":[{"index":{"status":413,"error":{"type":"payload_too_large"}}}]}'

const counterNames = [
  'bulk_requests.successes',
  'bulk_requests.with_errors',
  'bulk_requests.failures',
  'documents.successes',
  'documents.retryable_failures',
  'documents.non_retryable_failures',
  'documents.dlq_routed',
] as const
type CounterName = (typeof counterNames)[number]
