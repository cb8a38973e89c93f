import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { Agent, fetch as undiciFetch } from 'undici'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inputFor, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import { certificateFiles, testCertificate, testKey } from '../tls/test-certificate.ts'
import http from './http.ts'

async function serving(options: TestOptions = {}, settings: TestSettings = {}) {
  const input = inputFor(http, { host: '127.0.0.1', port: 0, ...options }, settings)
  await input.instance.register?.()
  const { fields } = input.environment.logger.lines.find(
    ({ message }) => message === 'Starting http input listener',
  )!
  const running = input.instance.run(input.sink)
  const stop = async () => {
    await input.instance.stop()
    await running
    await input.instance.close?.()
  }
  return { ...input, url: `http://${fields!['address']}`, address: String(fields!['address']), stop }
}

/** Raw text over a socket: what a client says is exactly known. */
async function raw(address: string, text: string): Promise<string> {
  const socket = connect(Number(address.split(':')[1]), '127.0.0.1')
  socket.end(text)
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  await once(socket, 'close')
  return answer
}

describe('http input', () => {
  it('makes an event of a body, with the headers and the address of the client', async () => {
    const { address, sink, stop } = await serving()
    const answer = await raw(
      address,
      'PUT /twitter/tweet/1?a=b HTTP/1.1\r\nHost: localhost:8080\r\nUser-Agent: curl/7.64.1\r\nAccept: */*\r\n' +
        'Content-Length: 5\r\nContent-Type: application/x-www-form-urlencoded\r\nX-Own-Header: 1\r\nConnection: close\r\n\r\nhello',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toMatch(/\r\nContent-Type: text\/plain\r\n/)
    expect(answer).toMatch(/\r\n\r\nok$/)
    expect(sink.fields()).toEqual([
      {
        message: 'hello',
        host: '127.0.0.1',
        headers: {
          request_path: '/twitter/tweet/1?a=b',
          http_accept: '*/*',
          http_version: 'HTTP/1.1',
          request_method: 'PUT',
          http_host: 'localhost:8080',
          http_user_agent: 'curl/7.64.1',
          content_length: '5',
          content_type: 'application/x-www-form-urlencoded',
          x_own_header: '1',
          connection: 'close',
        },
      },
    ])
    await stop()
  })

  it('spreads that over the fields of ECS', async () => {
    const { address, sink, stop } = await serving({}, { ecs: 'v8' })
    await raw(
      address,
      'POST /x HTTP/1.1\r\nHost: [::1]:8080\r\nUser-Agent: me\r\nContent-Length: 5\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nhello',
    )
    expect(sink.fields()).toEqual([
      {
        message: 'hello',
        host: { ip: '127.0.0.1' },
        user_agent: { original: 'me' },
        url: { domain: '::1', port: 8080, path: '/x' },
        http: {
          version: 'HTTP/1.1',
          method: 'POST',
          request: { body: { bytes: '5' }, mime_type: 'text/plain' },
        },
        '@metadata': {
          input: {
            http: {
              request: {
                headers: {
                  request_path: '/x',
                  http_accept: null,
                  http_version: 'HTTP/1.1',
                  request_method: 'POST',
                  http_host: '[::1]:8080',
                  http_user_agent: 'me',
                  content_length: '5',
                  content_type: 'text/plain',
                  connection: 'close',
                },
              },
            },
          },
        },
      },
    ])
    await stop()
  })

  it('overwrites what events bring along, and decorates afterwards', async () => {
    const { url, sink, stop } = await serving({ add_field: { from: '%{host}' } })
    const headers = { 'Content-Type': 'application/json; charset=utf-8' }
    await fetch(url, { method: 'POST', body: '[{"host":"theirs"},{"a":1}]', headers })
    const events = await sink.waitFor(2)
    expect(events[0]).toMatchObject({ host: '127.0.0.1', from: '127.0.0.1' })
    expect(events[1]).toMatchObject({ a: 1, headers: { content_type: 'application/json; charset=utf-8' } })
    await stop()
  })

  it('picks codecs by content type', async () => {
    const { url, sink, stop } = await serving({
      additional_codecs: { 'application/x-ndjson': 'json_lines', 'text/x': 'plain' },
      codec: 'json',
    })
    const post = (type: string, body: string) =>
      fetch(url, { method: 'POST', body, headers: { 'Content-Type': type } })
    await post('application/x-ndjson', '{"a":1}\n{"a":2}\n')
    await post('text/x', '{"a":3}')
    await post('application/json', '{"a":4}')
    const events = await sink.waitFor(4)
    expect(events.map(({ a, message }) => a ?? message)).toEqual([1, 2, '{"a":3}', 4])
    await stop()
  })

  it('puts host and headers where it is told', async () => {
    const { url, sink, stop } = await serving({
      remote_host_target_field: '[client][ip]',
      request_headers_target_field: '[req]',
    })
    await fetch(url, { method: 'POST', body: 'x' })
    expect((await sink.waitFor(1))[0]).toMatchObject({
      client: { ip: '127.0.0.1' },
      req: { request_method: 'POST' },
    })
    await stop()
  })

  it.each([201, 202, 204])('answers with response_code %d and its headers', async (response_code) => {
    const { url, stop } = await serving({ response_code, response_headers: { 'X-A': 'b' } })
    const response = await fetch(url, { method: 'POST', body: 'x' })
    expect(response.status).toBe(response_code)
    expect(response.headers.get('x-a')).toBe('b')
    expect(await response.text()).toBe(response_code === 204 ? '' : 'ok')
    await stop()
  })

  it('refuses other response codes', () => {
    expect(() => inputFor(http, { response_code: 200 })).not.toThrow()
    expect(() => inputFor(http, { response_code: 404 })).toThrow('Expected one of')
  })

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ] as const)('reads bodies compressed with %s', async (encoding, compress) => {
    const { url, sink, stop } = await serving()
    const body = compress('hello hello hello')
    await fetch(url, { method: 'POST', body, headers: { 'Content-Encoding': encoding } })
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({ message: 'hello hello hello', headers: { content_length: '17' } })
    expect(event!['headers']).not.toHaveProperty('content_encoding')
    await stop()
  })

  it('answers 400 to a body that cannot be decompressed', async () => {
    const { url, sink, stop } = await serving()
    const request = { method: 'POST', body: 'not gzip', headers: { 'Content-Encoding': 'gzip' } }
    expect((await fetch(url, request)).status).toBe(400)
    await stop()
    expect(sink.received).toEqual([])
  })

  it('reads bodies that come in chunks', async () => {
    const { address, sink, stop } = await serving()
    await raw(
      address,
      'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
    )
    const [event] = sink.fields()
    expect(event).toMatchObject({ message: 'abcde', headers: { content_length: '5' } })
    expect(event!['headers']).not.toHaveProperty('transfer_encoding')
    await stop()
  })
})

