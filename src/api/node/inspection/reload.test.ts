import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReloadResult } from '../../../agent/agent.ts'
import { setLevel } from '../../../log/logger.ts'
import { type NodeApi, startNodeApi } from '../server.ts'
import { freshFetch, testAgent, testPipeline, testSettings } from '../testing.ts'

setLevel('logstash.agent', 'OFF')
let api: NodeApi
let asked: string[]
let result: ReloadResult

beforeEach(async () => {
  asked = []
  const hidden = testPipeline('hidden', testSettings({ 'pipeline.id': 'hidden', 'pipeline.system': true }))
  const agent = {
    ...testAgent(testPipeline('main'), hidden),
    reload: async (id: string) => {
      asked.push(id)
      return result
    },
  }
  const settings = testSettings({ 'api.http.port': '19600-19900', 'log.level': 'fatal' })
  api = await startNodeApi({ settings, agent, id: 'x' })
})

afterEach(() => api.close())

async function reload(id: string, headers: Record<string, string> = {}): Promise<[number, unknown]> {
  const url = `http://${api.address}/_node/pipelines/${id}/_reload`
  const response = await freshFetch(url, { method: 'POST', headers })
  return [response.status, await response.json()]
}

const problem = (status: number, message: string, id = 'main') => [
  status,
  { path: `/_node/pipelines/${id}/_reload`, status, error: { message } },
]

describe('reloading one pipeline', () => {
  it('is acknowledged', async () => {
    result = { kind: 'done' }
    const [status, body] = await reload('main')
    expect(status).toBe(200)
    expect(body).toMatchObject({ version: '9.5.2', acknowledged: true })
    await reload('%EB%B3%80%ED%99%98')
    expect(asked).toEqual(['main', '변환'])
  })

  it('says why it was not done', async () => {
    result = {
      kind: 'refused',
      message: 'Cannot reload pipeline, because the existing pipeline is not reloadable',
    }
    expect(await reload('main')).toEqual(problem(409, result.message))
    result = { kind: 'failed', message: 'Expected one of [ \\t\\r\\n], "#", "input"' }
    expect(await reload('main')).toEqual(problem(400, result.message))
    result = { kind: 'unknown' }
    expect(await reload('nope')).toEqual(problem(404, 'Not Found', 'nope'))
  })

  it('leaves pipelines alone that nobody configured', async () => {
    expect(await reload('hidden')).toEqual(problem(404, 'Not Found', 'hidden'))
    expect(asked).toEqual([])
  })

  it('is refused to web pages from elsewhere', async () => {
    result = { kind: 'done' }
    expect(await reload('main', { origin: 'https://evil.example' })).toEqual(problem(403, 'Forbidden'))
    expect(asked).toEqual([])
    expect((await reload('main', { origin: `http://${api.address}` }))[0]).toBe(200)
  })

  it('needs a POST', async () => {
    const response = await freshFetch(`http://${api.address}/_node/pipelines/main/_reload`)
    expect([response.status, response.headers.get('allow')]).toEqual([404, 'POST'])
  })
})
