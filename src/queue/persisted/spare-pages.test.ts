/** Files of released pages become new pages; nothing they held before is ever taken for an event of theirs. */
import { describe, expect, it } from 'vitest'
import { SimulatedDisk } from '../../storage/simulated-disk.ts'
import { checkQueue } from './queue-check.ts'
import { recordHeaderBytes } from './record-format.ts'
import { batch, idsOf, openQueue, settle, type TestQueue, takeAll } from './test-queue.ts'

const padding = 96
const recordBytes = recordHeaderBytes + 4 + padding
/** Five records fit into a page. */
const settings = { pageCapacity: 64 + 5 * recordBytes, checkpointAcks: 1 }

const pagesOf = (disk: SimulatedDisk) =>
  disk
    .paths()
    .filter((path) => path.includes('page'))
    .map((path) => path.slice('q/millrace.'.length))

/** Events 0 to 11 went through: the first two pages are released, the third one has two records. */
async function afterTwoPages(disk: SimulatedDisk): Promise<TestQueue> {
  const opened = await openQueue(disk, settings, { padding })
  for (let i = 0; i < 12; i++) await opened.queue.push(batch(i))
  opened.queue.acknowledge(takeAll(opened.queue))
  await settle()
  return opened
}

/** The fourth page is a file that was the second one, with `count` events of its own. */
async function withReusedPage(disk: SimulatedDisk, count: number): Promise<TestQueue> {
  const opened = await afterTwoPages(disk)
  for (let i = 12; i < 15; i++) await opened.queue.push(batch(i))
  opened.queue.acknowledge(takeAll(opened.queue))
  await settle()
  for (let i = 15; i < 15 + count; i++) await opened.queue.push(batch(i))
  return opened
}

describe('files of released pages', () => {
  it('are kept, become the next pages, and are removed when the queue is closed', async () => {
    const disk = new SimulatedDisk()
    const { queue } = await afterTwoPages(disk)
    expect(pagesOf(disk)).toEqual(['page.1.spare', 'page.2.spare', 'page.3'])
    for (let i = 12; i < 20; i++) await queue.push(batch(i))
    expect(pagesOf(disk)).toEqual(['page.1.spare', 'page.3', 'page.4'])
    expect(idsOf(takeAll(queue))).toEqual([12, 13, 14, 15, 16, 17, 18, 19])
    await queue.close()
    expect(pagesOf(disk)).toEqual(['page.3', 'page.4'])
  })

  it('are removed by the next process, which starts with new ones', async () => {
    const disk = new SimulatedDisk()
    await afterTwoPages(disk)
    const after = disk.copy()
    const { queue } = await openQueue(after, settings, { padding })
    expect(pagesOf(after)).toEqual([])
    await queue.push(batch(99))
    expect(pagesOf(after)).toEqual(['page.4'])
  })

  it('of a page of an earlier opening are not used again', async () => {
    const disk = new SimulatedDisk()
    const first = await openQueue(disk, settings, { padding })
    for (let i = 0; i < 10; i++) await first.queue.push(batch(i))
    const after = disk.copy()
    const { queue } = await openQueue(after, settings, { padding })
    queue.acknowledge(takeAll(queue))
    await settle()
    expect(pagesOf(after)).toEqual([])
  })

  it('are given back first when the disk is full', async () => {
    const disk = new SimulatedDisk()
    const { queue, log } = await afterTwoPages(disk)
    disk.capacity = disk.used
    const large = Array.from({ length: 12 }, (_, i) => 12 + i)
    await queue.push(batch(...large))
    expect(idsOf(takeAll(queue))).toEqual(large)
    expect(pagesOf(disk)).toEqual(['page.3', 'page.4'])
    expect(log).toEqual([])
  })

  it('that cannot be removed let a full queue wait, and do not end it', async () => {
    const disk = new SimulatedDisk()
    const { queue, log, runTimers } = await afterTwoPages(disk)
    disk.capacity = disk.used
    disk.fault = ({ kind }) => (kind === 'remove' ? 'EIO' : undefined)
    const large = Array.from({ length: 12 }, (_, i) => 12 + i)
    const pushed = queue.push(batch(...large))
    await settle()
    expect([queue.failure, queue.figures().isDiskFull]).toEqual([undefined, true])
    expect(log).toEqual([expect.stringContaining('warn: the queue waits for room on the disk: ENOSPC')])
    disk.capacity = Number.POSITIVE_INFINITY
    runTimers()
    await pushed
    expect(idsOf(takeAll(queue))).toEqual(large)
  })

  it('do not count as part of the queue, and never make it larger than it may be', async () => {
    const disk = new SimulatedDisk()
    const small = { ...settings, maxBytes: 6 * recordBytes }
    const { queue } = await openQueue(disk, small, { padding })
    for (let i = 0; i < 40; i++) {
      await queue.push(batch(i))
      queue.acknowledge(takeAll(queue))
      await settle()
      const used = disk.paths().filter((path) => path.includes('page'))
      expect(used.reduce((sum, path) => sum + disk.sizeOf(path), 0)).toBeLessThan(2 * small.maxBytes)
    }
    expect(queue.figures().queueBytes).toBeLessThanOrEqual(settings.pageCapacity)
  })
})

