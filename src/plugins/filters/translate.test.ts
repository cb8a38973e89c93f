import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { LsFloat } from '../../event/value.ts'
import { filterFor, recordingLogger, runFilter, testEvent } from '../../plugin/testing.ts'
import { RefreshedLookup } from './translate/refreshed-lookup.ts'
import translate from './translate.ts'

const folder = mkdtempSync(join(tmpdir(), 'translate-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const dictionary = { '1': 'one', two: 'zwei' }

describe('translate', () => {
  it('looks the whole value up, as text', async () => {
    const options = { source: 'a', target: 'b', dictionary, add_tag: ['ok'] }
    const events = [{ a: 1 }, { a: 'two' }, { a: 'two!' }, { a: ['two', 'x'] }, { c: 1 }]
    expect(await runFilter(translate, options, events)).toEqual([
      { a: 1, b: 'one', tags: ['ok'] },
      { a: 'two', b: 'zwei', tags: ['ok'] },
      { a: 'two!' },
      { a: ['two', 'x'], b: 'zwei', tags: ['ok'] },
      { c: 1 },
    ])
  })

  it('has a default target by mode', async () => {
    const options = { source: 'a', dictionary }
    expect(await runFilter(translate, options, [{ a: '1' }])).toEqual([{ a: '1', translation: 'one' }])
    expect(await runFilter(translate, options, [{ a: '1' }], { ecs: 'v8' })).toEqual([{ a: 'one' }])
  })

  it('knows the old names of source and target', async () => {
    expect(await runFilter(translate, { field: 'a', destination: 'b', dictionary }, [{ a: '1' }])).toEqual([
      { a: '1', b: 'one' },
    ])
    expect(() => filterFor(translate, { dictionary })).toThrow('source')
  })

  it('overrides an existing target when asked, and the source always', async () => {
    const options = { source: 'a', target: 'b', dictionary }
    expect(await runFilter(translate, options, [{ a: '1', b: 'old' }])).toEqual([{ a: '1', b: 'old' }])
    expect(await runFilter(translate, { ...options, override: true }, [{ a: '1', b: 'old' }])).toEqual([
      { a: '1', b: 'one' },
    ])
    expect(await runFilter(translate, { ...options, target: 'a' }, [{ a: '1' }])).toEqual([{ a: 'one' }])
    expect(await runFilter(translate, { ...options, target: 'a', override: false }, [{ a: '1' }])).toEqual([
      { a: '1' },
    ])
  })

  it('matches in place even where the dictionary has nothing', async () => {
    const options = { source: 'a', target: 'a', dictionary: { x: 'y' }, add_tag: ['ok'] }
    expect(await runFilter(translate, options, [{ a: 'x' }, { a: 'q' }, {}])).toEqual([
      { a: 'y', tags: ['ok'] },
      { a: 'q', tags: ['ok'] },
      {},
    ])
  })

  it('falls back, with fields filled in, and matches then', async () => {
    const options = { source: 'a', target: 'b', dictionary, fallback: 'no %{a}', add_tag: ['ok'] }
    expect(await runFilter(translate, options, [{ a: 'x' }, {}])).toEqual([
      { a: 'x', b: 'no x', tags: ['ok'] },
      {},
    ])
  })

  it('takes the first expression that matches anywhere', async () => {
    const options = {
      source: 'a',
      target: 'b',
      regex: true,
      dictionary: ['^1\\d\\d', 'info', '\\d', 'number'],
    }
    expect(await runFilter(translate, options, [{ a: '100' }, { a: 'x7' }, { a: 'x' }])).toEqual([
      { a: '100', b: 'info' },
      { a: 'x7', b: 'number' },
      { a: 'x' },
    ])
  })

  it('replaces keys inside of a text, literally', async () => {
    const options = {
      source: 'a',
      target: 'b',
      exact: false,
      dictionary: { 'a.': 'X', ab: 'Y', a: 'Z' },
      add_tag: ['ok'],
    }
    expect(await runFilter(translate, options, [{ a: 'ab a. ac' }, { a: 'none'.replace('a', '') }])).toEqual([
      { a: 'ab a. ac', b: 'Y X Zc', tags: ['ok'] },
      { a: 'none' },
    ])
  })

  it('translates lists', async () => {
    const options = { source: 'a', target: 'b', iterate_on: 'a', dictionary, add_tag: ['ok'] }
    const events = [{ a: ['1', 'x', 'two'] }, { a: ['x'] }, { a: '1' }]
    expect(await runFilter(translate, options, events)).toEqual([
      { a: ['1', 'x', 'two'], b: ['one', null, 'zwei'], tags: ['ok'] },
      { a: ['x'], b: [null] },
      { a: '1', b: ['one'], tags: ['ok'] },
    ])
  })

  it('translates inside of the maps of a list', async () => {
    const options = { source: 'id', target: 'name', iterate_on: '[l][m]', dictionary, fallback: '?' }
    const maps = [{ id: 1 }, { id: 'x' }, { other: 1 }]
    expect(await runFilter(translate, options, [{ l: { m: maps } }])).toEqual([
      { l: { m: [{ id: 1, name: 'one' }, { id: 'x', name: '?' }, { other: 1 }] } },
    ])
  })

  it.each([
    ['a.yml', '# comment\n"100": Continue\n101: \'Switching Protocols\'\nmerci: gracias # thanks\n'],
    ['b.yaml', '---\n"100": Continue\n101: Switching Protocols\nmerci:\n  gracias\n'],
    ['c.json', '{"100":"Continue","101":"Switching Protocols","merci":"gracias"}'],
    ['d.csv', '100,Continue\r\n101,"Switching Protocols"\nmerci,gracias,ignored\n'],
  ])('reads %s', async (name, text) => {
    const options = { source: 'a', target: 'b', dictionary_path: file(name, text) }
    const events = [{ a: 100 }, { a: '101' }, { a: 'merci' }, { a: 'x' }]
    expect((await runFilter(translate, options, events)).map(({ b }) => b)).toEqual([
      'Continue',
      'Switching Protocols',
      'gracias',
      undefined,
    ])
  })

  it('keeps structures and kinds of numbers, a copy for each event', async () => {
    const path = file('s.yml', 'a:\n  b: [1, 1.0, yes, ~]\nx: 7\n')
    const { instance, filter } = filterFor(translate, { source: 's', target: 't', dictionary_path: path })
    await instance.register?.()
    const [first, second] = await filter([testEvent({ s: 'a' }), testEvent({ s: 'a' })])
    first!.set('[t][b][0]', 'changed')
    expect(second!.get('[t][b]')).toEqual([1, new LsFloat(1), true, null])
    await instance.close?.()
  })

  it('refuses two dictionaries, unknown formats and broken files', async () => {
    const path = file('e.yml', 'a: b')
    expect(() => filterFor(translate, { source: 'a', dictionary, dictionary_path: path })).toThrow(
      'mutually exclusive',
    )
    expect(() => filterFor(translate, { source: 'a', dictionary_path: file('e.txt', '') })).toThrow(
      'has a non valid format',
    )
    const broken = filterFor(translate, { source: 'a', dictionary_path: file('f.json', '{') })
    await expect(broken.instance.register?.()).rejects.toThrow(
      /^Translate: [\s\S]* when loading dictionary file at /,
    )
  })
})

describe('a dictionary file with a mistake', () => {
  it.each([
    ['quote.csv', 'a,1\nb "c",2\n', 'Illegal quoting in line 1.'],
    ['open.csv', '"a,1\n', 'Unclosed quoted field in line 1.'],
    ['after.csv', '"a"b,1\n', "Any value after quoted field isn't allowed in line 1."],
    ['list.json', '[1]', 'the JSON is no object'],
    ['list.yml', '- a\n- b\n', 'the YAML is no map'],
  ])('%s is refused at the start, and left alone later', async (name, text, message) => {
    const path = file(name, text)
    const logger = recordingLogger()
    const options = { path, exact: true, regex: false, refreshInterval: 300, logger } as const
    const looked = new RefreshedLookup({ ...options, refreshBehaviour: 'replace' })
    const refusal = `Translate: ${message} when loading dictionary file at ${path}`
    await expect(looked.start()).rejects.toThrow(refusal)
    file(name, '')
    await looked.start()
    file(name, text)
    utimesSync(path, 1, 1)
    await looked.refresh()
    looked.stop()
    expect(logger.messages('warn')).toEqual([`${refusal}, continuing with old dictionary`])
  })
})

describe('a dictionary file that changes', () => {
  async function changed(refreshBehaviour: 'merge' | 'replace') {
    const path = file(`r-${refreshBehaviour}.yml`, 'a: one\nb: two\n')
    const logger = recordingLogger()
    const looked = new RefreshedLookup({
      path,
      exact: true,
      regex: false,
      refreshInterval: 300,
      refreshBehaviour,
      logger,
    })
    await looked.start()
    writeFileSync(path, 'a: new\n')
    utimesSync(path, 1, 1)
    await looked.refresh()
    const result = [looked.lookup('a'), looked.lookup('b')]
    rmSync(path)
    await looked.refresh()
    looked.stop()
    expect(looked.lookup('a')).toBe('new')
    expect(logger.messages('warn')).toEqual(['dictionary file read failure, continuing with old dictionary'])
    return result
  }

  it('is merged or replaced, and kept when it is gone', async () => {
    expect(await changed('merge')).toEqual(['new', 'two'])
    expect(await changed('replace')).toEqual(['new', undefined])
  })

  it.each([
    ['merge', 'two'],
    ['replace', undefined],
  ])('is read again after refresh_interval, refresh_behaviour %s', async (refresh_behaviour, old) => {
    const path = file(`i-${refresh_behaviour}.yml`, 'a: one\nb: two\n')
    const { instance, filter } = filterFor(translate, {
      source: 's',
      target: 't',
      dictionary_path: path,
      refresh_interval: 0.02,
      refresh_behaviour,
    })
    await instance.register?.()
    writeFileSync(path, 'a: new\n')
    utimesSync(path, 1, 1)
    const look = async (s: string) => (await filter([testEvent({ s })]))[0]!.get('t')
    for (let i = 0; i < 500 && (await look('a')) === 'one'; i++) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect([await look('a'), await look('b')]).toEqual(['new', old])
    await instance.close?.()
  })

  it.each([
    [300, 'one'],
    [301, 'new'],
  ])('with refresh_interval %d an unchanged time gives %s', async (refreshInterval, expected) => {
    const path = file(`u-${refreshInterval}.yml`, 'a: one\n')
    utimesSync(path, 1, 1)
    const logger = recordingLogger()
    const options = { path, exact: true, regex: false, refreshBehaviour: 'merge' as const, logger }
    const looked = new RefreshedLookup({ ...options, refreshInterval })
    await looked.start()
    writeFileSync(path, 'a: new\n')
    utimesSync(path, 1, 1)
    await looked.refresh()
    looked.stop()
    expect(looked.lookup('a')).toBe(expected)
  })

  it('is read once with refresh_interval 0', async () => {
    const timers = vi.spyOn(globalThis, 'setInterval')
    const options = { source: 's', dictionary_path: file('z.yml', 'a: one\n') }
    for (const [refresh_interval, count] of [
      [0, 0],
      [60, 1],
    ]) {
      timers.mockClear()
      const { instance } = filterFor(translate, { ...options, refresh_interval })
      await instance.register?.()
      expect(timers.mock.calls.map(([, milliseconds]) => milliseconds)).toEqual(count === 0 ? [] : [60_000])
      await instance.close?.()
    }
    timers.mockRestore()
  })
})
