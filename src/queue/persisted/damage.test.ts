/** Flipped bits, cut and missing files: the right events or an exact report, never a wrong event, never a refusal. */
import { describe, expect, it } from 'vitest'
import { SimulatedDisk } from '../../storage/simulated-disk.ts'
import { pageHeaderBytes } from './page-format.ts'
import { recordHeaderBytes } from './record-format.ts'
import { batch, idsOf, openQueue, takeAll } from './test-queue.ts'

const records = 20
const padding = 36
const recordBytes = recordHeaderBytes + 2 * (4 + padding)
const page = 'q/millrace.page.1'
const expected = Array.from({ length: records * 2 }, (_, i) => i)

/** Two events in each of 20 records of one page, nothing acknowledged. */
async function written(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk()
  const { queue } = await openQueue(disk, {}, { padding })
  for (let i = 0; i < records; i++) await queue.push(batch(2 * i, 2 * i + 1))
  await queue.close()
  return disk
}

async function readAll(disk: SimulatedDisk) {
  const { queue, log } = await openQueue(disk, {}, { padding })
  return { ids: idsOf(takeAll(queue)), counters: queue.counters, log, queue }
}

describe('damage in a page', () => {
  it('of any byte costs the record it is in, exactly, and no other', async () => {
    const whole = await written()
    const size = whole.sizeOf(page)
    expect(size).toBe(pageHeaderBytes + records * recordBytes)
    // Every byte of the header and of four records, then a sample; three kinds of flips in turn.
    for (let at = 0, kind = 0; at < size; at += at < pageHeaderBytes + 4 * recordBytes ? 1 : 37, kind++) {
      for (const bits of at < pageHeaderBytes + recordBytes
        ? [[0], [7], [0, 1, 2, 3, 4, 5, 6, 7]]
        : [[kind % 8]]) {
        const disk = whole.copy()
        for (const bit of bits) disk.flipBit(page, at * 8 + bit)
        const { ids, counters, log } = await readAll(disk)
        const hit = at < pageHeaderBytes ? undefined : Math.floor((at - pageHeaderBytes) / recordBytes)
        expect(ids, `byte ${at}`).toEqual(expected.filter((id) => id >> 1 !== hit))
        expect(counters.corruptRecords, `byte ${at}`).toBe(hit === undefined ? 0 : 1)
        expect(counters.lostEvents, `byte ${at}`).toBe(hit === undefined ? 0 : 2)
        expect(log.length, `byte ${at}`).toBeGreaterThan(0)
        if (hit === undefined) continue
        const kept = disk.paths().filter((path) => path.startsWith('q/quarantine/'))
        expect(kept, `byte ${at}`).toEqual([
          `q/quarantine/millrace.page.1.${pageHeaderBytes + hit * recordBytes}`,
        ])
      }
    }
  })

  it('is reported once: the next start knows what is gone', async () => {
    const disk = await written()
    disk.flipBit(page, (pageHeaderBytes + 3 * recordBytes + 40) * 8)
    const first = await readAll(disk)
    expect(first.counters.lostEvents).toBe(2)
    await first.queue.close()
    const second = await readAll(disk)
    expect(second.ids).toEqual(expected.filter((id) => id >> 1 !== 3))
    expect([second.counters.lostEvents, second.counters.corruptRecords]).toEqual([0, 0])
  })

  it('by cutting it off at any length loses what is behind the cut, exactly', async () => {
    const whole = await written()
    const size = whole.sizeOf(page)
    for (let length = 0; length < size; length += length < pageHeaderBytes + 2 * recordBytes ? 1 : 29) {
      const disk = whole.copy()
      disk.cutTo(page, length)
      const { ids, counters } = await readAll(disk)
      const left = Math.max(0, Math.floor((length - pageHeaderBytes) / recordBytes))
      expect(ids, `${length} bytes`).toEqual(expected.slice(0, 2 * left))
      expect(counters.lostEvents, `${length} bytes`).toBe(2 * (records - left))
    }
  })

  it('cannot make a record out of the bytes of an event', async () => {
    const whole = await written()
    const copied = Buffer.from(whole.read(page).subarray(pageHeaderBytes, pageHeaderBytes + 2 * recordBytes))
    const disk = new SimulatedDisk()
    const { queue } = await openQueue(disk, {}, { padding })
    await queue.push(batch(1))
    await queue.close()
    // The header of the only record is destroyed, and its payload is two good records of the same queue.
    disk.cutTo('q/millrace.page.1', pageHeaderBytes)
    const file = disk.openRandom('q/millrace.page.1')
    file.write(pageHeaderBytes, [new Uint8Array(32).fill(9), copied])
    await file.sync()
    const { ids, counters } = await readAll(disk)
    expect(ids).toEqual([])
    expect(counters.lostEvents).toBe(1)
  })
})

