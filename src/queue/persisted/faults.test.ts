/** Disks that fail while the queue runs: failed syncs, no room, and a crash after every single call. */
import { describe, expect, it } from 'vitest'
import { type DiskCallKind, SimulatedDisk, seededRandom } from '../../storage/simulated-disk.ts'
import { batch, idsOf, openQueue, settle, takeAll } from './test-queue.ts'

describe('a failed fsync', () => {
  it('of a page, the Nth and once, is answered after the group is on another page', async () => {
    for (let failing = 1; failing <= 30; failing++) {
      const disk = new SimulatedDisk()
      const { queue } = await openQueue(disk, { pageCapacity: 600 }, { padding: 96 })
      let syncs = 0
      disk.fault = ({ kind, path }) =>
        kind === 'sync' && path.includes('page') && ++syncs === failing ? 'EIO' : undefined
      for (let i = 0; i < 30; i++) await queue.push(batch(i))
      expect(queue.counters.failedSyncs).toBe(1)
      expect(queue.failure).toBeUndefined()
      // Nothing of the group may depend on the file whose sync failed.
      for (let seed = 0; seed < 5; seed++) {
        const again = await openQueue(disk.powerCut(seededRandom(seed)), {}, { padding: 96 })
        expect(idsOf(takeAll(again.queue)), `fsync ${failing}`).toEqual(
          Array.from({ length: 30 }, (_, i) => i),
        )
        expect(again.queue.counters.lostEvents).toBe(0)
      }
    }
  })

  it('of a page, for good, rejects the group, fails the queue and keeps what was acknowledged', async () => {
    const disk = new SimulatedDisk()
    const { queue, log } = await openQueue(disk)
    for (let i = 0; i < 5; i++) await queue.push(batch(i))
    const failures: string[] = []
    queue.onFailed = (error) => failures.push(error.message)
    disk.fault = ({ kind, path }) => (kind === 'sync' && path.includes('page') ? 'EIO' : undefined)
    const results = await Promise.allSettled([queue.push(batch(5)), queue.push(batch(6))])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(queue.push(batch(7))).rejects.toThrow('EIO')
    expect(failures.length).toBe(1)
    expect(log.join('\n')).toContain('the queue in q failed: EIO')
    expect(idsOf(takeAll(queue))).toEqual([0, 1, 2, 3, 4])
    disk.fault = undefined
    for (let seed = 0; seed < 20; seed++) {
      const again = await openQueue(disk.powerCut(seededRandom(seed)))
      expect(idsOf(takeAll(again.queue)).slice(0, 5)).toEqual([0, 1, 2, 3, 4])
      expect(again.queue.counters.lostEvents).toBe(0)
    }
  })

  it.each(['checkpoint', 'directory'])('of a %s, the Nth and once, loses nothing', async (what) => {
    for (let failing = 1; failing <= 20; failing++) {
      const disk = new SimulatedDisk()
      const { queue } = await openQueue(disk, { pageCapacity: 300, checkpointAcks: 2 }, { padding: 96 })
      let syncs = 0
      disk.fault = ({ kind, path }) => {
        const isIt =
          what === 'directory' ? kind === 'syncDirectory' : kind === 'sync' && path.includes('checkpoint')
        return isIt && ++syncs === failing ? 'EIO' : undefined
      }
      const acked = new Set<number>()
      for (let i = 0; i < 16; i++) {
        await queue.push(batch(i))
        if (i % 2 === 0) continue
        const taken = queue.take(1)
        for (const id of idsOf(taken)) acked.add(id)
        queue.acknowledge(taken)
        await settle()
      }
      expect(queue.failure).toBeUndefined()
      const again = await openQueue(disk.powerCut(seededRandom(failing)), {}, { padding: 96 })
      const found = new Set(idsOf(takeAll(again.queue)))
      for (let i = 0; i < 16; i++) expect(found.has(i) || acked.has(i), `event ${i}`).toBe(true)
      expect(again.queue.counters.lostEvents).toBe(0)
    }
  })
})

