import { afterEach, describe, expect, it } from 'vitest'
import { configureLogging, setLevel } from '../../log/logger.ts'
import { newUser, Security } from '../../security/security.ts'
import { withEntry } from '../../security/security-state.ts'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { type NodeApi, startNodeApi } from '../node/server.ts'
import { freshFetch, testAgent, testPipeline, testSettings } from '../node/testing.ts'

setLevel('logstash.agent', 'OFF')
configureLogging({ writeConsole: () => {} })
const open: NodeApi[] = []

afterEach(async () => {
  for (const api of open.splice(0)) await api.close()
})

async function start(values: Parameters<typeof testSettings>[0] = {}, hasUsers = true) {
  let security: Security | undefined
  if (hasUsers) {
    security = new Security({
      files: new MemoryFiles(),
      path: 's/s',
      isShared: false,
      cost: { N: 1024, r: 8, p: 1 },
    })
    await security.bootstrap('root', 'root password')
    const hash = await security.hash('eye password')
    await security.change((state) => ({
      ...state,
      users: withEntry(state.users, 'eye', newUser(hash, ['monitor'])),
    }))
  }
  const settings = testSettings({
    'api.http.port': '29610-29690',
    'log.level': 'fatal',
    ...(hasUsers && { 'security.enabled': true }),
    ...values,
  })
  const api = await startNodeApi({ settings, agent: testAgent(testPipeline('main')), id: 'x', security })
  open.push(api)
  return (path: string, init?: RequestInit) => freshFetch(`http://${api.address}${path}`, init)
}

type Ask = Awaited<ReturnType<typeof start>>

const signIn = (ask: Ask, username: string, password: string) =>
  ask('/ui/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
const cookieOf = (answer: Response) => ({ cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' })

describe('signing in at the dashboard', () => {
  it('is not asked for where there are no users', async () => {
    const ask = await start({}, false)
    expect(await (await ask('/ui/session')).json()).toEqual({
      asks: false,
      user: null,
      may_look: true,
      may_change: true,
    })
    expect((await signIn(ask, 'a', 'b')).status).toBe(409)
  })

  it('shows the page to everybody, and figures to those who signed in', async () => {
    const ask = await start()
    const [page, refused] = [await ask('/ui'), await ask('/_node/stats')]
    expect(page.status).not.toBe(401)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="logstash-api"',
    ])
    for (const path of [
      '/ui/search/_search',
      '/ui/fleet/nodes',
      '/ui/fleet/0/root',
      '/_node/pipelines/main/_source',
    ])
      expect([path, (await ask(path)).status]).not.toEqual([path, 200])
    const answer = await signIn(ask, 'eye', 'eye password')
    expect(await answer.json()).toEqual({ asks: true, user: 'eye', may_look: true, may_change: false })
    const headers = cookieOf(answer)
    expect((await ask('/_node/stats', { headers })).status).toBe(200)
    expect(await (await ask('/ui/session', { headers })).json()).toMatchObject({ user: 'eye' })
  })

  it('lets those change things only who may manage the node', async () => {
    const ask = await start()
    const change = (headers: Record<string, string>) =>
      ask('/_node/logging/reset', { method: 'PUT', headers }).then(({ status }) => status)
    const source = (headers: Record<string, string>) =>
      ask('/_node/pipelines/main/_source', { headers }).then(({ status }) => status)
    const eye = cookieOf(await signIn(ask, 'eye', 'eye password'))
    const root = cookieOf(await signIn(ask, 'root', 'root password'))
    expect([await change({}), await change(eye), await change(root)]).toEqual([401, 403, 200])
    // Passwords stand in configurations.
    expect([await source({}), await source(eye), await source(root)]).toEqual([401, 403, 200])
  })

  it('takes no orders from foreign pages, cookie or not', async () => {
    const ask = await start()
    const headers = {
      ...cookieOf(await signIn(ask, 'root', 'root password')),
      origin: 'https://evil.example',
    }
    expect((await ask('/_node/logging/reset', { method: 'PUT', headers })).status).toBe(403)
  })

  it('refuses a wrong password without telling the browser to ask', async () => {
    const ask = await start()
    const answer = await signIn(ask, 'root', 'wrong')
    expect([answer.status, answer.headers.get('www-authenticate'), answer.headers.get('set-cookie')]).toEqual(
      [401, null, null],
    )
    const own = await ask('/_node/stats', { headers: { 'x-requested-with': 'millrace' } })
    expect([own.status, own.headers.get('www-authenticate')]).toEqual([401, null])
  })

  it('ends by signing out', async () => {
    const ask = await start()
    const headers = cookieOf(await signIn(ask, 'root', 'root password'))
    await ask('/ui/session', { method: 'DELETE', headers })
    expect((await ask('/_node/stats', { headers })).status).toBe(401)
  })

  it('knows the password of the settings too', async () => {
    const ask = await start(
      {
        'api.auth.type': 'basic',
        'api.auth.basic.username': 'logstash',
        'api.auth.basic.password': 'Passw0rd!',
      },
      false,
    )
    expect((await ask('/_node/stats')).status).toBe(401)
    const headers = cookieOf(await signIn(ask, 'logstash', 'Passw0rd!'))
    expect((await ask('/_node/stats', { headers })).status).toBe(200)
  })
})
