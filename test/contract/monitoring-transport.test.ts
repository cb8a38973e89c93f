/**
 * Who is let in, over what, and what bad clients can do (check 24 of the monitoring API): credentials, TLS from
 * both kinds of files, a thousand slow connections, and requests made of anything.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request as securely } from 'node:https'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { testKeystore } from '../../src/api/node/test-keystore.ts'
import { patientSignal } from '../../src/plugin/testing/patience.ts'
import { testCertificate, testKey } from '../../src/plugins/tls/test-certificate.ts'
import { Millrace } from '../support/millrace.ts'

const config = 'input { stdin { } } output { null { } }'
const running: Millrace[] = []
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-transport-'))
  await writeFile(join(folder, 'store.p12'), Buffer.from(testKeystore, 'base64'))
  await writeFile(join(folder, 'cert.pem'), testCertificate)
  await writeFile(join(folder, 'key.pem'), testKey)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

async function start(settings: string, args: string[] = []): Promise<Millrace> {
  const millrace = await Millrace.start({ config, settings, args, api: true })
  running.push(millrace)
  await millrace.untilStarted()
  // Pipelines may run before the API listens, with certificates to read above all.
  await millrace.until('Successfully started Logstash API endpoint')
  return millrace
}

const auth =
  'api.auth.type: basic\napi.auth.basic.username: scraper\napi.auth.basic.password: "s3crEt:W0rd"\n'
const credentials = `Basic ${Buffer.from('scraper:s3crEt:W0rd').toString('base64')}`

function ask(port: number | undefined, headers: Record<string, string> = {}, path = '/'): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { headers, signal: patientSignal(10_000) })
}

/** Over TLS, trusting whatever certificate there is. */
function askSecurely(port: number | undefined, headers = {}): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = securely(
      { host: '127.0.0.1', port, headers, rejectUnauthorized: false, agent: false },
      (reply) => {
        let body = ''
        reply.setEncoding('utf8').on('data', (text: string) => {
          body += text
        })
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body }))
      },
    )
    sent.setTimeout(10_000, () => sent.destroy(new Error('no answer')))
    sent.on('error', reject).end()
  })
}

/** Addresses the port is bound to, as the kernel lists them. */
async function boundAddresses(port: number | undefined): Promise<string[]> {
  const hex = Number(port).toString(16).toUpperCase().padStart(4, '0')
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8')))
  return tables
    .flatMap((table) => table.split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local?.endsWith(`:${hex}`))
    .map(([, local]) => local?.split(':')[0] ?? '')
}

describe('basic authentication', () => {
  it('lets in those who know the password', async () => {
    const { apiPort } = await start(auth)
    const refused = await ask(apiPort)
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toBe('Basic realm="logstash-api"')
    expect(refused.headers.get('content-type')).toBe('text/plain')
    expect(await refused.text()).toBe('')
    expect((await ask(apiPort, { authorization: credentials })).status).toBe(200)
    const wrong = `Basic ${Buffer.from('scraper:wrong').toString('base64')}`
    expect((await ask(apiPort, { authorization: wrong }, '/_node/stats')).status).toBe(401)
    const bearer = await ask(apiPort, { authorization: 'Bearer abc' })
    expect([bearer.status, await bearer.text()]).toEqual([400, ''])
    for (const path of ['/_node/hot_threads', '/_node/logging', '/nothing'])
      expect((await ask(apiPort, {}, path)).status).toBe(401)
  })
})

describe('TLS', () => {
  it('is served from a PKCS#12 keystore, and nothing else is', async () => {
    const { apiPort } = await start(
      `api.ssl.enabled: true\napi.ssl.keystore.path: ${folder}/store.p12\napi.ssl.keystore.password: changeit\n`,
    )
    const { status, body } = await askSecurely(apiPort)
    expect(status).toBe(200)
    expect(JSON.parse(body)).toHaveProperty('version')
    await expect(ask(apiPort)).rejects.toThrow()
    expect(await boundAddresses(apiPort)).toEqual(['0100007F'])
  })

  it('is served from PEM files, and with credentials on all interfaces', async () => {
    const { apiPort } = await start(
      `${auth}api.ssl.enabled: true\napi.ssl.certificate: ${folder}/cert.pem\napi.ssl.key: ${folder}/key.pem\n`,
    )
    expect((await askSecurely(apiPort)).status).toBe(401)
    expect((await askSecurely(apiPort, { authorization: credentials })).status).toBe(200)
    const addresses = await boundAddresses(apiPort)
    expect(addresses).toHaveLength(1)
    expect(addresses[0]).toMatch(/^0+$/)
  })
})

function open(port: number, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text)
      resolve(socket)
    })
    socket.on('error', () => resolve(socket))
  })
}

