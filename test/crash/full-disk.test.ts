/** A disk that is full, or fails, under a store: what is acknowledged stays, what is refused is nowhere, and it goes on. */
import { describe, expect, it, vi } from 'vitest'
import { getDocument } from '../../src/search/index/documents/document-reads.ts'
import { write } from '../../src/search/index/documents/document-writes.ts'
import { SimulatedDisk } from '../../src/storage/simulated-disk.ts'
import { documentOf, drop, openStore, put, range, type SmallStore } from './small-store.ts'

async function storeWith(documents: number): Promise<{ disk: SimulatedDisk; store: SmallStore }> {
  const disk = new SimulatedDisk()
  const store = openStore(disk)
  store.cluster.createIndex('tea', { settings: { number_of_shards: '1' } })
  expect(await put(store, 'tea', range(0, documents))).toBe(true)
  return { disk, store }
}

const has = ({ cluster }: SmallStore, n: number) =>
  getDocument(cluster, { index: 'tea', id: `d${n}` }).document !== undefined
const failure = ({ cluster }: SmallStore) => cluster.failures(cluster.index('tea')!).get(0)

async function errorOf(store: SmallStore, n: number) {
  const source = Buffer.from(documentOf(n))
  const [answer] = await write(store.cluster, [{ kind: 'index', index: 'tea', id: `d${n}`, source }], {
    refresh: 'true',
  })
  return answer !== undefined && 'error' in answer ? answer.error : undefined
}

/** Time passes, and the timers of the store run. */
const wait = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

describe('a full disk', () => {
  it('refuses writes with 429 in the words of Elasticsearch, keeps what it had and goes on by itself', async () => {
    const { disk, store } = await storeWith(20)
    disk.capacity = disk.used + 10
    const error = await errorOf(store, 50)
    expect(error).toMatchObject({ type: 'cluster_block_exception', status: 429 })
    expect(error?.message).toBe(
      'index [tea] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];',
    )
    await wait(50)
    expect(failure(store)?.kind).toBe('full')
    expect(store.reports.some((line) => line.startsWith('error Shard failed: full'))).toBe(true)
    expect(has(store, 50)).toBe(false)
    expect(range(0, 20).every((n) => has(store, n))).toBe(true)
    disk.capacity = Number.POSITIVE_INFINITY
    await vi.waitFor(() => expect(failure(store)).toBeUndefined(), { timeout: 20_000, interval: 100 })
    expect(await errorOf(store, 51)).toBeUndefined()
    expect(has(store, 51)).toBe(true)
    drop(store)
    const after = openStore(disk.copy())
    expect([has(after, 19), has(after, 50), has(after, 51)]).toEqual([true, false, true])
    drop(after)
  })

  it('does not call an index failed that was deleted while documents were written to it', async () => {
    const { store } = await storeWith(1)
    const source = Buffer.from(documentOf(9))
    const writing = write(store.cluster, [{ kind: 'index', index: 'tea', id: 'd9', source }], {
      refresh: 'false',
    })
    await store.cluster.removeIndices([store.cluster.index('tea')!])
    await writing
    expect(store.reports.filter((line) => line.startsWith('error'))).toEqual([])
    drop(store)
  })

  it('refuses to create an index, and leaves nothing of it behind', async () => {
    const { disk, store } = await storeWith(1)
    const before = disk.paths()
    disk.capacity = disk.used + 5
    expect(() => store.cluster.createIndex('coffee', {})).toThrow('flood-stage watermark')
    expect(store.cluster.index('coffee')).toBeUndefined()
    expect(disk.paths()).toEqual(before)
    disk.capacity = Number.POSITIVE_INFINITY
    await wait(1_100)
    expect(store.cluster.createIndex('coffee', {}).name).toBe('coffee')
    drop(store)
  })

  it('takes no documents above the flood stage, and takes them again below it', async () => {
    const { disk, store } = await storeWith(20)
    disk.capacity = Math.ceil(disk.used / 0.96)
    await wait(1_100)
    expect(await errorOf(store, 60)).toMatchObject({ status: 429, type: 'cluster_block_exception' })
    expect(failure(store)).toBeUndefined()
    expect(has(store, 5)).toBe(true)
    disk.capacity = disk.used * 3
    await wait(1_100)
    expect(await errorOf(store, 60)).toBeUndefined()
    drop(store)
  })
})

describe('a failed fsync', () => {
  it('refuses the documents of its group, makes the index red, and they are gone after a restart', async () => {
    const { disk, store } = await storeWith(10)
    let isBroken = true
    disk.fault = ({ kind, path }) =>
      isBroken && kind === 'sync' && path.endsWith('.log') ? 'EIO' : undefined
    const error = await errorOf(store, 70)
    expect(error).toMatchObject({ type: 'unavailable_shards_exception', status: 503 })
    await wait(50)
    expect(failure(store)?.kind).toBe('read-only')
    expect(store.reports.find((line) => line.startsWith('error Shard failed: read-only'))).toContain('EIO')
    expect(has(store, 70)).toBe(false)
    expect(has(store, 3)).toBe(true)
    isBroken = false
    // Nothing more is taken until the disk was tried again.
    expect(await errorOf(store, 71)).toMatchObject({ status: 503 })
    drop(store)
    const after = openStore(disk.copy())
    expect(failure(after)).toBeUndefined()
    expect([has(after, 9), has(after, 70), has(after, 71)]).toEqual([true, false, false])
    expect(await errorOf(after, 72)).toBeUndefined()
    drop(after)
  })
})
