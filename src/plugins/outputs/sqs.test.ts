import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { outputFor, type TestOptions, type TestOutput } from '../../plugin/testing.ts'
import { eventually, TestAws } from '../aws/test-server.ts'
import sqs from './sqs.ts'

let aws: TestAws
const running: TestOutput[] = []

beforeEach(async () => {
  aws = await TestAws.start()
  aws.handlers.set('GetQueueUrl', ({ QueueName, QueueOwnerAWSAccountId = 'own' }) => {
    if (QueueName !== 'jobs') throw { status: 400, code: 'QueueDoesNotExist' }
    return { QueueUrl: `${aws.url}/${QueueOwnerAWSAccountId}/jobs` }
  })
  // The SDK compares checksums.
  aws.handlers.set('SendMessage', ({ MessageBody }) => ({
    MD5OfMessageBody: createHash('md5').update(String(MessageBody)).digest('hex'),
  }))
})
afterEach(async () => {
  for (const { environment, instance } of running.splice(0)) {
    environment.stop()
    await instance.close?.()
  }
  await aws.close()
})

async function start(options: TestOptions = {}): Promise<TestOutput> {
  const output = outputFor(sqs, { ...aws.options, queue: 'jobs', ...options })
  running.push(output)
  await output.instance.register?.()
  return output
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n }))
const batches = () =>
  aws
    .inputsOf('SendMessageBatch')
    .map(({ Entries }) =>
      (Entries as { MessageBody: string }[]).map(
        ({ MessageBody }) => (JSON.parse(MessageBody) as { n: number }).n,
      ),
    )

describe('sqs output', () => {
  it('sends ten messages in a request', async () => {
    const { deliver } = await start({ queue_owner_aws_account_id: '7' })
    await deliver(numbered(23))
    expect(
      batches()
        .map((batch) => batch.length)
        .sort(),
    ).toEqual([10, 10, 3])
    expect(
      batches()
        .flat()
        .sort((a, b) => a - b),
    ).toEqual(numbered(23).map(({ n }) => n))
    expect(aws.inputsOf('SendMessageBatch')[0]).toMatchObject({ QueueUrl: `${aws.url}/7/jobs` })
  })

  it('sends one message in a request when a batch is one', async () => {
    const { deliver } = await start({ batch_events: 1 })
    await deliver(numbered(3))
    expect(aws.inputsOf('SendMessage')).toHaveLength(3)
  })

  it('keeps the bytes of a request below the limit, and drops what is larger by itself', async () => {
    const { deliver, environment } = await start({ message_max_size: '1000' })
    await deliver([
      { n: 1, text: 'x'.repeat(400) },
      { n: 2, text: 'x'.repeat(2000) },
      { n: 3, text: 'x'.repeat(400) },
      { n: 4, text: 'x'.repeat(400) },
    ])
    const bodies = aws.calls
      .filter(({ target }) => /SendMessage/.test(target))
      .map(({ input }) =>
        JSON.stringify(input)
          .match(/\\?"n\\?":\d/g)!
          .map((text) => text.slice(-1)),
      )
    expect(bodies.sort()).toEqual([['1', '3'], ['4']])
    expect(environment.logger.messages('warn')).toEqual([
      'Message exceeds maximum length and will be dropped',
    ])
  })

  it('sends those again that the service did not take, and gives up those that are at fault', async () => {
    let isFirst = true
    aws.handlers.set('SendMessageBatch', () => {
      if (!isFirst) return {}
      isFirst = false
      return {
        Failed: [
          { Id: '0', SenderFault: false, Code: 'InternalError' },
          { Id: '1', SenderFault: true, Code: 'InvalidMessageContents', Message: 'bad' },
          { Id: '2', SenderFault: false, Code: 'InternalError' },
        ],
      }
    })
    const { deliver, environment } = await start()
    await deliver(numbered(4))
    expect(batches()).toEqual([
      [0, 1, 2, 3],
      [0, 2],
    ])
    expect(environment.logger.messages('warn')).toContain('SQS refuses a message: bad')
  })

  it('waits while the service is away', async () => {
    const { deliver, environment } = await start()
    aws.isAway = true
    const delivered = deliver(numbered(2))
    await eventually(() => expect(environment.logger.messages('warn')).toHaveLength(1))
    aws.isAway = false
    await delivered
    expect(batches()).toEqual([[0, 1]])
  })

  it.each([
    [{ batch_events: 11 }, 'The maximum batch size is 10 events'],
    [{ batch_events: 0 }, 'The batch size must be greater than 0'],
    [{ queue: 'other' }, 'Verify the SQS queue name and your credentials'],
    [{ access_key_id: 'wrong' }, 'Verify the SQS queue name and your credentials'],
  ])('fails to start with %o', async (options, message) => {
    await expect(start(options)).rejects.toThrow(message)
  })
})
