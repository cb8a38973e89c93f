import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { Password } from '../../plugin/define.ts'
import { recordingLogger } from '../../plugin/testing.ts'
import { type ClientOptions, clientSettings, translated } from './client-settings.ts'
import { AwsService, isRefusal } from './service.ts'
import { TestAws } from './test-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'aws-settings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const none: ClientOptions = {
  access_key_id: undefined,
  secret_access_key: undefined,
  session_token: undefined,
  aws_credentials_file: undefined,
  role_arn: undefined,
  role_session_name: 'logstash',
  region: 'eu-west-1',
}

afterEach(() => vi.unstubAllEnvs())

async function credentials(options: Partial<ClientOptions>): Promise<unknown> {
  const { client, handler } = await clientSettings({ ...none, ...options }, recordingLogger())
  handler.destroy()
  return client['credentials']
}

describe('credentials', () => {
  const file = join(folder, 'credentials.yml')
  writeFileSync(file, ':access_key_id: "12345"\n:secret_access_key: "54321"\n')

  it('come from the options first, then from the file', async () => {
    const keys = {
      access_key_id: 'a',
      secret_access_key: new Password('s'),
      session_token: new Password('t'),
    }
    expect(await credentials({ ...keys, aws_credentials_file: file })).toEqual({
      accessKeyId: 'a',
      secretAccessKey: 's',
      sessionToken: 't',
    })
    expect(await credentials({ access_key_id: 'alone', aws_credentials_file: file })).toEqual({
      accessKeyId: '12345',
      secretAccessKey: '54321',
    })
  })

  it('come from the environment under the other name, or are left to the SDK', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined)
    expect(await credentials({})).toBeUndefined()
    vi.stubEnv('AMAZON_ACCESS_KEY_ID', 'm')
    vi.stubEnv('AMAZON_SECRET_ACCESS_KEY', 'n')
    expect(await credentials({})).toEqual({ accessKeyId: 'm', secretAccessKey: 'n' })
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'first')
    expect(await credentials({})).toBeUndefined()
  })

  it('are those of a role when there is one', async () => {
    expect(await credentials({ role_arn: 'arn:aws:iam::1:role/r' })).toBeTypeOf('function')
  })

  it('are missed in a file without them', async () => {
    const path = join(folder, 'empty.yml')
    writeFileSync(path, '')
    await expect(credentials({ aws_credentials_file: path })).rejects.toThrow('does not name :access_key_id:')
  })
})

describe('additional_settings', () => {
  it('are said in the terms of this SDK', () => {
    const logger = recordingLogger()
    const settings = new Map<string, string | number>([
      ['force_path_style', 'true'],
      ['follow_redirects', 'false'],
      ['retry_limit', 5],
      ['http_open_timeout', 2],
      ['ssl_verify_peer', 'false'],
      ['logger', 'x'],
    ])
    expect(translated(settings, logger)).toEqual({
      client: { forcePathStyle: true, followRegionRedirects: false, maxAttempts: 6 },
      handler: { connectMilliseconds: 2000, tls: { rejectUnauthorized: false } },
    })
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { setting: 'logger' } }])
  })
})

describe('a service', () => {
  it('is reached through a proxy', async () => {
    const aws = await TestAws.start()
    aws.handlers.set('GetQueueUrl', () => ({ QueueUrl: 'u' }))
    const asked: string[] = []
    const proxy = createServer()
    proxy.on('connect', (request, socket) => {
      asked.push(`${request.url} ${request.headers['proxy-authorization']}`)
      const { port } = new URL(aws.url)
      const server = connect(Number(port), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        server.pipe(socket).pipe(server)
      })
      socket.on('error', () => server.destroy())
      server.on('error', () => socket.destroy())
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const { port } = proxy.address() as AddressInfo
    const options: ClientOptions = {
      ...none,
      access_key_id: 'AKIATEST',
      secret_access_key: new Password('s'),
      endpoint: 'http://sqs.invalid:80',
      proxy_uri: `http://me:p%40ss@127.0.0.1:${port}`,
    }
    const service = await AwsService.open({ service: 'sqs', options, logger: recordingLogger() })
    expect(await service.call('GetQueueUrl', { QueueName: 'q' })).toMatchObject({ QueueUrl: 'u' })
    expect(asked).toEqual([`sqs.invalid:80 Basic ${Buffer.from('me:p@ss').toString('base64')}`])
    service.close()
    proxy.close()
    proxy.closeAllConnections()
    await aws.close()
  })

  it.each([
    [{ name: 'NoSuchBucket', $metadata: { httpStatusCode: 404 } }, true],
    [{ name: 'AccessDenied', $metadata: { httpStatusCode: 403 } }, true],
    [{ name: 'SlowDown', $metadata: { httpStatusCode: 503 } }, false],
    [{ name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } }, false],
    [{ name: 'ProvisionedThroughputExceededException', $metadata: { httpStatusCode: 400 } }, false],
    [{ name: 'ExpiredToken', $metadata: { httpStatusCode: 400 } }, false],
    [{ name: 'TimeoutError', $metadata: {} }, false],
    [new Error('ECONNREFUSED'), false],
  ])('refuses with %o: %s', (error, expected) => expect(isRefusal(error)).toBe(expected))
})
