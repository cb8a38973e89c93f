/**
 * Who may do what: a matrix of paths, methods and roles, wildcards that reach only what is permitted, and requests
 * whose parts are decided one by one. Statuses and sentences are those of Elasticsearch 8.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchApiRoutes } from '../../src/api/search/routes.ts'
import { routeAction } from '../../src/api/search/security/route-actions.ts'
import { startTestNode, type TestNode } from '../../src/api/search/testing.ts'
import { configureLogging } from '../../src/log/logger.ts'
import { Security } from '../../src/security/security.ts'
import { MemoryFiles } from '../../src/storage/memory-files.ts'

const password = 'correct horse'
const users = ['superuser', 'monitor', 'read', 'write', 'logs', 'nobody'] as const
type User = (typeof users)[number]

function basic(user: string, secret = password): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}` }
}

let node: TestNode

async function as(user: User | 'elastic', method: string, path: string, body?: unknown) {
  return node.ask(method, path, body, basic(user))
}

beforeAll(async () => {
  configureLogging({ writeConsole: () => {} })
  const cost = { N: 1024, r: 8, p: 1 }
  const security = new Security({ files: new MemoryFiles(), path: 'security/users', isShared: false, cost })
  await security.bootstrap('elastic', password)
  node = await startTestNode('elasticsearch8', security)
  const created = await as('elastic', 'PUT', '/_security/role/logs_only', {
    cluster: [],
    indices: [{ names: ['logs-*', 'shared'], privileges: ['read', 'index', 'view_index_metadata'] }],
  })
  expect(created.json).toEqual({ role: { created: true } })
  for (const user of users) {
    const roles = user === 'logs' ? ['logs_only'] : user === 'nobody' ? ['unknown_role'] : [user]
    const answer = await as('elastic', 'PUT', `/_security/user/${user}`, { password, roles })
    expect([user, answer.json]).toEqual([user, { created: true }])
  }
  for (const index of ['logs-a', 'logs-b', 'secret', 'hidden-alias-target']) {
    const answer = await as('elastic', 'PUT', `/${index}/_doc/1?refresh=true`, { from: index })
    expect(answer.status).toBe(201)
  }
  await as('elastic', 'POST', '/_aliases', {
    actions: [
      { add: { index: 'secret', alias: 'private-alias' } },
      { add: { index: 'hidden-alias-target', alias: 'shared' } },
    ],
  })
}, 60_000)
afterAll(() => node?.close())

describe('every route', () => {
  it('has an action that somebody thought about', () => {
    const missing = searchApiRoutes.flatMap((route) =>
      route.methods
        .filter((method) => routeAction(route, method) === undefined)
        .map((method) => `${method} ${route.paths[0]}`),
    )
    expect(missing).toEqual([])
  })
})

describe('an index that is not permitted', () => {
  it('is named by no answer of any route, whatever is asked', async () => {
    await as('elastic', 'PUT', '/topsecret-7', { aliases: { 'topsecret-alias': {} } })
    await as('elastic', 'PUT', '/topsecret-7/_doc/1?refresh=true', { field: 'topsecret-value' })
    // Everything but managing the cluster, on other indices.
    await as('elastic', 'PUT', '/_security/role/owner', {
      indices: [{ names: ['logs-*'], privileges: ['all'] }],
    })
    await as('elastic', 'PUT', '/_security/user/owner', { password, roles: ['owner'] })
    const asked: [method: string, path: string][] = []
    for (const { methods, paths } of searchApiRoutes)
      for (const path of paths)
        for (const method of methods.filter((one) => one === 'GET' || one === 'POST'))
          for (const name of ['*', '_all', 't*', '*,-logs-a']) {
            if (name !== '*' && !/:index|:name/.test(path)) continue
            const full = path.replace(/:(\w+)/g, (_, part) => (/^(?:index|name)$/.test(part) ? name : 'x'))
            const isWrite = /_close|_open|_by_query|_rollover|_doc$|_forcemerge|_cache/.test(full)
            if (!isWrite) asked.push([method, full])
          }
    const told: string[] = []
    const next = async () => {
      for (let one = left.shift(); one !== undefined; one = left.shift()) {
        const { text } = await node.ask(...one, undefined, basic('owner'))
        if (text.includes('topsecret')) told.push(`${one.join(' ')}: ${text.slice(0, 200)}`)
      }
    }
    const left = [...asked]
    await Promise.all(Array.from({ length: 8 }, next))
    expect(told).toEqual([])
    expect(asked.length).toBeGreaterThan(250)
    await as('elastic', 'DELETE', '/topsecret-7')
  }, 120_000)
})

const bulk = '{"index":{"_index":"logs-a","_id":"b1"}}\n{"from":"bulk"}\n'

/** Method, path, body, and the roles that may; everybody else gets 403. */
const matrix: readonly (readonly [method: string, path: string, body: unknown, may: string])[] = [
  ['GET', '/', undefined, 'superuser monitor read write'],
  ['GET', '/_cluster/health', undefined, 'superuser monitor write'],
  ['GET', '/_cluster/state', undefined, 'superuser monitor write'],
  ['GET', '/_cluster/settings', undefined, 'superuser monitor write'],
  ['PUT', '/_cluster/settings', { persistent: {} }, 'superuser'],
  ['GET', '/_nodes/stats', undefined, 'superuser monitor write'],
  ['GET', '/_cat/health', undefined, 'superuser monitor write'],
  ['GET', '/_cat/indices', undefined, 'superuser monitor'],
  ['GET', '/_cat/shards', undefined, 'superuser monitor'],
  ['GET', '/_tasks', undefined, 'superuser monitor write'],
  ['POST', '/_tasks/_cancel', undefined, 'superuser'],
  ['GET', '/_search', undefined, 'superuser monitor read logs'],
  ['POST', '/logs-a/_search', { query: { match_all: {} } }, 'superuser monitor read logs'],
  ['POST', '/secret/_search', { query: { match_all: {} } }, 'superuser monitor read'],
  ['GET', '/secret/_count', undefined, 'superuser monitor read'],
  ['GET', '/logs-a/_doc/1', undefined, 'superuser monitor read logs'],
  ['GET', '/secret/_doc/1', undefined, 'superuser monitor read'],
  ['HEAD', '/secret/_doc/1', undefined, 'superuser monitor read'],
  ['GET', '/secret/_source/1', undefined, 'superuser monitor read'],
  ['PUT', '/logs-a/_doc/2', { a: 1 }, 'superuser write logs'],
  ['PUT', '/secret/_doc/2', { a: 1 }, 'superuser write'],
  ['POST', '/logs-a/_update/2', { doc: { a: 2 } }, 'superuser write logs'],
  ['DELETE', '/logs-a/_doc/2', undefined, 'superuser write'],
  ['POST', '/_bulk', bulk, 'superuser write logs'],
  ['PUT', '/logs-new', {}, 'superuser write'],
  ['GET', '/logs-a', undefined, 'superuser monitor read write logs'],
  ['GET', '/secret/_mapping', undefined, 'superuser monitor read write'],
  ['PUT', '/logs-a/_mapping', { properties: {} }, 'superuser'],
  ['GET', '/logs-a/_settings', undefined, 'superuser monitor read write logs'],
  ['PUT', '/logs-a/_settings', { index: { number_of_replicas: 0 } }, 'superuser'],
  ['POST', '/logs-a/_refresh', undefined, 'superuser write'],
  ['POST', '/logs-a/_flush', undefined, 'superuser write'],
  ['GET', '/logs-a/_stats', undefined, 'superuser monitor'],
  ['POST', '/logs-a/_close', undefined, 'superuser'],
  ['POST', '/logs-a/_open', undefined, 'superuser'],
  ['POST', '/_aliases', { actions: [{ add: { index: 'logs-a', alias: 'logs-x' } }] }, 'superuser'],
  ['GET', '/_alias', undefined, 'superuser monitor read write logs'],
  ['PUT', '/_index_template/t', { index_patterns: ['zz-*'] }, 'superuser write'],
  ['GET', '/_index_template', undefined, 'superuser monitor write'],
  ['PUT', '/_component_template/c', { template: {} }, 'superuser write'],
  ['PUT', '/_ingest/pipeline/p', { processors: [] }, 'superuser write'],
  ['GET', '/_ingest/pipeline', undefined, 'superuser write'],
  ['PUT', '/_scripts/s', { script: { lang: 'painless', source: '1' } }, 'superuser'],
  ['POST', '/logs-a/_delete_by_query', { query: { match_none: {} } }, 'superuser'],
  ['POST', '/logs-a/_update_by_query', { query: { match_none: {} } }, 'superuser logs'],
  ['POST', '/_reindex', { source: { index: 'logs-a' }, dest: { index: 'logs-b' } }, 'superuser'],
  ['POST', '/_reindex', { source: { index: 'secret' }, dest: { index: 'logs-b' } }, 'superuser'],
  ['POST', '/_reindex', { source: { index: 'logs-a' }, dest: { index: 'secret' } }, 'superuser'],
  ['GET', '/_field_caps?fields=*', undefined, 'superuser monitor read write logs'],
  ['POST', '/_analyze', { text: 'a', analyzer: 'standard' }, 'superuser'],
  ['GET', '/_data_stream', undefined, 'superuser monitor read write logs'],
  ['PUT', '/_data_stream/logs-stream', undefined, 'superuser write'],
  ['GET', '/_security/user', undefined, 'superuser'],
  ['PUT', '/_security/user/mallory', { password: 'longer than six', roles: ['superuser'] }, 'superuser'],
  ['DELETE', '/_security/user/mallory', undefined, 'superuser'],
  ['GET', '/_security/role', undefined, 'superuser'],
  ['PUT', '/_security/role/mine', { cluster: ['all'] }, 'superuser'],
  ['POST', '/_security/api_key', { name: 'k' }, 'superuser'],
  ['GET', '/_security/api_key', undefined, 'superuser'],
  ['GET', '/_security/privilege/_builtin', undefined, 'superuser'],
  ['GET', '/_security/_authenticate', undefined, 'superuser monitor read write logs nobody'],
  ['GET', '/_plugins/_security/api/internalusers', undefined, 'superuser'],
  ['PUT', '/_plugins/_security/api/rolesmapping/superuser', { users: ['somebody'] }, 'superuser'],
  ['DELETE', '/_plugins/_security/api/rolesmapping/superuser', undefined, 'superuser'],
  ['DELETE', '/logs-new', undefined, 'superuser'],
  ['POST', '/_cluster/reroute', undefined, 'superuser'],
]

