import { describe, expect, it } from 'vitest'
import {
  answersOf,
  documentOf,
  drop,
  makeStore,
  openStore,
  put,
  range,
  refused,
} from '../../../test/crash/small-store.ts'
import { checkedBytes } from '../../storage/checked-file.ts'
import type { SimulatedDisk } from '../../storage/simulated-disk.ts'
import { getDocument } from '../index/documents/document-reads.ts'
import { checkStore, isSound } from './check-store.ts'
import { repairStore } from './repair-store.ts'

const deleted = [3, 5, 7, 8]

/** Returns the ids that an opened index contains. */
function idsOf(disk: SimulatedDisk, index: string): number[] {
  const store = openStore(disk)
  const ids = range(0, 100).filter(
    (n) => getDocument(store.cluster, { index, id: `d${n}` }).document !== undefined,
  )
  drop(store)
  return ids
}

const firstOf = (disk: SimulatedDisk, ending: RegExp) => disk.paths().find((path) => ending.test(path))!

describe('check and repair of a store', () => {
  it('find nothing wrong with an intact store, and change nothing', async () => {
    const disk = await makeStore()
    const before = disk.paths().map((path) => [path, Buffer.from(disk.read(path)).toString('base64')])
    expect(isSound(checkStore(disk, 'store'))).toBe(true)
    expect(await repairStore({ files: disk, directory: 'store' })).toEqual({ problems: [], shards: [] })
    expect(disk.paths().map((path) => [path, Buffer.from(disk.read(path)).toString('base64')])).toEqual(
      before,
    )
  })

  it('keep every other document when a log frame is damaged, and report how many operations are lost', async () => {
    const disk = await makeStore()
    const store = openStore(disk)
    const { uuid } = store.cluster.index('one')!
    drop(store)
    const log = firstOf(disk, new RegExp(`${uuid}/0/wal-\\d+\\.log$`))
    // The first frame holds second versions of documents 85 to 99.
    disk.flipBit(log, (20 + 24 + 50) * 8)
    const { indices } = checkStore(disk, 'store')
    const [problem] = indices.find(({ index }) => index === 'one')!.shards[0]!.problems
    expect(problem).toMatchObject({ path: log, lost: 15 })
    const damagedBytes = Buffer.from(disk.read(log))
    const { shards } = await repairStore({ files: disk, directory: 'store' })
    expect(shards).toMatchObject([{ index: 'one', shard: 0, refused: 0 }])
    expect(isSound(checkStore(disk, 'store'))).toBe(true)
    // Documents that were only in the frame are lost; the others have their version before.
    expect(idsOf(disk, 'one')).toEqual(range(0, 90).filter((n) => !deleted.includes(n)))
    const kept = disk.paths().find((path) => path.includes('quarantine') && path.endsWith('.log'))!
    expect(Buffer.from(disk.read(kept)).equals(damagedBytes)).toBe(true)
    expect(shards[0]!.keptAt).toBe(kept.slice(0, kept.lastIndexOf('/')))
  })

  it('recover all documents when the manifest is missing', async () => {
    const disk = await makeStore()
    const right = idsOf(disk.copy(), 'one')
    const store = openStore(disk)
    const { uuid } = store.cluster.index('one')!
    drop(store)
    disk.lose(`store/indices/${uuid}/0/MANIFEST`)
    await repairStore({ files: disk, directory: 'store' })
    expect(idsOf(disk, 'one')).toEqual(right)
  })

  it('use the intact cluster state file, and make up index names when both are damaged', async () => {
    const one = await makeStore()
    one.flipBit('store/cluster-state-0.json', 999)
    expect(() => openStore(one)).toThrow('store/cluster-state-0.json is damaged')
    await repairStore({ files: one, directory: 'store' })
    expect(idsOf(one, 'two')).toEqual(range(0, 100).filter((n) => !deleted.includes(n)))

    const both = await makeStore()
    both.lose('store/cluster-state-0.json')
    both.lose('store/cluster-state-1.json')
    await repairStore({ files: both, directory: 'store' })
    const store = openStore(both)
    const names = Object.keys(store.cluster.state.indices)
    expect(names.every((name) => name.startsWith('recovered-'))).toBe(true)
    const counts = names.map((name) =>
      store.cluster.figures(store.cluster.index(name)!).reduce((sum, { docs }) => sum + docs, 0),
    )
    expect(counts).toEqual([96, 96])
    drop(store)
  })

  it('leave a store of a newer version alone', async () => {
    const disk = await makeStore()
    const path = firstOf(disk, /MANIFEST$/)
    const text = Buffer.from(disk.read(path)).toString()
    const body = Buffer.from(text.slice(text.indexOf('\n') + 1))
    disk.write(path, checkedBytes({ name: 'manifest', version: 3, firstRead: 3 }, body))
    const before = disk.paths().map((one) => [one, Buffer.from(disk.read(one)).toString('base64')])
    expect(() => checkStore(disk, 'store')).toThrow('was written by a newer version of the program')
    await expect(repairStore({ files: disk, directory: 'store' })).rejects.toThrow(
      'was written by a newer version',
    )
    expect(disk.paths().map((one) => [one, Buffer.from(disk.read(one)).toString('base64')])).toEqual(before)
    const store = openStore(disk)
    const index = ['one', 'two'].find((name) => path.includes(store.cluster.index(name)!.uuid))!
    const { all } = await answersOf(store, index)
    expect(all).toContain('index_format_too_new_exception')
    expect(all).not.toContain('repair')
    drop(store)
  })

  it('refuse writes to a damaged index, and accept them again after the repair', async () => {
    const disk = await makeStore()
    const segment = firstOf(disk, /\.seg$/)
    disk.flipBit(segment, 8 * 100)
    const damaged = openStore(disk)
    const index = ['one', 'two'].find((name) => segment.includes(damaged.cluster.index(name)!.uuid))!
    const answers = await answersOf(damaged, index)
    expect(
      Object.values(answers).some((answer) => answer.startsWith(refused) || /"failed":1/.test(answer)),
    ).toBe(true)
    const shard = Number(/\/(\d+)\/s\d+\.seg$/.exec(segment)![1])
    expect(damaged.cluster.failures(damaged.cluster.index(index)!).get(shard)?.kind).toBe('damaged')
    expect(await put(damaged, index, range(0, 50))).toBe(false)
    drop(damaged)
    await repairStore({ files: disk, directory: 'store' })
    const store = openStore(disk)
    expect(store.cluster.failures(store.cluster.index(index)!).size).toBe(0)
    expect(await put(store, index, [200])).toBe(true)
    const found = getDocument(store.cluster, { index, id: 'd200' }).document!
    expect(Buffer.from(found.source).toString()).toBe(documentOf(200))
    drop(store)
  })
})
