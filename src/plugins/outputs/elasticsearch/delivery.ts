/**
 * Gets batches into the cluster, however long that takes, one request at a time: batches that come meanwhile go
 * together in the next one. What the cluster cannot do now is tried again, only the items concerned, with
 * doubling pauses; what it will never do is turned away once. A request without an answer goes to the next host. A
 * request that is refused as a whole because of what is in it is divided until the events are found that it is about.
 */
import type { Event } from '../../../event/event.ts'
import { parseJson } from '../../../event/json-parse.ts'
import { isFields, type Value } from '../../../event/value.ts'
import { inspect } from '../../../log/ruby-inspect.ts'
import type { Metric, PluginLogger } from '../../../plugin/define.ts'
import { maxTimer } from '../../../time/max-timer.ts'
import { type BulkAction, Refusal, shownAction } from './bulk-actions.ts'
import { type ItemAnswer, readBulkAnswer } from './bulk-answer.ts'
import {
  type BulkBody,
  BulkGathering,
  type BulkItem,
  cutBySize,
  halvesOf,
  itemReader,
  joinBodies,
  selectItems,
} from './bulk-body.ts'
import type { Answer, BulkClient } from './bulk-client.ts'
import { badResponse, HostUnreachable, NoConnectionAvailable } from './cluster-client.ts'
import type { Product } from './settings.ts'

/** After so many time limits a request is sent in halves. */
const maxTimeouts = 2
/** Characters shown of an event in a message; the event may have many megabytes. */
const maxShownLength = 64 * 1024

interface DeliverySettings {
  readonly client: BulkClient
  readonly product: Product
  readonly bulkPath: string
  readonly initialSeconds: number
  readonly maxSeconds: number
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
  /** Batches that came while a request was under way. */
  #waiting: Shipment | undefined
  #isSending = false
  /** Memory of requests that are done. */
  readonly #spare: Buffer[] = []

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

