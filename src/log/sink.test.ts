import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConsoleWriter } from './console-writer.ts'
import { localDay } from './layout.ts'
import { configureLogging, deprecationLogger, Logger } from './logger.ts'
import { tidyRolledFiles } from './rolled-files.ts'
import { RollingFile } from './rolling-file.ts'
import { closeFiles } from './sink.ts'

let directory = ''
const day = 86_400_000

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'millrace-log-'))
})

afterEach(() => {
  configureLogging({
    level: 'info',
    format: 'plain',
    directory: null,
    separateLogs: false,
    writeConsole: null,
  })
  rmSync(directory, { recursive: true, force: true })
})

const read = (name: string): string => readFileSync(join(directory, name), 'utf8')

describe('files', () => {
  beforeEach(() => configureLogging({ directory: join(directory), writeConsole: () => undefined }))

  it('are made with the first line, and the main file has it', () => {
    expect(readdirSync(directory)).toEqual([])
    new Logger('logstash.agent').info('hello')
    expect(read('logstash-plain.log')).toMatch(/\[INFO \]\[logstash\.agent {11}\] hello\n$/)
  })

  it('create the directory when it is missing', () => {
    configureLogging({ directory: join(directory, 'a', 'b') })
    new Logger('x').info('hello')
    expect(existsSync(join(directory, 'a', 'b', 'logstash-plain.log'))).toBe(true)
  })

  it('are named after the format', () => {
    configureLogging({ format: 'json' })
    new Logger('x').info('hello')
    expect(JSON.parse(read('logstash-json.log')).logEvent).toEqual({ message: 'hello' })
  })

  it('separate pipelines when asked', () => {
    configureLogging({ separateLogs: true })
    new Logger('x', { pipelineId: 'a/../b' }).info('inside')
    new Logger('x').info('outside')
    expect(read('pipeline_a_.._b.log')).toContain('inside')
    expect(read('logstash-plain.log')).not.toContain('inside')
    expect(read('logstash-plain.log')).toContain('outside')
  })

  it('send deprecations to both files and slow events to theirs only', () => {
    deprecationLogger('logstash.settings').warn('old name')
    new Logger('slowlog.logstash.filters.grok').trace('slow')
    expect(read('logstash-plain.log')).toContain('old name')
    expect(read('logstash-deprecation.log')).toContain('old name')
    expect(read('logstash-slowlog-plain.log')).toContain('slow')
    expect(read('logstash-plain.log')).not.toContain('slow')
    closeFiles()
  })

  it('do not stop the program when they cannot be written', () => {
    writeFileSync(join(directory, 'file'), '')
    configureLogging({ directory: join(directory, 'file', 'logs') })
    expect(() => new Logger('x').info('hello')).not.toThrow()
  })
})

describe('RollingFile', () => {
  it('rolls at its size and never overwrites', () => {
    const now = Date.now()
    const file = new RollingFile(directory, 'logstash-plain', { daily: true, maxBytes: 20 })
    for (const text of ['0123456789\n', 'abcdefghij\n', 'ABCDEFGHIJ\n']) file.append(text, now)
    file.close()
    expect(read('logstash-plain.log')).toBe('ABCDEFGHIJ\n')
    expect(read(`logstash-plain-${localDay(now)}-1.log.rolled`)).toBe('0123456789\n')
    expect(read(`logstash-plain-${localDay(now)}-2.log.rolled`)).toBe('abcdefghij\n')
    expect(existsSync(join(directory, 'logstash-plain.log.roll'))).toBe(false)
  })

  it('rolls at midnight, also when the file was left by an earlier process', () => {
    const now = Date.now()
    const file = new RollingFile(directory, 'logstash-plain', { daily: true })
    file.append('yesterday\n', now)
    file.append('today\n', now + day)
    file.close()
    expect(read(`logstash-plain-${localDay(now)}-1.log.rolled`)).toBe('yesterday\n')
    expect(read('logstash-plain.log')).toBe('today\n')

    writeFileSync(join(directory, 'old.log'), 'left over\n')
    utimesSync(join(directory, 'old.log'), new Date(now - 2 * day), new Date(now - 2 * day))
    const old = new RollingFile(directory, 'old', { daily: true })
    old.append('fresh\n', now)
    old.close()
    expect(read(`old-${localDay(now - 2 * day)}-1.log.rolled`)).toBe('left over\n')
  })

  it('follows a roll by somebody else and loses nothing', () => {
    const now = Date.now()
    const first = new RollingFile(directory, 'f', { daily: false, maxBytes: 200 })
    const second = new RollingFile(directory, 'f', { daily: false, maxBytes: 200 })
    for (let line = 0; line < 200; line++) (line % 2 === 0 ? first : second).append(`line ${line}\n`, now)
    first.close()
    second.close()
    const all = readdirSync(directory)
      .map((name) => read(name))
      .join('')
    expect(all.split('\n').filter(Boolean)).toHaveLength(200)
    expect(readdirSync(directory).length).toBeGreaterThan(5)
  })

  it('keeps writing while another holds the lock', () => {
    writeFileSync(join(directory, 'f.log.roll'), '')
    const file = new RollingFile(directory, 'f', { daily: false, maxBytes: 5 })
    file.append('aaaa\n', Date.now())
    file.append('bbbb\n', Date.now())
    file.close()
    expect(read('f.log')).toBe('aaaa\nbbbb\n')
  })
})

