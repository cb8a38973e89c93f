/** Inputs that serve TLS: how long a handshake may take, and who may come in by certificate. */
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { InputDefinition } from '../../plugin/define.ts'
import { inputFor, type TestOptions } from '../../plugin/testing.ts'
import jsonLines from '../codecs/json-lines.ts'
import { certificateFiles, testCertificate, testKey } from '../tls/test-certificate.ts'
import http from './http.ts'
import logstash from './logstash.ts'
import relp from './relp.ts'
import tcp from './tcp.ts'

const { certificate, key } = await certificateFiles()
const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

async function portOf(definition: InputDefinition, options: TestOptions): Promise<number> {
  const all = { host: '127.0.0.1', port: 0, ...options }
  const { instance, sink, environment } = inputFor(definition, all, { codecs: [jsonLines] })
  await instance.register?.()
  const running = instance.run(sink)
  atEnd.push(async () => {
    environment.stop()
    await instance.stop()
    await running
    await instance.close?.()
  })
  const address = environment.logger.lines.flatMap(({ fields }) => fields?.['address'] ?? [])[0]
  return Number(/:(\d+)$/.exec(String(address))?.[1])
}

describe.each([
  ['http', http as InputDefinition],
  ['logstash', logstash as InputDefinition],
])('%s', (_, definition) => {
  it('closes connections whose handshake takes longer than ssl_handshake_timeout', async () => {
    const tls = { ssl_enabled: true, ssl_certificate: certificate, ssl_key: key }
    const port = await portOf(definition, { ...tls, ssl_handshake_timeout: 100 })
    const begun = Date.now()
    const socket = createConnection({ host: '127.0.0.1', port })
    socket.resume()
    socket.on('error', () => {})
    await once(socket, 'close')
    expect(Date.now() - begun).toBeLessThan(5000)
  })
})

describe('inputs without an option for it', () => {
  it('close connections whose handshake takes longer than ten seconds', { timeout: 40_000 }, async () => {
    const ports = [
      await portOf(tcp, { ssl_enabled: true, ssl_certificate: certificate, ssl_key: key }),
      await portOf(relp, { ssl_enable: true, ssl_cert: certificate, ssl_key: key }),
    ]
    const begun = Date.now()
    const sockets = ports.map((port) => createConnection({ host: '127.0.0.1', port }).resume())
    atEnd.push(() => {
      for (const socket of sockets) socket.destroy()
    })
    await Promise.all(
      sockets.map((socket) => {
        socket.on('error', () => {})
        return once(socket, 'close')
      }),
    )
    // Node.js would wait for two minutes.
    expect(Date.now() - begun).toBeLessThan(30_000)
  })
})

/** Whether the server still talks after the handshake; it tells of a refusal only then. */
async function isLetIn(port: number, options: ConnectionOptions): Promise<boolean> {
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca: testCertificate,
    servername: 'localhost',
    ...options,
  })
  try {
    await once(socket, 'secureConnect')
    socket.write('1 open 0\n')
    const [said] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown]
    return Buffer.isBuffer(said)
  } catch {
    return false
  } finally {
    socket.on('error', () => {})
    socket.destroy()
  }
}

describe('relp', () => {
  const tls = { ssl_enable: true, ssl_cert: certificate, ssl_key: key }

  it('serves TLS when told to, to anybody', async () => {
    const port = await portOf(relp, { ...tls, ssl_verify: false })
    expect(await isLetIn(port, {})).toBe(true)
  })

  it('lets in only senders with a certificate of an authority it knows', async () => {
    const port = await portOf(relp, { ...tls, ssl_verify: true, ssl_cacert: certificate })
    expect(await isLetIn(port, {})).toBe(false)
    expect(await isLetIn(port, { cert: testCertificate, key: testKey })).toBe(true)
  })
})
