import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Event } from '../../event/event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { encodeEvents } from '../../event/wire.ts'
import { FrameRecords } from '../../pipeline/frames/frame-record.ts'
import { wireItems } from '../../pipeline/run/output-queue.ts'
import { serializeEvent } from '../../queue/logstash-events/event-bytes.ts'
import { PersistedQueue } from '../../queue/persisted/persisted-queue.ts'
import { lockQueue } from '../../queue/persisted/queue-lock.ts'
import { defaultQueueSettings } from '../../queue/persisted/queue-options.ts'
import { diskFiles } from '../../storage/files.ts'
import { queueCommand } from './queue.ts'

const { crc32 } = zlib

let folder = ''
let directory = ''

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-queue-cli-'))
  directory = join(folder, 'main')
  const codec = new FrameRecords({ idOf: () => 'tcp-1', positionOf: () => 0 })
  const queue = await PersistedQueue.open(
    { files: diskFiles, directory, log: () => {} },
    defaultQueueSettings,
    codec,
  )
  for (const [bytes, ends] of [
    ['one\ntwo', [3, 7]],
    ['three', [5]],
  ] as const)
    await queue.push({
      input: 0,
      codec: -1,
      origin: {},
      millis: Date.parse('2024-02-29T01:02:03.456Z'),
      nanos: 0,
      bytes: Buffer.from(bytes),
      ends: Uint32Array.from(ends),
      gap: 1,
      from: 0,
      to: ends.length,
      repeated: false,
      counter: undefined,
      events: null,
      wire: false,
      ticket: null,
      fault: undefined,
      lineage: null,
      base: 0,
      byOffset: false,
      queued: 0,
    })
  await queue.close()
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const code = await queueCommand(args, {
    print: (text) => {
      out += text
    },
    tell: (text) => {
      err += text
    },
  })
  return { code, out, err }
}

function logstashElement(seq: number, payload: Uint8Array): Buffer {
  const element = Buffer.alloc(12 + payload.length + 4)
  element.writeBigInt64BE(BigInt(seq))
  element.writeInt32BE(payload.length, 8)
  element.set(payload, 12)
  element.writeUInt32BE(crc32(payload), 12 + payload.length)
  return element
}

/** Returns the checkpoint of a head page 0 of which nothing is acknowledged. */
function logstashCheckpoint(elements: number): Buffer {
  const checkpoint = Buffer.alloc(34)
  checkpoint.writeInt16BE(1)
  checkpoint.writeBigInt64BE(1n, 10)
  checkpoint.writeBigInt64BE(1n, 18)
  checkpoint.writeInt32BE(elements, 26)
  checkpoint.writeUInt32BE(crc32(checkpoint.subarray(0, 30)), 30)
  return checkpoint
}

const line = (seq: number, message: string) =>
  JSON.stringify({ seq, input: 'tcp-1', received: '2024-02-29T01:02:03.456Z', message })

