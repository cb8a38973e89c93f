import { createHash } from 'node:crypto'
import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Event } from '../../event/event.ts'
import type { CodecDefinition } from '../../plugin/define.ts'
import { inputFor, type TestInput, type TestOptions, type TestSettings } from '../../plugin/testing.ts'
import file from './file.ts'

const host = hostname()
let folder = ''
let log = ''
let sincedb = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-file-'))
  log = join(folder, 'completed')
  sincedb = join(folder, 'sincedb')
  await mkdir(join(folder, 'in'))
})
afterEach(() => rm(folder, { recursive: true }))

const at = (name: string) => join(folder, 'in', name)
const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

function reader(options: TestOptions = {}, settings: TestSettings = {}): TestInput {
  return inputFor(
    file,
    {
      path: at('*'),
      mode: 'read',
      exit_after_read: true,
      sincedb_path: sincedb,
      file_completed_action: 'log',
      file_completed_log_path: log,
      ...options,
    },
    settings,
  )
}

async function run({ instance, sink }: TestInput) {
  await instance.register?.()
  await instance.run(sink)
  await instance.close?.()
  return sink.fields()
}

const messages = async (input: TestInput) => (await run(input)).map(({ message }) => message)

describe('file input in read mode', () => {
  it('reads every line, a last one without end included, and says whose it is', async () => {
    await writeFile(at('a.log'), 'one\n\ntwo')
    const origin = { host, path: at('a.log'), '@metadata': { path: at('a.log'), host } }
    expect(await run(reader())).toEqual([
      { message: 'one', ...origin },
      { message: '', ...origin },
      { message: 'two', ...origin },
    ])
  })

  it('uses the places of ECS', async () => {
    await writeFile(at('a.log'), 'one\n')
    expect(await run(reader({}, { ecs: 'v8' }))).toEqual([
      {
        message: 'one',
        host: { name: host },
        log: { file: { path: at('a.log') } },
        '@metadata': { path: at('a.log'), host },
      },
    ])
  })

  it('keeps fields that events bring along, and decorates afterwards', async () => {
    await writeFile(at('a.log'), '{"host":"theirs"}\n')
    const events = await run(reader({ codec: 'json', add_field: { from: '%{host}' }, type: 't' }))
    expect(events).toMatchObject([{ host: 'theirs', from: 'theirs', type: 't', path: at('a.log') }])
  })

  it('reads long lines and many lines over several chunks', async () => {
    const lines = Array.from({ length: 5000 }, (_, i) => `${i} ${'ü'.repeat(i % 97)}`)
    lines.push('x'.repeat(200_000))
    await writeFile(at('a.log'), `${lines.join('\n')}\n`)
    expect(await messages(reader())).toEqual(lines)
  })

  it.each([
    ['memory', true],
    ['persisted', false],
  ])('with a queue that is %s uses the memory of chunks again: %s', async (type, isReused) => {
    await writeFile(at('a.log'), `${'x'.repeat(999)}\n`.repeat(20_000))
    const input = reader({}, { settings: { 'queue.type': type } })
    const chunks = new Set<ArrayBufferLike>()
    let count = 0
    const { stream } = input.sink
    input.sink.stream = (...call) => {
      const inner = stream(...call)
      return {
        ...inner,
        write: (chunk, done) => {
          chunks.add(chunk.buffer)
          count += 1
          return inner.write(chunk, done)
        },
      }
    }
    await run(input)
    expect(count).toBeGreaterThan(20)
    expect(chunks.size < count).toBe(isReused)
  })

  it('takes other delimiters', async () => {
    await writeFile(at('a.log'), 'one||two|three||')
    expect(await messages(reader({ delimiter: '||' }))).toEqual(['one', 'two|three'])
  })

  it('makes nothing of empty files, and completes them', async () => {
    await writeFile(at('empty'), '')
    await writeFile(at('a'), 'x\n')
    expect(await messages(reader())).toEqual(['x'])
  })

  it('ends at once when there is nothing to read', async () => {
    expect(await messages(reader())).toEqual([])
  })

  it.each([
    ['*.log', ['a.log', 'b.log']],
    ['[a-b].{log,txt}', ['a.log', 'b.log', 'b.txt']],
    ['**/*.log', ['a.log', 'b.log', 'deep/er/c.log']],
  ])('finds files by %s', async (pattern, expected) => {
    await mkdir(at('deep/er'), { recursive: true })
    for (const name of ['a.log', 'b.log', 'b.txt', 'deep/er/c.log']) await writeFile(at(name), `${name}\n`)
    const found = await messages(reader({ path: at(pattern), file_sort_by: 'path' }))
    expect(found).toEqual(expected)
  })

  it('leaves out what exclude names', async () => {
    for (const name of ['a.log', 'b.log', 'b.tmp']) await writeFile(at(name), `${name}\n`)
    expect(await messages(reader({ exclude: ['*.tmp', 'a*'] }))).toEqual(['b.log'])
  })

  it('leaves out what is too old', async () => {
    await writeFile(at('old'), 'old\n')
    await writeFile(at('new'), 'new\n')
    const hourAgo = Date.now() / 1000 - 3600
    await utimes(at('old'), hourAgo, hourAgo)
    expect(await messages(reader({ ignore_older: '10 minutes' }))).toEqual(['new'])
  })

  it.each([
    ['last_modified', 'asc', ['b', 'c', 'a']],
    ['last_modified', 'desc', ['a', 'c', 'b']],
    ['path', 'asc', ['a', 'b', 'c']],
    ['path', 'desc', ['c', 'b', 'a']],
  ])('sorts by %s %s', async (file_sort_by, file_sort_direction, expected) => {
    for (const [i, name] of ['b', 'c', 'a'].entries()) {
      await writeFile(at(name), `${name}\n`)
      await utimes(at(name), 1000 + i, 1000 + i)
    }
    const options = { file_sort_by, file_sort_direction, sincedb_path: '/dev/null' }
    expect(await messages(reader(options))).toEqual(expected)
  })

  it('reads files in turns when file_chunk_count says so', async () => {
    await writeFile(at('a'), 'a1\na2\na3\n')
    await writeFile(at('b'), 'b1\nb2\n')
    const turns = { file_chunk_size: 3, file_chunk_count: 1, file_sort_by: 'path' }
    expect(await messages(reader(turns))).toEqual(['a1', 'b1', 'a2', 'b2', 'a3'])
    await rm(sincedb)
    expect(await messages(reader({ ...turns, max_open_files: 1 }))).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
  })

  it('goes on where the last run ended, and reads nothing twice', async () => {
    await writeFile(at('a'), 'one\n')
    expect(await messages(reader())).toEqual(['one'])
    expect(await messages(reader())).toEqual([])
    await appendFile(at('a'), 'two\n')
    expect(await messages(reader())).toEqual(['two'])
    const { ino } = await stat(at('a'))
    expect(await readFile(sincedb, 'utf8')).toMatch(
      new RegExp(`^${ino} \\d+ \\d+ 8 \\d+(\\.\\d+)? ${at('a')}\n$`),
    )
  })

  it('begins anew when a file is another one or shorter', async () => {
    await writeFile(at('a'), 'one\ntwo\n')
    await messages(reader())
    await truncate(at('a'))
    await writeFile(at('a'), 'x\n')
    expect(await messages(reader())).toEqual(['x'])
  })

  it.each([
    ['1 msec', ['one']],
    ['1 day', []],
  ])('forgets a file %s after its last line: sincedb_clean_after', async (sincedb_clean_after, expected) => {
    await writeFile(at('a'), 'one\n')
    await messages(reader())
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await messages(reader({ sincedb_clean_after }))).toEqual(expected)
  })

  it('remembers nothing with sincedb_path => "/dev/null"', async () => {
    await writeFile(at('a'), 'one\n')
    for (let i = 0; i < 2; i++) {
      expect(await messages(reader({ sincedb_path: '/dev/null' }))).toEqual(['one'])
    }
  })

  it('puts its record below path.data unless told otherwise', async () => {
    await writeFile(at('a'), 'one\n')
    const input = reader({ sincedb_path: undefined }, { settings: { 'path.data': folder } })
    await messages(input)
    const md5 = createHash('md5').update(at('*')).digest('hex')
    const path = join(folder, 'plugins/inputs/file', `.sincedb_${md5}`)
    expect(await readFile(path, 'utf8')).toMatch(/ 4 /)
  })

  it('finds new files while it runs', async () => {
    const input = reader({ exit_after_read: false, stat_interval: '5 ms', discover_interval: 1 })
    await input.instance.register?.()
    const running = input.instance.run(input.sink)
    await writeFile(at('a'), 'one\n')
    await input.sink.waitFor(1)
    await writeFile(at('b'), 'two\n')
    const events = await input.sink.waitFor(2)
    expect(events.map(({ message }) => message)).toEqual(['one', 'two'])
    await input.instance.stop()
    await running
  })
})

