import { beforeAll, describe, expect, it } from 'vitest'
import { Query } from '../../http/query.ts'
import type { HttpRequest } from '../../http/service.ts'
import { configureLogging } from '../../log/logger.ts'
import { newUser, Security } from '../../security/security.ts'
import { withEntry } from '../../security/security-state.ts'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { guardFor } from './guard.ts'
import { testSettings } from './testing.ts'

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

function request(
  method: string,
  authorization?: string,
  headers: Record<string, string> = {},
  path = '/_node/stats',
): HttpRequest {
  return {
    method,
    path,
    parameters: {},
    query: new Query(''),
    headers: { host: 'localhost', ...(authorization !== undefined && { authorization }), ...headers },
    httpVersion: '1.1',
    remoteAddress: '127.0.0.1',
    signal: new AbortController().signal,
    body: async () => Buffer.alloc(0),
  }
}

describe('with users and with the password of the settings', () => {
  let status: (...given: Parameters<typeof request>) => Promise<number>

  beforeAll(async () => {
    configureLogging({ writeConsole: () => {} })
    const files = new MemoryFiles()
    const security = new Security({ files, path: 's/s', isShared: false, cost: { N: 1024, r: 8, p: 1 } })
    await security.bootstrap('root', 'root password')
    const hash = await security.hash('eye password')
    await security.change((state) => ({
      ...state,
      users: withEntry(state.users, 'eye', newUser(hash, ['monitor'])),
    }))
    const guard = await guardFor(
      testSettings({
        'api.auth.type': 'basic',
        'api.auth.basic.username': 'logstash',
        'api.auth.basic.password': 'Passw0rd!',
        'security.enabled': true,
      }),
      security,
    )
    status = async (...given) => (await guard(request(...given)))?.status ?? 200
  })

  it('shows events only to those who manage', async () => {
    const eye = basic('eye', 'eye password')
    for (const path of [
      '/_node/pipelines/main/_tap',
      '/_node/pipelines/main/%5Ftap/',
      '/_node/traces',
      '/_node/traces/k',
    ]) {
      expect([path, await status('GET', eye, {}, path)]).toEqual([path, 403])
      expect([path, await status('GET', basic('root', 'root password'), {}, path)]).toEqual([path, 200])
    }
    expect(await status('GET', eye, {}, '/_node/pipelines/main')).toBe(200)
  })

  it('either may look, and only those who manage may change', async () => {
    expect(await status('GET', basic('logstash', 'Passw0rd!'))).toBe(200)
    expect(await status('PUT', basic('logstash', 'Passw0rd!'))).toBe(200)
    expect(await status('GET', basic('eye', 'eye password'))).toBe(200)
    expect(await status('PUT', basic('eye', 'eye password'))).toBe(403)
    expect(await status('PUT', basic('root', 'root password'))).toBe(200)
  })

  it('nobody else comes in', async () => {
    expect(await status('GET')).toBe(401)
    expect(await status('GET', basic('logstash', 'root password'))).toBe(401)
    expect(await status('GET', 'Bearer x')).toBe(401)
  })

  it('searches of the dashboard are left to the store to judge, its page is for everybody', async () => {
    expect(await status('POST', undefined, {}, '/ui/search/logs/_search')).toBe(200)
    expect(await status('POST', basic('eye', 'eye password'), {}, '/ui/search/logs/_search')).toBe(200)
    expect(
      await status('POST', undefined, { origin: 'https://evil.example' }, '/ui/search/logs/_search'),
    ).toBe(403)
    expect(await status('GET', undefined, {}, '/ui')).toBe(200)
    expect(await status('GET', undefined, {}, '/ui/assets/main.js')).toBe(200)
    expect(await status('POST', undefined, {}, '/ui/assets/main.js')).toBe(401)
    expect(await status('GET', undefined, {}, '/ui/fleet/nodes')).toBe(401)
    expect(await status('GET', undefined, {}, '/ui/fleet/0/root')).toBe(401)
    expect(await status('GET', undefined, { accept: 'text/html' }, '/')).toBe(200)
    expect(await status('GET', undefined, {}, '/')).toBe(401)
  })

  it('any host name is taken, because a borrowed address has no password to send', async () => {
    expect(await status('GET', basic('root', 'root password'), { host: 'logs.example.org' })).toBe(200)
  })
})
