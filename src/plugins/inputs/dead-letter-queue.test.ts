import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { inputFor, type TestOptions } from '../../plugin/testing.ts'
import { DeadLetterQueue } from '../../queue/dead-letters/queue.ts'
import { encodePosition } from '../../queue/dead-letters/sincedb.ts'
import { letterOfSize, record } from '../../queue/dead-letters/test-segments.ts'
import { diskFiles } from '../../storage/files.ts'
import deadLetterQueue from './dead-letter-queue.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-dlq-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const base = 1_600_000_000_000

async function fill(numbers: readonly number[], segmentBytes = 1000, pipeline = 'main') {
  const queue = await DeadLetterQueue.open({
    files: diskFiles,
    directory: join(folder, pipeline),
    maxBytes: 1e9,
    policy: 'drop_newer',
    flushMillis: 5000,
    logger: { warn() {}, error() {} },
    segmentBytes,
  })
  await queue.append(numbers.map((number) => letterOfSize(number, 400)))
  return queue
}

const sincedb = () => join(folder, 'sincedb')

/** Runs the input until so many events have come and it was stopped. */
async function read(count: number, options: TestOptions = {}) {
  const { instance, sink, environment } = inputFor(deadLetterQueue, {
    path: folder,
    sincedb_path: sincedb(),
    ...options,
  })
  await instance.register?.()
  const running = instance.run(sink)
  await sink.waitFor(count)
  await instance.stop()
  await running
  await instance.close?.()
  return { events: sink.received, numbers: sink.received.map((event) => event.get('number')), environment }
}

