import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../../../api/search/testing.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode()
  await node.ask('PUT', '/one', { aliases: { a: {} } })
})

afterAll(() => node.close())

const remove = { remove: { index: 'one', alias: 'a' } }

describe('alias actions', () => {
  it('may remove what an action before them has removed', async () => {
    const { status } = await node.ask('POST', '/_aliases', { actions: [remove, remove] })
    expect(status).toBe(200)
  })

  it('refuse to remove what was never there', async () => {
    const answer = await node.ask('POST', '/_aliases', { actions: [remove] })
    expect(answer.status).toBe(404)
    expect(answer.at('error.reason')).toBe('aliases [a] missing')
  })
})
