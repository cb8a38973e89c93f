import { afterEach, describe, expect, it } from 'vitest'
import { setLevel } from '../../log/logger.ts'
import { type NodeApi, startNodeApi } from './server.ts'
import { freshFetch, testAgent, testPipeline, testSettings } from './testing.ts'

setLevel('logstash.agent', 'OFF')
const main = testPipeline('main')
const other = testPipeline('other')
let api: NodeApi

afterEach(() => api.close())

async function start(agent = testAgent(main, other)): Promise<void> {
  api = await startNodeApi({
    settings: testSettings({
      'api.http.port': '19600-19900',
      'log.level': 'fatal',
      'api.auth.type': 'basic',
      'api.auth.basic.username': 'user',
      'api.auth.basic.password': 'Passw0rd!',
    }),
    agent,
    id: 'x',
  })
}

async function statuses(...paths: string[]): Promise<number[]> {
  return Promise.all(paths.map(async (path) => (await freshFetch(`http://${api.address}${path}`)).status))
}

describe('probes', () => {
  it('need no credentials, and only they', async () => {
    await start()
    expect(await statuses('/-/live', '/-/live/', '/-/ready', '/', '/-/', '/-/live/x', '/-/nothing')).toEqual([
      200, 200, 200, 401, 401, 401, 401,
    ])
    const wrong = await freshFetch(`http://${api.address}/-/live`, { headers: { authorization: 'Bearer x' } })
    expect([wrong.status, await wrong.text()]).toEqual([200, 'live\n'])
    expect((await freshFetch(`http://${api.address}/-/live`, { method: 'POST' })).status).toBe(404)
  })

  it.each([
    ['running', 'running', 200],
    ['running', 'finished', 200],
    ['finished', 'finished', 503],
    ['starting', 'running', 503],
    ['running', 'crashed', 503],
    ['running', 'failed', 503],
  ] as const)('are ready with %s and %s: %i', async (first, second, status) => {
    await start()
    main.status = first
    other.status = second
    expect(await statuses('/-/live', '/-/ready')).toEqual([200, status])
  })

  it('are not ready without any pipeline', async () => {
    await start(testAgent())
    expect(await statuses('/-/ready')).toEqual([503])
  })
})
