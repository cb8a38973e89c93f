import { request } from 'undici'
import { afterEach, describe, expect, it } from 'vitest'
import { inputFor, type TestInput, type TestOptions } from '../../plugin/testing.ts'
import jsonLines from '../codecs/json-lines.ts'
import { certificateFiles } from '../tls/test-certificate.ts'
import forwarder from './elastic-serverless-forwarder.ts'

const { certificate } = await certificateFiles()
const running: { input: TestInput; ended: Promise<void> }[] = []
afterEach(async () => {
  for (const { input, ended } of running.splice(0)) {
    input.environment.stop()
    await input.instance.stop()
    await ended
    await input.instance.close?.()
  }
})

async function start(options: TestOptions): Promise<{ input: TestInput; address: string }> {
  const all = { host: '127.0.0.1', port: 0, ...options }
  const input = inputFor(forwarder, all, { codecs: [jsonLines] })
  await input.instance.register!()
  running.push({ input, ended: input.instance.run(input.sink) })
  const line = input.environment.logger.lines.find(({ message }) => message.startsWith('Starting http'))
  return { input, address: String(line!.fields!['address']) }
}

describe('elastic_serverless_forwarder input', () => {
  it('takes JSON lines as they are, and adds nothing', async () => {
    const { input, address } = await start({ ssl_enabled: false, add_field: { from: 'esf' } })
    const body = '{"message":"a","n":1}\n{"message":"b"}\n'
    const { statusCode } = await request(`http://${address}/`, { method: 'POST', body })
    expect(statusCode).toBe(200)
    expect(input.sink.fields()).toEqual([
      { message: 'a', n: 1, from: 'esf' },
      { message: 'b', from: 'esf' },
    ])
  })

  it('wants the credentials it was given', async () => {
    const { address } = await start({
      ssl: false,
      auth_basic_username: 'u',
      auth_basic_password: 'p',
    })
    const post = (headers: Record<string, string>) =>
      request(`http://${address}/`, { method: 'POST', body: '{}', headers })
    expect((await post({})).statusCode).toBe(401)
    const authorization = `Basic ${Buffer.from('u:p').toString('base64')}`
    expect((await post({ authorization })).statusCode).toBe(200)
  })

  it.each<[TestOptions, string]>([
    [{}, 'SSL identity MUST be configured'],
    [{ ssl_enabled: false, ssl_client_authentication: 'required' }, 'Explicit SSL-related settings'],
    [{ ssl_enabled: false, auth_basic_username: 'u' }, '`auth_basic_password` is REQUIRED'],
    [{ ssl_enabled: false, auth_basic_password: 'p' }, '`auth_basic_password` not allowed'],
    [{ ssl_enabled: false, ssl_verification_mode: 'full' }, 'ssl_verification_mode'],
    [{ ssl_enabled: false, codec: 'plain' }, 'does not have an externally-configurable `codec`'],
    [
      { ssl_certificate: certificate, ssl_key_passphrase: 'x' },
      '`ssl_key_passphrase` is not allowed unless `ssl_key`',
    ],
  ])('refuses %j', async (options, message) => {
    await expect(start(options)).rejects.toThrow(message)
  })
})