describe('a thousand slow connections', () => {
  it('do not stop a good client', async () => {
    const { apiPort = 0 } = await start('')
    const slow: Socket[] = []
    const texts = [
      '',
      'GET / HTTP/1.1\r\nhost:',
      'PUT /_node/logging HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{',
    ]
    for (let n = 0; n < 1000; n++) slow.push(await open(apiPort, texts[n % texts.length] ?? ''))
    // Each goes on with a byte now and then.
    const drip = setInterval(() => {
      for (const socket of slow) if (socket.writable) socket.write('x')
    }, 500)
    try {
      for (let n = 0; n < 20; n++) {
        const response = await ask(apiPort, { connection: 'close' }, '/_node/stats/events')
        expect(response.status).toBe(200)
        await response.arrayBuffer()
        if (n % 5 === 0) await sleep(300)
      }
    } finally {
      clearInterval(drip)
      for (const socket of slow) socket.destroy()
    }
  })
})

/** Sends the bytes and waits for the end of the connection. */
function exchange(port: number, text: string, thenEnd = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no end of the answer to ${JSON.stringify(text)}: ${answer.slice(0, 200)}`))
    }, 15_000)
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      answer = (answer + chunk).slice(0, 4096)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(answer)
    })
    socket.write(text, 'latin1')
    if (thenEnd) socket.end()
  })
}

describe('requests made of anything', () => {
  const visible = fc.string({
    unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
    maxLength: 12,
  })
  const byte = fc.string({
    unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    maxLength: 20,
  })
  const segment = fc.oneof(
    fc.constantFrom(
      '_node',
      'stats',
      'pipelines',
      'pipeline',
      'hot_threads',
      'logging',
      'plugins',
      'main',
      'jvm',
      'events,jvm',
      '_stats',
      '_health_report',
      'reset',
      '..',
      '%2e%2e',
      '%',
      '%00',
      '%ff',
      '',
      '__proto__',
      'metrics',
      '_reload',
    ),
    visible,
  )
  const name = fc.oneof(
    fc.constantFrom(
      'pretty',
      'human',
      'format',
      'threads',
      'interval',
      'ordered_by',
      'stacktrace_size',
      'layout',
      'vertices',
      'graph',
      'id',
      'filter_path',
      'wait_for_status',
      '__proto__',
      'constructor',
    ),
    visible,
  )
  const value = fc.oneof(
    fc.constantFrom(
      'true',
      'false',
      'yaml',
      'json',
      '-1',
      '0',
      '99999999999',
      'NaN',
      '50ms',
      '10s',
      'main',
      'wait',
      '**',
      '%',
      '%00',
      'toString',
    ),
    visible,
  )
  const request = fc.record({
    method: fc.constantFrom(
      'GET',
      'GET',
      'GET',
      'HEAD',
      'PUT',
      'POST',
      'DELETE',
      'OPTIONS',
      'PATCH',
      'TRACE',
      'get',
      'BREW',
    ),
    path: fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
    query: fc.array(fc.tuple(name, fc.option(value)), { maxLength: 4 }),
    headers: fc.array(
      fc.tuple(
        fc.constantFrom(
          'Accept',
          'Accept-Encoding',
          'Authorization',
          'Referer',
          'Origin',
          'Expect',
          'Upgrade',
          'Content-Type',
          'Content-Length',
          'Transfer-Encoding',
          'X-Opaque-Id',
          'Range',
          'If-None-Match',
        ),
        byte,
      ),
      { maxLength: 4 },
    ),
    body: byte,
  })

  it('never end in a failure of the server or without an end', async () => {
    const { apiPort = 0 } = await start('')
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, query, headers, body }) => {
        const parameters = query.map(([key, text]) => (text === null ? key : `${key}=${text}`)).join('&')
        // These go on because they are asked to.
        fc.pre(!/stream|_tap/.test(path))
        const text = [
          `${method} ${path}${parameters === '' ? '' : `?${parameters}`} HTTP/1.1`,
          'Host: x',
          'Connection: close',
          ...headers.map(([key, text]) => `${key}: ${text.replace(/[\r\n]/g, '')}`),
          '',
          body,
        ].join('\r\n')
        const answer = await exchange(apiPort, text)
        if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 [1-4]\d\d /)
      }),
      { numRuns: 300 },
    )
    expect((await ask(apiPort)).status).toBe(200)
  }, 240_000)

  it('survives what is no HTTP at all', async () => {
    const { apiPort = 0 } = await start('')
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        const answer = await exchange(apiPort, `${Buffer.from(bytes).toString('latin1')}\r\n\r\n`, true)
        if (answer !== '') expect(answer).toMatch(/^HTTP\/1\.1 [1-4]\d\d /)
      }),
      { numRuns: 100 },
    )
    expect((await ask(apiPort, {}, `/${'x'.repeat(20_000)}`)).status).toBe(431)
    expect((await ask(apiPort)).status).toBe(200)
  })
})
