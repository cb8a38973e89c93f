/**
 * What a web page could do through the browser of somebody who may: nothing. Foreign host names (DNS rebinding) are
 * refused, changes that another origin asks for too, and content types that pages can send without a preflight.
 */
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NodeApi, startNodeApi } from '../../src/api/node/server.ts'
import { testAgent, testSettings } from '../../src/api/node/testing.ts'
import { startTestNode, type TestNode } from '../../src/api/search/testing.ts'
import { configureLogging } from '../../src/log/logger.ts'
import { freePort } from '../support/millrace.ts'

interface Got {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly text: string
}

/** fetch() does not let one choose Host and Origin. */
function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}${path}`, { method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    call.on('error', reject)
    call.end(body)
  })
}

let node: TestNode
let api: NodeApi
let monitoring: string
const json = { 'content-type': 'application/json' }

beforeAll(async () => {
  configureLogging({ writeConsole: () => {} })
  node = await startTestNode()
  const settings = testSettings({ 'api.http.port': String(await freePort()) })
  api = await startNodeApi({ settings, agent: testAgent(), id: 'x' })
  monitoring = `http://${api.address}`
  await node.ask('PUT', '/docs/_doc/1?refresh=true', { a: 1 })
})
afterAll(async () => {
  await node?.close()
  await api?.close()
})

const isThere = async () => (await node.ask('HEAD', '/docs/_doc/1')).status === 200

describe('a foreign web page', () => {
  it('deletes nothing by a query without a body, nor by one as plain text', async () => {
    const origin = { origin: 'http://evil.example' }
    const bare = await send(node.url, 'POST', '/docs/_delete_by_query?q=*', origin)
    expect(bare.status).toBe(403)
    const reason = 'a web page of another origin [http://evil.example] may not change anything'
    expect(JSON.parse(bare.text)).toEqual({
      error: { root_cause: [{ type: 'security_exception', reason }], type: 'security_exception', reason },
      status: 403,
    })
    const text = { ...origin, 'content-type': 'text/plain' }
    expect(
      (await send(node.url, 'POST', '/docs/_delete_by_query', text, '{"query":{"match_all":{}}}')).status,
    ).toBe(403)
    expect(await isThere()).toBe(true)
  })

  it('changes nothing in any way that browsers have', async () => {
    const cases: [string, string, Record<string, string>][] = [
      ['DELETE', '/docs', { origin: 'http://evil.example' }],
      ['DELETE', '/docs', { origin: 'null' }],
      ['DELETE', '/docs', { 'sec-fetch-site': 'cross-site' }],
      ['DELETE', '/docs', { origin: 'http://localhost:8080' }],
      ['POST', '/docs/_close', { origin: 'http://evil.example' }],
      ['PUT', '/docs/_doc/1', { origin: 'http://evil.example', ...json }],
    ]
    for (const [method, path, headers] of cases)
      expect([headers, (await send(node.url, method, path, headers, '')).status]).toEqual([headers, 403])
    expect(await isThere()).toBe(true)
  })

  it('of our own may, and programs that are no browsers', async () => {
    const own = { origin: node.url, ...json }
    expect((await send(node.url, 'PUT', '/docs/_doc/2', own, '{}')).status).toBe(201)
    expect((await send(node.url, 'PUT', '/docs/_doc/3', json, '{}')).status).toBe(201)
    expect((await send(node.url, 'GET', '/docs/_doc/1', { origin: 'http://evil.example' })).status).toBe(200)
  })

  it('cannot reload pipelines or change log levels', async () => {
    const headers = { origin: 'http://evil.example', ...json }
    const refused = await send(monitoring, 'PUT', '/_node/logging', headers, '{"logger.x":"DEBUG"}')
    expect(refused.status).toBe(403)
    expect(JSON.parse(refused.text)).toEqual({
      path: '/_node/logging',
      status: 403,
      error: { message: 'Forbidden' },
    })
    expect((await send(monitoring, 'POST', '/_node/pipelines/main/_reload', headers)).status).toBe(403)
  })
})

describe('a request to a foreign host name', () => {
  it('is refused on both ports, whatever it asks for', async () => {
    const host = { host: 'evil.example:9200' }
    for (const [method, path] of [
      ['DELETE', '/docs'],
      ['GET', '/_search'],
      ['GET', '/'],
    ] as const) {
      const got = await send(node.url, method, path, host)
      expect([method, path, got.status]).toEqual([method, path, 403])
      expect(got.text).toContain('security.allowed_hosts')
      expect((await send(monitoring, method, path, host)).status).toBe(403)
    }
    expect(await isThere()).toBe(true)
  })

  it('is served under addresses and names that nobody can register', async () => {
    for (const host of [
      'localhost:9200',
      '127.0.0.1',
      '[::1]:9200',
      'millrace',
      'host.docker.internal:9200',
    ]) {
      expect([host, (await send(node.url, 'GET', '/', { host })).status]).toEqual([host, 200])
      expect([host, (await send(monitoring, 'GET', '/', { host })).status]).toEqual([host, 200])
    }
  })
})

describe('content types', () => {
  it('that are no JSON are refused as Elasticsearch refuses them', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const headers = { 'content-type': type }
      const got = await send(node.url, 'PUT', '/docs/_doc/4', headers, '{"a":1}')
      expect(got.status).toBe(406)
      expect(JSON.parse(got.text)).toEqual({
        error: `Content-Type header [${type}] is not supported`,
        status: 406,
      })
    }
    expect((await send(node.url, 'HEAD', '/docs/_doc/4')).status).toBe(404)
  })

  it('of pages are refused on the monitoring port too', async () => {
    const path = '/_node/pipelines/main/_reload'
    const got = await send(monitoring, 'POST', path, { 'content-type': 'text/plain' }, '{}')
    expect(got.status).toBe(406)
  })
})

describe('security routes', () => {
  it('do not exist while security is off', async () => {
    for (const path of ['/_security/_authenticate', '/_security/user', '/_plugins/_security/api/account']) {
      const got = await node.ask('GET', path)
      expect([path, got.status]).toEqual([path, 400])
      expect(got.text).toContain(`no handler found for uri [${path}] and method [GET]`)
    }
  })
})
