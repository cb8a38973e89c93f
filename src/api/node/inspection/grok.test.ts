import { afterEach, describe, expect, it } from 'vitest'
import { setLevel } from '../../../log/logger.ts'
import { type NodeApi, startNodeApi } from '../server.ts'
import { freshFetch, testAgent, testSettings } from '../testing.ts'

setLevel('logstash.agent', 'OFF')
const open: NodeApi[] = []

afterEach(async () => {
  for (const api of open.splice(0)) await api.close()
})

/** Only what is refused before a thread is needed: sources cannot start threads here. */
describe('POST /_node/_grok', () => {
  it('says what is wrong with a request', async () => {
    const settings = testSettings({ 'api.http.port': '29710-29790', 'log.level': 'fatal' })
    const api = await startNodeApi({ settings, agent: testAgent(), id: 'x' })
    open.push(api)
    const status = async (body: string) => {
      const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
      return (await freshFetch(`http://${api.address}/_node/_grok`, init)).status
    }
    expect(await status('no json')).toBe(400)
    expect(await status('[]')).toBe(400)
    expect(await status('{"lines":[]}')).toBe(400)
    expect(await status('{"pattern":"a","lines":[1]}')).toBe(400)
    expect(await status(JSON.stringify({ pattern: 'a', lines: Array(201).fill('x') }))).toBe(400)
    expect(await status('{"pattern":"a","lines":[],"definitions":{"A":1}}')).toBe(400)
    expect(await status(JSON.stringify({ pattern: 'a'.repeat(600_000), lines: [] }))).toBe(413)
  })
})