describe('the matrix', () => {
  it.each(matrix)('of %s %s', async (method, path, body, may) => {
    expect((await node.ask(method, path, body)).status).toBe(401)
    for (const user of [...users].reverse()) {
      const { status, text } = await as(user, method, path, body)
      const isRefused = status === 403 || (status === 200 && text.includes('security_exception'))
      expect([user, isRefused, status < 500]).toEqual([user, !may.split(' ').includes(user), true])
    }
  })
})

describe('a refusal', () => {
  it('says who may not do what, and which privileges would do', async () => {
    const answer = await as('logs', 'GET', '/secret/_search')
    expect(answer.status).toBe(403)
    const reason =
      'action [indices:data/read/search] is unauthorized for user [logs] with effective roles [logs_only] on indices [secret], this action is granted by the index privileges [read,all]'
    expect(answer.json).toEqual({
      error: {
        root_cause: [{ type: 'security_exception', reason }],
        type: 'security_exception',
        reason,
      },
      status: 403,
    })
  })

  it('names the cluster privileges of a cluster action', async () => {
    expect((await as('logs', 'GET', '/')).at('error.reason')).toBe(
      'action [cluster:monitor/main] is unauthorized for user [logs] with effective roles [logs_only], this action is granted by the cluster privileges [monitor,manage,all]',
    )
  })

  it('names roles that do not exist', async () => {
    expect((await as('nobody', 'GET', '/_search')).at('error.reason')).toBe(
      'action [indices:data/read/search] is unauthorized for user [nobody] with effective roles [] (assigned roles [unknown_role] were not found), this action is granted by the index privileges [read,all]',
    )
  })

  it('without credentials names the path and both ways to authenticate', async () => {
    const answer = await node.ask('GET', '/_search?pretty=false')
    expect(answer.status).toBe(401)
    const challenges = ['Basic realm="security" charset="UTF-8"', 'ApiKey']
    const reason = 'missing authentication credentials for REST request [/_search?pretty=false]'
    const error = { type: 'security_exception', reason, header: { 'WWW-Authenticate': challenges } }
    expect(answer.json).toEqual({ error: { root_cause: [error], ...error }, status: 401 })
    expect(answer.headers.get('www-authenticate')).toBe(challenges.join(', '))
  })

  it('of a wrong password does not say whether there is such a user', async () => {
    const texts = await Promise.all(
      ['read', 'no-such-user'].map(async (user) => {
        const answer = await node.ask('GET', '/', undefined, basic(user, 'wrong'))
        return [answer.status, String(answer.at('error.reason')).replace(user, 'X')]
      }),
    )
    expect(texts[0]).toEqual([401, 'unable to authenticate user [X] for REST request [/]'])
    expect(texts[1]).toEqual(texts[0])
  })
})

