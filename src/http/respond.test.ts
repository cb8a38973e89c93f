import { createServer, get, type IncomingMessage, type RequestOptions, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { json, type Outlet, type Reply, send, text } from './respond.ts'

let server: Server | undefined

afterEach(() => void server?.close().closeAllConnections())

async function serve(reply: Reply): Promise<number> {
  server = createServer((message, response) => void send(message, response, reply, false))
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function ask(
  port: number,
  options: RequestOptions = {},
): Promise<{ response: IncomingMessage; body: Buffer }> {
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', agent: false, ...options }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ response, body: Buffer.concat(chunks) })
    })
      .on('error', reject)
      .end()
  })
}

describe('a reply', () => {
  it('is compressed from a kilobyte on, for those who take it', async () => {
    const gzip = { headers: { 'accept-encoding': 'gzip' } }
    const small = await ask(await serve(text('x'.repeat(1024))), gzip)
    expect(small.response.headers['content-encoding']).toBeUndefined()
    const large = 'x'.repeat(1025)
    const port = await serve(text(large))
    const squeezed = await ask(port, gzip)
    expect(squeezed.response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(squeezed.body).toString()).toBe(large)
    for (const [offer, coding] of [
      ['*', 'gzip'],
      ['deflate, *;q=0.1', 'gzip'],
      ['*, gzip;q=0', undefined],
      ['gzip;q=0.000', undefined],
      ['GZIP; Q=1', 'gzip'],
      ['gzipped', undefined],
      ['', undefined],
    ] as const) {
      const { response } = await ask(port, { headers: { 'accept-encoding': offer } })
      expect([offer, response.headers['content-encoding']]).toEqual([offer, coding])
      expect(response.headers.vary).toBe('accept-encoding')
    }
  })

  it('in pieces arrives whole, compressed or not', async () => {
    const pieces = Array.from({ length: 300 }, (_, n) => Buffer.from(`${n} ${'ü'.repeat(n)}`))
    const whole = Buffer.concat(pieces)
    const port = await serve({ status: 200, type: 'text/plain', content: { pieces } })
    const plain = await ask(port)
    expect(plain.response.headers['content-length']).toBe(String(whole.length))
    expect(plain.body.equals(whole)).toBe(true)
    const squeezed = await ask(port, { headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(squeezed.body).equals(whole)).toBe(true)
    expect(squeezed.response.headers['content-length']).toBe(String(squeezed.body.length))
  })

  it('to HEAD has the length of GET, compressed or not', async () => {
    const port = await serve(json({ text: 'x'.repeat(3000) }))
    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const whole = await ask(port, { headers })
      const head = await ask(port, { headers, method: 'HEAD' })
      expect(head.body.length).toBe(0)
      expect(head.response.headers['content-length']).toBe(String(whole.body.length))
      expect(head.response.headers['content-encoding']).toBe(whole.response.headers['content-encoding'])
    }
  })

  it('may be a stream, which knows what has not been read and when its reader has gone', async () => {
    let outlet: Outlet | undefined
    const port = await serve({
      status: 200,
      type: 'text/event-stream',
      content: {
        stream: (given) => {
          outlet = given
          given.write('one\n')
        },
      },
    })
    const response = await new Promise<IncomingMessage>((resolve) => {
      get({ port, host: '127.0.0.1', agent: false }, resolve)
    })
    const [first] = await new Promise<string[]>((resolve) => {
      response.setEncoding('utf8').once('data', (chunk: string) => resolve([chunk]))
    })
    expect(first).toBe('one\n')
    expect(outlet?.waiting).toBe(0)
    response.pause()
    for (let i = 0; i < 64; i++) outlet?.write('x'.repeat(1024 * 1024))
    await sleep(20)
    expect(outlet?.waiting).toBeGreaterThan(1024 * 1024)
    expect(outlet?.closed.aborted).toBe(false)
    response.on('error', () => undefined)
    outlet?.drop()
    for (let i = 0; i < 100 && !outlet?.closed.aborted; i++) await sleep(10)
    expect(outlet?.closed.aborted).toBe(true)
    outlet?.write('nobody hears this')
  })
})
