import { expect, it } from 'vitest'
import { type FailedShard, type StoreHealth, StoreHealthWatch } from './store-health.ts'

const failed = (shard: number, kind = 'damaged'): FailedShard => ({ index: 'tea', shard, kind, message: 'x' })

it('tells what is wrong when it has changed, and that all is well again', () => {
  const store = { failed: [] as FailedShard[], isDiskFlooded: false, failedShards: () => store.failed }
  const told: StoreHealth[] = []
  const watch = new StoreHealthWatch(store, (health) => told.push(health))
  watch.check()
  expect(told).toEqual([])
  store.failed = [failed(0)]
  watch.check()
  watch.check()
  store.failed = [failed(0, 'full')]
  store.isDiskFlooded = true
  watch.check()
  store.failed = []
  store.isDiskFlooded = false
  watch.check()
  watch.close()
  expect(told).toEqual([
    { failedShards: [failed(0)], failedCount: 1, isDiskFlooded: false },
    { failedShards: [failed(0, 'full')], failedCount: 1, isDiskFlooded: true },
    { failedShards: [], failedCount: 0, isDiskFlooded: false },
  ])
})

it('names some of very many shards, and counts all', () => {
  const shards = Array.from({ length: 5000 }, (_, shard) => failed(shard))
  const told: StoreHealth[] = []
  new StoreHealthWatch({ failedShards: () => shards, isDiskFlooded: false }, (health) =>
    told.push(health),
  ).close()
  expect(told[0]).toMatchObject({ failedCount: 5000, failedShards: { length: 20 } })
})