  /** Resolves when every event is stored or turned away; rejects only when the pipeline has to stop. */
  deliver(events: readonly Event[], toAction: (event: Event) => BulkAction | Refusal): Promise<void> {
    let shipment: Shipment | undefined
    for (const event of events) {
      try {
        const action = toAction(event)
        if (action instanceof Refusal) this.#turnAway(event, action.message, 'warn')
        else {
          shipment ??= this.#waiting ?? new Shipment(this.#spare.pop())
          shipment.gathering.add(event, action)
        }
      } catch (error) {
        const { name, message } = error as Error
        this.#turnAway(event, `An event cannot be written as a document: ${name}: ${message}`, 'warn')
      }
    }
    if (shipment === undefined || shipment.gathering.count === 0) return Promise.resolve()
    this.#waiting = shipment
    if (!this.#isSending) void this.#sendWaiting()
    return shipment.delivered
  }

  async #sendWaiting(): Promise<void> {
    this.#isSending = true
    for (let next = this.#waiting; next !== undefined; next = this.#waiting) {
      this.#waiting = undefined
      try {
        await this.#ship(next.gathering.body)
        const { memory } = next.gathering
        if (memory.length <= keptMemory && this.#spare.length < 2) this.#spare.push(memory)
        next.arrived()
      } catch (error) {
        next.failed(error as Error)
      }
    }
    this.#isSending = false
  }

  async #ship(body: BulkBody): Promise<void> {
    let seconds = this.#settings.initialSeconds
    for (let left = body; ; ) {
      const again = await this.#sendAll(cutBySize(left))
      if (again === undefined) return
      this.#settings.logger.info(
        'Retrying individual bulk actions that failed or were rejected by the previous bulk request',
        { count: again.count },
      )
      seconds = await this.#pause(seconds)
      left = again
    }
  }

  /** What is to be tried again, if anything. */
  async #sendAll(bodies: readonly BulkBody[]): Promise<BulkBody | undefined> {
    const again: BulkBody[] = []
    for (const body of bodies) {
      const failed = await this.#send(body)
      if (failed !== undefined) again.push(failed)
    }
    return again.length > 1 ? joinBodies(again) : again[0]
  }

  /** One request until it has an answer; the items to try again. */
  async #send(body: BulkBody): Promise<BulkBody | undefined> {
    let seconds = this.#settings.initialSeconds
    let timeouts = 0
    for (;;) {
      try {
        const answer = await this.#request(body)
        if (answer.status >= 300) {
          // What is refused in one piece may not be in two; what is left over in the end is a single event.
          if (body.count > 1) return await this.#sendAll(halvesOf(body))
          this.#count['bulk_requests.with_errors'].increment()
          this.#refuse(itemReader(body)(0), answer.status, parsedOr(answer.body), false)
          return undefined
        }
        const items = readBulkAnswer(answer.body, body.count)
        this.#count[items === undefined ? 'bulk_requests.successes' : 'bulk_requests.with_errors'].increment()
        if (items !== undefined) return this.#judge(body, items)
        this.#count['documents.successes'].increment(body.count)
        return undefined
      } catch (error) {
        this.#settings.client.signal.throwIfAborted()
        this.#count['bulk_requests.failures'].increment()
        if (error instanceof HostUnreachable && error.isTimeout) timeouts += 1
        // A request that takes longer than the time limit would take as long again.
        if (timeouts === maxTimeouts && body.count > 1) {
          this.#explain(error as Error, body, 0)
          return await this.#sendAll(halvesOf(body))
        }
        // Another host may take it at once; this one is out of the pool.
        const elsewhere = error instanceof HostUnreachable && this.#settings.client.pool.anyAlive
        this.#explain(error as Error, body, elsewhere ? 0 : seconds)
        if (!elsewhere) seconds = await this.#pause(seconds)
      }
    }
  }

  /** An answer with the status of a success, or one that says that there is something wrong with the events. */
  async #request({ bytes, count }: BulkBody): Promise<Answer> {
    const { client, bulkPath, product, logger } = this.#settings
    // A filter of one's own in the path counts.
    const query = bulkPath.includes('filter_path=') ? '' : client.bulkQuery
    const answer = await client.request('POST', bulkPath, bytes, query)
    const { status, url } = answer
    this.#responses.get(status)?.increment()
    if (status === 413) {
      logger.warn('Bulk request rejected: `413 Payload Too Large`', {
        action_count: count,
        content_length: bytes.length,
      })
      return answer
    }
    if (status === 400 && isExplained(answer.body)) return answer
    if (status === 429 && client.refusesForGood === true && isForGood(parsedOr(answer.body))) return answer
    if (status < 200 || status > 299) throw new BadAnswer(badResponse(product, status, url), answer)
    return answer
  }

  #judge(body: BulkBody, answers: readonly ItemAnswer[]): BulkBody | undefined {
    const { hopeless, droppedErrors, silencedErrors, logger, client } = this.#settings
    const read = itemReader(body)
    const again: number[] = []
    answers.forEach(({ status, errorType = '', error, response }, position) => {
      if (status === 200 || status === 201) {
        this.#count['documents.successes'].increment()
        return
      }
      const action = read(position)
      const silent = silencedErrors.has(errorType)
      // A minted id that is taken: the document got there when the same request was sent before.
      if (status === 409 && action.isMinted) this.#count['documents.successes'].increment()
      else if (status === 409 || droppedErrors.has(errorType)) {
        this.#count['documents.non_retryable_failures'].increment()
        if (!silent) logger.warn('Failed action', { status, action: shownAction(action), response })
      } else if (hopeless.has(status) || (client.refusesForGood === true && isForGood({ error }))) {
        this.#refuse(action, status, response, silent, errorType)
      } else {
        this.#count['documents.retryable_failures'].increment()
        if (!silent) logger.info('Retrying failed action', { status, action: shownAction(action), error })
        again.push(position)
      }
    })
    return again.length === 0 ? undefined : selectItems(body, again)
  }

  #refuse(action: BulkItem, status: number, response: unknown, silent: boolean, errorType = ''): void {
    const text =
      `Could not index event to ${this.#settings.product.name}. status: ${status}, ` +
      `action: ${inspect(shownAction(action), maxShownLength)}, response: ${inspect(response, maxShownLength)}`
    const level = errorType === 'invalid_index_name_exception' ? 'error' : 'warn'
    this.#turnAway(action.event, text, silent ? undefined : level)
  }

  #turnAway(event: Event, reason: string, level: 'warn' | 'error' | undefined): void {
    if (this.#settings.deadLetter(event, reason)) {
      this.#count['documents.dlq_routed'].increment()
      return
    }
    this.#count['documents.non_retryable_failures'].increment()
    if (level !== undefined) this.#settings.logger[level](reason)
  }

  #explain(error: Error, { bytes, count }: BulkBody, seconds: number): void {
    const { product, logger } = this.#settings
    const { message, name } = error
    if (error instanceof BadAnswer) {
      const { status, url } = error.answer
      const details = { code: status, url, content_length: bytes.length }
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
    logger.debug('Failed actions for last bad bulk request', { count })
  }

  /** Waits, but not longer than until a dead host comes back; then the next, doubled interval. */
  #pause(seconds: number): Promise<number> {
    const { client, maxSeconds } = this.#settings
    const { signal, pool } = client
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        forget()
        signal.removeEventListener('abort', stop)
        resolve(Math.min(seconds * 2, maxSeconds))
      }
      const stop = () => {
        clearTimeout(timer)
        forget()
        reject(signal.reason as Error)
      }
      const timer = setTimeout(settle, Math.min(Math.max(0, seconds) * 1000, maxTimer))
      const forget = pool.onRevival(settle)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }
}

/** Whether an answer says that there will never be memory for what was sent. */
function isForGood(answer: unknown): boolean {
  const error = isFields(answer) ? answer['error'] : undefined
  return isFields(error) && error['durability'] === 'PERMANENT'
}

const firstMemory = 256 * 1024
const keptMemory = 8 * 1024 * 1024

/** Batches that go, and arrive, together. */
class Shipment {
  readonly gathering: BulkGathering
  readonly delivered: Promise<void>
  arrived: () => void = () => {}
  failed: (error: Error) => void = () => {}

  constructor(memory: Buffer = Buffer.allocUnsafeSlow(firstMemory)) {
    this.gathering = new BulkGathering(memory)
    this.delivered = new Promise((resolve, reject) => {
      this.arrived = resolve
      this.failed = reject
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

/** Whether a cluster, and not some proxy on the way, says what is wrong with the request. */
function isExplained(body: string): boolean {
  const answer = parsedOr(body)
  return isFields(answer) && isFields(answer['error']) && typeof answer['error']['type'] === 'string'
}

function parsedOr(body: string): Value {
  try {
    return parseJson(body)
  } catch {
    return body.slice(0, maxReasonLength)
  }
}

const maxReasonLength = 1000

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