describe('millrace queue', () => {
  it('checks a queue, also a damaged one, without changing it', async () => {
    const good = await run('check', directory)
    expect(good).toMatchObject({ code: 0, err: '' })
    expect(good.out).toContain('3 events to deliver\n')
    expect(good.out).toContain('no damage\n')
    const path = join(directory, 'millrace.page.1')
    const bytes = await readFile(path)
    bytes[110]! ^= 1
    await writeFile(path, bytes)
    const bad = await run('check', directory)
    expect(bad.code).toBe(1)
    expect(bad.out).toMatch(/page 1: damaged from byte 64 to \d+: the checksum of the payload is wrong\n/)
    expect(bad.out).toContain('2 events are missing\n')
    expect(await readFile(path)).toEqual(bytes)
    const repaired = await run('repair', directory)
    expect(repaired.out).toBe(
      '1 events to deliver; 1 damaged records, 2 events lost, 0 that were never acknowledged\n',
    )
    expect((await run('check', directory)).code).toBe(0)
    expect((await run('export', directory)).out).toBe(`${line(3, 'three')}\n`)
  })

  it('exports what was not delivered and leaves it there; drains it for good', async () => {
    const lines = `${line(1, 'one')}\n${line(2, 'two')}\n${line(3, 'three')}\n`
    expect(await run('export', directory)).toEqual({ code: 0, out: lines, err: '3 events\n' })
    expect(await run('drain', directory)).toEqual({ code: 0, out: lines, err: '3 events\n' })
    expect(await run('export', directory)).toEqual({ code: 0, out: '', err: '0 events\n' })
  })

  it('leaves in the queue what the output did not take', async () => {
    let told = ''
    const code = await queueCommand(['drain', directory], {
      print: () => Promise.reject(new Error('the disk is full')),
      tell: (text) => {
        told += text
      },
    })
    expect([code, told]).toEqual([1, 'ERROR: the disk is full\n'])
    expect((await run('export', directory)).err).toBe('3 events\n')
  })

  it('exports what waits for an output with a queue of its own, and tells where that is', async () => {
    const output = join(directory, 'outputs', 'id_far')
    const queue = await PersistedQueue.open(
      { files: diskFiles, directory: output, log: () => {} },
      defaultQueueSettings,
      wireItems,
    )
    const events = [1n, 2n].map((n) => new Event({ '@timestamp': new Timestamp(0), '@version': '1', n }))
    await queue.push({ bytes: encodeEvents(events), from: 0, to: 2 })
    await queue.close()
    expect((await run('check', directory)).out).toContain(`2 events wait for an output in ${output}\n`)
    expect((await run('export', directory)).err).toContain(`2 more events wait for an output in ${output}`)
    const line = (n: number) => `{"@timestamp":"1970-01-01T00:00:00.000Z","@version":"1","n":${n}}\n`
    const found = { code: 0, out: line(1) + line(2), err: '2 events\n' }
    expect(await run('export', output)).toEqual(found)
    expect((await run('repair', output)).out).toBe(
      '2 events to deliver; 0 damaged records, 0 events lost, 0 that were never acknowledged\n',
    )
    expect(await run('drain', output)).toEqual(found)
    expect(await run('export', output)).toEqual({ code: 0, out: '', err: '0 events\n' })
  })

  it('imports the events of a queue of Logstash and leaves its files alone', async () => {
    const from = join(folder, 'logstash')
    diskFiles.makeDirectory(from)
    const payload = serializeEvent(
      new Event({ '@timestamp': new Timestamp(0), '@version': '1', n: 7 }, { k: 'v' }),
    )
    const page = Buffer.concat([Buffer.from([2]), logstashElement(1, payload)])
    await writeFile(join(from, 'page.0'), page)
    await writeFile(join(from, 'checkpoint.head'), logstashCheckpoint(1))
    const event = '{"@timestamp":"1970-01-01T00:00:00.000Z","@version":"1","n":7,"@metadata":{"k":"v"}}\n'
    expect(await run('export', from)).toEqual({ code: 0, out: event, err: '1 events\n' })
    const target = join(folder, 'target')
    expect(await run('import', from, target)).toMatchObject({
      code: 0,
      out: '1 events imported, 0 damaged\n',
    })
    expect((await run('export', target)).out).toBe(event)
    expect(await readFile(join(from, 'page.0'))).toEqual(page)
  })

  describe('imports again', () => {
    const event = (n: number) => new Event({ '@timestamp': new Timestamp(0), '@version': '1', n: BigInt(n) })
    const payloadOf = (n: number) => serializeEvent(event(n))

    /** A queue of Logstash with the elements of these sequence numbers, of which none is acknowledged. */
    async function logstashQueue(
      name: string,
      seqs: readonly number[],
      payload = payloadOf,
    ): Promise<string> {
      const from = join(folder, name)
      diskFiles.makeDirectory(from)
      const elements = seqs.map((seq) => logstashElement(seq, payload(seq)))
      await writeFile(join(from, 'page.0'), Buffer.concat([Buffer.from([2]), ...elements]))
      await writeFile(join(from, 'checkpoint.head'), logstashCheckpoint(seqs.length))
      return from
    }

    const numbersIn = async (queue: string) =>
      (await run('export', queue)).out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).n)

    it('only what is new, also from a copy of the folder', async () => {
      const target = join(folder, 'target')
      await run('import', await logstashQueue('a', [1, 2, 3]), target)
      const again = await run('import', await logstashQueue('copy', [1, 2, 3]), target)
      expect(again.out).toBe('0 events imported, 0 damaged, 3 were imported before\n')
      const grown = await run('import', await logstashQueue('a', [2, 3, 4, 5]), target)
      expect(grown.out).toBe('2 events imported, 0 damaged, 2 were imported before\n')
      expect(await numbersIn(target)).toEqual([1, 2, 3, 4, 5])
    })

    it('all of another queue with the same sequence numbers', async () => {
      const target = join(folder, 'target')
      await run('import', await logstashQueue('a', [1, 2]), target)
      await run('import', await logstashQueue('b', [1, 2, 3], (seq) => payloadOf(seq + 10)), target)
      expect((await run('import', await logstashQueue('a', [1, 2]), target)).out).toContain(
        '0 events imported',
      )
      expect(
        (await run('import', await logstashQueue('b', [1, 2, 3], (seq) => payloadOf(seq + 10)), target)).out,
      ).toContain('0 events imported')
      expect(await numbersIn(target)).toEqual([1, 2, 11, 12, 13])
    })

    it('what an import that was interrupted had not stored yet', async () => {
      const target = join(folder, 'target')
      const seqs = Array.from({ length: 1200 }, (_, i) => i + 1)
      const from = await logstashQueue('a', seqs)
      // The elements after the first batch come after the first import has ended, as after a kill.
      await run('import', await logstashQueue('part', seqs.slice(0, 500)), target)
      expect((await run('import', from, target)).out).toBe(
        '700 events imported, 0 damaged, 500 were imported before\n',
      )
      expect(await numbersIn(target)).toEqual(seqs)
    })

    it('nothing where the record of imports is damaged, and says which file', async () => {
      const target = join(folder, 'target')
      const from = await logstashQueue('a', [1, 2])
      await run('import', from, target)
      const record = join(target, 'logstash.imports')
      const bytes = await readFile(record)
      bytes[bytes.length - 3]! ^= 1
      await writeFile(record, bytes)
      const { code, err } = await run('import', from, target)
      expect(code).not.toBe(0)
      expect(err).toContain('logstash.imports')
      expect(await numbersIn(target)).toEqual([1, 2])
    })
  })

  it.runIf(!('zstdDecompressSync' in zlib))(
    'imports nothing of a queue of Logstash with compressed events that this Node.js cannot read',
    async () => {
      const from = join(folder, 'logstash')
      diskFiles.makeDirectory(from)
      const payload = serializeEvent(new Event({ '@timestamp': new Timestamp(0), '@version': '1' }))
      const zstd = Buffer.from('28b52ffd0000', 'hex')
      const elements = [logstashElement(1, payload), logstashElement(2, zstd), logstashElement(3, payload)]
      await writeFile(join(from, 'page.0'), Buffer.concat([Buffer.from([2]), ...elements]))
      await writeFile(join(from, 'checkpoint.head'), logstashCheckpoint(3))
      const target = join(folder, 'target')
      const { code, err } = await run('import', from, target)
      expect(code).toBe(2)
      expect(err).toMatch(/element 2 of .* is compressed with Zstandard, .*; nothing was imported/)
      expect(existsSync(target)).toBe(false)
    },
  )

  it('says how it is called, and what is no queue', async () => {
    expect((await run()).code).toBe(2)
    expect((await run('check', join(folder, 'none'))).err).toContain('has no files of a queue')
    const file = join(folder, 'file')
    await writeFile(file, '')
    for (const command of ['check', 'repair', 'export', 'drain']) {
      const { code, err } = await run(command, file)
      expect([code, err]).toEqual([2, `ERROR: ${file} is a file; what is needed is the folder of a queue\n`])
    }
    expect((await run('--help')).out).toContain('Usage: millrace queue')
  })

  it('leaves a queue alone that another process has', async () => {
    await writeFile(join(directory, '.lock'), `${process.ppid} \n`)
    const { code, err } = await run('drain', directory)
    expect(code).toBe(1)
    expect(err).toContain(
      'The queue failed to obtain exclusive access, cause: Lock held by another program on lock path',
    )
    rmSync(join(directory, '.lock'))
    await (await lockQueue(directory)).release()
  })
})