describe('rolled files', () => {
  it('are compressed', async () => {
    const name = `logstash-plain-${localDay(Date.now())}-1.log`
    writeFileSync(join(directory, `${name}.rolled`), 'text\n'.repeat(1000))
    writeFileSync(join(directory, 'logstash-plain.log'), 'current\n')
    writeFileSync(join(directory, 'other-2020-01-01-1.log'), 'not ours\n')
    await tidyRolledFiles(directory, 'logstash-plain', true, Date.now())
    expect(readdirSync(directory).sort()).toEqual(
      [`${name}.gz`, 'logstash-plain.log', 'other-2020-01-01-1.log'].sort(),
    )
    expect(gunzipSync(readFileSync(join(directory, `${name}.gz`))).toString()).toBe('text\n'.repeat(1000))
  })

  it('are kept for 7 days and 30 a day, newest numbers first', async () => {
    const now = Date.now()
    mkdirSync(directory, { recursive: true })
    for (let age = 0; age < 10; age++)
      writeFileSync(join(directory, `p-${localDay(now - age * day)}-1.log.gz`), '')
    for (let number = 2; number <= 35; number++)
      writeFileSync(join(directory, `p-${localDay(now)}-${number}.log.gz`), '')
    await tidyRolledFiles(directory, 'p', true, now)
    const left = readdirSync(directory)
    expect(left.filter((name) => name.startsWith(`p-${localDay(now)}-`))).toHaveLength(30)
    expect(left).toContain(`p-${localDay(now)}-35.log.gz`)
    expect(left).not.toContain(`p-${localDay(now)}-1.log.gz`)
    expect(left).toContain(`p-${localDay(now - 7 * day)}-1.log.gz`)
    expect(left).not.toContain(`p-${localDay(now - 8 * day)}-1.log.gz`)
  })
})

describe('ConsoleWriter', () => {
  const blocked = (): never => {
    throw Object.assign(new Error('again'), { code: 'EAGAIN' })
  }

  it('finishes partial writes', () => {
    let text = ''
    const writer = new ConsoleWriter(1, (_fd, bytes, offset) => {
      text += Buffer.from(bytes.subarray(offset, offset + 3)).toString()
      return Math.min(3, bytes.length - offset)
    })
    writer.write('0123456789\n')
    expect(text).toBe('0123456789\n')
  })

  it('waits for a full pipe', () => {
    let tries = 0
    let text = ''
    const writer = new ConsoleWriter(1, (_fd, bytes, offset) => {
      tries += 1
      if (tries < 4) blocked()
      text += Buffer.from(bytes.subarray(offset)).toString()
      return bytes.length - offset
    })
    writer.write('line\n')
    expect(text).toBe('line\n')
  })

  it('drops whole lines of a stuck pipe, keeps a begun one, and says so afterwards', () => {
    let room = 2
    let text = ''
    const writer = new ConsoleWriter(1, (_fd, bytes, offset) => {
      if (room === 0) blocked()
      const count = Math.min(room, bytes.length - offset)
      room -= count
      text += Buffer.from(bytes.subarray(offset, offset + count)).toString()
      return count
    })
    writer.write('first\n')
    writer.write('second\n')
    writer.write('third\n')
    room = 1000
    writer.write('fourth\n')
    expect(text).toBe('first\n2 log lines were dropped: standard output was blocked\nfourth\n')
  })

  it('gives up when the reader is gone', () => {
    let calls = 0
    const writer = new ConsoleWriter(1, () => {
      calls += 1
      throw Object.assign(new Error('pipe'), { code: 'EPIPE' })
    })
    writer.write('a\n')
    writer.write('b\n')
    expect(calls).toBe(1)
  })
})
