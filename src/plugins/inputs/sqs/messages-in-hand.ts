/**
 * Messages that were received and not yet deleted. Those that are safe are deleted, ten in a request; those that are not are
 * kept invisible to others for as long as we have them, and given back when the input ends.
 */
import type { PluginLogger } from '../../../plugin/define.ts'
import { type AwsService, errorFacts, isRefusal } from '../../aws/service.ts'

const messagesAtOnce = 10
const maxRequests = 8
const gatherMilliseconds = 50
const retryMilliseconds = 1000
/** What a queue has unless it says otherwise. */
const usualVisibilitySeconds = 30

interface Message {
  readonly handle: string
  /** Milliseconds of the clock until which nobody else gets it. */
  invisibleUntil: number
  isSafe: boolean
}

interface BatchAnswer {
  readonly Failed?: readonly {
    readonly Id?: string
    readonly SenderFault?: boolean
    readonly Message?: string
  }[]
}

export class MessagesInHand {
  readonly #service: AwsService
  readonly #queueUrl: string
  readonly #logger: PluginLogger
  readonly #messages = new Set<Message>()
  #safe: Message[] = []
  #requests = 0
  #timer: NodeJS.Timeout | undefined
  #keeper: NodeJS.Timeout | undefined
  #waiting: (() => void)[] = []
  #visibility = usualVisibilitySeconds
  #hasComplained = false

  constructor(service: AwsService, queueUrl: string, logger: PluginLogger) {
    this.#service = service
    this.#queueUrl = queueUrl
    this.#logger = logger
  }

  /** Asks the queue how long messages stay invisible, and keeps those in hand so. */
  async open(): Promise<void> {
    try {
      const { Attributes } = await this.#service.call<{ Attributes?: { VisibilityTimeout?: string } }>(
        'GetQueueAttributes',
        { QueueUrl: this.#queueUrl, AttributeNames: ['VisibilityTimeout'] },
      )
      this.#visibility = Number(Attributes?.VisibilityTimeout ?? usualVisibilitySeconds)
    } catch (error) {
      this.#logger.debug('The visibility timeout of the queue is not known', errorFacts(error))
    }
    if (this.#visibility < 1) return
    const interval = Math.max(500, (this.#visibility * 1000) / 4)
    this.#keeper = setInterval(() => void this.#keepInvisible(), interval)
    this.#keeper.unref()
  }

  /** Call the result when the message is safe. */
  take(handle: string): () => void {
    const message = { handle, invisibleUntil: Date.now() + this.#visibility * 1000, isSafe: false }
    this.#messages.add(message)
    return () => {
      if (message.isSafe || !this.#messages.has(message)) return
      message.isSafe = true
      this.#safe.push(message)
      this.#gather()
    }
  }

  /** Resolves when every message in hand is safe and deleted. */
  settled(): Promise<void> {
    if (this.#messages.size === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  /** Messages that are not safe become visible to others at once. */
  async giveBack(): Promise<void> {
    clearInterval(this.#keeper)
    const messages = [...this.#messages].filter(({ isSafe }) => !isSafe)
    for (const message of messages) this.#messages.delete(message)
    await this.#inBatches(messages, (some) => this.#setVisibility(some, 0))
  }

  close(): void {
    clearTimeout(this.#timer)
    clearInterval(this.#keeper)
  }

  #gather(): void {
    if (this.#safe.length >= messagesAtOnce && this.#requests < maxRequests) {
      this.#delete()
      return
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#delete()
    }, gatherMilliseconds)
  }

  #delete(): void {
    while (this.#safe.length > 0 && this.#requests < maxRequests) {
      const messages = this.#safe.splice(0, messagesAtOnce)
      this.#requests += 1
      void this.#deleteBatch(messages).finally(() => {
        this.#requests -= 1
        if (this.#safe.length > 0) this.#gather()
        if (this.#messages.size === 0) for (const wake of this.#waiting.splice(0)) wake()
      })
    }
  }

  async #deleteBatch(messages: readonly Message[]): Promise<void> {
    try {
      const { Failed = [] } = await this.#service.call<BatchAnswer>('DeleteMessageBatch', {
        QueueUrl: this.#queueUrl,
        Entries: messages.map(({ handle }, n) => ({ Id: String(n), ReceiptHandle: handle })),
      })
      const again = new Set(Failed.filter(({ SenderFault }) => !SenderFault).map(({ Id }) => Number(Id)))
      messages.forEach((message, n) => {
        if (again.has(n)) this.#later([message])
        else this.#messages.delete(message)
      })
    } catch (error) {
      if (!isRefusal(error)) {
        this.#later(messages)
        return
      }
      this.#logger.error('Messages cannot be deleted and will arrive again', errorFacts(error))
      for (const message of messages) this.#messages.delete(message)
    }
  }

  #later(messages: readonly Message[]): void {
    setTimeout(() => {
      this.#safe.push(...messages)
      this.#gather()
    }, retryMilliseconds).unref()
  }

  async #keepInvisible(): Promise<void> {
    const soon = Date.now() + (this.#visibility * 1000) / 2
    const messages = [...this.#messages].filter(({ invisibleUntil }) => invisibleUntil < soon)
    for (const message of messages) message.invisibleUntil = Date.now() + this.#visibility * 1000
    await this.#inBatches(messages, (some) => this.#setVisibility(some, this.#visibility))
  }

  async #setVisibility(messages: readonly Message[], seconds: number): Promise<void> {
    try {
      await this.#service.call('ChangeMessageVisibilityBatch', {
        QueueUrl: this.#queueUrl,
        Entries: messages.map(({ handle }, n) => ({
          Id: String(n),
          ReceiptHandle: handle,
          VisibilityTimeout: seconds,
        })),
      })
    } catch (error) {
      if (!this.#hasComplained) {
        const text = 'The visibility of messages cannot be changed; some may arrive twice'
        this.#logger.warn(text, errorFacts(error))
      }
      this.#hasComplained = true
    }
  }

  async #inBatches(messages: readonly Message[], work: (some: Message[]) => Promise<void>): Promise<void> {
    for (let at = 0; at < messages.length; at += messagesAtOnce)
      await work(messages.slice(at, at + messagesAtOnce))
  }
}
