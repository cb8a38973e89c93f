import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { shareLevels } from './levels.ts'
import { Logger, levelOf, levels, resetLevels, setLevel, setLevels } from './logger.ts'
import { SharedLevels } from './shared-levels.ts'

function memory(bytes = 1024) {
  const buffer = new SharedArrayBuffer(bytes)
  return { buffer, open: () => new SharedLevels(buffer, 0, bytes) }
}

describe('levels in shared memory', () => {
  it('are noticed by others once', () => {
    const { open } = memory()
    const [writer, reader] = [open(), open()]
    expect(reader.isChanged()).toBe(false)
    writer.write(
      new Map([
        ['logstash.변환', 'DEBUG'],
        ['', 'WARN'],
        ['__proto__', 'OFF'],
      ]),
    )
    expect(reader.isChanged()).toBe(true)
    expect([...(reader.read() ?? [])]).toEqual([
      ['logstash.변환', 'DEBUG'],
      ['', 'WARN'],
      ['__proto__', 'OFF'],
    ])
    expect(reader.isChanged()).toBe(false)
    writer.write(new Map())
    expect(reader.read()).toEqual(new Map())
  })

  it('are not read while they are being written', () => {
    const { buffer, open } = memory()
    const reader = open()
    Atomics.store(new Int32Array(buffer), 0, 1)
    expect(reader.isChanged()).toBe(true)
    expect(reader.read()).toBeUndefined()
    expect(reader.isChanged()).toBe(true)
  })

  it('are refused when there is no room, and stay as they were', () => {
    const { open } = memory(64)
    const [writer, reader] = [open(), open()]
    writer.write(new Map([['a', 'INFO']]))
    expect(() => writer.write(new Map([['x'.repeat(100), 'INFO']]))).toThrow('too many loggers')
    expect(reader.read()).toEqual(new Map([['a', 'INFO']]))
  })
})

describe('loggers that share levels', () => {
  afterEach(() => {
    resetLevels()
    shareLevels(memory().open())
  })

  it('follow changes of another thread at their next call', async () => {
    const { buffer, open } = memory()
    const logger = new Logger('shared.child')
    shareLevels(open())
    expect(logger.isEnabled('debug')).toBe(false)
    // What another thread does, without a loader for this test's language.
    const worker = new Worker(
      `const { workerData } = require('node:worker_threads')
       const head = new Int32Array(workerData, 0, 2)
       const bytes = Buffer.from('{"shared":"DEBUG"}')
       Atomics.store(head, 0, 1)
       new Uint8Array(workerData, 8).set(bytes)
       Atomics.store(head, 1, bytes.length)
       Atomics.store(head, 0, 2)`,
      { eval: true, workerData: buffer },
    )
    await new Promise((resolve) => worker.once('exit', resolve))
    expect(logger.isEnabled('debug')).toBe(true)
    expect(levels().get('shared')).toBe('DEBUG')
  })

  it('start with what was set before they came', () => {
    const { open } = memory()
    open().write(new Map([['early', 'TRACE']]))
    shareLevels(open())
    expect(new Logger('early.bird').isEnabled('trace')).toBe(true)
  })

  it('change all or nothing', () => {
    const { open } = memory()
    const other = open()
    shareLevels(open())
    expect(() =>
      setLevels(
        new Map([
          ['a', 'DEBUG'],
          ['b', 'loud'],
        ]),
      ),
    ).toThrow('invalid level[loud] for logger[b]')
    expect(other.isChanged()).toBe(false)
    expect(levelOf('a')).toBe('INFO')
    setLevel('a', 'debug')
    expect(other.read()).toEqual(new Map([['a', 'DEBUG']]))
    resetLevels()
    expect(other.read()).toEqual(new Map())
    expect(levelOf('a')).toBe('INFO')
    expect(levels().has('a')).toBe(false)
  })
})