describe('a full disk', () => {
  it('lets pushes wait, delivers and acknowledges on, and goes on by itself when there is room', async () => {
    const disk = new SimulatedDisk()
    const { queue, log, runTimers } = await openQueue(disk, { pageCapacity: 1000 }, { padding: 196 })
    disk.capacity = disk.used + 3500
    const done: number[] = []
    for (let i = 0; i < 40; i++) void queue.push(batch(i)).then(() => done.push(i))
    await settle(20)
    expect(done.length).toBeLessThan(40)
    expect(queue.figures().isDiskFull).toBe(true)
    expect(log.join('\n')).toContain('the queue waits for room on the disk: ENOSPC')
    const got: number[] = []
    // Pages that are read through make room for the next ones, without anybody else's help.
    for (let round = 0; round < 200 && got.length < 40; round++) {
      const taken = queue.take(3)
      got.push(...idsOf(taken))
      queue.acknowledge(taken)
      if (taken.length === 0) disk.capacity += 500
      runTimers()
      await settle()
    }
    expect(got).toEqual(Array.from({ length: 40 }, (_, i) => i))
    expect(done).toEqual(got)
    expect(queue.failure).toBeUndefined()
    expect(queue.figures().isDiskFull).toBe(false)
  })

  it('is said once however often the write is tried again, and once more when there is room', async () => {
    const disk = new SimulatedDisk()
    const { queue, log, runTimers } = await openQueue(disk, {}, { padding: 196 })
    disk.capacity = disk.used
    const pushed = queue.push(batch(1))
    for (let tries = 0; tries < 10; tries++) {
      await settle()
      expect(queue.figures().isDiskFull).toBe(true)
      runTimers()
    }
    disk.capacity = Number.POSITIVE_INFINITY
    await settle()
    runTimers()
    await pushed
    expect(log).toEqual([
      expect.stringMatching(/^warn: the queue waits for room on the disk: ENOSPC/),
      'info: the queue has room on the disk again',
    ])
  })

  it('is left by a close, and what was not acknowledged is not promised', async () => {
    const disk = new SimulatedDisk()
    const { queue } = await openQueue(disk, {}, { padding: 196 })
    await queue.push(batch(1))
    disk.capacity = disk.used
    const late = queue.push(batch(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21))
    await settle()
    await Promise.all([expect(late).rejects.toThrow('the queue is closed'), queue.close()])
    disk.capacity = Number.POSITIVE_INFINITY
    const again = await openQueue(disk, {}, { padding: 196 })
    expect(idsOf(takeAll(again.queue))).toEqual([1])
  })
})

describe('a crash after every call', () => {
  it('keeps what was acknowledged until then, whatever survived of the rest', async () => {
    const disk = new SimulatedDisk()
    interface Moment {
      readonly disks: SimulatedDisk[]
      readonly promised: number[]
      readonly acked: number[]
      readonly call: string
    }
    const moments: Moment[] = []
    const promised: number[] = []
    const acked: number[] = []
    const random = seededRandom(42)
    disk.fault = ({ number, kind, path }: { number: number; kind: DiskCallKind; path: string }) => {
      const disks = Array.from({ length: 12 }, () => disk.powerCut(random))
      disks.push(disk.copy())
      moments.push({ disks, promised: [...promised], acked: [...acked], call: `${number} ${kind} ${path}` })
      return undefined
    }
    const { queue } = await openQueue(disk, { pageCapacity: 260, checkpointAcks: 2 }, { padding: 60 })
    for (let i = 0; i < 8; i++) {
      const ids = [3 * i, 3 * i + 1, 3 * i + 2].slice(0, (i % 3) + 1)
      await queue.push(batch(...ids))
      promised.push(...ids)
      if (i % 2 === 0) continue
      const taken = queue.take(2)
      acked.push(...idsOf(taken))
      queue.acknowledge(taken)
      await settle()
    }
    await queue.close()
    expect(moments.length).toBeGreaterThan(60)
    let states = 0
    for (const { disks, promised: then, acked: through, call } of moments) {
      for (const after of disks) {
        const again = await openQueue(after, {}, { padding: 60 })
        const found = new Set(idsOf(takeAll(again.queue)))
        const missing = then.filter((id) => !found.has(id) && !through.includes(id))
        expect(missing, `crash before call ${call}`).toEqual([])
        expect(again.queue.counters.lostEvents, `crash before call ${call}`).toBe(0)
        states += 1
      }
    }
    expect(states).toBeGreaterThan(700)
  })
})
