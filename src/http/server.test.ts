import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { HttpProblem } from './problem.ts'
import { json } from './respond.ts'
import { Router } from './router.ts'
import { type HttpServer, listen, PortsTaken } from './server.ts'
import { type Handler, listenerFor } from './service.ts'

const host = '127.0.0.1'
const open: HttpServer[] = []
let ended: string[] = []

async function start(ports = { first: 0, last: 0 }): Promise<HttpServer> {
  const router = new Router<Handler>()
    .add('GET', '/small', () => json({ a: 1 }))
    .add('GET', '/large', () => json({ text: 'x'.repeat(5000) }))
    .add('GET', '/broken', () => Promise.reject(new HttpProblem(418, 'no coffee')))
    .add('GET', '/slow', async ({ signal }) => {
      await sleep(60_000, undefined, { signal }).catch(() => ended.push('aborted'))
      return json({})
    })
  const listener = listenerFor({
    router,
    guard: ({ headers }) => (headers['x-refuse'] === undefined ? undefined : json('refused', 403)),
    notFound: ({ path }, methods) => json({ path, methods }, 404),
    failed: (error) => json({ message: error.message }, error instanceof HttpProblem ? error.status : 500),
  })
  const server = await listen({ host, ports, listener })
  open.push(server)
  return server
}

afterEach(async () => {
  ended = []
  await Promise.all(open.splice(0).map((server) => server.close(10)))
})

/** The handler learns of it a moment later. */
async function untilAborted(): Promise<void> {
  for (let i = 0; i < 200 && ended.length === 0; i++) await sleep(10)
}

interface Answer {
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

function ask(
  port: number,
  path: string,
  method = 'GET',
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host, port, path, method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', reject).end()
  })
}

describe('an HTTP service', () => {
  it('answers JSON with the headers of the monitoring API', async () => {
    const { port } = await start()
    const { status, headers, body } = await ask(port, '/small')
    expect(status).toBe(200)
    expect(body.toString()).toBe('{"a":1}')
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'content-length': '7',
      'cache-control': 'no-store',
    })
    expect((await ask(port, '/small?pretty')).body.toString()).toBe('{\n  "a": 1\n}\n')
  })

  it('gives HEAD the headers of GET and no body', async () => {
    const { port } = await start()
    const { status, headers, body } = await ask(port, '/small', 'HEAD')
    expect([status, headers['content-length'], body.length]).toEqual([200, '7', 0])
  })

  it('compresses larger bodies for those who ask', async () => {
    const { port } = await start()
    const squeezed = await ask(port, '/large', 'GET', { 'accept-encoding': 'br, gzip;q=0.5' })
    expect(squeezed.headers['content-encoding']).toBe('gzip')
    expect(Number(squeezed.headers['content-length'])).toBe(squeezed.body.length)
    expect(JSON.parse(gunzipSync(squeezed.body).toString())).toEqual({ text: 'x'.repeat(5000) })
    const refused = await ask(port, '/large', 'GET', { 'accept-encoding': 'gzip;q=0' })
    expect(refused.headers['content-encoding']).toBeUndefined()
    expect(
      (await ask(port, '/small', 'GET', { 'accept-encoding': 'gzip' })).headers['content-encoding'],
    ).toBeUndefined()
  })

  it('lets the service render what is missing, broken or not allowed', async () => {
    const { port } = await start()
    const wrongMethod = await ask(port, '/small?x=1', 'POST')
    expect(wrongMethod.status).toBe(404)
    expect(JSON.parse(wrongMethod.body.toString())).toEqual({ path: '/small', methods: ['GET', 'HEAD'] })
    const broken = await ask(port, '/broken')
    expect([broken.status, broken.body.toString()]).toEqual([418, '{"message":"no coffee"}'])
    expect((await ask(port, '/small', 'GET', { 'x-refuse': '1' })).status).toBe(403)
  })

  it('tells a handler that its client has gone', async () => {
    const { port } = await start()
    const socket = connect(port, host)
    socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n')
    await sleep(50)
    socket.destroy()
    await untilAborted()
    expect(ended).toEqual(['aborted'])
  })
})

describe('listen', () => {
  it('takes the first free port of a range and says when there is none', async () => {
    const taken = await start()
    const range = { first: taken.port, last: taken.port + 20 }
    const next = await start(range)
    expect(next.port).toBeGreaterThan(taken.port)
    expect(next.port).toBeLessThanOrEqual(range.last)
    await expect(start({ first: taken.port, last: taken.port })).rejects.toBeInstanceOf(PortsTaken)
  })

  it('closes within its limit even when a request hangs and a connection idles', async () => {
    const server = await start()
    const hanging = ask(server.port, '/slow').catch((error: Error) => error)
    const idle = connect(server.port, host).on('error', () => undefined)
    await sleep(50)
    await server.close(50)
    expect(await hanging).toBeInstanceOf(Error)
    idle.destroy()
    await untilAborted()
    expect(ended).toEqual(['aborted'])
  })
})