describe('a page in a file that was another page', () => {
  it('is read after kill -9 with all of its events and none of the other one', async () => {
    for (let count = 1; count <= 5; count++) {
      const disk = new SimulatedDisk()
      await withReusedPage(disk, count)
      expect(pagesOf(disk)).toContain('page.4')
      const after = disk.copy()
      expect(checkQueue(after, 'q')).toMatchObject({ unacked: count, missing: 0, tornBytes: 0 })
      const { queue, log } = await openQueue(after, settings, { padding })
      expect(idsOf(takeAll(queue))).toEqual(Array.from({ length: count }, (_, i) => 15 + i))
      expect(queue.counters).toMatchObject({ lostEvents: 0, corruptRecords: 0, unconfirmedEvents: 0 })
      expect(log).toEqual([])
      expect(after.paths().filter((path) => path.includes('quarantine'))).toEqual([])
    }
  })

  it('keeps of a write that was cut off what was written, not what the file held before', async () => {
    const disk = new SimulatedDisk()
    await withReusedPage(disk, 2)
    const after = disk.copy()
    const end = 64 + 2 * recordBytes
    // A third of the next record got to the disk.
    const file = after.openRandom('q/millrace.page.4')
    file.write(end, [new Uint8Array(40).fill(0x5a)])
    const { queue, log } = await openQueue(after, settings, { padding })
    expect(idsOf(takeAll(queue))).toEqual([15, 16])
    expect(log).toEqual([
      `info: q/millrace.page.4 ends with ${recordBytes} bytes of a write that a crash cut off, kept in q/quarantine/millrace.page.4.${end}`,
    ])
    expect(after.sizeOf(`q/quarantine/millrace.page.4.${end}`)).toBe(recordBytes)
  })

  it('is read as far as it is good when its header is damaged', async () => {
    const disk = new SimulatedDisk()
    await withReusedPage(disk, 3)
    const after = disk.copy()
    after.flipBit('q/millrace.page.4', 44 * 8)
    const { queue } = await openQueue(after, settings, { padding })
    expect(idsOf(takeAll(queue))).toEqual([15, 16, 17])
    expect(queue.counters.lostEvents).toBe(0)
  })

  it('costs a flipped bit the record it is in and no other', async () => {
    const disk = new SimulatedDisk()
    await withReusedPage(disk, 4)
    for (let at = 64; at < 64 + 4 * recordBytes; at += 3) {
      const after = disk.copy()
      after.flipBit('q/millrace.page.4', at * 8)
      const { queue } = await openQueue(after, settings, { padding })
      const hit = 15 + Math.floor((at - 64) / recordBytes)
      expect(idsOf(takeAll(queue)), `byte ${at}`).toEqual([15, 16, 17, 18].filter((id) => id !== hit))
      expect(queue.counters.lostEvents, `byte ${at}`).toBe(1)
    }
  })
})
