/**
 * Outputs that speak TLS, each in the names of its own options: they encrypt when told to, trust what they are told to
 * trust, check the server unless told not to, and show their own certificate.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer, type TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { OutputDefinition } from '../../plugin/define.ts'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import { certificateFiles, testCertificate, testKey } from '../tls/test-certificate.ts'
import gelf from './gelf.ts'
import redis from './redis.ts'
import syslog from './syslog.ts'
import tcp from './tcp.ts'

const { certificate, key } = await certificateFiles()
const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

/** What arrives in clear after the handshake, and who sent it. */
async function server() {
  const seen = { text: '', names: [] as unknown[] }
  const settings = { key: testKey, cert: testCertificate, ca: testCertificate, requestCert: true }
  const listener = createServer({ ...settings, rejectUnauthorized: false }, (socket: TLSSocket) => {
    seen.names.push(socket.getPeerCertificate().subject?.CN)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      seen.text += data.toString('latin1')
      // Redis answers each command; nobody else listens.
      socket.write(':1\r\n')
    })
  })
  listener.on('tlsClientError', () => {})
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  atEnd.push(() => listener.close())
  return { seen, port: (listener.address() as AddressInfo).port }
}

async function sent(definition: OutputDefinition, options: TestOptions) {
  const { seen, port } = await server()
  const where = definition.name === 'redis' ? { host: [`127.0.0.1:${port}`] } : { host: '127.0.0.1', port }
  const given = { ...where, ...options }
  const output = outputFor(definition, given, { codecs: [json] })
  atEnd.unshift(async () => {
    output.environment.stop()
    await output.instance.close?.()
  })
  const delivered = (async () => {
    await output.instance.register?.()
    await output.deliver([{ message: 'clear text' }])
  })().catch(() => undefined)
  for (let i = 0; i < 100 && !seen.text.includes('clear text'); i++) {
    await wait(5)
    if (i === 60 && seen.names.length === 0) break
  }
  output.environment.stop()
  await Promise.race([delivered, wait(500)])
  return { arrived: seen.text.includes('clear text'), names: seen.names }
}

interface Client {
  readonly name: string
  readonly definition: OutputDefinition
  readonly on: TestOptions
  readonly trusts: TestOptions
  readonly checksNot: TestOptions
  readonly shows: TestOptions
}

const clients: readonly Client[] = [
  {
    name: 'tcp',
    definition: tcp,
    on: { ssl_enabled: true, reconnect_interval: 60 },
    trusts: { ssl_certificate_authorities: [certificate], ssl_verification_mode: 'full' },
    checksNot: { ssl_verification_mode: 'none' },
    shows: { ssl_certificate: certificate, ssl_key: key },
  },
  {
    name: 'syslog',
    definition: syslog,
    on: { protocol: 'ssl-tcp', reconnect_interval: 60, ssl_verify: true },
    trusts: { ssl_cacert: certificate },
    checksNot: { ssl_verify: false },
    shows: { ssl_cert: certificate, ssl_key: key },
  },
  {
    name: 'gelf',
    definition: gelf,
    on: { protocol: 'TCP', ssl: true },
    trusts: { ssl_certificate_authorities: certificate, ssl_verify_mode: 'force_peer' },
    checksNot: { ssl_verify_mode: 'none' },
    shows: { ssl_certificate: certificate, ssl_key: key },
  },
  {
    name: 'redis',
    definition: redis,
    on: { data_type: 'list', key: 'k', ssl_enabled: true, reconnect_interval: 60 },
    trusts: { ssl_certificate_authorities: [certificate] },
    checksNot: { ssl_verification_mode: 'none' },
    shows: { ssl_certificate: certificate, ssl_key: key },
  },
]

describe.each(clients)('the output $name', ({ definition, on, trusts, checksNot, shows }) => {
  it('sends to a server it is told to trust', async () => {
    expect(await sent(definition, { ...on, ...trusts })).toMatchObject({ arrived: true })
  })

  it('sends to nobody that it does not know', async () => {
    expect(await sent(definition, on)).toMatchObject({ arrived: false })
  })

  it('sends to anybody when it is told not to check', async () => {
    expect(await sent(definition, { ...on, ...checksNot })).toMatchObject({ arrived: true })
  })

  it('shows its own certificate', async () => {
    const { names } = await sent(definition, { ...on, ...trusts, ...shows })
    expect(names).toContain('localhost')
  })
})
