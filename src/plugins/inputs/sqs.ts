/**
 * Reads messages from a queue of Amazon SQS. A message is deleted when its events are safe; until then it stays invisible to
 * others, and it goes back to the queue when the input ends before.
 */
import { Timestamp } from '../../event/timestamp.ts'
import type { Value } from '../../event/value.ts'
import { defineInput, type Origin, option, type Sink } from '../../plugin/define.ts'
import { additionalSettings, awsConcerns, awsOptions } from '../aws/options.ts'
import { packageNames } from '../aws/packages.ts'
import { AwsService, errorFacts, isRefusal } from '../aws/service.ts'
import { queueAddress, queueOptions } from '../aws/sqs-queue.ts'
import { untilDone } from '../aws/until-done.ts'
import { clientPackage } from '../packages/peer-package.ts'
import { untilSafe } from '../receiving/arrivals.ts'
import { Stop } from '../receiving/stop.ts'
import { MessagesInHand } from './sqs/messages-in-hand.ts'

const messagesAtOnce = 10
/** The longest a request of the service may wait for messages. */
const maxWaitSeconds = 20

interface SqsMessage {
  readonly MessageId?: string
  readonly ReceiptHandle?: string
  readonly MD5OfBody?: string
  readonly Body?: string
  readonly Attributes?: { readonly SentTimestamp?: string }
}

export default defineInput({
  name: 'sqs',
  summary: 'Reads messages from a queue of Amazon SQS.',
  description: [
    clientPackage(packageNames.sqs),
    '',
    'A message is deleted when its events are safe: on stable storage where the queue of the pipeline is persisted, delivered',
    'by the outputs where it is in memory. Until then its visibility timeout is extended; what is not safe when the input ends',
    'is made visible again. A message may arrive twice, as SQS says of itself.',
    '',
    'The start fails when the service refuses the credentials or the queue. While it cannot be reached, it is asked again.',
  ].join('\n'),
  codec: 'json',
  options: {
    ...awsOptions,
    ...additionalSettings,
    ...queueOptions,
    id_field: option.string({ doc: 'Field for the id of the message.' }),
    md5_field: option.string({ doc: 'Field for the MD5 checksum of the message.' }),
    sent_timestamp_field: option.string({ doc: 'Field for the time at which the message was sent.' }),
    polling_frequency: option.number({
      default: 20,
      doc: 'Seconds that a request waits for messages, 20 at most.',
    }),
    threads: option.number({ default: 1, doc: 'How many requests for messages run at the same time.' }),
  },
  concerns: (options) => awsConcerns(options, 'sqs'),
  create({ options, logger, abort }) {
    const stop = new Stop()
    let service: AwsService | undefined
    let queueUrl: string | undefined

    const findQueue = () => queueAddress(service!, options)

    const factsOf = ({ MessageId, MD5OfBody, Attributes }: SqsMessage): Origin => {
      const { id_field, md5_field, sent_timestamp_field } = options
      const facts: [string, Value][] = []
      if (id_field !== undefined) facts.push([id_field, MessageId ?? null])
      if (md5_field !== undefined) facts.push([md5_field, MD5OfBody ?? null])
      if (sent_timestamp_field !== undefined) {
        const sent = Number(Attributes?.SentTimestamp ?? 0)
        facts.push([sent_timestamp_field, new Timestamp(Math.floor(sent / 1000) * 1000)])
      }
      return { overwrite: facts }
    }

    const poll = async (sink: Sink, inHand: MessagesInHand): Promise<boolean> => {
      const { Messages = [] } = await service!.call<{ Messages?: readonly SqsMessage[] }>(
        'ReceiveMessage',
        {
          QueueUrl: queueUrl,
          MaxNumberOfMessages: messagesAtOnce,
          WaitTimeSeconds: Math.min(Math.max(0, Math.trunc(options.polling_frequency)), maxWaitSeconds),
          AttributeNames: ['SentTimestamp'],
        },
        stop.signal,
      )
      // All are in hand before the first waits for room, so that they stay invisible.
      const taken = Messages.map((message) => ({ message, done: inHand.take(message.ReceiptHandle ?? '') }))
      for (const { message, done } of taken) {
        const name = `sqs ${queueUrl} ${message.MessageId}`
        const room = sink.record(Buffer.from(message.Body ?? ''), factsOf(message), { done, name })
        if (room !== undefined) await stop.during(room)
      }
      return false
    }

    const failed = (error: unknown, sleep_time: number): void => {
      logger.warn('SQS error ... retrying with exponential backoff', {
        queue: options.queue,
        ...errorFacts(error),
        sleep_time,
      })
    }

    return {
      async register() {
        const { queue, queue_owner_aws_account_id } = options
        logger.info('Registering SQS input', { queue, queue_owner_aws_account_id })
        service = await AwsService.open({ service: 'sqs', options, logger, abort })
        try {
          queueUrl = await findQueue()
        } catch (error) {
          logger.error('Cannot establish connection to Amazon SQS', { queue, ...errorFacts(error) })
          if (isRefusal(error))
            throw new Error('Verify the SQS queue name and your credentials', { cause: error })
        }
      },
      async run(sink) {
        const find = async () => {
          queueUrl ??= await findQueue()
          return true
        }
        await untilDone(stop, find, failed)
        if (stop.isRequested) return
        const inHand = new MessagesInHand(service!, queueUrl!, logger)
        await inHand.open()
        try {
          const threads = Math.max(1, options.threads)
          await Promise.all(
            Array.from({ length: threads }, () => untilDone(stop, () => poll(sink, inHand), failed)),
          )
          if (!(await untilSafe(inHand.settled(), stop, abort))) await inHand.giveBack()
        } finally {
          inHand.close()
        }
      },
      stop: () => stop.request(),
      close() {
        service?.close()
        service = undefined
      },
    }
  },
})