describe('dead_letter_queue input', () => {
  it('reads the letters of the pipeline that it is told', async () => {
    await (await fill([1])).close()
    await (await fill([2], 1000, 'other')).close()
    expect((await read(1, { pipeline_id: 'other', commit_offsets: false })).numbers).toEqual([2])
    expect((await read(1, { commit_offsets: false })).numbers).toEqual([1])
  })

  it('gives events back with the reason why they were given up', async () => {
    await (await fill([1])).close()
    const { events } = await read(1)
    expect(events[0]!.toHash()).toMatchObject({ number: 1, '@timestamp': new Timestamp(0) })
    expect(events[0]!.get('[@metadata][dead_letter_queue]')).toEqual({
      plugin_type: 'elasticsearch',
      plugin_id: 'out',
      reason: expect.stringMatching(/^number 1x*$/),
      entry_time: new Timestamp(base + 1),
    })
  })

  it('decorates', async () => {
    await (await fill([1])).close()
    const { events } = await read(1, { tags: ['again'], type: 'dead' })
    expect(events[0]!.toHash()).toMatchObject({ tags: ['again'], type: 'dead' })
  })

  it('goes on where it ended, across segments and in the one that is being written', async () => {
    const queue = await fill([1, 2, 3])
    expect((await read(3)).numbers).toEqual([1, 2, 3])
    await queue.append([letterOfSize(4, 400)])
    expect((await read(1)).numbers).toEqual([4])
    await queue.append([letterOfSize(5, 400)])
    await queue.close()
    expect((await read(1)).numbers).toEqual([5])
  })

  it('reads everything again without commit_offsets', async () => {
    await (await fill([1, 2])).close()
    expect((await read(2, { commit_offsets: false })).numbers).toEqual([1, 2])
    expect((await read(2, { commit_offsets: false })).numbers).toEqual([1, 2])
    expect(existsSync(sincedb())).toBe(false)
  })

  it('starts at a time, whatever the sincedb says', async () => {
    await (await fill([1, 2, 3, 4])).close()
    await read(4)
    const start_timestamp = new Timestamp(base + 3).toString()
    expect((await read(2, { start_timestamp })).numbers).toEqual([3, 4])
  })

  it('keeps its position where Logstash does', async () => {
    await (await fill([1])).close()
    const { instance, sink } = inputFor(deadLetterQueue, { path: folder }, {
      settings: { 'path.data': join(folder, 'data') },
    } as never)
    await instance.register?.()
    const running = instance.run(sink)
    await sink.waitFor(1)
    await instance.stop()
    await running
    const name = `.sincedb_${createHash('md5').update(folder).digest('hex')}`
    const path = join(folder, 'data', 'plugins', 'inputs', 'dead_letter_queue', 'main', name)
    const expected = encodePosition(join(folder, 'main'), { segment: 1, offset: 1 + 413 })
    expect(readFileSync(path).toString('hex')).toBe(expected.toString('hex'))
  })

  it('removes segments that are consumed, and tells the writer', async () => {
    await (await fill([1, 2, 3, 4, 5])).close()
    const { environment } = await read(5, { clean_consumed: true })
    expect(readdirSync(join(folder, 'main')).sort()).toEqual(['.deleted_segment', '3.log'])
    expect(environment.counts.get('consumed_events')).toBe(4)
    expect(() =>
      inputFor(deadLetterQueue, {
        path: folder,
        clean_consumed: true,
        commit_offsets: false,
      }).instance.register?.(),
    ).toThrow('clean_consumed requires that also commit_offsets is enabled to work properly')
  })

  it('removes no segment with entries that it passed over', async () => {
    await (await fill([1, 2, 3, 4, 5, 6, 7])).close()
    const start_timestamp = new Timestamp(base + 4).toString()
    expect((await read(4, { start_timestamp, clean_consumed: true })).numbers).toEqual([4, 5, 6, 7])
    expect(readdirSync(join(folder, 'main')).filter((name) => name.endsWith('.log'))).toEqual([
      '1.log',
      '2.log',
      '4.log',
    ])
  })

  it('removes nothing while it has passed over everything', async () => {
    await (await fill([1, 2, 3, 4, 5])).close()
    const { instance, sink } = inputFor(deadLetterQueue, {
      path: folder,
      sincedb_path: sincedb(),
      start_timestamp: new Timestamp(base + 9).toString(),
      clean_consumed: true,
    })
    await instance.register?.()
    const running = instance.run(sink)
    await expect.poll(() => existsSync(sincedb())).toBe(true)
    await instance.stop()
    await running
    await instance.close?.()
    expect((await read(5, { commit_offsets: false })).numbers).toEqual([1, 2, 3, 4, 5])
  })

  it('keeps a consumed segment of which not everything could be read', async () => {
    await (await fill([1, 2, 3, 4, 5])).close()
    const path = join(folder, 'main', '1.log')
    const bytes = readFileSync(path)
    bytes[100]! ^= 1
    writeFileSync(path, bytes)
    expect((await read(4, { clean_consumed: true })).numbers).toEqual([2, 3, 4, 5])
    expect(readdirSync(join(folder, 'main')).filter((name) => name.endsWith('.log'))).toEqual(['3.log'])
    expect(readFileSync(join(folder, 'main', 'quarantine', '1.log')).equals(bytes)).toBe(true)
  })

  it('begins with the first entry and says so when its position is damaged', async () => {
    await (await fill([1, 2])).close()
    await read(2)
    const bytes = readFileSync(sincedb())
    bytes[20]! ^= 1
    writeFileSync(sincedb(), bytes)
    const { numbers, environment } = await read(2)
    expect(numbers).toEqual([1, 2])
    expect(environment.logger.messages('error').join()).toContain('reading begins with the first entry')
  })

  it('skips what is damaged and says where', async () => {
    const queue = await fill([1, 2, 3], 1e6)
    await queue.close()
    const path = join(folder, 'main', '1.log')
    const bytes = readFileSync(path)
    bytes[100]! ^= 1
    writeFileSync(path, bytes)
    const { numbers, environment } = await read(2)
    expect(numbers).toEqual([2, 3])
    expect(environment.logger.messages('error')).toEqual([
      'A segment of the dead letter queue is damaged; what cannot be read is skipped',
    ])
  })

  it('gives an event that cannot be read as one that says why it was given up', async () => {
    const time = Buffer.from('2020-01-02T03:04:05.678Z')
    const blobs = [time, Buffer.from([0xff]), Buffer.from('t'), Buffer.from('i'), Buffer.from('why')]
    const entry = Buffer.concat(blobs.flatMap((blob) => [Buffer.from([0, 0, 0, blob.length]), blob]))
    mkdirSync(join(folder, 'main'))
    writeFileSync(join(folder, 'main', '1.log'), Buffer.concat([Buffer.from('1'), record('c', entry)]))
    const { events } = await read(1)
    expect(events[0]!.get('tags')).toEqual(['_inputfailure'])
    expect(events[0]!.get('[@metadata][dead_letter_queue][reason]')).toBe('why')
  })

  it('waits for a queue that is not there yet', async () => {
    const { instance, sink, environment } = inputFor(deadLetterQueue, {
      path: folder,
      sincedb_path: sincedb(),
    })
    await instance.register?.()
    const running = instance.run(sink)
    await (await fill([1])).close()
    await sink.waitFor(1)
    await instance.stop()
    await running
    expect(environment.logger.messages('warn')).toEqual([
      `DLQ sub-path ${join(folder, 'main')} does not exist`,
    ])
  })

  it('refuses a folder as sincedb and a time that is none', () => {
    const start = (options: TestOptions) => () =>
      inputFor(deadLetterQueue, { path: folder, ...options }).instance.register?.()
    expect(start({ sincedb_path: folder })).toThrow(
      `The "sincedb_path" argument must point to a file, received a directory: "${folder}"`,
    )
    expect(start({ start_timestamp: 'yesterday' })).toThrow('Invalid format: "yesterday"')
  })
})
