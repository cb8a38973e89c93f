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