describe('damage in what goes with the pages', () => {
  async function halfAcked(): Promise<SimulatedDisk> {
    const disk = new SimulatedDisk()
    const { queue } = await openQueue(disk, { pageCapacity: pageHeaderBytes + 5 * recordBytes }, { padding })
    for (let i = 0; i < records; i++) await queue.push(batch(2 * i, 2 * i + 1))
    queue.acknowledge(queue.take(12))
    await queue.close()
    return disk
  }

  it('of any byte of a checkpoint or of the mark of the last sync loses nothing and is said', async () => {
    const whole = await halfAcked()
    for (const name of ['millrace.checkpoint.0', 'millrace.checkpoint.1', 'millrace.synced']) {
      const path = `q/${name}`
      for (let at = 0; at < whole.sizeOf(path); at += at < 220 ? 1 : 131) {
        const disk = whole.copy()
        disk.flipBit(path, at * 8 + (at % 8))
        const { ids, counters, log } = await readAll(disk)
        expect(ids, `${name} ${at}`).toEqual(expected.slice(12))
        expect(counters.lostEvents).toBe(0)
        expect(log.join('\n'), `${name} ${at}`).toContain(`${path} is`)
      }
    }
  })

  it('by cutting a checkpoint or the mark at any length, or deleting it, loses nothing', async () => {
    const whole = await halfAcked()
    for (const name of ['millrace.checkpoint.0', 'millrace.checkpoint.1', 'millrace.synced']) {
      for (let length = -1; length < whole.sizeOf(`q/${name}`); length += length < 100 ? 1 : 97) {
        const disk = whole.copy()
        if (length < 0) disk.lose(`q/${name}`)
        else disk.cutTo(`q/${name}`, length)
        const { ids, counters } = await readAll(disk)
        expect(ids, `${name} ${length}`).toEqual(expected.slice(12))
        expect(counters.lostEvents).toBe(0)
      }
    }
  })

  it('by deleting all of it delivers again what is still in the pages', async () => {
    const disk = await halfAcked()
    for (const name of ['millrace.checkpoint.0', 'millrace.checkpoint.1', 'millrace.synced'])
      disk.lose(`q/${name}`)
    const { ids, counters } = await readAll(disk)
    // The first page was released with its ten events; of the second, two had been acknowledged.
    expect(ids).toEqual(expected.slice(10))
    expect(counters.lostEvents).toBe(0)
  })

  it('by deleting a page loses its events and says how many', async () => {
    for (const number of [2, 3, 4]) {
      const disk = await halfAcked()
      disk.lose(`q/millrace.page.${number}`)
      const { ids, counters, log } = await readAll(disk)
      const gone = expected.slice((number - 1) * 10, number * 10)
      expect(ids).toEqual(expected.slice(12).filter((id) => !gone.includes(id)))
      expect(counters.lostEvents).toBe(gone.filter((id) => id >= 12).length)
      expect(log.join('\n')).toMatch(/error: \d+ events .* are lost/)
    }
  })
})

describe('files of a newer version', () => {
  it('are refused with their name and left as they are', async () => {
    const { crc32 } = await import('node:zlib')
    const disk = await written()
    const bytes = Buffer.from(disk.read(page))
    bytes.writeUInt32LE(2, 8)
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60)
    disk.write(page, [bytes])
    const before = disk.paths().map((path) => [path, Buffer.from(disk.read(path)).toString('hex')])
    await expect(readAll(disk)).rejects.toThrow(
      `${page} was written by a newer version of the program (format 2; this one knows 1); it was left untouched`,
    )
    expect(disk.paths().map((path) => [path, Buffer.from(disk.read(path)).toString('hex')])).toEqual(before)
  })
})
