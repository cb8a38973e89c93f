import { describe, expect, it } from 'vitest'
import { SimulatedDisk } from '../../storage/simulated-disk.ts'
import { batch, idsOf, openQueue, settle, takeAll, unencodable } from './test-queue.ts'

describe('a persisted queue', () => {
  it('gives every event once and in order, split as the reader wants them', async () => {
    const { queue } = await openQueue(new SimulatedDisk())
    await Promise.all([queue.push(batch(1, 2, 3)), queue.push(batch(4)), queue.push(batch(5, 6))])
    expect(queue.records).toBe(6)
    expect(idsOf(queue.take(2))).toEqual([1, 2])
    expect(idsOf(queue.take(3))).toEqual([3, 4, 5])
    expect(idsOf(queue.take(9))).toEqual([6])
    expect(queue.take(9)).toEqual([])
    expect(queue.empty).toBe(true)
  })

  it('answers a push only after the disk confirmed it, and delivers nothing before', async () => {
    const disk = new SimulatedDisk()
    const { queue } = await openQueue(disk)
    let isSynced = false
    disk.fault = ({ kind, path }) => {
      if (kind === 'sync' && path.includes('page')) isSynced = true
      return undefined
    }
    const pushed = queue.push(batch(1))
    expect(queue.take(9)).toEqual([])
    await pushed
    expect(isSynced).toBe(true)
    expect(idsOf(queue.take(9))).toEqual([1])
  })

  it('refuses only the event that cannot become a record, and answers its push when that is dealt with', async () => {
    const { queue } = await openQueue(new SimulatedDisk())
    const refused: [number[], string][] = []
    let dealWith = () => {}
    queue.onRefused = ({ ids, from, to }, error) => {
      refused.push([[...ids.slice(from, to)], error.message])
      return new Promise((resolve) => {
        dealWith = resolve
      })
    }
    let isSafe = false
    expect(
      queue.offer(batch(1, 2, unencodable, 4), () => {
        isSafe = true
      }),
    ).toBeUndefined()
    await queue.push(batch(5))
    expect(refused).toEqual([[[unencodable], 'no bytes can say this']])
    expect(isSafe).toBe(false)
    dealWith()
    await settle()
    expect(isSafe).toBe(true)
    expect(idsOf(takeAll(queue))).toEqual([1, 2, 4, 5])
  })

  it('rejects such an event where nobody deals with it', async () => {
    const { queue } = await openQueue(new SimulatedDisk())
    await expect(queue.push(batch(1, unencodable))).rejects.toThrow('no bytes can say this')
    await settle()
    expect(idsOf(takeAll(queue))).toEqual([1])
  })

  it('shares one sync between all pushes of a turn', async () => {
    const disk = new SimulatedDisk()
    const { queue } = await openQueue(disk)
    let syncs = 0
    disk.fault = ({ kind, path }) => {
      if (kind === 'sync' && path.includes('page')) syncs += 1
      return undefined
    }
    await Promise.all(Array.from({ length: 50 }, (_, i) => queue.push(batch(i))))
    expect(syncs).toBe(1)
  })

  it('has what was not acknowledged after it is opened again, also in the middle of a record', async () => {
    const disk = new SimulatedDisk()
    const first = await openQueue(disk)
    await first.queue.push(batch(1, 2, 3, 4, 5))
    await first.queue.push(batch(6, 7))
    const [one, two, three] = [first.queue.take(2), first.queue.take(1), first.queue.take(4)]
    expect([one, two, three].map(idsOf)).toEqual([[1, 2], [3], [4, 5, 6, 7]])
    first.queue.acknowledge(two)
    first.queue.acknowledge(three.slice(1))
    await first.queue.close()
    const second = await openQueue(disk)
    expect(second.queue.records).toBe(4)
    const again = takeAll(second.queue)
    expect(idsOf(again)).toEqual([1, 2, 4, 5])
    expect(again.map(({ seq }) => seq)).toEqual([1, 4])
    expect(second.queue.queueId).toBe(first.queue.queueId)
    expect(again.map(({ epoch }) => epoch)).toEqual([one[0]!.epoch, one[0]!.epoch])
  })

  it('goes over several pages and releases each when all of it is acknowledged', async () => {
    const disk = new SimulatedDisk()
    const { queue } = await openQueue(disk, { pageCapacity: 1000 }, { padding: 196 })
    for (let i = 0; i < 20; i++) await queue.push(batch(i))
    const pages = () => disk.paths().filter((path) => /page\.\d+$/.test(path))
    expect(pages().length).toBe(5)
    const all = takeAll(queue)
    expect(idsOf(all)).toEqual(Array.from({ length: 20 }, (_, i) => i))
    // The second page first: pages are released in any order.
    queue.acknowledge(all.slice(4, 8))
    await settle()
    expect(pages().length).toBe(4)
    queue.acknowledge([...all.slice(0, 4), ...all.slice(8)])
    await settle()
    expect(pages().length).toBe(1)
    expect(queue.unacked).toBe(0)
    await queue.close()
    const again = await openQueue(disk)
    expect(takeAll(again.queue)).toEqual([])
    expect(again.queue.counters.lostEvents).toBe(0)
  })

  it('reads from the pages what is too much for memory, and goes back to memory when it caught up', async () => {
    const disk = new SimulatedDisk()
    const { queue } = await openQueue(disk, { recentBytes: 400 }, { padding: 96 })
    let reads = 0
    disk.fault = ({ kind }) => {
      if (kind === 'read') reads += 1
      return undefined
    }
    const sent: number[] = []
    const got: number[] = []
    for (let round = 0; round < 6; round++) {
      for (let i = 0; i < 10; i++) {
        const id = round * 10 + i
        sent.push(id)
        await queue.push(batch(id))
      }
      got.push(...idsOf(queue.take(7)))
    }
    expect(reads).toBeGreaterThan(0)
    got.push(...idsOf(takeAll(queue)))
    expect(got).toEqual(sent)
    reads = 0
    await queue.push(batch(1000))
    expect(idsOf(takeAll(queue))).toEqual([1000])
    expect(reads).toBe(0)
  })

  it('has no limit of bytes with max_bytes 0', async () => {
    const { queue } = await openQueue(new SimulatedDisk(), { pageCapacity: 400, maxBytes: 0 })
    const pushed = [1, 2, 3].map((number) => queue.push(batch(number)))
    await settle(30)
    await Promise.all(pushed)
    expect(queue.waiting).toBe(0)
  })

  it('lets pushes wait at max_bytes and at max_events, until there is room again', async () => {
    for (const settings of [{ maxBytes: 1000 }, { maxEvents: 3 }]) {
      const { queue } = await openQueue(
        new SimulatedDisk(),
        { pageCapacity: 400, ...settings },
        { padding: 96 },
      )
      const done: number[] = []
      for (let i = 0; i < 12; i++) void queue.push(batch(i)).then(() => done.push(i))
      await settle(30)
      expect(queue.waiting).toBeGreaterThan(0)
      expect(done.length).toBeLessThan(12)
      const got: number[] = []
      for (let i = 0; i < 40 && got.length < 12; i++) {
        const taken = queue.take(1)
        got.push(...idsOf(taken))
        queue.acknowledge(taken)
        await settle(10)
      }
      expect(got).toEqual(Array.from({ length: 12 }, (_, i) => i))
      expect(done).toEqual(got)
    }
  })

  it('takes a record that is larger than a page', async () => {
    const disk = new SimulatedDisk()
    const { queue } = await openQueue(disk, { pageCapacity: 300 }, { padding: 996 })
    await queue.push(batch(1))
    await queue.push(batch(2, 3))
    await queue.push(batch(4))
    await queue.close()
    const again = await openQueue(disk, {}, { padding: 996 })
    expect(idsOf(takeAll(again.queue))).toEqual([1, 2, 3, 4])
  })

  it('delivers again, first, what is given back', async () => {
    const { queue } = await openQueue(new SimulatedDisk())
    for (let i = 0; i < 6; i++) await queue.push(batch(i))
    const one = queue.take(2)
    const two = queue.take(2)
    queue.giveBack(two)
    queue.giveBack(one)
    expect(queue.records).toBe(6)
    expect(idsOf(takeAll(queue))).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('stores less when told to compress, and reads it back', async () => {
    const sizes: Record<string, number> = {}
    for (const compression of ['none', 'speed', 'balanced', 'size'] as const) {
      const disk = new SimulatedDisk()
      const { queue } = await openQueue(disk, { compression, pageCapacity: 65536 }, { padding: 500 })
      for (let i = 0; i < 10; i++) await queue.push(batch(i, i + 1))
      sizes[compression] = queue.figures().queueBytes
      await queue.close()
      const again = await openQueue(disk, {}, { padding: 500 })
      expect(idsOf(takeAll(again.queue))).toEqual(Array.from({ length: 20 }, (_, i) => (i >> 1) + (i & 1)))
    }
    expect(sizes['speed']).toBeLessThan(sizes['none']! / 4)
    expect(sizes['size']).toBeLessThanOrEqual(sizes['speed']!)
  })

  it('writes a checkpoint for every so many acknowledgements', async () => {
    const { queue } = await openQueue(new SimulatedDisk(), { checkpointAcks: 10 })
    await queue.push(batch(...Array.from({ length: 100 }, (_, i) => i)))
    const before = queue.counters.checkpoints
    for (let i = 0; i < 100; i++) {
      queue.acknowledge(queue.take(1))
      await settle()
    }
    expect(queue.counters.checkpoints - before).toBe(10)
  })

  it('resolves `drained` when the last event is acknowledged', async () => {
    const { queue } = await openQueue(new SimulatedDisk())
    await queue.push(batch(1, 2))
    let isDrained = false
    const drained = queue.drained().then(() => {
      isDrained = true
    })
    const [first] = [queue.take(1)]
    queue.acknowledge(first)
    await settle()
    expect(isDrained).toBe(false)
    queue.acknowledge(queue.take(1))
    await drained
    await expect(queue.drained()).resolves.toBeUndefined()
  })

  it('refuses pushes after its end', async () => {
    const { queue } = await openQueue(new SimulatedDisk())
    await queue.close()
    await expect(queue.push(batch(1))).rejects.toThrow('the queue is closed')
  })
})
