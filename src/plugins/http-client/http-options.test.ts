/** What options about connections do, which all plugins with an HTTP client share; tried out with the http output. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import http from '../outputs/http.ts'
import { certificateFiles, keyStoreFile, testCertificate, testKey } from '../tls/test-certificate.ts'

const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** A server that counts connections and requests under way at once. */
async function counting() {
  const seen = { connections: 0, requests: 0, most: 0 }
  let current = 0
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    request.resume()
    seen.requests += 1
    current += 1
    seen.most = Math.max(seen.most, current)
    void wait(30).then(() => {
      current -= 1
      response.end('ok')
    })
  })
  server.on('connection', () => {
    seen.connections += 1
  })
  const port = await listening(server)
  return { seen, url: `http://127.0.0.1:${port}/` }
}

async function send(url: string, options: TestOptions, count = 6): Promise<void> {
  const output = outputFor(http, { url, http_method: 'post', ...options })
  await output.instance.register!()
  atEnd.unshift(() => output.instance.close!())
  await output.deliver(Array.from({ length: count }, (_, n) => ({ n })))
}

describe('connections', () => {
  it('are used again, unless keepalive is off', async () => {
    const kept = await counting()
    await send(kept.url, { pool_max_per_route: 1 })
    expect(kept.seen).toMatchObject({ requests: 6, connections: 1 })
    const closed = await counting()
    await send(closed.url, { pool_max_per_route: 1, keepalive: false })
    expect(closed.seen).toMatchObject({ requests: 6, connections: 6 })
  })

  it('are no more than pool_max_per_route to one server', async () => {
    const { seen, url } = await counting()
    await send(url, { pool_max_per_route: 2 })
    expect(seen).toMatchObject({ requests: 6, connections: 2, most: 2 })
  })

  it('carry no more than pool_max requests at once', async () => {
    const { seen, url } = await counting()
    await send(url, { pool_max: 3, pool_max_per_route: 6 })
    expect(seen).toMatchObject({ requests: 6, most: 3 })
  })
})

describe('an own certificate', () => {
  it('may come from a key store', async () => {
    const names: unknown[] = []
    const options = { key: testKey, cert: testCertificate, ca: testCertificate, requestCert: true }
    const server = createTlsServer({ ...options, rejectUnauthorized: true }, (request, response) => {
      names.push((request.socket as TLSSocket).getPeerCertificate().subject)
      request.resume()
      response.end('ok')
    })
    const url = `https://127.0.0.1:${await listening(server)}/`
    const { certificate } = await certificateFiles()
    await send(
      url,
      {
        ssl_certificate_authorities: [certificate],
        ssl_keystore_path: await keyStoreFile(),
        ssl_keystore_password: 'secret',
      },
      1,
    )
    expect(names).toEqual([{ CN: 'localhost' }])
  })
})
