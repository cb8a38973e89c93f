import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inputFor, type TestInput, type TestOptions } from '../../plugin/testing.ts'
import { eventually, TestAws } from '../aws/test-server.ts'
import sqs from './sqs.ts'

let aws: TestAws
/** Bodies that wait in the queue. */
let waiting: string[]
const running: { input: TestInput; run: Promise<void> }[] = []

beforeEach(async () => {
  aws = await TestAws.start()
  waiting = []
  let given = 0
  aws.handlers.set('GetQueueUrl', ({ QueueName }) => {
    if (QueueName !== 'jobs') throw { status: 400, code: 'QueueDoesNotExist' }
    return { QueueUrl: `${aws.url}/1/jobs` }
  })
  aws.handlers.set('GetQueueAttributes', () => ({ Attributes: { VisibilityTimeout: '1' } }))
  aws.handlers.set('ReceiveMessage', ({ MaxNumberOfMessages }) => ({
    Messages: waiting.splice(0, Number(MaxNumberOfMessages)).map((Body) => ({
      Body,
      MD5OfBody: createHash('md5').update(Body).digest('hex'),
      MessageId: `id-${++given}`,
      ReceiptHandle: `handle-${given}`,
      Attributes: { SentTimestamp: '1700000000987' },
    })),
  }))
})
afterEach(async () => {
  for (const { input, run } of running.splice(0)) {
    input.environment.stop()
    await input.instance.stop()
    await run
    await input.instance.close?.()
  }
  await aws.close()
})

async function start(options: TestOptions = {}, prepare?: (input: TestInput) => void): Promise<TestInput> {
  const input = inputFor(sqs, { ...aws.options, queue: 'jobs', polling_frequency: 0, ...options })
  prepare?.(input)
  await input.instance.register?.()
  running.push({ input, run: input.instance.run(input.sink) })
  return input
}

const deleted = () =>
  aws
    .inputsOf('DeleteMessageBatch')
    .flatMap(({ Entries }) => (Entries as { ReceiptHandle: string }[]).map((entry) => entry.ReceiptHandle))

const visibilities = () =>
  aws
    .inputsOf('ChangeMessageVisibilityBatch')
    .flatMap(({ Entries }) =>
      (Entries as { ReceiptHandle: string; VisibilityTimeout: number }[]).map((entry) => [
        entry.ReceiptHandle,
        entry.VisibilityTimeout,
      ]),
    )

describe('sqs input', () => {
  it('makes an event of each message, with what it is asked to tell', async () => {
    waiting = ['{"n":1}']
    const { sink } = await start({ id_field: 'id', md5_field: '[sqs][md5]', sent_timestamp_field: 'sent' })
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({
      n: 1,
      id: 'id-1',
      sqs: { md5: createHash('md5').update('{"n":1}').digest('hex') },
    })
    expect(String(event!['sent'])).toBe('2023-11-14T22:13:20.000Z')
    expect(aws.inputsOf('ReceiveMessage')[0]).toMatchObject({ MaxNumberOfMessages: 10 })
  })

  it('deletes a message when its events are safe, and not before', async () => {
    waiting = ['{"n":1}', '{"n":2}', '{"n":3}']
    const { sink } = await start({}, ({ sink }) => sink.hold())
    await sink.waitFor(3)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(deleted()).toEqual([])
    sink.releaseAt(1)
    await eventually(() => expect(deleted()).toEqual(['handle-2']))
    sink.release()
    await eventually(() => expect(deleted().sort()).toEqual(['handle-1', 'handle-2', 'handle-3']))
  })

  it('keeps messages invisible that are not safe yet, and gives them back at the end', async () => {
    waiting = ['{"n":1}', '{"n":2}']
    const { sink, instance, environment } = await start({}, ({ sink }) => sink.hold())
    await sink.waitFor(2)
    sink.releaseAt(0)
    await eventually(() => expect(visibilities()).toContainEqual(['handle-2', 1]))
    const { run } = running.pop()!
    await instance.stop()
    environment.stop()
    await run
    // The pipeline that has to stop now ends requests too; without it the message is visible at once.
    expect(deleted()).toEqual(['handle-1'])
    await instance.close?.()
  })

  it('makes messages visible again that were not safe when it stopped', async () => {
    waiting = ['{"n":1}']
    const { sink, instance } = await start({}, ({ sink }) => sink.hold())
    await sink.waitFor(1)
    const { run } = running.pop()!
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    try {
      await instance.stop()
      await vi.advanceTimersByTimeAsync(6000)
    } finally {
      vi.useRealTimers()
    }
    await run
    expect(visibilities()).toContainEqual(['handle-1', 0])
    await instance.close?.()
  })

  it('goes on when the service was away', async () => {
    const { sink, environment } = await start({ additional_settings: { retry_limit: 0 } })
    aws.isAway = true
    await eventually(() =>
      expect(environment.logger.messages('warn')).toContain(
        'SQS error ... retrying with exponential backoff',
      ),
    )
    waiting = ['{"n":1}']
    aws.isAway = false
    expect(await sink.waitFor(1)).toMatchObject([{ n: 1 }])
  })

  it('fails to start when the queue is refused, and waits when nobody answers', async () => {
    await expect(start({ queue: 'other' })).rejects.toThrow('Verify the SQS queue name and your credentials')
    aws.isAway = true
    const { sink } = await start({ additional_settings: { retry_limit: 0 } })
    waiting = ['{"n":1}']
    aws.isAway = false
    expect(await sink.waitFor(1)).toMatchObject([{ n: 1 }])
  })
})
