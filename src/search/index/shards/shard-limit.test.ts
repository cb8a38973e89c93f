import { describe, expect, it } from 'vitest'
import { MemoryFiles } from '../../../storage/memory-files.ts'
import { closeIndices, openIndices, putSettings } from '../admin/index-admin.ts'
import { writeTarget } from '../auto-create.ts'
import { Cluster } from '../cluster.ts'
import type { Flavor } from '../compat.ts'
import { rollover } from '../templates/rollover.ts'
import { EmbeddedStores } from './embedded-stores.ts'

function cluster(flavor: Flavor = 'elasticsearch8', files = new MemoryFiles(), limit?: string): Cluster {
  const stores = new EmbeddedStores({ files, directory: 'data' })
  const made = new Cluster({ files, directory: 'data', stores, flavor })
  if (limit !== undefined) setLimit(made, limit)
  return made
}

function setLimit(of: Cluster, limit: string): void {
  of.apply((state) => ({ ...state, persistentSettings: { 'cluster.max_shards_per_node': limit } }))
}

const sized = (shards: number, replicas: number) => ({
  settings: { number_of_shards: shards, number_of_replicas: replicas },
})

describe('the limit of shards', () => {
  it.each([
    [
      'elasticsearch8',
      'this action would add [1001] shards, but this cluster currently has [2]/[1000] maximum normal shards open',
    ],
    [
      'elasticsearch7',
      'this action would add [1001] total shards, but this cluster currently has [2]/[1000] maximum normal shards open',
    ],
    [
      'opensearch',
      'this action would add [1001] total shards, but this cluster currently has [2]/[1000] maximum shards open',
    ],
  ] as const)('is 1,000 with the words of %s', (flavor, words) => {
    const one = cluster(flavor)
    one.createIndex('a', {})
    let thrown: unknown
    try {
      one.createIndex('b', sized(1001, 0))
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({
      type: 'validation_exception',
      status: 400,
      message: `Validation Failed: 1: ${words};`,
    })
    expect(one.index('b')).toBeUndefined()
  })

  it('counts replicas, and holds for writes and rollovers that make an index', async () => {
    const one = cluster('opensearch', undefined, '5')
    one.createIndex('logs-000001', { ...sized(2, 1), aliases: { logs: {} } })
    const full = /would add \[2\] total shards, but this cluster currently has \[4\]\/\[5\]/
    expect(() => one.createIndex('b', sized(1, 1))).toThrow(full)
    expect(() => writeTarget(one, 'c', { mayCreate: true })).toThrow(full)
    const request = { target: 'logs', newIndex: undefined, body: {}, isDryRun: false }
    await expect(rollover(one, request)).rejects.toThrow(full)
    one.createIndex('d', sized(1, 0))
    expect(Object.keys(one.state.indices)).toEqual(['logs-000001', 'd'])
  })

  it('counts open indices only, and holds for those that are opened', async () => {
    const one = cluster('elasticsearch8', undefined, '4')
    const index = one.createIndex('a', sized(3, 0))
    await closeIndices(one, [index])
    one.createIndex('b', sized(2, 0))
    await expect(openIndices(one, [one.index('a')!])).rejects.toThrow('would add [3] shards')
    expect(one.index('a')?.isOpen).toBe(false)
    setLimit(one, '5')
    await openIndices(one, [one.index('a')!])
    expect(one.index('a')?.isOpen).toBe(true)
  })

  it('holds for more replicas, and not for fewer', async () => {
    const one = cluster('elasticsearch8', undefined, '6')
    const index = one.createIndex('a', sized(2, 1))
    await expect(putSettings(one, [index], { number_of_replicas: 3 }, false)).rejects.toThrow(
      'would add [4] shards, but this cluster currently has [4]/[6]',
    )
    await putSettings(one, [index], { number_of_replicas: 2 }, false)
    setLimit(one, '1')
    await putSettings(one, [one.index('a')!], { number_of_replicas: 1 }, false)
    expect(one.index('a')?.settings['index.number_of_replicas']).toBe('1')
  })

  it('does not keep a node with more shards from its start', () => {
    const files = new MemoryFiles()
    const before = cluster('elasticsearch8', files)
    before.createIndex('a', sized(3, 0))
    setLimit(before, '1')
    const after = cluster('elasticsearch8', files.crash())
    expect(after.openStore(after.index('a')!)?.shards).toHaveLength(3)
    expect(() => after.createIndex('b', sized(1, 0))).toThrow('currently has [3]/[1]')
  })
})