describe('file input, completed files', () => {
  it.each([
    ['log', true, true],
    ['delete', false, false],
    ['log_and_delete', true, false],
  ])('%s', async (file_completed_action, isLogged, isKept) => {
    for (const name of ['a', 'b']) await writeFile(at(name), `${name}\n`)
    const options = {
      file_completed_action,
      file_completed_log_path: isLogged ? log : undefined,
      file_sort_by: 'path',
    }
    expect(await messages(reader(options))).toEqual(['a', 'b'])
    expect(await exists(at('a'))).toBe(isKept)
    if (isLogged) expect(await readFile(log, 'utf8')).toBe(`${at('a')}\n${at('b')}\n`)
  })

  it('deletes by default', async () => {
    await writeFile(at('a'), 'a\n')
    await messages(reader({ file_completed_action: undefined, file_completed_log_path: undefined }))
    expect(await exists(at('a'))).toBe(false)
  })

  it('deletes only what has left the pipeline', async () => {
    await writeFile(at('a'), 'one\ntwo\nrest')
    const input = reader({ file_completed_action: 'delete', sincedb_write_interval: 0 })
    const waiting: (() => void)[] = []
    const { stream } = input.sink
    input.sink.stream = (...call) => {
      const inner = stream(...call)
      return { ...inner, write: (chunk, done) => inner.write(chunk, done && (() => void waiting.push(done))) }
    }
    await input.instance.register?.()
    const running = input.instance.run(input.sink)
    await input.sink.waitFor(3)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(await exists(at('a'))).toBe(true)
    expect(await readFile(sincedb, 'utf8')).toBe('')
    expect(waiting).toHaveLength(2)
    waiting[0]!()
    for (let i = 0; i < 500 && (await readFile(sincedb, 'utf8')) === ''; i++) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(await readFile(sincedb, 'utf8')).toMatch(/ 8 /)
    expect(await exists(at('a'))).toBe(true)
    waiting[1]!()
    await running
    expect(await exists(at('a'))).toBe(false)
    expect(await readFile(sincedb, 'utf8')).toBe('')
  })

  it('reads again after a restart what had not left the pipeline', async () => {
    await writeFile(at('a'), 'one\ntwo\n')
    const input = reader()
    const { stream } = input.sink
    input.sink.stream = (...call) => {
      const inner = stream(...call)
      return { ...inner, write: (chunk) => inner.write(chunk) }
    }
    await input.instance.register?.()
    const running = input.instance.run(input.sink)
    await input.sink.waitFor(2)
    input.environment.stop()
    await input.instance.stop()
    await running
    await input.instance.close?.()
    expect(await messages(reader())).toEqual(['one', 'two'])
  })
})

