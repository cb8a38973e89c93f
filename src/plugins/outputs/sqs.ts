/**
 * The sqs output: events as messages of a queue of Amazon SQS, ten in a request. What the service does not take for a while
 * is sent again; what it refuses for good is given up, each message by itself.
 */
import type { Event } from '../../event/event.ts'
import { startConcern } from '../../plugin/concern.ts'
import { defineOutput, option } from '../../plugin/define.ts'
import { encodeOf } from '../../plugin/encode-buffer.ts'
import { awsConcerns, awsOptions } from '../aws/options.ts'
import { packageNames } from '../aws/packages.ts'
import { AwsService, errorFacts, isRefusal } from '../aws/service.ts'
import { queueAddress, queueOptions } from '../aws/sqs-queue.ts'
import { exponentialBackOff, pause } from '../delivery/pause.ts'
import { clientPackage } from '../packages/peer-package.ts'

/** Requests under way at a time. */
const maxRequests = 8

interface Message {
  readonly event: Event
  readonly body: string
  readonly bytes: number
}

interface BatchAnswer {
  readonly Failed?: readonly {
    readonly Id?: string
    readonly SenderFault?: boolean
    readonly Code?: string
    readonly Message?: string
  }[]
}

export default defineOutput({
  name: 'sqs',
  summary: 'Sends events to a queue of Amazon SQS.',
  description: [
    clientPackage(packageNames.sqs),
    '',
    'The start fails when the service refuses the credentials or the queue; while it cannot be reached, events wait.',
  ].join('\n'),
  options: {
    ...awsOptions,
    ...queueOptions,
    batch_events: option.number({
      default: 10,
      doc: 'Most messages of a request, 1 to 10; 1 sends each by itself.',
    }),
    message_max_size: option.bytes({
      default: 256 * 1024,
      doc: 'Most bytes of a message, and of all messages of a request; larger messages are dropped.',
    }),
    batch: option.boolean({
      default: true,
      doc: 'Whether several messages go into one request.',
      deprecated: 'Use `batch_events` instead.',
    }),
    batch_timeout: option.number({
      doc: 'No longer has a meaning.',
      deprecated: 'This setting no longer has any effect.',
    }),
  },
  codec: 'json',
  concurrency: 'shared',
  concerns: (options) => [
    ...startConcern('batch_events', () => checkBatch(options.batch_events)),
    ...awsConcerns(options, 'sqs'),
  ],
  create({ options, codec, codecName, logger, abort, giveUp }) {
    const encode = encodeOf(codec, codecName)
    const { queue, message_max_size: maxBytes } = options
    const perRequest = options.batch ? options.batch_events : 1
    let service: AwsService | undefined
    let queueUrl: string | undefined

    const findQueue = () => queueAddress(service!, options)

    const refuse = (event: Event, text: string, facts: Record<string, unknown>): void => {
      if (!giveUp(event, text)) logger.warn(text, facts)
    }

    const messageOf = (event: Event): Message | undefined => {
      const encoded = encode(event)
      const body = typeof encoded === 'string' ? encoded : Buffer.from(encoded).toString('utf8')
      const bytes = Buffer.byteLength(body)
      if (bytes <= maxBytes) return { event, body, bytes }
      refuse(event, 'Message exceeds maximum length and will be dropped', { message_size: bytes })
      return undefined
    }

    /** Sends messages; gives those back that may be sent again. */
    const send = async (messages: readonly Message[]): Promise<Message[]> => {
      queueUrl ??= await findQueue()
      if (messages.length === 1) {
        await service!.call('SendMessage', { QueueUrl: queueUrl, MessageBody: messages[0]!.body })
        return []
      }
      const { Failed = [] } = await service!.call<BatchAnswer>('SendMessageBatch', {
        QueueUrl: queueUrl,
        Entries: messages.map(({ body }, n) => ({ Id: String(n), MessageBody: body })),
      })
      const again: Message[] = []
      for (const { Id, SenderFault, Code, Message } of Failed) {
        const message = messages[Number(Id)]
        if (message === undefined) continue
        if (SenderFault) refuse(message.event, `SQS refuses a message: ${Message ?? Code}`, { code: Code })
        else again.push(message)
      }
      return again
    }

    const deliver = async (messages: readonly Message[]): Promise<void> => {
      let left: readonly Message[] = messages
      for (let attempt = 0; left.length > 0; attempt++) {
        try {
          left = await send(left)
          if (left.length === 0) return
          logger.warn('SQS did not take some messages; they are sent again', { count: left.length })
        } catch (error) {
          abort.throwIfAborted()
          if (isMessageFault(error)) {
            if (left.length === 1) {
              refuse(left[0]!.event, `SQS refuses a message: ${(error as Error).message}`, errorFacts(error))
              return
            }
            for (const message of left) await deliver([message])
            return
          }
          logger.warn('Failed to send messages to SQS; they are sent again', { queue, ...errorFacts(error) })
        }
        await pause(exponentialBackOff(attempt, 1000, 60_000), abort)
      }
    }

    return {
      async register() {
        checkBatch(options.batch_events)
        service = await AwsService.open({ service: 'sqs', options, logger, abort })
        try {
          queueUrl = await findQueue()
          logger.info('Connected to SQS queue successfully', { queue, region: options.region })
        } catch (error) {
          logger.error('Failed to connect to SQS', errorFacts(error))
          if (isRefusal(error))
            throw new Error('Verify the SQS queue name and your credentials', { cause: error })
        }
      },
      async receive(events) {
        const batches = batchesOf(
          events.flatMap((event) => messageOf(event) ?? []),
          perRequest,
          maxBytes,
        )
        // A queue keeps no order: several requests are under way at a time.
        const send = async (): Promise<void> => {
          for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) await deliver(batch)
        }
        await Promise.all(Array.from({ length: Math.min(maxRequests, batches.length) }, send))
      },
      close() {
        service?.close()
        service = undefined
      },
    }
  },
})

/** The service does not take a message for what is in it; a queue that is gone, or missing rights, may come back. */
function isMessageFault(error: unknown): boolean {
  return /InvalidMessageContents|MessageTooLong|InvalidParameterValue|InvalidBatchEntryId|EmptyBatchRequest|BatchRequestTooLong/.test(
    (error as Error).name,
  )
}

/** So many messages in a request, and no more bytes than one message may have. */
function batchesOf(messages: readonly Message[], perRequest: number, maxBytes: number): Message[][] {
  const batches: Message[][] = []
  let bytes = 0
  for (const message of messages) {
    const last = batches.at(-1)
    if (last !== undefined && last.length < perRequest && bytes + message.bytes <= maxBytes) {
      last.push(message)
      bytes += message.bytes
    } else {
      batches.push([message])
      bytes = message.bytes
    }
  }
  return batches
}

function checkBatch(batchEvents: number): void {
  if (batchEvents > 10) throw new Error('The maximum batch size is 10 events')
  if (batchEvents < 1) throw new Error('The batch size must be greater than 0')
}
