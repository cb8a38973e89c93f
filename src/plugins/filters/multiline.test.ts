import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import type { Fields } from '../../event/value.ts'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import multiline from './multiline.ts'

async function run(lines: (string | Fields)[], options: TestOptions): Promise<Fields[]> {
  const events = lines.map((line) => (typeof line === 'string' ? { message: line } : line))
  return runFilter(multiline, options, events)
}

const tags = ['multiline']

describe('multiline filter', () => {
  it('joins lines with the line before', async () => {
    expect(await run(['a', ' b', ' c', 'd', ' e'], { pattern: '^\\s', what: 'previous' })).toEqual([
      { message: 'a\n b\n c', tags },
      { message: 'd\n e', tags },
    ])
  })

  it('joins lines with the line after', async () => {
    expect(await run(['a\\', 'b\\', 'c', 'd'], { pattern: '\\\\$', what: 'next' })).toEqual([
      { message: 'a\\\nb\\\nc', tags },
      { message: 'd' },
    ])
  })

  it('takes lines that do not match, with grok patterns', async () => {
    const lines = ['2024-01-01 first', 'more', '2024-01-02 second']
    expect(await run(lines, { pattern: '^%{YEAR}-', negate: true, what: 'previous' })).toEqual([
      { message: '2024-01-01 first\nmore', tags },
      { message: '2024-01-02 second' },
    ])
  })

  it('joins lines of another field', async () => {
    const lines = [
      { text: 'a', message: '1' },
      { text: ' b', message: '1' },
      { text: 'c', message: ' 1' },
    ]
    expect(await run(lines, { pattern: '^\\s', what: 'previous', source: 'text' })).toEqual([
      { text: 'a\n b', message: '1', tags },
      { text: 'c', message: ' 1' },
    ])
  })

  it('reads patterns of its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-multiline-'))
    await writeFile(join(folder, 'own'), 'BEGIN >>\n')
    const options = { pattern: '^%{BEGIN}', negate: true, what: 'previous', patterns_dir: [folder] }
    expect(await run(['>> a', 'b', '>> c'], options)).toEqual([
      { message: '>> a\nb', tags },
      { message: '>> c' },
    ])
    await rm(folder, { recursive: true })
  })

  it('keeps streams apart', async () => {
    const lines = [
      { message: 'a', host: '1' },
      { message: 'b', host: '2' },
      { message: ' a', host: '1' },
      { message: ' b', host: '2' },
    ]
    expect(await run(lines, { pattern: '^\\s', what: 'previous' })).toEqual([
      { message: 'a\n a', host: '1', tags },
      { message: 'b\n b', host: '2', tags },
    ])
  })

  it('unites other fields and keeps the first time', async () => {
    const lines = [
      { message: 'a', n: 1, '@timestamp': new Timestamp(1000) },
      { message: ' b', n: 2, x: true, '@timestamp': new Timestamp(2000) },
    ]
    expect(await run(lines, { pattern: '^\\s', what: 'previous' })).toEqual([
      { message: 'a\n b', n: [1, 2], x: true, tags, '@timestamp': new Timestamp(1000) },
    ])
  })

  it('keeps equal lines, unless told not to', async () => {
    const options = { pattern: '^\\s', what: 'previous' }
    expect(await run(['a', ' b', ' b'], options)).toEqual([{ message: 'a\n b\n b', tags }])
    expect(await run(['a', ' b', ' b'], { ...options, allow_duplicates: false })).toEqual([
      { message: 'a\n b', tags },
    ])
  })

  it('sends old messages on, decorated', async () => {
    const { instance, filter } = filterFor(multiline, {
      pattern: '^\\s',
      what: 'previous',
      stream_identity: '%{s}',
      add_field: { done: '1' },
    })
    const now = Timestamp.now()
    const old = new Timestamp(now.millis - 6000)
    await filter([
      testEvent({ s: 'a', message: 'a', '@timestamp': old }),
      testEvent({ s: 'b', message: 'b', '@timestamp': now }),
    ])
    const flushed = (await instance.flush?.(false))!
    expect(flushed.map((event) => [event.get('message'), event.get('done'), event.cancelled])).toEqual([
      ['a', '1', false],
    ])
    expect(await instance.flush?.(true)).toHaveLength(1)
  })

  it('waits for a message as long as it is told', async () => {
    const { instance, filter } = filterFor(multiline, { pattern: '^\\s', what: 'previous', max_age: 60 })
    const aged = (seconds: number) => new Timestamp(Timestamp.now().millis - seconds * 1000)
    await filter([testEvent({ message: 'a', '@timestamp': aged(30) })])
    expect(await instance.flush?.(false)).toEqual([])
    await filter([testEvent({ message: 'b', '@timestamp': aged(90) })])
    expect((await instance.flush?.(false))!.map((event) => event.get('message'))).toEqual(['b'])
  })
})
