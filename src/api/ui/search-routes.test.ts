import { afterEach, describe, expect, it } from 'vitest'
import { setLevel } from '../../log/logger.ts'
import type { SettingName } from '../../settings/definitions.ts'
import { type NodeApi, startNodeApi } from '../node/server.ts'
import { freshFetch, testAgent, testSettings } from '../node/testing.ts'
import { isOffered } from './search-paths.ts'
import type { SearchLink } from './search-routes.ts'

setLevel('logstash.agent', 'OFF')
const open: NodeApi[] = []

afterEach(async () => {
  for (const api of open.splice(0)) await api.close()
})

type Asked = [method: string, path: string, body: string | undefined, authorization: string | undefined]

/** A store that answers everything with one document, and remembers what it was asked. */
function store(status = 200): SearchLink & { readonly asked: Asked[] } {
  const asked: Asked[] = []
  return {
    asked,
    connect: async () => ({
      port: 9201,
      request: async (method, path, body, authorization) => {
        asked.push([method, path, body && Buffer.from(body).toString(), authorization])
        return { status, body: '{"hits":{"total":{"value":12345678901234567890}}}' }
      },
    }),
  }
}

async function start(searchLink?: SearchLink, values: Partial<Record<SettingName, unknown>> = {}) {
  const settings = testSettings({ 'api.http.port': '29610-29690', 'log.level': 'fatal', ...values })
  const api = await startNodeApi({ settings, agent: testAgent(), id: 'x', searchLink })
  open.push(api)
  return (path: string, init?: RequestInit) => freshFetch(`http://${api.address}${path}`, init)
}

const post = (body: string, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body,
  headers: { 'content-type': 'application/json', ...headers },
})

describe('the search API on the port of the dashboard', () => {
  it('hands a search to the store as it came and gives its answer back byte for byte', async () => {
    const link = store()
    const ask = await start(link)
    const answer = await ask(
      '/ui/search/logs-*/_search?from=5&size=1',
      post('{"query":{}}', { authorization: 'Basic eDp5' }),
    )
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-search-port')).toBe('9201')
    expect(await answer.text()).toBe('{"hits":{"total":{"value":12345678901234567890}}}')
    expect(link.asked).toEqual([['POST', '/logs-*/_search?from=5&size=1', '{"query":{}}', 'Basic eDp5']])
  })

  it('never speaks to the store as somebody who is trusted', async () => {
    const link = store()
    await (await start(link))('/ui/search/_cat/indices?format=json')
    expect(link.asked).toEqual([['GET', '/_cat/indices?format=json', undefined, '']])
  })

  it('asks the browser for a password when the store wants one', async () => {
    const answer = await (await start(store(401)))('/ui/search/_search', post('{}'))
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Basic')
  })

  it('offers what the page needs and nothing else', async () => {
    const link = store()
    const ask = await start(link)
    for (const [method, path] of [
      ['POST', '/_bulk'],
      ['POST', '/_security/api_key'],
      ['PUT', '/_cluster/settings'],
      ['POST', '/logs/_delete_by_query'],
      ['DELETE', '/_all'],
      ['GET', '/_security/user'],
    ] as const)
      expect([path, (await ask(`/ui/search${path}`, { method })).status]).toEqual([path, 404])
    expect(link.asked).toEqual([])
    expect(isOffered('DELETE', '/logs')).toBe(true)
    expect(isOffered('DELETE', '/%5fall')).toBe(false)
  })

  it('takes no orders from foreign pages', async () => {
    const link = store()
    const ask = await start(link)
    const headers = { origin: 'https://evil.example', 'content-type': 'application/json' }
    const answer = await ask('/ui/search/logs', { method: 'DELETE', headers })
    expect(answer.status).toBe(403)
    expect(link.asked).toEqual([])
  })

  it('takes bodies up to a megabyte', async () => {
    const link = store()
    const ask = await start(link)
    expect((await ask('/ui/search/_search', post(`"${'x'.repeat(1_100_000)}"`))).status).toBe(413)
    expect(link.asked).toEqual([])
  })

  it('says that there is no store', async () => {
    const answer = await (await start(undefined, { 'search.enabled': false }))(
      '/ui/search/_search',
      post('{}'),
    )
    expect(answer.status).toBe(503)
    expect(await answer.text()).toContain('search.enabled')
  })

  it('says that the store ended instead of failing itself', async () => {
    const link: SearchLink = {
      connect: async () => ({
        port: 9201,
        request: () => Promise.reject(new Error('the search store ended')),
      }),
    }
    expect((await (await start(link))('/ui/search/_search', post('{}'))).status).toBe(503)
  })
})

describe('the way to the dashboard', () => {
  it('is shown to browsers that open the root, and to nobody else', async () => {
    const ask = await start()
    const visit = await ask('/', { redirect: 'manual', headers: { accept: 'text/html,*/*;q=0.8' } })
    expect([visit.status, visit.headers.get('location')]).toEqual([302, '/ui'])
    expect(visit.headers.get('vary')).toContain('accept')
    const program = await ask('/', { headers: { accept: '*/*' } })
    expect(program.headers.get('content-type')).toBe('application/json')
  })

  it('is closed by api.ui.enabled', async () => {
    const ask = await start(store(), { 'api.ui.enabled': false })
    const visit = await ask('/', { redirect: 'manual', headers: { accept: 'text/html' } })
    expect(visit.status).toBe(200)
    expect((await ask('/ui')).status).toBe(404)
    expect((await ask('/ui/search/_search', post('{}'))).status).toBe(404)
  })
})
