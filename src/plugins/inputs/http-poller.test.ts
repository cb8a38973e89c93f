import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { hostname } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { inputFor, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import json from '../codecs/json.ts'
import line from '../codecs/line.ts'
import httpPoller from './http-poller.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function serving(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function polling(options: TestOptions, settings: TestSettings = {}) {
  const input = inputFor(
    httpPoller,
    { schedule: { in: '0.01s' }, ...options },
    { codecs: [json], ...settings },
  )
  const running = input.instance.run(input.sink)
  cleanups.push(async () => {
    await input.instance.stop()
    await running
    await input.instance.close?.()
  })
  return { ...input, running }
}

describe('http_poller input', () => {
  it('decodes answers and tells about them in the metadata', async () => {
    const url = await serving((_, response) => response.setHeader('x-a', 'b').end('[{"a":1},{"a":2}]'))
    const { sink, running } = polling({ urls: { test: `${url}/path` } })
    const events = await sink.waitFor(2)
    expect(events[0]).toEqual({
      a: 1,
      '@metadata': {
        name: 'test',
        host: hostname(),
        request: { method: 'get', url: `${url}/path` },
        runtime_seconds: expect.anything(),
        code: 200,
        response_headers: expect.objectContaining({ 'x-a': 'b' }),
        response_message: 'OK',
        times_retried: 0,
      },
    })
    expect(events[1]).toMatchObject({ a: 2 })
    await running
  })

  it('puts that where metadata_target says', async () => {
    const url = await serving((_, response) => response.writeHead(404).end('{"error":"no"}'))
    const { sink } = polling({ urls: { test: url }, metadata_target: 'meta' })
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({ error: 'no', meta: { code: 404, name: 'test' } })
    expect(event).not.toHaveProperty('@metadata')
  })

  it('puts that where ECS wants it', async () => {
    const url = await serving((_, response) => response.end('{"a":1}'))
    const { sink } = polling({ urls: { test: url } }, { ecs: 'v8' })
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({
      a: 1,
      '@metadata': {
        input: {
          http_poller: {
            request: {
              name: 'test',
              host: { hostname: hostname() },
              original: { method: 'get' },
              retry_count: 0,
            },
            response: { status_code: 200, status_message: 'OK', elapsed_time_ns: expect.any(Number) },
          },
        },
      },
    })
  })

  it('sends what a request asks for', async () => {
    const seen: string[] = []
    const url = await serving((request, response) => {
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        const { method, url, headers } = request
        seen.push(`${method} ${url} ${headers['authorization']} ${headers['x-h']} ${body}`)
        response.end('{}')
      })
    })
    const { sink } = polling({
      urls: {
        one: {
          url: `${url}/p`,
          method: 'post',
          headers: { 'X-H': 'v' },
          body: 'text',
          query: { q: '1 2' },
          user: 'u',
          password: 'p',
        },
      },
    })
    await sink.waitFor(1)
    expect(seen).toEqual([`POST /p?q=1+2 Basic ${Buffer.from('u:p').toString('base64')} v text`])
  })

  it('puts documents below a target', async () => {
    const url = await serving((_, response) => response.end('{"a":1}'))
    const { sink } = polling({ urls: { test: url }, target: 'doc' })
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({ doc: { a: 1 }, '@metadata': { code: 200 } })
  })

  it('makes an event of an empty answer', async () => {
    const url = await serving((_, response) => response.writeHead(204).end())
    const { sink } = polling({ urls: { test: url } })
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({ '@metadata': { code: 204 } })
  })

  it('makes an event of a failure', async () => {
    const { sink } = polling({ urls: { test: 'http://127.0.0.1:1/' }, tags: ['t'] })
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({
      tags: ['_http_request_failure', 't'],
      http_request_failure: {
        name: 'test',
        request: { method: 'get', url: 'http://127.0.0.1:1/' },
        error: expect.stringContaining('ECONNREFUSED'),
      },
      '@metadata': { name: 'test' },
    })
  })

  it.each([
    ['request_timeout', { request_timeout: 0.05 }, 'Request timed out'],
    ['socket_timeout', { socket_timeout: 0.05 }, 'Headers Timeout Error'],
  ])('gives up after %s', async (_, options, error) => {
    const url = await serving(() => {})
    const { sink } = polling({ urls: { test: url }, automatic_retries: 0, ...options })
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({ http_request_failure: { error: expect.stringContaining(error) } })
  })

  it('gives up after connect_timeout', async () => {
    const silent = createTcpServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    cleanups.push(() => void silent.close())
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const { sink } = polling({ urls: { test: url }, automatic_retries: 0, connect_timeout: 0.05 })
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({
      http_request_failure: { error: expect.stringContaining('Connect Timeout Error') },
    })
  })

  it('reads answers with its codec', async () => {
    const url = await serving((_, response) => response.end('one\ntwo'))
    const { sink } = polling({ urls: { test: url }, codec: 'line' }, { codecs: [line] })
    const events = await sink.waitFor(2)
    expect(events.map(({ message }) => message)).toEqual(['one', 'two'])
  })

  it('fetches every so often, all URLs each time', async () => {
    let count = 0
    const url = await serving((_, response) => response.end(`{"n":${++count}}`))
    const { sink } = polling({ urls: { a: url, b: url }, schedule: { every: '0.02s' } })
    await sink.waitFor(4)
  })

  it('follows redirects and keeps cookies', async () => {
    const cookies: (string | undefined)[] = []
    const url = await serving((request, response) => {
      cookies.push(request.headers.cookie)
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end()
      else response.setHeader('Set-Cookie', 'k=v; Path=/').end('{"a":1}')
    })
    const { sink } = polling({ urls: { a: `${url}/a` }, schedule: { every: '0.02s' } })
    expect((await sink.waitFor(2))[0]).toMatchObject({ a: 1 })
    expect(cookies[0]).toBeUndefined()
    expect(cookies[2]).toBe('k=v')
  })

  it.each([
    [{ urls: { a: 5 } }, "Invalid URL or request spec: '5', expected a String or Hash!"],
    [{ urls: { a: { method: 'get' } } }, 'No URL provided for request!'],
    [
      { urls: { a: 'http://x' }, schedule: { often: '1' } },
      'Invalid config. schedule hash must contain exactly one',
    ],
  ])('refuses %j', (options, message) => {
    const { instance } = inputFor(httpPoller, { schedule: { every: '1s' }, ...options })
    expect(() => instance.register?.()).toThrow(message)
  })
})