const names = (answer: { json: unknown }) =>
  (answer.json as { hits: { hits: { _index: string }[] } }).hits.hits.map(({ _index }) => _index)
const sorted = (list: string[]) => [...new Set(list)].sort()

describe('wildcards', () => {
  it('reach what is permitted and nothing else', async () => {
    for (const path of ['/_search', '/_all/_search', '/*/_search', '/*,-nothing/_search'])
      expect([path, sorted(names(await as('logs', 'GET', `${path}?size=100`)))]).toEqual([
        path,
        ['hidden-alias-target', 'logs-a', 'logs-b'],
      ])
    expect(sorted(names(await as('logs', 'GET', '/logs-*/_search?size=100')))).toEqual(['logs-a', 'logs-b'])
    expect(sorted(names(await as('logs', 'GET', '/*,-shared/_search?size=100')))).toEqual([
      'logs-a',
      'logs-b',
    ])
  })

  it('that reach nothing permitted find nothing', async () => {
    expect(names(await as('logs', 'GET', '/sec*/_search'))).toEqual([])
    expect(names(await as('logs', 'GET', '/private-*/_search'))).toEqual([])
    expect((await as('logs', 'GET', '/sec*/_search?allow_no_indices=false')).status).toBe(404)
  })

  it('do not show other indices in lists of them', async () => {
    expect(Object.keys((await as('logs', 'GET', '/_mapping')).json as object).sort()).toEqual([
      'hidden-alias-target',
      'logs-a',
      'logs-b',
    ])
    const aliases = (await as('logs', 'GET', '/_alias')).text
    expect(aliases).not.toContain('secret')
    expect(aliases).not.toContain('private-alias')
    const resolved = (await as('logs', 'GET', '/_resolve/index/*')).text
    expect(resolved).not.toContain('"secret"')
  })

  it('of names with braces cannot break the list of exclusions', async () => {
    expect((await as('elastic', 'PUT', '/a%7Bb/_doc/1?refresh=true', { from: 'a{b' })).status).toBe(201)
    expect(sorted(names(await as('logs', 'GET', '/_search?size=100')))).toEqual([
      'hidden-alias-target',
      'logs-a',
      'logs-b',
    ])
    await as('elastic', 'DELETE', '/a%7Bb')
  })

  it('leave names out that are not permitted when they may be missing', async () => {
    expect(sorted(names(await as('logs', 'GET', '/secret,logs-b/_search?ignore_unavailable=true')))).toEqual([
      'logs-b',
    ])
    expect(names(await as('logs', 'GET', '/secret/_search?ignore_unavailable=true'))).toEqual([])
    expect((await as('logs', 'GET', '/secret,logs-a/_search')).status).toBe(403)
    expect((await as('logs', 'GET', '/no-such-index/_search')).status).toBe(403)
    expect((await as('logs', 'GET', '/logs-missing/_search')).status).toBe(404)
  })

  it('hold for dates in names too', async () => {
    expect((await as('logs', 'GET', '/%3Csecret-%7Bnow%2Fd%7D%3E/_search')).status).toBe(403)
    expect((await as('logs', 'GET', '/%3Clogs-%7Bnow%2Fd%7D%3E/_search')).status).toBe(404)
  })
})

