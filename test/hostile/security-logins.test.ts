/** Logging in, and what comes of it: guessing is slowed down, API keys, users and roles over both APIs. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../../src/api/search/testing.ts'
import { configureLogging } from '../../src/log/logger.ts'
import { Security } from '../../src/security/security.ts'
import { MemoryFiles } from '../../src/storage/memory-files.ts'

const password = 'correct horse'
const lines: string[] = []
let now = Date.UTC(2026, 0, 1)
/** Stands still unless a test moves it. */
let clock = 0
let node: TestNode

const basic = (user: string, secret = password) => ({
  authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`,
})
const key = (encoded: unknown) => ({ authorization: `ApiKey ${String(encoded)}` })
const admin = (method: string, path: string, body?: unknown) => node.ask(method, path, body, basic('elastic'))

async function freshNode(flavor?: 'opensearch'): Promise<TestNode> {
  const security = new Security({
    files: new MemoryFiles(),
    path: 'security/users',
    isShared: false,
    cost: { N: 1024, r: 8, p: 1 },
    now: () => now,
    clock: () => clock,
  })
  await security.bootstrap(flavor === undefined ? 'elastic' : 'admin', password)
  return startTestNode(flavor ?? 'elasticsearch8', security)
}

beforeAll(async () => {
  configureLogging({ writeConsole: (line) => void lines.push(line) })
  node = await freshNode()
  await admin('PUT', '/logs-1/_doc/1?refresh=true', { a: 1 })
  await admin('PUT', '/other/_doc/1?refresh=true', { a: 1 })
  await admin('PUT', '/_security/role/reader', { indices: [{ names: ['logs-*'], privileges: ['read'] }] })
  await admin('PUT', '/_security/user/bob', { password, roles: ['reader'], full_name: 'Bob' })
})
afterAll(() => node?.close())

describe('guessing', () => {
  it('is answered 429 after five failures, while those who are known go on', async () => {
    const other = await freshNode()
    expect((await other.ask('GET', '/', undefined, basic('elastic'))).status).toBe(200)
    const guess = async (n: number) => other.ask('GET', '/', undefined, basic('elastic', `guess ${n}`))
    const statuses: number[] = []
    for (let n = 0; n < 8; n++) statuses.push((await guess(n)).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    const refused = await guess(8)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.at('error.type')).toBe('security_exception')
    expect((await other.ask('GET', '/', undefined, basic('elastic'))).status).toBe(200)
    clock += 1000
    expect((await guess(9)).status).toBe(401)
    await other.close()
  })

  it('many at once does not get past the lock', async () => {
    const other = await freshNode()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => other.ask('GET', '/', undefined, basic('elastic', `g${n}`))),
    )
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(55)
    await other.close()
  })
})

describe('headers that are no credentials', () => {
  it.each([
    'Basic',
    'Basic !!!',
    `Basic ${Buffer.from('no-colon').toString('base64')}`,
    'Bearer abc',
    'ApiKey',
    `ApiKey ${Buffer.from('nobody:nothing').toString('base64')}`,
    `ApiKey ${Buffer.from('__proto__:x').toString('base64')}`,
    `Basic ${Buffer.from(':').toString('base64')}`,
    `Basic ${Buffer.from('__proto__:x').toString('base64')}`,
    `Basic ${'A'.repeat(6000)}`,
  ])('%s', async (authorization) => {
    const other = await freshNode()
    expect((await other.ask('GET', '/', undefined, { authorization })).status).toBe(401)
    await other.close()
  })
})

describe('API keys', () => {
  it('do what both they and their owner may, until they are invalidated', async () => {
    const made = await admin('POST', '/_security/api_key', {
      name: 'ingest',
      role_descriptors: { r: { cluster: ['monitor'], index: [{ names: ['logs-*'], privileges: ['read'] }] } },
      metadata: { app: 'x' },
    })
    expect(made.json).toEqual({
      id: expect.stringMatching(/^[\w-]{20}$/),
      name: 'ingest',
      api_key: expect.stringMatching(/^[\w-]{22}$/),
      encoded: expect.any(String),
    })
    const id = String(made.at('id'))
    expect(Buffer.from(String(made.at('encoded')), 'base64').toString()).toBe(`${id}:${made.at('api_key')}`)
    const ask = (path: string) => node.ask('GET', path, undefined, key(made.at('encoded')))
    expect((await ask('/logs-1/_search')).status).toBe(200)
    expect((await ask('/_cluster/health')).status).toBe(200)
    const refused = await ask('/other/_search')
    expect(refused.at('error.reason')).toBe(
      `action [indices:data/read/search] is unauthorized for API key id [${id}] of user [elastic] on indices [other], this action is granted by the index privileges [read,all]`,
    )
    expect((await ask('/_security/_authenticate')).json).toEqual({
      username: 'elastic',
      roles: [],
      full_name: null,
      email: null,
      metadata: {},
      enabled: true,
      authentication_realm: { name: '_es_api_key', type: '_es_api_key' },
      lookup_realm: { name: '_es_api_key', type: '_es_api_key' },
      authentication_type: 'api_key',
      api_key: { id, name: 'ingest' },
    })
    const shown = await admin('GET', `/_security/api_key?id=${id}`)
    expect(shown.at('api_keys')).toMatchObject([
      { id, name: 'ingest', invalidated: false, username: 'elastic' },
    ])
    expect(shown.text).not.toContain(String(made.at('api_key')))
    expect((await admin('DELETE', '/_security/api_key', { ids: [id] })).json).toEqual({
      invalidated_api_keys: [id],
      previously_invalidated_api_keys: [],
      error_count: 0,
    })
    expect((await ask('/logs-1/_search')).status).toBe(401)
  })

  it('of somebody who may little grant no more than that', async () => {
    await admin('PUT', '/_security/role/key_maker', {
      cluster: ['manage_own_api_key'],
      indices: [{ names: ['logs-*'], privileges: ['read'] }],
    })
    await admin('PUT', '/_security/user/maker', { password, roles: ['key_maker'] })
    const made = await node.ask(
      'POST',
      '/_security/api_key',
      {
        name: 'big',
        role_descriptors: { all: { cluster: ['all'], index: [{ names: ['*'], privileges: ['all'] }] } },
      },
      basic('maker'),
    )
    expect(made.status).toBe(200)
    const big = key(made.at('encoded'))
    expect((await node.ask('GET', '/logs-1/_search', undefined, big)).status).toBe(200)
    expect((await node.ask('GET', '/other/_search', undefined, big)).status).toBe(403)
    expect((await node.ask('DELETE', '/logs-1', undefined, big)).status).toBe(403)
    expect((await node.ask('GET', '/_security/user', undefined, big)).status).toBe(403)
    expect((await node.ask('GET', '/_security/api_key', undefined, basic('maker'))).status).toBe(403)
    expect((await node.ask('GET', '/_security/api_key?owner=true', undefined, basic('maker'))).status).toBe(
      200,
    )
    const derived = await node.ask('POST', '/_security/api_key', { name: 'derived' }, big)
    expect(derived.at('error.reason')).toBe(
      'creating derived api keys requires an explicit role descriptor that is empty (has no privileges)',
    )
  })

  it('expire', async () => {
    const made = await admin('POST', '/_security/api_key', { name: 'short', expiration: '1h' })
    expect(made.at('expiration')).toBe(now + 3_600_000)
    const ask = () => node.ask('GET', '/', undefined, key(made.at('encoded')))
    expect((await ask()).status).toBe(200)
    now += 3_600_001
    expect((await ask()).status).toBe(401)
  })
})

describe('users and roles of Elasticsearch', () => {
  it('tell who somebody is', async () => {
    const answer = await node.ask('GET', '/_security/_authenticate', undefined, basic('bob'))
    expect(answer.json).toEqual({
      username: 'bob',
      roles: ['reader'],
      full_name: 'Bob',
      email: null,
      metadata: {},
      enabled: true,
      authentication_realm: { name: 'default_native', type: 'native' },
      lookup_realm: { name: 'default_native', type: 'native' },
      authentication_type: 'realm',
    })
    expect((await admin('GET', '/_security/_authenticate')).at('metadata')).toEqual({ _reserved: true })
  })

  it('answer _has_privileges as the reference page of Elasticsearch shows it', async () => {
    const body = {
      cluster: ['monitor', 'manage'],
      index: [
        { names: ['suppliers', 'products'], privileges: ['read'] },
        { names: ['inventory'], privileges: ['read', 'write'] },
      ],
      application: [
        {
          application: 'inventory_manager',
          privileges: ['read', 'data:write/inventory'],
          resources: ['product/1852563'],
        },
      ],
    }
    await admin('PUT', '/_security/role/shop', {
      cluster: ['monitor'],
      indices: [
        { names: ['suppliers', 'products'], privileges: ['read'] },
        { names: ['inventory'], privileges: ['read'] },
      ],
    })
    await admin('PUT', '/_security/user/rdeniro', { password, roles: ['shop'] })
    const answer = await node.ask('POST', '/_security/user/_has_privileges', body, basic('rdeniro'))
    expect(answer.json).toEqual({
      username: 'rdeniro',
      has_all_requested: false,
      cluster: { monitor: true, manage: false },
      index: {
        suppliers: { read: true },
        products: { read: true },
        inventory: { read: true, write: false },
      },
      application: {
        inventory_manager: { 'product/1852563': { read: false, 'data:write/inventory': false } },
      },
    })
    expect((await admin('POST', '/_security/user/_has_privileges', body)).at('has_all_requested')).toBe(true)
  })

  it('can be looked at, changed, disabled and removed', async () => {
    expect((await admin('PUT', '/_security/user/eve', { password, roles: ['read'] })).json).toEqual({
      created: true,
    })
    expect((await admin('PUT', '/_security/user/eve', { roles: ['read', 'monitor'] })).json).toEqual({
      created: false,
    })
    expect((await admin('GET', '/_security/user/eve')).json).toEqual({
      eve: {
        username: 'eve',
        roles: ['read', 'monitor'],
        full_name: null,
        email: null,
        metadata: {},
        enabled: true,
      },
    })
    const asEve = (secret?: string) => node.ask('GET', '/_search', undefined, basic('eve', secret))
    expect((await asEve()).status).toBe(200)
    const changed = await node.ask(
      'POST',
      '/_security/user/_password',
      { password: 'another one' },
      basic('eve'),
    )
    expect(changed.json).toEqual({})
    expect((await asEve()).status).toBe(401)
    expect((await asEve('another one')).status).toBe(200)
    expect((await admin('PUT', '/_security/user/eve/_disable')).json).toEqual({})
    expect((await asEve('another one')).status).toBe(401)
    expect((await admin('PUT', '/_security/user/eve/_enable')).json).toEqual({})
    expect((await asEve('another one')).status).toBe(200)
    expect((await admin('DELETE', '/_security/user/eve')).json).toEqual({ found: true })
    expect((await asEve('another one')).status).toBe(401)
    const gone = await admin('GET', '/_security/user/eve')
    expect([gone.status, gone.json]).toEqual([404, {}])
    expect((await admin('DELETE', '/_security/user/eve')).status).toBe(404)
  })

  it('refuse what Elasticsearch refuses', async () => {
    const short = await admin('PUT', '/_security/user/tom', { password: '12345', roles: [] })
    expect(short.at('error.reason')).toBe(
      'Validation Failed: 1: passwords must be at least [6] characters long;',
    )
    const none = await admin('PUT', '/_security/user/tom', { roles: [] })
    expect(none.at('error.reason')).toBe(
      'Validation Failed: 1: password must be specified unless you are updating an existing user;',
    )
    expect((await admin('DELETE', '/_security/user/elastic')).status).toBe(400)
    expect((await admin('PUT', '/_security/role/superuser', { cluster: [] })).status).toBe(400)
    const other = await node.ask(
      'POST',
      '/_security/user/elastic/_password',
      { password: 'stolen!' },
      basic('bob'),
    )
    expect(other.status).toBe(403)
  })

  it('change what somebody may at once', async () => {
    const ask = () => node.ask('GET', '/other/_search', undefined, basic('bob'))
    expect((await ask()).status).toBe(403)
    await admin('PUT', '/_security/role/reader', { indices: [{ names: ['*'], privileges: ['read'] }] })
    expect((await ask()).status).toBe(200)
    await admin('PUT', '/_security/role/reader', { indices: [{ names: ['logs-*'], privileges: ['read'] }] })
    expect((await ask()).status).toBe(403)
  })
})

describe('the API of OpenSearch', () => {
  it('has users, roles and mappings, and its own words for refusals', async () => {
    const other = await freshNode('opensearch')
    const root = (method: string, path: string, body?: unknown) =>
      other.ask(method, path, body, basic('admin'))
    const nobody = await other.ask('GET', '/')
    expect([nobody.status, nobody.text, nobody.headers.get('www-authenticate')]).toEqual([
      401,
      'Unauthorized',
      'Basic realm="OpenSearch Security"',
    ])
    expect((await other.ask('GET', '/_plugins/_security/health')).json).toEqual({
      message: null,
      mode: 'strict',
      status: 'UP',
    })
    const api = '/_plugins/_security/api'
    expect(
      (
        await root('PUT', `${api}/roles/crawler`, {
          cluster_permissions: ['cluster_composite_ops'],
          index_permissions: [{ index_patterns: ['web-*'], allowed_actions: ['crud', 'create_index'] }],
        })
      ).json,
    ).toEqual({ status: 'CREATED', message: "'crawler' created." })
    expect(
      (await root('PUT', `${api}/internalusers/spider`, { password, backend_roles: ['bots'] })).status,
    ).toBe(201)
    const write = () => other.ask('PUT', '/web-1/_doc/1', { a: 1 }, basic('spider'))
    const refused = await write()
    expect([refused.status, refused.at('error.reason')]).toEqual([
      403,
      'no permissions for [indices:data/write/index] and User [name=spider, backend_roles=[bots], requestedTenant=null]',
    ])
    await root('PUT', `${api}/rolesmapping/crawler`, { backend_roles: ['bots'] })
    expect((await write()).status).toBe(201)
    const account = await other.ask('GET', `${api}/account`, undefined, basic('spider'))
    expect(account.json).toMatchObject({ user_name: 'spider', roles: ['crawler'], backend_roles: ['bots'] })
    expect((await root('GET', `${api}/rolesmapping/crawler`)).at('crawler.backend_roles')).toEqual(['bots'])
    expect((await root('DELETE', `${api}/rolesmapping/crawler`)).status).toBe(200)
    expect((await write()).status).toBe(403)
    expect((await root('GET', `${api}/internalusers/spider`)).text).not.toMatch(/scrypt|correct horse/)
    await other.close()
  })
})

describe('the audit log', () => {
  it('says who was refused what and who changed what, and no secret', () => {
    const audit = lines.filter((line) => line.includes('[audit'))
    expect(audit.some((line) => line.includes('authentication_failed') && line.includes('elastic'))).toBe(
      true,
    )
    expect(audit.some((line) => line.includes('access_denied') && line.includes('"bob"'))).toBe(true)
    expect(audit.some((line) => line.includes('put_user eve'))).toBe(true)
    const all = lines.join('')
    for (const secret of [
      password,
      'another one',
      'guess 1',
      'scrypt$',
      Buffer.from(`bob:${password}`).toString('base64'),
    ])
      expect([secret, all.includes(secret)]).toEqual([secret, false])
  })
})