describe('http input, limits', () => {
  it('answers 413 to long bodies, said, chunked or compressed to be shorter', async () => {
    const { url, address, sink, stop } = await serving({ max_content_length: 1000 })
    const long = 'x'.repeat(1001)
    expect((await fetch(url, { method: 'POST', body: long })).status).toBe(413)
    const zipped = { method: 'POST', body: gzipSync(long), headers: { 'Content-Encoding': 'gzip' } }
    expect((await fetch(url, zipped)).status).toBe(413)
    const chunked = `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${(1001).toString(16)}\r\n${long}\r\n0\r\n\r\n`
    expect(await raw(address, chunked)).toMatch(/^HTTP\/1\.1 413 /)
    expect((await fetch(url, { method: 'POST', body: 'x'.repeat(1000) })).status).toBe(200)
    await stop()
    expect(sink.received).toHaveLength(1)
  })

  it('tells a client that asks first', async () => {
    const { address, stop } = await serving({ max_content_length: 1000 })
    const head = 'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length:'
    expect(await raw(address, `${head} 1001\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /)
    expect(await raw(address, `${head} 1\r\n\r\nx`)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/,
    )
    await stop()
  })

  it('answers 429 when too many requests wait for the queue, and ok once it has room', async () => {
    const { url, sink, stop } = await serving({ threads: 1, max_pending_requests: 1 })
    const { record } = sink
    let open: () => void = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    let entered: () => void = () => {}
    const first = new Promise<void>((resolve) => {
      entered = resolve
    })
    sink.record = (...call) => {
      entered()
      return opened.then(() => record(...call))
    }
    const post = (body: string) => fetch(url, { method: 'POST', body }).then(({ status }) => status)
    const inside = post('inside')
    await first
    const others = [post('b'), post('c')]
    expect(await Promise.race(others)).toBe(429)
    open()
    expect(await inside).toBe(200)
    expect((await Promise.all(others)).sort()).toEqual([200, 429])
    await stop()
    expect(sink.received).toHaveLength(2)
  })

  it('answers 500 when the pipeline fails', async () => {
    const { url, sink, stop, environment } = await serving()
    sink.record = () => Promise.reject(new Error('broken'))
    const response = await fetch(url, { method: 'POST', body: 'x' })
    expect(response.status).toBe(500)
    expect(await response.text()).toBe('')
    expect(environment.logger.messages('error')).toEqual(['unable to process event.'])
    await stop()
  })

  it('answers what it has taken when it stops, and cuts off what is still coming', async () => {
    const { address, url, sink, stop } = await serving()
    const { record } = sink
    let open: () => void = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    sink.record = (...call) => opened.then(() => record(...call))
    const slow = connect(Number(address.split(':')[1]), '127.0.0.1')
    slow.on('error', () => undefined)
    slow.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nonly this')
    const cut = once(slow, 'close')
    const taken = fetch(url, { method: 'POST', body: 'x' })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const stopping = stop()
    open()
    await stopping
    expect((await taken).status).toBe(200)
    await cut
    expect(slow.bytesRead).toBe(0)
    expect(sink.received).toHaveLength(1)
  })
})

describe('http input, when events are safe', () => {
  afterEach(() => void vi.useRealTimers())

  const statusOf = async (url: string, body: string) => (await fetch(url, { method: 'POST', body })).status

  it('answers when the events are safe, each request for itself', async () => {
    const { url, sink, stop } = await serving({ threads: 1, max_pending_requests: 0 })
    sink.hold()
    const answers: string[] = []
    const posts = ['a', 'b', 'c'].map(async (body, i) => {
      await vi.waitFor(() => expect(sink.held).toBe(i))
      const status = await statusOf(url, body)
      answers.push(`${body} ${status}`)
    })
    await sink.waitFor(3)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(answers).toEqual([])
    sink.releaseAt(1)
    await vi.waitFor(() => expect(answers).toEqual(['b 200']))
    sink.release()
    await Promise.all(posts)
    expect(answers.sort()).toEqual(['a 200', 'b 200', 'c 200'])
    await stop()
  })

  it('answers 429 when they are not safe in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { url, sink, stop } = await serving()
    sink.hold()
    const status = statusOf(url, 'x')
    while (sink.held === 0) await new Promise((resolve) => setImmediate(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersByTime(31_000)
    expect(await status).toBe(429)
    vi.useRealTimers()
    await stop()
  })

  it('answers 503 when it has to stop and they never are', async () => {
    const { url, sink, stop, environment } = await serving()
    sink.hold()
    const status = statusOf(url, 'x')
    await sink.waitFor(1)
    const stopping = stop()
    environment.stop()
    await stopping
    expect(await status).toBe(503)
  })

  it('waits some time for them when it stops', async () => {
    const { url, sink, stop } = await serving()
    sink.hold()
    const status = statusOf(url, 'x')
    await sink.waitFor(1)
    const stopping = stop()
    await new Promise((resolve) => setTimeout(resolve, 50))
    sink.release()
    expect(await status).toBe(200)
    await stopping
  })
})

describe('http input, authentication', () => {
  it('asks for credentials, refuses wrong ones, and keeps the right ones out of events', async () => {
    const { url, sink, stop } = await serving({ user: 'me', password: 'secret' })
    const post = (authorization?: string) =>
      fetch(url, {
        method: 'POST',
        body: 'x',
        headers: authorization === undefined ? {} : { Authorization: authorization },
      })
    const none = await post()
    expect(none.status).toBe(401)
    expect(none.headers.get('www-authenticate')).toBe('Basic realm="Logstash HTTP Input"')
    expect(await none.text()).toBe('')
    const wrong = await post(`Basic ${Buffer.from('me:wrong').toString('base64')}`)
    expect(wrong.status).toBe(401)
    expect(wrong.headers.get('www-authenticate')).toBeNull()
    expect(await wrong.text()).toBe('')
    const right = await post(`Basic ${Buffer.from('me:secret').toString('base64')}`)
    expect(right.status).toBe(200)
    const [event] = await sink.waitFor(1)
    expect(event!['headers']).not.toHaveProperty('authorization')
    await stop()
    expect(sink.received).toHaveLength(1)
  })
})

describe('http input, TLS', async () => {
  const { certificate, key } = await certificateFiles()
  const ours = { ssl_certificate: certificate, ssl_key: key }

  it.each([
    { ssl_enabled: true, ...ours },
    { ssl: true, ...ours },
  ])('serves https with %j', async (options) => {
    const { address, sink, stop } = await serving(options)
    const dispatcher = new Agent({ connect: { ca: testCertificate } })
    const response = await undiciFetch(`https://${address}`, { method: 'POST', body: 'x', dispatcher })
    expect(await response.text()).toBe('ok')
    await dispatcher.close()
    await sink.waitFor(1)
    await stop()
  })

  async function post(address: string, client: object = {}): Promise<number> {
    const dispatcher = new Agent({ connect: { ca: testCertificate, ...client } })
    try {
      const { status } = await undiciFetch(`https://${address}`, { method: 'POST', body: 'x', dispatcher })
      return status
    } finally {
      await dispatcher.destroy()
    }
  }

  it('reads a key that has a passphrase', async () => {
    const encrypted = `${key}.encrypted`
    const wrapping = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'word' } as const
    await writeFile(encrypted, createPrivateKey(testKey).export(wrapping))
    const options = { ssl_enabled: true, ssl_certificate: certificate, ssl_key: encrypted }
    const { address, stop } = await serving({ ...options, ssl_key_passphrase: 'word' })
    expect(await post(address)).toBe(200)
    await stop()
    await expect(serving({ ...options, ssl_key_passphrase: 'wrong' })).rejects.toThrow()
  })

  it.each([
    ['none', 200],
    ['peer', 200],
    ['force_peer', undefined],
  ] as const)('knows the old ssl_verify_mode %s', async (ssl_verify_mode, anonymous) => {
    const authorities = ssl_verify_mode === 'none' ? {} : { ssl_certificate_authorities: [certificate] }
    const { address, stop } = await serving({ ssl: true, ...ours, ...authorities, ssl_verify_mode })
    expect(await post(address).catch(() => undefined)).toBe(anonymous)
    expect(await post(address, { cert: testCertificate, key: testKey })).toBe(200)
    await stop()
  })

  it.each([
    [{ ssl_certificate: certificate }, 'Using an `ssl_certificate` requires an `ssl_key`'],
    [{ ssl_key: key }, 'An `ssl_certificate` is required when using an `ssl_key`'],
    [
      {},
      'Either an `ssl_certificate` or `ssl_keystore_path` is required when SSL is enabled `ssl_enabled => true`',
    ],
    [
      { ...ours, ssl_client_authentication: 'required' },
      'Using `ssl_client_authentication` set to `optional` or `required`, requires the configuration of `ssl_certificate_authorities`',
    ],
    [
      { ...ours, ssl_certificate_authorities: [certificate] },
      "The configuration of `ssl_certificate_authorities` requires setting `ssl_client_authentication` to `optional` or 'required'",
    ],
  ])('refuses %j', async (options, message) => {
    const { instance } = inputFor(http, { port: 0, ssl_enabled: true, ...options })
    await expect(instance.register?.()).rejects.toThrow(message)
  })

  it('does not start on a port that is taken', async () => {
    const { address, stop } = await serving()
    const second = inputFor(http, { host: '127.0.0.1', port: Number(address.split(':')[1]) })
    await expect(second.instance.register?.()).rejects.toThrow('EADDRINUSE')
    await stop()
  })
})
