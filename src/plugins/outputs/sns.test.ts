import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { outputFor, type TestOptions, type TestOutput } from '../../plugin/testing.ts'
import { TestAws } from '../aws/test-server.ts'
import sns from './sns.ts'

let aws: TestAws
const running: TestOutput[] = []

beforeEach(async () => {
  aws = await TestAws.start()
})
afterEach(async () => {
  for (const { environment, instance } of running.splice(0)) {
    environment.stop()
    await instance.close?.()
  }
  await aws.close()
})

async function start(options: TestOptions = {}): Promise<TestOutput> {
  const output = outputFor(sns, { ...aws.options, arn: 'arn:default', codec: 'json', ...options })
  running.push(output)
  await output.instance.register?.()
  return output
}

const sent = () =>
  aws.forms.map((form) => ({
    arn: form.get('TopicArn'),
    subject: form.get('Subject'),
    message: form.get('Message'),
  }))

describe('sns output', () => {
  it.each([
    ['host and codec', { host: 'h', a: 1 }, { arn: 'arn:default', subject: 'h' }],
    ['the host of ECS', { host: { name: 'n' } }, { subject: 'n' }],
    ['no subject', {}, { subject: 'NO SUBJECT' }],
    [
      'fields of the event',
      { sns: 'arn:own', sns_subject: 's', sns_message: 'm' },
      { arn: 'arn:own', subject: 's', message: 'm' },
    ],
    ['a subject that is no text', { sns_subject: { a: 1 } }, { subject: '{"a":1}' }],
    ['a message that is no text', { sns_message: { a: 1 } }, { message: '{"a":1}' }],
    ['a long subject', { sns_subject: 'é'.repeat(101) }, { subject: 'é'.repeat(100) }],
    ['a long message', { sns_message: '€'.repeat(40_000) }, { message: '€'.repeat(32_768) }],
  ])('takes %s', async (_, event, expected) => {
    const { deliver } = await start()
    await deliver([event])
    expect(sent()).toMatchObject([expected])
  })

  it('sends a message at the start', async () => {
    await start({ publish_boot_message_arn: 'arn:boot' })
    expect(sent()).toEqual([
      { arn: 'arn:boot', subject: 'Logstash booted', message: 'Logstash successfully booted' },
    ])
  })

  it('gives up an event without a topic, or that is refused, and goes on', async () => {
    const { deliver, environment } = await start({ arn: 'arn:default' })
    aws.snsRefusal = { status: 400, code: 'InvalidParameter' }
    await deliver([{ n: 1 }])
    await deliver([{ n: 2 }])
    expect(sent()).toHaveLength(2)
    expect(environment.logger.lines.filter(({ level }) => level === 'error')).toMatchObject([
      { fields: { message: 'InvalidParameter' } },
    ])
    const other = outputFor(sns, { ...aws.options })
    running.push(other)
    await other.instance.register?.()
    await other.deliver([{ n: 3 }])
    expect(other.environment.logger.lines.at(-1)).toMatchObject({
      fields: { message: 'An SNS ARN is required.' },
    })
  })

  it('sends again what was throttled', async () => {
    const { deliver } = await start()
    aws.snsRefusal = { status: 429, code: 'Throttled' }
    await deliver([{ n: 1 }])
    expect(sent()).toHaveLength(2)
  })
})
