import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../../../api/search/testing.ts'
import { MemoryFiles } from '../../../storage/memory-files.ts'
import { finish } from '../../scheduling/steps.ts'
import { Cluster } from '../cluster.ts'
import { EmbeddedStores } from '../shards/embedded-stores.ts'
import { parseActions, updateAliases } from './alias-actions.ts'

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

  it('are read in steps', () => {
    const actions = Array.from({ length: 10_000 }, (_, i) => ({ add: { index: 'one', alias: `b${i}` } }))
    const steps = parseActions({ actions })
    let pauses = 0
    while (!steps.next().done) pauses++
    expect(pauses).toBeGreaterThan(30)
  })

  it('see what another request did between their steps', async () => {
    const files = new MemoryFiles()
    const stores = new EmbeddedStores({ files, directory: 'data' })
    const cluster = new Cluster({ files, directory: 'data', stores })
    cluster.createIndex('two', {})
    const changing = updateAliases(
      cluster,
      finish(parseActions({ actions: [{ add: { index: 'two', alias: 'b' } }] })),
    )
    cluster.createIndex('b', {})
    await expect(changing).rejects.toThrow('an index exists with the same name as the alias')
  })
})
