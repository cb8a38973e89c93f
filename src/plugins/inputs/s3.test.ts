import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { block, inputFor, type TestInput, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import { eventually, TestAws } from '../aws/test-server.ts'
import json from '../codecs/json.ts'
import line from '../codecs/line.ts'
import multiline from '../codecs/multiline.ts'
import plain from '../codecs/plain.ts'
import { isRestored } from './s3/bucket.ts'
import { Cutter } from './s3/object-records.ts'
import { parseTime, timeText } from './s3/sincedb.ts'
import s3, { positions } from './s3.ts'

let aws: TestAws
let folder: string
const running: { input: TestInput; run: Promise<void> }[] = []
const at = (second: number) => new Date(Date.UTC(2020, 0, 1, 0, 0, second))

beforeEach(async () => {
  aws = await TestAws.start()
  aws.buckets.names.add('logs')
  folder = mkdtempSync(join(tmpdir(), 's3-input-'))
})
afterEach(async () => {
  for (const { input } of running) input.environment.stop()
  await endAll()
  await aws.close()
  rmSync(folder, { recursive: true, force: true })
})

async function endAll(): Promise<void> {
  for (const { input, run } of running.splice(0)) {
    await input.instance.stop()
    await run
    await input.instance.close?.()
  }
}

async function start(
  options: TestOptions = {},
  prepare?: (input: TestInput) => void,
  settings: TestSettings = {},
): Promise<TestInput> {
  const input = inputFor(
    s3,
    {
      ...aws.options,
      bucket: 'logs',
      interval: 0.1,
      sincedb_path: join(folder, 'sincedb'),
      temporary_directory: join(folder, 'tmp'),
      additional_settings: { retry_limit: 0 },
      ...options,
    },
    { codecs: [plain, line, json, multiline], ...settings },
  )
  prepare?.(input)
  await input.instance.register?.()
  running.push({ input, run: input.instance.run(input.sink) })
  return input
}

const sincedb = () => readFileSync(join(folder, 'sincedb'), 'utf8')
const keysOf = (events: readonly unknown[]) =>
  (events as { '@metadata': { s3: { key: string } } }[]).map((event) => event['@metadata'].s3.key)

describe('s3 input', () => {
  it('reads objects from the oldest to the youngest, and remembers the last', async () => {
    for (const n of [5, 1, 4, 2, 3]) aws.buckets.put(`logs/in/${n}`, `line ${n}\n`, at(n))
    aws.buckets.put('logs/other', 'no\n', at(1))
    const { sink } = await start({ prefix: 'in/' })
    const events = await sink.waitFor(5)
    expect(keysOf(events)).toEqual(['in/1', 'in/2', 'in/3', 'in/4', 'in/5'])
    await eventually(() => expect(sincedb()).toBe('2020-01-01 00:00:05 UTC'))
    await eventually(() => expect(readdirSync(join(folder, 'tmp'))).toEqual([]))
    aws.buckets.put('logs/in/6', 'line 6\n', at(6))
    expect(keysOf(await sink.waitFor(6)).at(-1)).toBe('in/6')
    expect(sink.received).toHaveLength(6)
  })

  it.each([
    ['plain lines keep their ends', 'a.txt', Buffer.from('one\ntwo'), 'plain', ['one\n', 'two']],
    ['lines of packed files do not', 'a.gz', gzipSync('one\r\ntwo\n'), 'plain', ['one', 'two']],
    ['a codec with a delimiter cuts itself', 'a.txt', Buffer.from('one\ntwo\n'), 'line', ['one', 'two']],
    [
      'several members of gzip',
      'a.gzip',
      Buffer.concat([gzipSync('one\n'), gzipSync('two')]),
      'plain',
      ['one', 'two'],
    ],
  ])('%s', async (_, key, bytes, codec, messages) => {
    aws.buckets.put(`logs/${key}`, bytes)
    const { sink } = await start({ codec })
    expect((await sink.waitFor(messages.length)).map((event) => event['message'])).toEqual(messages)
  })

  it('knows packed files by gzip_pattern', async () => {
    aws.buckets.put('logs/packed.log', gzipSync('one\n'), at(1))
    aws.buckets.put('logs/plain.gz', 'two\n', at(2))
    const { sink } = await start({ gzip_pattern: '\\.log$' })
    expect((await sink.waitFor(2)).map((event) => event['message'])).toEqual(['one', 'two\n'])
  })

  it('joins lines with the multiline codec, to the end of each object', async () => {
    aws.buckets.put('logs/1', 'a\n b\nc\n', at(1))
    aws.buckets.put('logs/2', 'd\n', at(2))
    const { sink } = await start({ codec: block('multiline', { pattern: '^ ', what: 'previous' }) })
    expect((await sink.waitFor(3)).map((event) => event['message'])).toEqual(['a\n b', 'c', 'd'])
  })

  it.each([
    ['disabled', { cloudfront_version: '1.0', cloudfront_fields: 'date time' }, {}],
    ['v8', {}, { cloudfront: { version: '1.0', fields: 'date time' } }],
  ] as const)('knows the first lines of CloudFront, ECS %s', async (ecs, fields, metadata) => {
    aws.buckets.put('logs/cf', '#Version: 1.0\n#Fields: date time\nx\n')
    const { sink } = await start({}, undefined, { ecs })
    const [event] = await sink.waitFor(1)
    expect(event).toMatchObject({ message: 'x\n', ...fields })
    expect(event!['@metadata']).toEqual({ s3: { key: 'cf', ...metadata } })
  })

  it('tells the properties of the object when it is asked to', async () => {
    aws.buckets.put('logs/a', 'x\n', at(9))
    const { sink } = await start({ include_object_properties: true })
    const [event] = await sink.waitFor(1)
    const { s3: facts } = event!['@metadata'] as { s3: Record<string, unknown> }
    expect(facts).toMatchObject({
      key: 'a',
      content_type: 'text/plain',
      etag: '"e"',
      metadata: { who: 'me' },
    })
    expect(String(facts['last_modified'])).toBe('2020-01-01T00:00:09.000Z')
  })

  it('leaves out folders, empty and excluded objects, and those that may still change', async () => {
    aws.buckets.put('logs/p/', 'x')
    aws.buckets.put('logs/p/empty', '')
    aws.buckets.put('logs/p/a.tmp', 'x')
    aws.buckets.put('logs/p/young', 'x', new Date())
    aws.buckets.put('logs/p/good', 'x')
    const { sink } = await start({
      prefix: 'p/',
      exclude_pattern: '\\.tmp$',
      cutoff_second: 1000,
      watch_for_new_files: false,
    })
    await eventually(() =>
      expect(aws.buckets.requests.some((request) => request.includes('list-type'))).toBe(true),
    )
    await endAll()
    expect(sink.received).toEqual([])
    const again = await start({
      prefix: 'p/',
      exclude_pattern: '\\.tmp$',
      cutoff_second: 30,
      watch_for_new_files: false,
    })
    await running[0]!.run
    expect(keysOf(again.sink.fields())).toEqual(['p/good'])
  })

  it('moves, copies and remembers an object when its events are safe, and not before', async () => {
    aws.buckets.put('logs/a b', 'x\n', at(1))
    const { sink } = await start(
      {
        delete: true,
        backup_to_bucket: 'copies',
        backup_add_prefix: 'old/',
        backup_to_dir: join(folder, 'dir'),
      },
      (input) => input.sink.hold(),
    )
    await sink.waitFor(1)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect([...aws.buckets.objects.keys()]).toEqual(['logs/a b'])
    expect(() => sincedb()).toThrow('ENOENT')
    sink.release()
    await eventually(() => expect([...aws.buckets.objects.keys()]).toEqual(['copies/old/a b']))
    await eventually(() => expect(sincedb()).toBe('2020-01-01 00:00:01 UTC'))
    expect(readFileSync(join(folder, 'dir', 'a b'), 'utf8')).toBe('x\n')
  })

  it('does not remember what is not safe when it ends', async () => {
    aws.buckets.put('logs/a', 'x\n', at(1))
    const { sink, environment } = await start({}, (input) => input.sink.hold())
    await sink.waitFor(1)
    environment.stop()
    await endAll()
    expect(() => sincedb()).toThrow('ENOENT')
    const again = await start()
    expect(keysOf(await again.sink.waitFor(1))).toEqual(['a'])
  })

  it('reads an object again that it could not fetch, and no other twice', async () => {
    for (const n of [1, 2, 3]) aws.buckets.put(`logs/${n}`, `${n}\n`, at(n))
    aws.buckets.refusals.set('GET logs/2', 503)
    const { sink, environment } = await start()
    await eventually(() =>
      expect(environment.logger.messages('warn')).toContain('Unable to download remote file'),
    )
    await eventually(() => expect(sincedb()).toBe('2020-01-01 00:00:01 UTC'))
    aws.buckets.refusals.clear()
    expect(keysOf(await sink.waitFor(3))).toEqual(['1', '2', '3'])
    await eventually(() => expect(sincedb()).toBe('2020-01-01 00:00:03 UTC'))
    expect(sink.received).toHaveLength(3)
  })

  it('passes over an object that it may not read', async () => {
    for (const n of [1, 2]) aws.buckets.put(`logs/${n}`, `${n}\n`, at(n))
    aws.buckets.refusals.set('GET logs/1', 403)
    const { sink } = await start()
    expect(keysOf(await sink.waitFor(1))).toEqual(['2'])
  })

  it('passes over what cannot be unpacked, and goes on when the service was away', async () => {
    aws.isAway = true
    const { sink, environment } = await start()
    await eventually(() =>
      expect(environment.logger.messages('error')).toContain('Unable to list objects in bucket'),
    )
    aws.buckets.put('logs/1.gz', 'no gzip', at(1))
    aws.buckets.put('logs/2', 'x\n', at(2))
    aws.isAway = false
    expect(keysOf(await sink.waitFor(1))).toEqual(['2'])
    expect(environment.logger.messages('error')).toContain('Failed to read file, processing skipped')
  })
})

describe('what the s3 input remembers', () => {
  it.each([
    ['2015-05-22 15:15:50 UTC', Date.UTC(2015, 4, 22, 15, 15, 50)],
    ['2015-05-22 15:15:50.123 UTC\n', Date.UTC(2015, 4, 22, 15, 15, 50, 123)],
    ['2015-05-22 15:15:50 +0200', Date.UTC(2015, 4, 22, 13, 15, 50)],
    ['2015-05-22T15:15:50Z', Date.UTC(2015, 4, 22, 15, 15, 50)],
    ['', 0],
  ])('reads %j', (text, time) => expect(parseTime(text)).toBe(time))

  it('writes times as Ruby does', () => {
    expect(timeText(Date.UTC(2015, 4, 22, 15, 15, 50))).toBe('2015-05-22 15:15:50 UTC')
    expect(timeText(Date.UTC(2015, 4, 22, 15, 15, 50, 120))).toBe('2015-05-22 15:15:50.120 UTC')
  })

  it('does not count a time before all objects of that time', () => {
    const objects = [1, 2, 2, 2, 3].map((modified) => ({ key: '', modified }))
    expect(positions(objects)).toEqual([1, 1, 1, 2, 3])
  })
})

describe('records of an object', () => {
  const cut = (chunks: string[], delimiter: string | undefined, isGzip = false) => {
    const cutter = new Cutter({
      isGzip,
      delimiter: delimiter === undefined ? undefined : Buffer.from(delimiter),
    })
    const records = chunks.flatMap((chunk) => cutter.cut(Buffer.from(chunk)))
    const last = cutter.end()
    return [...records, ...(last === undefined ? [] : [last])].map(String)
  }
  it.each([
    [['a\nb', 'c\n', 'd'], undefined, false, ['a\n', 'bc\n', 'd']],
    [['a\r', '\nb\n'], undefined, true, ['a', 'b']],
    [['a\r', '\nb\r\n\r', '\nc'], '\r\n', false, ['a', 'b', '', 'c']],
    [['a-', '-', 'b'], '--', false, ['a', 'b']],
    [['', ''], undefined, false, []],
  ] as const)('%j by %j', (chunks, delimiter, isGzip, records) => {
    expect(cut([...chunks], delimiter, isGzip)).toEqual(records)
  })
})

it.each([
  ['ongoing-request="false", expiry-date="Fri, 21 Dec 2012 00:00:00 GMT"', Date.UTC(2012, 11, 20), true],
  ['ongoing-request="false", expiry-date="Fri, 21 Dec 2012 00:00:00 GMT"', Date.UTC(2012, 11, 22), false],
  ['ongoing-request="true"', 0, false],
  ['ongoing-request="false"', 0, false],
  ['', 0, false],
])('an archived object with %j is restored: %s', (restore, now, expected) => {
  expect(isRestored(restore, now)).toBe(expected)
})
