import { describe, expect, it } from 'vitest'
import type { ClusterStatus } from '../../../cluster/cluster-watch.ts'
import { storeIndicator } from './health-store.ts'

const running = { state: 'running', restarts: 0, reason: undefined } as const
const well: ClusterStatus = {
  isReachable: true,
  health: 'green',
  name: 'logs',
  nodes: 3,
  reason: undefined,
  hosts: 3,
  failedHosts: [],
}

describe('the indicator of the search store', () => {
  it('is there for an embedded store only while that is down', () => {
    expect(storeIndicator(running)).toBeUndefined()
    expect(storeIndicator({ ...running, state: 'restarting' })?.status).toBe('red')
  })

  it('is red while shards of an embedded store refuse, and says what to do', () => {
    const shard = { index: 'tea', shard: 0, kind: 'damaged', message: 'checksum of docs.seg is wrong' }
    const health = { failedShards: [shard], failedCount: 3, isDiskFlooded: false }
    const indicator = storeIndicator({ ...running, health })
    expect(indicator?.status).toBe('red')
    expect(indicator?.diagnosis).toHaveLength(1)
    expect(indicator?.diagnosis?.[0]?.cause).toBe(
      '3 shards refuse reads or writes: [tea][0] checksum of docs.seg is wrong; and 2 more',
    )
    expect(indicator?.diagnosis?.[0]?.action).toContain('millrace store repair')
    const unreadable = { ...health, failedShards: [{ ...shard, kind: 'unreadable' }] }
    expect(storeIndicator({ ...running, health: unreadable })?.diagnosis?.[0]?.action).toContain('the disk')
  })

  it('is red while the disk is above the flood stage, and gone when all is well', () => {
    const flooded = { failedShards: [], failedCount: 0, isDiskFlooded: true }
    expect(storeIndicator({ ...running, health: flooded })).toMatchObject({
      status: 'red',
      diagnosis: [{ id: 'millrace:health:search_store:diagnosis:disk-full' }],
    })
    expect(storeIndicator({ ...running, health: { ...flooded, isDiskFlooded: false } })).toBeUndefined()
  })

  it.each<[string, Partial<ClusterStatus>, RegExp]>([
    ['green', {}, /^$/],
    ['yellow', { health: 'yellow' }, /the cluster says that it is yellow/],
    ['yellow', { failedHosts: ['http://a:9200'] }, /do not answer: http:\/\/a:9200/],
    ['red', { health: 'red' }, /the cluster says that it is red/],
    ['red', { isReachable: false, health: undefined, reason: 'refused' }, /does not answer: refused/],
  ])('is %s for a cluster with %j', (status, change, cause) => {
    const indicator = storeIndicator({ ...running, cluster: { ...well, ...change } })
    expect(indicator?.status).toBe(status)
    expect(indicator?.diagnosis?.[0]?.cause ?? '').toMatch(cause)
  })
})