describe('a request of many parts', () => {
  it('_bulk refuses items one by one', async () => {
    const lines = [
      '{"index":{"_index":"logs-a","_id":"x"}}',
      '{"a":1}',
      '{"index":{"_index":"secret","_id":"x"}}',
      '{"a":1}',
      '{"delete":{"_index":"logs-a","_id":"x"}}',
      '{"create":{"_index":"logs-not-there","_id":"x"}}',
      '{"a":1}',
      '{"update":{"_index":"logs-a","_id":"x"}}',
      '{"doc":{"b":2}}',
    ]
    const answer = await as('logs', 'POST', '/_bulk', `${lines.join('\n')}\n`)
    const { items, errors } = answer.json as {
      errors: boolean
      items: Record<string, { status: number; error?: { type: string; reason: string } }>[]
    }
    expect(errors).toBe(true)
    expect(items.map((item) => Object.values(item)[0]!.status)).toEqual([201, 403, 403, 403, 200])
    const reason = (position: number) => Object.values(items[position]!)[0]!.error
    const who = 'is unauthorized for user [logs] with effective roles [logs_only] on indices'
    expect(reason(1)).toEqual({
      type: 'security_exception',
      reason: `action [indices:data/write/index] ${who} [secret], this action is granted by the index privileges [create_doc,create,index,write,all]`,
    })
    expect(reason(2)?.reason).toBe(
      `action [indices:data/write/delete] ${who} [logs-a], this action is granted by the index privileges [delete,write,all]`,
    )
    expect(reason(3)?.reason).toBe(
      `action [indices:admin/auto_create] ${who} [logs-not-there], this action is granted by the index privileges [auto_configure,create_index,manage,all]`,
    )
    expect((await as('elastic', 'GET', '/secret/_doc/x')).status).toBe(404)
  })

  it('_msearch refuses searches one by one', async () => {
    const lines = ['{"index":"logs-a"}', '{}', '{"index":"secret"}', '{}', '{"index":"*"}', '{"size":100}']
    const answer = await as('logs', 'POST', '/_msearch', `${lines.join('\n')}\n`)
    const { responses } = answer.json as { responses: { status: number }[] }
    expect(responses.map(({ status }) => status)).toEqual([200, 403, 200])
    expect(JSON.stringify(responses[2])).not.toContain('"_index":"secret"')
  })

  it('_mget and _mtermvectors refuse documents one by one', async () => {
    const docs = [
      { _index: 'logs-a', _id: '1' },
      { _index: 'secret', _id: '1' },
    ]
    for (const path of ['/_mget', '/_mtermvectors']) {
      const answer = await as('logs', 'POST', path, { docs })
      const [first, second] = (answer.json as { docs: Record<string, unknown>[] }).docs
      expect([path, first!['found'], second!['error'] !== undefined]).toEqual([path, true, true])
      expect(JSON.stringify(second)).toContain('security_exception')
    }
  })

  it('queries cannot look up documents of other indices', async () => {
    const query = { terms: { from: { index: 'secret', id: '1', path: 'from' } } }
    const refused = await as('logs', 'POST', '/logs-a/_search', { query })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.text).toContain('action [indices:data/read/get] is unauthorized for user [logs]')
    const wrapped = { wrapper: { query: Buffer.from(JSON.stringify(query)).toString('base64') } }
    const answer = await as('logs', 'POST', '/logs-a/_search', { query: wrapped })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect((await as('read', 'POST', '/logs-a/_search', { query })).status).toBe(200)
  })

  it('a script of _reindex cannot send documents to other indices', async () => {
    const body = {
      source: { index: 'logs-b' },
      dest: { index: 'logs-a' },
      script: { lang: 'painless', source: "ctx._index = 'secret'; ctx._id = 'moved'" },
    }
    await as('elastic', 'PUT', '/_security/role/mover', {
      indices: [{ names: ['logs-*'], privileges: ['read', 'write'] }],
    })
    await as('elastic', 'PUT', '/_security/user/mover', { password, roles: ['mover'] })
    const { script: _, ...plain } = body
    expect((await node.ask('POST', '/_reindex', plain, basic('mover'))).status).toBe(200)
    expect((await node.ask('POST', '/_reindex', body, basic('mover'))).status).toBe(403)
    expect((await as('elastic', 'GET', '/secret/_doc/moved')).status).toBe(404)
  })

  it('aliases of indices that are not permitted cannot be made', async () => {
    await as('elastic', 'PUT', '/_security/role/alias_maker', {
      indices: [{ names: ['logs-*'], privileges: ['manage', 'read'] }],
    })
    await as('elastic', 'PUT', '/_security/user/maker', { password, roles: ['alias_maker'] })
    const change = (index: string, alias: string) =>
      node.ask('POST', '/_aliases', { actions: [{ add: { index, alias } }] }, basic('maker'))
    expect((await change('secret', 'logs-trick')).status).toBe(403)
    expect((await change('*', 'logs-trick')).status).toBe(403)
    expect((await change('logs-a', 'public')).status).toBe(403)
    expect((await change('logs-a', 'logs-fine')).status).toBe(200)
    const put = await node.ask('PUT', '/_alias/logs-trick', { index: 'secret' }, basic('maker'))
    expect(put.status).toBe(403)
  })
})