describe('file input, compressed files', () => {
  it.each(['a.gz', 'a.gzip'])('reads %s', async (name) => {
    await writeFile(at(name), gzipSync('one\ntwo\nthree'))
    expect(await messages(reader())).toEqual(['one', 'two', 'three'])
    expect(await messages(reader())).toEqual([])
    expect(await readFile(log, 'utf8')).toBe(`${at(name)}\n`)
  })

  it('reads large ones, and lines that end as on Windows', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}`)
    await writeFile(at('a.gz'), gzipSync(`${lines.join('\r\n')}\r\n`))
    expect(await messages(reader())).toEqual(lines)
  })

  it('completes and remembers them when all of their lines are safe, and not before', async () => {
    await writeFile(at('a.gz'), gzipSync('one\ntwo\nthree'))
    const start = async () => {
      const input = reader({ file_completed_action: 'log_and_delete', sincedb_write_interval: 0 })
      await input.instance.register?.()
      input.sink.hold()
      const running = input.instance.run(input.sink)
      await input.sink.waitFor(3)
      await new Promise((resolve) => setTimeout(resolve, 50))
      return { ...input, running }
    }
    const unsafe = await start()
    unsafe.sink.release(1)
    unsafe.environment.stop()
    await unsafe.instance.stop()
    await unsafe.running
    await unsafe.instance.close?.()
    expect([await exists(at('a.gz')), await readFile(sincedb, 'utf8'), await readFile(log, 'utf8')]).toEqual([
      true,
      '',
      '',
    ])
    const { sink, running } = await start()
    sink.release()
    await running
    expect([await exists(at('a.gz')), await readFile(log, 'utf8')]).toEqual([false, `${at('a.gz')}\n`])
  })

  it('leaves broken ones alone', async () => {
    const zipped = gzipSync('one\n'.repeat(1000))
    await writeFile(at('cut.gz'), zipped.subarray(0, zipped.length - 12))
    await writeFile(at('text.gz'), 'not compressed')
    const input = reader({ file_completed_action: 'log_and_delete', check_archive_validity: true })
    expect(await messages(input)).toEqual([])
    expect(await readFile(log, 'utf8')).toBe('')
    expect(await exists(at('cut.gz'))).toBe(true)
    expect(input.environment.logger.messages('error').sort()).toEqual([
      `ReadZipFile: cannot decompress the gzip file at path: ${at('cut.gz')}`,
      `ReadZipFile: cannot decompress the gzip file at path: ${at('text.gz')}`,
    ])
    expect(await messages(reader({ exclude: 'cut.gz' }))).toEqual([])
  })
})

describe('file input in tail mode', () => {
  async function tailing(options: TestOptions = {}, settings: TestSettings = {}) {
    const quick = { stat_interval: '5 ms', discover_interval: 2 }
    const input = reader({ mode: 'tail', exit_after_read: undefined, ...quick, ...options }, settings)
    await input.instance.register?.()
    const running = input.instance.run(input.sink)
    const stop = async () => {
      await input.instance.stop()
      await running
      await input.instance.close?.()
      return input.sink.fields().map(({ message }) => message)
    }
    const seen = async (count: number) => (await input.sink.waitFor(count)).map(({ message }) => message)
    return { ...input, stop, seen }
  }
  const pause = () => new Promise((resolve) => setTimeout(resolve, 60))

  it('reads what is appended, and what is in files that come later', async () => {
    await writeFile(at('a'), 'old\n')
    const { seen, stop } = await tailing()
    await pause()
    await appendFile(at('a'), 'new\nunfin')
    expect(await seen(1)).toEqual(['new'])
    await appendFile(at('a'), 'ished\n')
    expect(await seen(2)).toEqual(['new', 'unfinished'])
    await writeFile(at('b'), 'later\n')
    expect(await seen(3)).toEqual(['new', 'unfinished', 'later'])
    await stop()
  })

  it('looks for new files once in so many looks at the known ones', async () => {
    await writeFile(at('a'), 'first\n')
    const { seen, stop } = await tailing({ discover_interval: 1_000_000, start_position: 'beginning' })
    await seen(1)
    await writeFile(at('b'), 'not yet\n')
    // Whatever is found takes a look of its own, so these are more than the usual fifteen.
    for (let n = 0; n < 20; n++) {
      await appendFile(at('a'), `${n}\n`)
      await seen(n + 2)
    }
    expect(await stop()).not.toContain('not yet')
  })

  it('starts at the beginning when told so, and goes on where it ended', async () => {
    await writeFile(at('a'), 'one\ntw')
    const first = await tailing({ start_position: 'beginning' })
    await first.seen(1)
    expect(await first.stop()).toEqual(['one'])
    await appendFile(at('a'), 'o\n')
    const second = await tailing({ start_position: 'beginning' })
    expect(await second.seen(1)).toEqual(['two'])
    await second.stop()
  })

  it('begins anew when a file is truncated', async () => {
    await writeFile(at('a'), 'first content\n')
    const { seen, stop } = await tailing({ start_position: 'beginning' })
    await seen(1)
    await writeFile(at('a'), 'short\n')
    expect(await seen(2)).toEqual(['first content', 'short'])
    await stop()
  })

  it('follows a file that is renamed, and reads the new one in its place', async () => {
    await writeFile(at('a'), 'one\nhal')
    const { seen, stop } = await tailing({ start_position: 'beginning' })
    await seen(1)
    await rename(at('a'), at('a.1'))
    await writeFile(at('a'), 'fresh\n')
    await seen(2)
    await appendFile(at('a.1'), 'f a line\n')
    await seen(3)
    expect((await stop()).sort()).toEqual(['fresh', 'half a line', 'one'])
  })

  it('reads a file to its end that is moved out of sight', async () => {
    await writeFile(at('a.log'), 'one\n')
    const { seen, stop } = await tailing({ path: at('*.log'), start_position: 'beginning' })
    await seen(1)
    await appendFile(at('a.log'), 'two\nlast words')
    await rename(at('a.log'), at('a.old'))
    expect(await seen(3)).toEqual(['one', 'two', 'last words'])
    await stop()
  })

  it('closes files that rest, and opens them again', async () => {
    await writeFile(at('a'), 'one\n')
    const { seen, stop } = await tailing({ start_position: 'beginning', close_older: '10 ms' })
    await seen(1)
    await pause()
    await appendFile(at('a'), 'two\n')
    expect(await seen(2)).toEqual(['one', 'two'])
    await stop()
  })

  it('reads a file from its start that got the inode of a deleted one, even within one tick of the clock', async () => {
    await writeFile(at('a'), 'one\n')
    const { seen, stop } = await tailing({ start_position: 'beginning', close_older: '10 ms' })
    // As if the position had been recorded after the next file was made.
    const { now } = Date
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000)
    await seen(1)
    await pause()
    for (let times = 1; times <= 5; times++) {
      await rm(at('a'))
      if (times % 2 === 0) await pause()
      await writeFile(at('a'), `another ${times}\nof two lines\n`)
      expect(await seen(1 + 2 * times)).toHaveLength(1 + 2 * times)
      await pause()
    }
    clock.mockRestore()
    const others = [1, 2, 3, 4, 5].flatMap((times) => [`another ${times}`, 'of two lines'])
    expect(await stop()).toEqual(['one', ...others])
  })

  it('has no more files open than it may', async () => {
    for (const name of ['a', 'b', 'c']) await writeFile(at(name), `${name}\n`)
    const options = { start_position: 'beginning', max_open_files: 1, close_older: '10 ms' }
    const { seen, stop } = await tailing(options)
    expect((await seen(3)).sort()).toEqual(['a', 'b', 'c'])
    await stop()
  })

  it('gives a codec that collects lines its end when it stops', async () => {
    await writeFile(at('a'), 'one\ntwo\n')
    const read: string[] = []
    const collecting = {
      type: 'codec',
      name: 'collect',
      summary: 'Joins all lines.',
      options: {},
      create: () => ({
        decoder() {
          return {
            decode: (text) => void read.push(text),
            flush: (emit, time) => emit(Event.from({ message: read.join('+') }, time)),
          }
        },
      }),
    } satisfies CodecDefinition
    const options = { start_position: 'beginning', codec: 'collect' }
    const { stop } = await tailing(options, { codecs: [collecting] })
    await expect.poll(() => read).toHaveLength(2)
    expect(await stop()).toEqual(['one+two'])
  })
})

describe('file input, start', () => {
  it.each([
    [{ path: 'relative/*.log' }, 'File paths must be absolute, relative path specified: relative/*.log'],
    [
      { file_completed_log_path: undefined },
      'The "file_completed_log_path" setting must be provided when the "file_completed_action" is set to "log" or "log_and_delete"',
    ],
    [
      { file_completed_log_path: '/no/such/folder/log' },
      `The "file_completed_log_path" file can't be created: /no/such/folder/log`,
    ],
    [{ mode: 'tail' }, 'The "exit_after_read" setting only works when the "mode" is set to "read"'],
    [
      { stat_interval: 'often' },
      "Value 'often' is not a valid duration string e.g. 200 usec, 250ms, 60 sec, 18h, 21.5d, 1 day, 2w, 6 weeks",
    ],
    [{ sincedb_path: '/' }, 'The "sincedb_path" argument must point to a file, received a directory: "/"'],
  ])('refuses %j', async (options, message) => {
    await expect(reader(options).instance.register?.()).rejects.toThrow(message)
  })
})
