import { expect, it } from 'vitest'
import { MemoryFiles } from '../../../storage/memory-files.ts'
import { Cluster } from '../cluster.ts'
import { EmbeddedStores } from '../shards/embedded-stores.ts'
import { ByQueryWork } from './by-query.ts'

it('all slices run, and only a few of them at a time', async () => {
  const files = new MemoryFiles()
  const stores = new EmbeddedStores({ files, directory: 'data' })
  const cluster = new Cluster({ files, directory: 'data', stores })
  const begun: number[] = []
  let open = 0
  let mostOpen = 0
  const work = new ByQueryWork(cluster, {
    kind: 'update',
    size: 10,
    maxDocs: undefined,
    proceeds: false,
    requestsPerSecond: -1,
    slices: 100,
    scan(slice) {
      begun.push(slice!.id)
      mostOpen = Math.max(mostOpen, ++open)
      return { total: 1, next: () => Promise.resolve([]), close: () => void open-- }
    },
    actionFor: () => undefined,
    write: { refresh: 'false' },
  })
  await work.run(new AbortController().signal)
  expect(begun).toEqual(Array.from({ length: 100 }, (_, id) => id))
  expect(mostOpen).toBe(4)
  expect(work.status()['total']).toBe(100)
})
