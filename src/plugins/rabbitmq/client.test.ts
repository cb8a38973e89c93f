/** What options about connections do, which the rabbitmq input and output share. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type TestOptions, validOptions } from '../../plugin/testing.ts'
import rabbitmq from '../outputs/rabbitmq.ts'
import { keyStoreFile } from '../tls/test-certificate.ts'
import { openConnection } from './client.ts'

const asked: { url: Record<string, unknown>; options: Record<string, unknown> }[] = []
vi.mock('amqplib', () => ({
  connect: (url: Record<string, unknown>, options: Record<string, unknown>) => {
    asked.push({ url, options })
    return Promise.reject(new Error('nobody there'))
  },
}))
beforeEach(() => {
  asked.length = 0
})

/** How a connection is asked for. */
async function connecting(options: TestOptions) {
  const given = { host: 'h', exchange: 'e', exchange_type: 'direct', ...options }
  const valid = validOptions(rabbitmq, given) as unknown as Parameters<typeof openConnection>[0]
  const failure = await openConnection(valid).then(
    () => undefined,
    (error: Error) => error.message,
  )
  return { asked: asked[0], failure }
}

describe('connections to RabbitMQ', () => {
  it('are plain, with a sign of life each minute, and may take a minute', async () => {
    const { asked } = await connecting({})
    expect(asked?.url).toMatchObject({ protocol: 'amqp', hostname: 'h', port: 5672, heartbeat: 60 })
    expect(asked?.options).toMatchObject({ timeout: 60_000 })
    expect(asked?.options).not.toHaveProperty('minVersion')
  })

  it('take heartbeat and connection_timeout', async () => {
    const { asked } = await connecting({ heartbeat: 7, connection_timeout: 1234 })
    expect(asked?.url['heartbeat']).toBe(7)
    expect(asked?.options['timeout']).toBe(1234)
  })

  it('are encrypted with ssl, and do not check the server without a key store', async () => {
    const { asked } = await connecting({ ssl: true, ssl_version: 'TLSv1.3' })
    expect(asked?.url['protocol']).toBe('amqps')
    expect(asked?.options).toMatchObject({ rejectUnauthorized: false, minVersion: 'TLSv1.3' })
  })

  it('show and check certificates with a key store', async () => {
    const { asked } = await connecting({
      ssl: true,
      ssl_certificate_path: await keyStoreFile(),
      ssl_certificate_password: 'secret',
    })
    expect(asked?.options).toMatchObject({
      rejectUnauthorized: true,
      passphrase: 'secret',
      minVersion: 'TLSv1.2',
    })
    expect(asked?.options['pfx']).toBeInstanceOf(Buffer)
  })

  it('have a version of TLS that exists', async () => {
    const { failure } = await connecting({ ssl: true, ssl_version: 'SSLv2' })
    expect(failure).toBe('Unknown ssl_version "SSLv2"')
  })
})
