/** The search API served from a cluster; the cluster is an endpoint of our own with the limits of Elasticsearch. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClusterClient } from '../../../cluster/cluster-client.ts'
import { parseHost } from '../../../cluster/cluster-host.ts'
import { type Endpoint, startEndpoint } from '../../../endpoint.ts'
import type { Flavor } from '../../../search/index/compat.ts'
import { StoreMemory } from '../../../search/index/store-memory.ts'
import type { JsonObject } from '../../../search/request/json-object.ts'
import { parseRole } from '../../../security/role.ts'
import { Security } from '../../../security/security.ts'
import { MemoryFiles } from '../../../storage/memory-files.ts'
import type { SearchApi } from '../server.ts'
import { markHeader, startProxyApi } from './server.ts'

let cluster: Endpoint
const open: { client: ClusterClient; api: SearchApi }[] = []

interface Started {
  readonly api: SearchApi
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>
}

interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonObject
}

async function proxy(
  options: { strict?: boolean; flavor?: Flavor; hosts?: readonly string[]; security?: Security } = {},
): Promise<Started> {
  const { strict = false, flavor = 'elasticsearch8', hosts = [cluster.url], security } = options
  const client = new ClusterClient({
    hosts: hosts.map((host) => parseHost(host)),
    connectMillis: 2_000,
    requestMillis: 20_000,
    retries: 1,
    headers: { [markHeader]: 'this one' },
  })
  const api = await startProxyApi({
    client,
    flavor,
    isStrict: strict,
    dropsAuthorization: false,
    host: '127.0.0.1',
    ports: { first: 0, last: 0 },
    memory: new StoreMemory(),
    mark: 'this one',
    security,
  })
  open.push({ client, api })
  return {
    api,
    async ask(method, path, body, headers = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array
      const response = await fetch(`http://127.0.0.1:${api.port}${path}`, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: isRaw ? (body as string) : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json') === true
      return {
        status: response.status,
        headers: response.headers,
        body: (isJson && text !== '' ? JSON.parse(text) : { text }) as JsonObject,
      }
    },
  }
}

const count = 10_100
let plain: Started

beforeAll(async () => {
  cluster = await startEndpoint({ strict: true, flavor: 'opensearch' })
  plain = await proxy()
  const lines: string[] = []
  for (let number = 0; number < count; number++)
    lines.push('{"index":{}}', JSON.stringify({ n: number, k: `k${number % 7}` }))
  const { body } = await plain.ask('POST', '/logs/_bulk?refresh=true', `${lines.join('\n')}\n`)
  expect(body['errors']).toBe(false)
  await plain.ask('PUT', '/small', { settings: { max_result_window: 20 } })
  const few = lines.slice(0, 200)
  await plain.ask('POST', '/small/_bulk?refresh=true', gzipSync(`${few.join('\n')}\n`), {
    'content-encoding': 'gzip',
  })
}, 60_000)

afterAll(async () => {
  for (const { client, api } of open) {
    await api.close()
    await client.close()
  }
  await cluster.stop()
})

function hitsOf({ body }: Answered): { total: unknown; numbers: unknown[] } {
  const { total, hits } = body['hits'] as { total: unknown; hits: { _source: { n: number } }[] }
  return { total, numbers: hits.map(({ _source }) => _source.n) }
}

describe('the search API of a cluster', () => {
  it('counts all hits unless the request says how many', async () => {
    expect(hitsOf(await plain.ask('POST', '/logs/_search')).total).toEqual({ value: count, relation: 'eq' })
    const given = await plain.ask('POST', '/logs/_search', { track_total_hits: 5 })
    expect(hitsOf(given).total).toEqual({ value: 5, relation: 'gte' })
    const strict = await proxy({ strict: true })
    const limited = await strict.ask('POST', '/logs/_search')
    expect(hitsOf(limited).total).toEqual({ value: 10_000, relation: 'gte' })
  })

  it('counts all hits of each search of a multi search', async () => {
    const lines = ['{}', '{"size":1}', '{}', '{"size":0,"track_total_hits":7}', '{"index":"logs"}', ' { } ']
    const { body } = await plain.ask('POST', '/logs/_msearch', `${lines.join('\n')}\n`)
    const responses = body['responses'] as JsonObject[]
    expect(responses.map((response) => (response['hits'] as JsonObject)['total'])).toEqual([
      { value: count, relation: 'eq' },
      { value: 7, relation: 'gte' },
      { value: count, relation: 'eq' },
    ])
  })

  it('has pages behind the result window', async () => {
    const page = await plain.ask('GET', '/logs/_search?from=10050&size=3&sort=n:asc&pretty')
    expect(hitsOf(page)).toEqual({
      total: { value: count, relation: 'eq' },
      numbers: [10_050, 10_051, 10_052],
    })
    expect(page.body['pit_id']).toBeUndefined()
    const filtered = await plain.ask(
      'GET',
      '/logs/_search?from=10050&size=1&sort=n&filter_path=hits.hits.sort',
    )
    expect(filtered.body).toEqual({ hits: { hits: [{ sort: [10_050] }] } })
  })

  it('has pages behind a window that an index has for itself', async () => {
    const page = await plain.ask('POST', '/small/_search', { from: 90, size: 2, sort: ['n'] })
    expect(hitsOf(page).numbers).toEqual([90, 91])
  })

  it('leaves the cluster its refusals in strict mode', async () => {
    const strict = await proxy({ strict: true })
    const { status, body } = await strict.ask('GET', '/logs/_search?from=10050')
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toMatch(/Result window is too large/)
  })

  it('passes errors of the cluster on', async () => {
    const { status, body } = await plain.ask('GET', '/nothing/_search')
    expect(status).toBe(404)
    expect((body['error'] as JsonObject)['type']).toBe('index_not_found_exception')
    expect((await plain.ask('POST', '/logs/_search', '{"query":')).status).toBe(400)
    expect((await plain.ask('HEAD', '/nothing')).status).toBe(404)
  })

  it('is the product of the settings, with the types of its clients', async () => {
    const type = 'application/vnd.elasticsearch+json; compatible-with=8'
    const { headers, body } = await plain.ask('GET', '/', undefined, { accept: type, 'x-opaque-id': 'mine' })
    expect(body['version']).toMatchObject({ number: '8.15.0', build_flavor: 'default' })
    expect(headers.get('x-elastic-product')).toBe('Elasticsearch')
    expect(headers.get('x-opaque-id')).toBe('mine')
    const search = await plain.ask(
      'POST',
      '/logs/_search',
      { size: 0 },
      { accept: type, 'content-type': type },
    )
    expect(search.status).toBe(200)
    expect(search.headers.get('content-type')).toBe('application/vnd.elasticsearch+json;compatible-with=8')
    const same = await proxy({ flavor: 'opensearch' })
    const root = await same.ask('GET', '/')
    expect(root.body['version']).toMatchObject({ distribution: 'opensearch' })
  })

  it('answers a request from inside of the process', async () => {
    const body = Buffer.from('{"index":{"_index":"inner","_id":"1"}}\n{"a":1}\n')
    const written = await plain.api.answer({ method: 'POST', path: '/_bulk?refresh=true', body })
    expect(written.status).toBe(200)
    const { status } = await plain.api.answer({ method: 'GET', path: '/inner/_doc/1', body: undefined })
    expect(status).toBe(200)
  })

  it('says in one sentence that no node of the cluster answers', async () => {
    const away = await proxy({ hosts: ['http://127.0.0.1:9'] })
    const { status, body, headers } = await away.ask('POST', '/_bulk', '{"index":{"_index":"a"}}\n{}\n')
    expect(status).toBe(503)
    expect(headers.get('x-elastic-product')).toBe('Elasticsearch')
    expect(body).toMatchObject({ status: 503, error: { type: 'no_node_available_exception' } })
    expect((body['error'] as JsonObject)['reason']).toMatch(
      /^None of the configured nodes are available: .*:9 /,
    )
    const inner = await away.api.answer({ method: 'GET', path: '/_search', body: undefined })
    expect(inner.status).toBe(503)
  })

  it('notices that it is its own cluster', async () => {
    const { status, body } = await plain.ask('GET', '/', undefined, { [markHeader]: 'this one' })
    expect(status).toBe(508)
    expect(JSON.stringify(body)).toMatch(/leads back to this node/)
  })

  it('refuses bodies that are too large, with and without a length', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(32)
    let sent = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 101) controller.enqueue(chunk)
        else controller.close()
      },
    })
    const response = await fetch(`http://127.0.0.1:${plain.api.port}/_bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
    const announced = await plain.ask('POST', '/_bulk', Buffer.alloc(101 * 1024 * 1024, 32))
    expect(announced.status).toBe(413)
  }, 30_000)
})

describe('a cluster behind something that does not always answer with JSON', () => {
  const root = { version: { number: '3.8.0', distribution: 'opensearch' } }
  const wrong = '<html>not you</html>'
  let between: Server
  let started: Started

  beforeAll(async () => {
    between = createServer(({ url, headers }, response) => {
      const isKnown = headers.authorization === undefined && url === '/'
      response.statusCode = isKnown || url !== '/' ? 200 : 401
      response.end(isKnown ? JSON.stringify(root) : wrong)
    })
    await new Promise<void>((listening) => between.listen(0, '127.0.0.1', listening))
    started = await proxy({ hosts: [`http://127.0.0.1:${(between.address() as AddressInfo).port}`] })
    await started.ask('GET', '/')
  })

  afterAll(() => {
    between.closeAllConnections()
    between.close()
  })

  it('passes its status on', async () => {
    const { status, body } = await started.ask('GET', '/', undefined, { authorization: 'Basic eDp5' })
    expect(status).toBe(401)
    expect(body).toEqual({ text: wrong })
  })

  it('is a bad gateway where a deep page is put together from its answers', async () => {
    const search = { from: 20_000, size: 1, sort: [{ n: 'asc' }] }
    const { status, body } = await started.ask('POST', '/logs/_search', search)
    expect(status).toBe(502)
    expect(body).toEqual({ text: wrong })
  })
})

describe('users of this node in front of a cluster', () => {
  let guarded: Started
  const as = (name: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:secret-${name}`).toString('base64')}`,
  })

  beforeAll(async () => {
    const security = new Security({
      files: new MemoryFiles(),
      path: 'security.json',
      isShared: false,
      cost: { N: 1024, r: 8, p: 1 },
    })
    const role = parseRole('writer', {
      cluster: ['monitor'],
      indices: [{ names: ['logs', 'app-*'], privileges: ['read', 'write', 'create_index'] }],
    })
    const user = { backendRoles: [], fullName: null, email: null, metadata: {}, enabled: true }
    const admin = { ...user, password: await security.hash('secret-admin'), roles: ['superuser'] }
    const kim = { ...user, password: await security.hash('secret-kim'), roles: ['writer'] }
    await security.change((state) => ({
      ...state,
      roles: new Map([['writer', role]]),
      users: new Map([
        ['admin', admin],
        ['kim', kim],
      ]),
    }))
    guarded = await proxy({ security })
  })

  it.each([
    [undefined, 'GET', '/logs/_search', 401],
    ['admin', 'GET', '/_all/_search', 200],
    ['kim', 'GET', '/logs/_search', 200],
    ['kim', 'GET', '/logs,small/_search', 403],
    ['kim', 'GET', '/*/_search', 403],
    ['kim', 'GET', '/_search', 403],
    ['kim', 'GET', '/lo*/_search', 403],
    ['kim', 'GET', '/app-*,-app-old/_search', 200],
    ['kim', 'DELETE', '/small', 403],
    ['kim', 'GET', '/_cluster/health', 200],
    ['kim', 'PUT', '/_cluster/settings', 403],
    ['kim', 'GET', '/_snapshot', 403],
    ['kim', 'GET', '/_security/user', 403],
    ['kim', 'POST', '/_mget', 403],
  ])('%s may %s %s: %i', async (user, method, path, status) => {
    const answer = await guarded.ask(method, path, undefined, user === undefined ? {} : as(user))
    expect(answer.status).toBe(status)
  })

  it('may write what they are permitted, line by line', async () => {
    const lines = (index: string) =>
      `{"index":{"_index":"app-1"}}\n{"_index":"small"}\n{"delete":{"_index":"${index}","_id":"1"}}\n`
    expect((await guarded.ask('POST', '/_bulk', lines('logs'), as('kim'))).status).toBe(200)
    const refused = await guarded.ask('POST', '/_bulk', lines('small'), as('kim'))
    expect(refused.status).toBe(403)
    expect(JSON.stringify(refused.body)).toMatch(/unauthorized for user \[kim\].* on indices \[small\]/)
  })
})
