import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat } from '../../event/value.ts'
import { outputFor, type TestOptions } from '../../plugin/testing.ts'
import { proxyOf } from '../http-client/http-options.ts'
import { certificateFiles, testCertificate, testKey } from '../tls/test-certificate.ts'
import http, { pauseSeconds } from './http.ts'

interface Got {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: Buffer
}

type Answer = (response: ServerResponse, n: number) => void
const atEnd: (() => unknown)[] = []

afterEach(async () => {
  for (const end of atEnd.splice(0)) await end()
})

async function web(answer: Answer = (response) => response.end('ok'), tls = false) {
  const got: Got[] = []
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const { method, url, headers } = request
      answer(response, got.push({ method, url, headers, body: Buffer.concat(chunks) }) - 1)
    })
  }
  const server = tls ? createTlsServer({ key: testKey, cert: testCertificate }, handle) : createServer(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { got, port, url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}` }
}

async function output(url: string, options: TestOptions = {}) {
  const output = outputFor(http, { url, http_method: 'post', ...options })
  await output.instance.register!()
  atEnd.unshift(() => output.instance.close!())
  return output
}

const bodies = (got: Got[]) => got.map(({ body }) => body.toString()).sort()

describe('http', () => {
  it('sends a request per event, as JSON', async () => {
    const { got, url } = await web()
    const { deliver } = await output(`${url}/in/%{i}`, { headers: { 'X-Host': '%{h}' } })
    await deliver([
      { i: 1, h: 'a' },
      { i: 2, h: 'b' },
    ])
    expect(bodies(got)).toEqual([
      '{"i":1,"h":"a","@timestamp":"2015-10-01T05:06:07.089Z","@version":"1"}',
      '{"i":2,"h":"b","@timestamp":"2015-10-01T05:06:07.089Z","@version":"1"}',
    ])
    const first = got.find((request) => request.url === '/in/1')!
    expect(first.method).toBe('POST')
    expect(first.headers['content-type']).toBe('application/json')
    expect(first.headers['x-host']).toBe('a')
  })

  it('sends a batch as a list, without templates', async () => {
    const { got, url } = await web()
    const { deliver } = await output(`${url}/b`, { format: 'json_batch', mapping: { n: '%{i}' } })
    await deliver([{ i: 1 }, { i: 2 }])
    expect(bodies(got)).toEqual(['[{"n":"1"},{"n":"2"}]'])
    await deliver([])
    expect(got).toHaveLength(1)
  })

  it('maps, at any depth', async () => {
    const { got, url } = await web()
    const mapping = { a: '%{i}', b: { c: ['%{i}', 5] } }
    const { deliver } = await output(url, { mapping, http_method: 'put' })
    await deliver([{ i: 1 }])
    expect(got[0]!.method).toBe('PUT')
    expect(got[0]!.body.toString()).toBe('{"a":"1","b":{"c":["1","5"]}}')
  })

  it('sends forms in the words of Ruby', async () => {
    const { got, url } = await web()
    const { deliver } = await output(url, { format: 'form' })
    const time = new Timestamp(0)
    await deliver([
      { 'a b': 'x&y*', n: null, f: new LsFloat(1), l: ['p', 1], m: { k: 'v' }, '@timestamp': time },
    ])
    expect(got[0]!.headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect(got[0]!.body.toString()).toBe(
      'a+b=x%26y%2A&n=&f=1.0&l=%5B%22p%22%2C+1%5D&m=%7B%22k%22%3D%3E%22v%22%7D' +
        '&%40timestamp=1970-01-01T00%3A00%3A00.000Z&%40version=1',
    )
  })

  it('sends messages', async () => {
    const { got, url } = await web()
    const { deliver } = await output(url, { format: 'message', message: 'i is %{i}', content_type: 'text/x' })
    await deliver([{ i: 1 }])
    expect(bodies(got)).toEqual(['i is 1'])
    expect(got[0]!.headers['content-type']).toBe('text/x')
    expect(() => outputFor(http, { url, http_method: 'post', format: 'message' })).toThrow(
      'message must be set if message format is used',
    )
  })

  it('compresses and authenticates', async () => {
    const { got, url } = await web()
    const { deliver } = await output(url, { http_compression: true, user: 'u', password: 'p' })
    await deliver([{ i: 1 }])
    expect(got[0]!.headers['content-encoding']).toBe('gzip')
    expect(got[0]!.headers.authorization).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`)
    expect(gunzipSync(got[0]!.body).toString()).toContain('"i":1')
  })

  it('drops what the server refuses, and says so', async () => {
    const { got, url } = await web((response) => {
      response.statusCode = 404
      response.end()
    })
    const { deliver, environment } = await output(url)
    await deliver([{ i: 1 }])
    expect(got).toHaveLength(1)
    expect(environment.logger.messages('error')).toEqual([
      '[HTTP Output Failure] Encountered non-2xx HTTP code 404',
    ])
  })

  it('takes ignorable codes for success', async () => {
    const { url } = await web((response) => {
      response.statusCode = 409
      response.end()
    })
    const { deliver, environment } = await output(url, { ignorable_codes: [409] })
    await deliver([{ i: 1 }])
    expect(environment.logger.messages()).toEqual([])
  })

  it('sends again after codes that may pass', async () => {
    const { got, url } = await web((response, n) => {
      response.statusCode = n === 0 ? 503 : 200
      response.end('busy')
    })
    const { deliver, environment } = await output(url)
    await deliver([{ i: 1 }])
    expect(got).toHaveLength(2)
    expect(environment.logger.lines).toMatchObject([
      {
        level: 'warn',
        message: 'Encountered a retryable HTTP request in HTTP output, will retry',
        fields: { code: 503, body: 'busy' },
      },
      { level: 'info', message: 'Retrying http request, will sleep for 0 seconds' },
    ])
  })

  it('sends again after the codes it is given, and after no others', async () => {
    const { got, url } = await web((response, n) => {
      response.statusCode = [418, 503][n] ?? 200
      response.end()
    })
    const { deliver, environment } = await output(url, { retryable_codes: [418] })
    await deliver([{ i: 1 }])
    expect(got).toHaveLength(2)
    expect(environment.logger.messages('error')).toEqual([
      '[HTTP Output Failure] Encountered non-2xx HTTP code 503',
    ])
  })

  it('gives up at once without retry_failed', async () => {
    const { got, url } = await web((response) => {
      response.statusCode = 503
      response.end()
    })
    const { deliver, environment } = await output(url, { retry_failed: false })
    await deliver([{ i: 1 }])
    expect(got).toHaveLength(1)
    expect(environment.logger.messages('warn')).toEqual([
      "Encountered a retryable HTTP request in HTTP output, won't retry",
    ])
  })

  it('tries until there is a server', async () => {
    const { deliver, environment } = await output('http://127.0.0.1:1/')
    const delivered = deliver([{ i: 1 }])
    setTimeout(() => environment.stop(), 200)
    await expect(delivered).rejects.toThrow()
    expect(environment.logger.lines[0]).toMatchObject({
      level: 'error',
      message: '[HTTP Output Failure] Could not fetch URL',
      fields: { method: 'post', will_retry: true },
    })
  })

  it('repeats at once what a broken connection swallowed, if it is harmless', async () => {
    const { got, url } = await web((response, n) => (n === 0 ? response.destroy() : response.end()))
    const { deliver, environment } = await output(url, { http_method: 'put' })
    await deliver([{ i: 1 }])
    expect(got).toHaveLength(2)
    expect(environment.logger.messages()).toEqual([])
  })

  it('repeats at once as often as it is told, and what is not harmless only when told', async () => {
    const { got, url } = await web((response, n) => (n < 3 ? response.destroy() : response.end()))
    const { deliver, environment } = await output(url, { automatic_retries: 3, retry_non_idempotent: true })
    await deliver([{ i: 1 }])
    expect(got).toHaveLength(4)
    expect(environment.logger.messages()).toEqual([])
    const never = await web((response, n) => (n === 0 ? response.destroy() : response.end()))
    const impatient = await output(never.url, { http_method: 'put', automatic_retries: 0 })
    await impatient.deliver([{ i: 1 }])
    expect(impatient.environment.logger.messages('error')).toEqual([
      '[HTTP Output Failure] Could not fetch URL',
    ])
  })

  it('drops an event whose URL or headers cannot be sent', async () => {
    const { got, url } = await web()
    const { deliver, environment } = await output('%{u}', { headers: ['X-A', '%{h}'] })
    await deliver([
      { u: 'nonsense', h: 'x' },
      { u: url, h: 'a\nb' },
      { u: url, h: 'fine' },
    ])
    expect(got).toHaveLength(1)
    expect(environment.logger.lines.map(({ fields }) => fields?.['will_retry'])).toEqual([false, false])
  })

  it('ends a request that takes too long', async () => {
    const { url } = await web(() => {})
    const { deliver, environment } = await output(url, { request_timeout: 0.05, retry_failed: false })
    await deliver([{ i: 1 }])
    expect(environment.logger.lines[0]!.fields).toMatchObject({
      message: 'Request timed out',
      will_retry: false,
    })
  })

  it('ends a request whose answer stalls for socket_timeout', async () => {
    const { url } = await web((response) => {
      response.writeHead(500)
      response.write('half')
    })
    const { deliver, environment } = await output(url, { socket_timeout: 0.05, retry_failed: false })
    await deliver([{ i: 1 }])
    expect(environment.logger.lines[0]!.fields).toMatchObject({ message: 'Body Timeout Error' })
  })

  it('ends a connection that does not come about within connect_timeout', async () => {
    const silent = createTcpServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    atEnd.push(() => void silent.close())
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const { deliver, environment } = await output(url, { connect_timeout: 0.05, retry_failed: false })
    await deliver([{ i: 1 }])
    expect(environment.logger.lines[0]!.fields).toMatchObject({
      message: expect.stringContaining('Connect Timeout Error'),
    })
  })

  it('sends cookies back', async () => {
    const { got, url } = await web((response) => {
      response.setHeader('Set-Cookie', 'session=1; Path=/')
      response.end()
    })
    const { deliver } = await output(url)
    await deliver([{ i: 1 }])
    await deliver([{ i: 2 }])
    expect(got.map(({ headers }) => headers.cookie)).toEqual([undefined, 'session=1'])
  })

  it('follows no redirects when told so', async () => {
    const { got, url } = await web((response) => response.writeHead(302, { Location: '/there' }).end())
    const { deliver } = await output(`${url}/here`, { http_method: 'get', follow_redirects: false })
    await deliver([{ i: 1 }])
    expect(got.map((request) => request.url)).toEqual(['/here'])
  })

  it('follows redirects of GET only', async () => {
    const { got, url } = await web((response, n) => {
      if (n % 2 === 0) response.writeHead(302, { Location: '/there' })
      response.end()
    })
    const { deliver } = await output(`${url}/here`, { http_method: 'get' })
    await deliver([{ i: 1 }])
    expect(got.map((request) => request.url)).toEqual(['/here', '/there'])
    const posting = await output(`${url}/here`)
    await posting.deliver([{ i: 1 }])
    expect(got).toHaveLength(3)
    expect(posting.environment.logger.messages('error')).toEqual([
      '[HTTP Output Failure] Encountered non-2xx HTTP code 302',
    ])
  })

  it('checks certificates', async () => {
    const { got, url } = await web(undefined, true)
    const { certificate } = await certificateFiles()
    for (const trust of [{ cacert: certificate }, { ssl_certificate_authorities: [certificate] }]) {
      const trusting = await output(url, trust)
      await trusting.deliver([{ i: 1 }])
    }
    const careless = await output(url, { ssl_verification_mode: 'none' })
    await careless.deliver([{ i: 2 }])
    const strict = await output(url, { retry_failed: false })
    await strict.deliver([{ i: 3 }])
    expect(got).toHaveLength(3)
    expect(strict.environment.logger.messages('error')).toEqual(['[HTTP Output Failure] Could not fetch URL'])
  })

  it('goes through a proxy', async () => {
    const { got, port } = await web()
    const { deliver } = await output('http://far.example/x', {
      proxy: { host: '127.0.0.1', port, user: 'u', password: 'p' },
    })
    await deliver([{ i: 1 }])
    expect(got[0]!.url).toBe('http://far.example/x')
    expect(got[0]!.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`)
  })

  it('understands the ways to name a proxy', () => {
    expect(proxyOf([])).toBeUndefined()
    expect(proxyOf(['http://a%40b:c@p:1'])).toEqual({
      uri: 'http://p:1/',
      token: `Basic ${Buffer.from('a@b:c').toString('base64')}`,
    })
    expect(proxyOf([['url', 'http://p:2']])).toEqual({ uri: 'http://p:2/', token: undefined })
  })

  it('pauses longer and longer, up to a minute', () => {
    expect([1, 2, 3, 8, 100].map((tries) => pauseSeconds(tries, 0))).toEqual([0, 2, 4, 30, 30])
    expect([1, 2, 3, 8, 100].map((tries) => pauseSeconds(tries, 0.999))).toEqual([0, 4, 8, 60, 60])
  })
})
