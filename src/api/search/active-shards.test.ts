import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestNode, type TestNode } from './testing.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode()
})

afterAll(() => node.close())

it.each([
  ['GET', '/_cluster/health'],
  ['PUT', '/a/_doc/1'],
])('%s %s refuses a count of copies that is none, without waiting', async (method, path) => {
  const body = method === 'PUT' ? { k: 1 } : undefined
  const answer = await node.ask(method, `${path}?wait_for_active_shards=x&timeout=60s`, body)
  expect([answer.status, answer.at('error.reason')]).toEqual([400, 'cannot parse ActiveShardCount[x]'])
})
