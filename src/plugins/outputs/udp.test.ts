import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { block, outputFor } from '../../plugin/testing.ts'
import line from '../codecs/line.ts'
import plain from '../codecs/plain.ts'
import udp from './udp.ts'

let receiver: Socket
let received: string[]
let port: number

beforeEach(async () => {
  received = []
  receiver = createSocket('udp4')
  receiver.on('message', (message) => received.push(message.toString()))
  receiver.bind(0, '127.0.0.1')
  await once(receiver, 'listening')
  port = receiver.address().port
})

afterEach(() => {
  receiver.close()
})

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 300 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(condition()).toBe(true)
}

function output(options: Record<string, unknown>) {
  const codec = block('plain', { format: '%{message}' })
  return outputFor(udp, { host: '127.0.0.1', codec, ...options }, { codecs: [line, plain] })
}

describe('udp', () => {
  it('sends a datagram per event', async () => {
    const { deliver, instance } = output({ port })
    await deliver([{ message: 'a' }, { message: 'é' }])
    await deliver([{ message: 'c' }])
    await until(() => received.length === 3)
    expect(received.sort()).toEqual(['a', 'c', 'é'])
    await instance.close!()
    await instance.close!()
  })

  it('resolves names', async () => {
    const { deliver, instance } = output({ port, host: 'localhost' })
    await deliver([{ message: 'a' }])
    await deliver([{ message: 'b' }])
    await until(() => received.length === 2)
    await instance.close!()
  })

  it('takes the port from the event and drops events without one', async () => {
    const { deliver, instance, environment } = output({ port: '%{p}' })
    await deliver([{ message: 'a', p: port }, { message: 'b', p: 'foo' }, { message: 'c' }])
    await until(() => received.length === 1)
    expect(received).toEqual(['a'])
    expect(environment.logger.lines.map(({ message, fields }) => [message, fields?.['message']])).toEqual([
      ['Failed to resolve port, dropping event', 'invalid value for Integer(): "foo"'],
      ['Failed to resolve port, dropping event', 'invalid value for Integer(): "%{p}"'],
    ])
    await instance.close!()
  })

  it('says what was too large', async () => {
    const { deliver, instance, environment } = output({ port })
    await deliver([{ message: 'x'.repeat(70_000) }, { message: 'y' }])
    await until(() => received.length === 1)
    expect(environment.logger.messages('error')).toEqual([
      'Failed to send event, message size of 70000 too long',
    ])
    await instance.close!()
  })

  it('tries again as often as told', async () => {
    const { deliver, instance, environment } = output({ port: 99_999, retry_count: 2, retry_backoff_ms: 1 })
    await deliver([{ message: 'x' }])
    expect(environment.logger.messages()).toEqual([
      'Failed to send event, retrying:',
      'Failed to send event, retrying:',
      'Failed to send event:',
    ])
    await instance.close!()
  })
})