describe('tricks', () => {
  it('with lists of names where one is meant do not work', async () => {
    for (const path of ['/logs-a,secret/_doc/1', '/logs-%7B,secret/_doc/1', '/logs-a,s*/_doc/1', '/*/_doc/1'])
      expect([path, (await as('logs', 'GET', path)).status >= 400]).toEqual([path, true])
    const analyzed = await as('logs', 'POST', '/logs-a/_analyze?index=secret', { text: 'a', field: 'from' })
    expect(analyzed.status).toBe(403)
  })

  it('with the index in the query string do not work', async () => {
    expect((await as('logs', 'GET', '/_search?index=secret')).status).toBe(403)
    expect((await as('logs', 'GET', '/_count?index=secret')).status).toBe(403)
    expect((await as('logs', 'GET', '/_mtermvectors?index=secret&ids=1')).text).toContain(
      'security_exception',
    )
  })

  it('with aliases of a new index do not work', async () => {
    const body = { aliases: { 'private-alias': {} } }
    expect((await node.ask('PUT', '/logs-made', body, basic('maker'))).status).toBe(403)
    expect((await as('write', 'PUT', '/logs-made', body)).status).toBe(403)
  })

  it('with the rights of somebody else are refused', async () => {
    const headers = { ...basic('elastic'), 'es-security-runas-user': 'logs' }
    const refused = await node.ask('GET', '/secret/_search', undefined, headers)
    expect([refused.status, refused.at('error.reason')]).toEqual([
      403,
      'user [elastic] is unauthorized to run as [logs]',
    ])
  })

  it('with another spelling of a path do not work', async () => {
    for (const path of ['//_search', '/_search/', '/%5fsearch', '/secret/%5Fsearch', '/./secret/_search'])
      expect([path, (await as('nobody', 'GET', path)).status >= 400]).toEqual([path, true])
    expect((await as('logs', 'GET', '/%73ecret/_search')).status).toBe(403)
  })
})

describe('scrolls and points in time', () => {
  it('belong to whoever opened them', async () => {
    const opened = await as('read', 'POST', '/secret/_search?scroll=1m', { size: 1 })
    const scroll_id = opened.at('_scroll_id')
    expect(typeof scroll_id).toBe('string')
    const body = { scroll_id, scroll: '1m' }
    expect((await as('logs', 'POST', '/_search/scroll', body)).status).toBe(404)
    expect((await as('logs', 'DELETE', '/_search/scroll', { scroll_id })).status).toBe(404)
    expect((await as('read', 'POST', '/_search/scroll', body)).status).toBe(200)
    const pit = (await as('read', 'POST', '/secret/_pit?keep_alive=1m')).at('id')
    expect((await as('logs', 'POST', '/_search', { pit: { id: pit } })).status).toBe(404)
    expect((await as('logs', 'DELETE', '/_pit', { id: pit })).status).toBe(404)
    expect((await as('read', 'POST', '/_search', { pit: { id: pit } })).status).toBe(200)
    expect((await as('read', 'DELETE', '/_pit', { id: pit })).status).toBe(200)
    expect((await as('read', 'DELETE', '/_search/scroll/_all')).status).toBe(403)
  })
})
