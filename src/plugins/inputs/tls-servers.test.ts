/** What the options about keys, versions and ciphers do to inputs that serve TLS, as a client sees it. */
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import type { InputDefinition } from '../../plugin/define.ts'
import { inputFor, type TestOptions } from '../../plugin/testing.ts'
import { certificateFiles, testCertificate, testKey } from '../tls/test-certificate.ts'
import beats from './beats.ts'
import http from './http.ts'
import tcp from './tcp.ts'

const atEnd: (() => unknown)[] = []

afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

async function addressOf(definition: InputDefinition, options: TestOptions): Promise<string> {
  const { certificate, key } = await certificateFiles()
  const usual = { ssl_enabled: true, ssl_certificate: certificate, ssl_key: key }
  const { instance, sink, environment } = inputFor(definition, {
    host: '127.0.0.1',
    port: 0,
    ...usual,
    ssl_client_authentication: 'none',
    ...options,
  })
  await instance.register?.()
  const running = instance.run(sink)
  atEnd.push(async () => {
    await instance.stop()
    await running
    await instance.close?.()
  })
  return String(environment.logger.lines.flatMap(({ fields }) => fields?.['address'] ?? [])[0])
}

async function portOf(definition: InputDefinition, options: TestOptions): Promise<number> {
  return Number(/:(\d+)$/.exec(await addressOf(definition, options))?.[1])
}

async function agreed(port: number, options: ConnectionOptions = {}) {
  const socket = connect({
    host: '127.0.0.1',
    port,
    ca: testCertificate,
    servername: 'localhost',
    ...options,
  })
  try {
    await once(socket, 'secureConnect')
    return { protocol: socket.getProtocol(), cipher: socket.getCipher().name }
  } finally {
    socket.on('error', () => undefined)
    socket.destroy()
  }
}

describe.each([
  ['tcp', tcp as InputDefinition],
  ['beats', beats as InputDefinition],
  ['http', http as InputDefinition],
])('%s', (_, definition) => {
  it('listens at the address it is told', async () => {
    expect(await addressOf(definition, {})).toMatch(/^127\.0\.0\.1:\d+$/)
  })

  it('speaks the versions it is told to', async () => {
    const port = await portOf(definition, { ssl_supported_protocols: ['TLSv1.2'] })
    expect((await agreed(port)).protocol).toBe('TLSv1.2')
    await expect(agreed(port, { minVersion: 'TLSv1.3' })).rejects.toThrow()
    const usual = await portOf(definition, {})
    expect((await agreed(usual)).protocol).toBe('TLSv1.3')
  })

  it('agrees to the ciphers it is told to, by either name', async () => {
    const openSsl = 'ECDHE-ECDSA-AES256-GCM-SHA384'
    for (const name of [openSsl, 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384']) {
      const port = await portOf(definition, { ssl_cipher_suites: [name] })
      expect((await agreed(port, { maxVersion: 'TLSv1.2' })).cipher).toBe(openSsl)
      const other = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' } as const
      await expect(agreed(port, other)).rejects.toThrow()
    }
  })

  it('opens its key with a passphrase', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'millrace-key-')), 'key.pem')
    const sealed = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'open' } as const
    await writeFile(file, createPrivateKey(testKey).export(sealed))
    const port = await portOf(definition, { ssl_key: file, ssl_key_passphrase: 'open' })
    expect((await agreed(port)).protocol).toBe('TLSv1.3')
    await expect(portOf(definition, { ssl_key: file, ssl_key_passphrase: 'wrong' })).rejects.toThrow()
  })
})
