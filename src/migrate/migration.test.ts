import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrated, startEnds, type TestEnd } from './testing.ts'

let ends: Awaited<ReturnType<typeof startEnds>>
let from: TestEnd
let to: TestEnd

beforeEach(async () => {
  ends = await startEnds()
  ;({ from, to } = ends)
})

afterEach(() => ends.stop())

const longId = 'ü'.repeat(250)
const ids = ['1', 'a b', 'a/b?c=d&e', '%2F', '"quoted"\\', '__proto__', 'constructor', '-', '日本', longId]

describe('documents', () => {
  it('keep ids, routing, versions and the digits of their numbers', async () => {
    await from.ask('PUT', '/a', {
      settings: { number_of_shards: 3 },
      mappings: {
        properties: { list: { type: 'nested' }, exact: { type: 'object', enabled: false } },
      },
    })
    await from.bulk(
      ids.flatMap((id, place) => [
        {
          index: {
            _index: 'a',
            _id: id,
            routing: `r ${place}`,
            version: place * 1e12 + 1,
            version_type: 'external',
          },
        },
        `{"list":[{"x":1},{"x":2}],"exact":{"d":1.10,"n":12345678901234567890123,"e":1E2},"__proto__":{"a":"\\u00fc"},"t":"line\\nbreak"}`,
      ]),
    )
    // A source with line breaks in it, and a large one.
    await from.store.text('PUT', '/a/_doc/lines', '{\n  "a" :\r\n 1\n}')
    await from.ask('PUT', '/a/_doc/huge', { exact: { text: 'x'.repeat(9_000_000) } })
    const result = await migrated(from, to)
    expect(result).toMatchObject({ isComplete: true, documents: ids.length + 2, failures: 0 })
    expect(await to.contents('a')).toEqual(await from.contents('a'))
    const { text } = await to.store.text('GET', '/a/_doc/1?routing=r%200')
    expect(text).toContain(
      '"exact":{"d":1.10,"n":12345678901234567890123,"e":1E2},"__proto__":{"a":"\\u00fc"}',
    )
  })

  it('that were updated, deleted and made anew between two runs are the same after the second', async () => {
    await from.bulk([1, 2, 3, 4].flatMap((id) => [{ index: { _index: 'a', _id: id } }, { n: id }]))
    for (let time = 0; time < 5; time++) await from.ask('PUT', '/a/_doc/1', { time })
    await migrated(from, to)
    await from.ask('PUT', '/a/_settings', { 'index.gc_deletes': '0s' })
    for (const id of [1, 2]) await from.ask('DELETE', `/a/_doc/${id}`)
    await from.ask('POST', '/a/_refresh')
    await from.ask('PUT', '/a/_doc/1', { isNew: true })
    await from.ask('PUT', '/a/_doc/3', { isNew: true })
    await from.ask('PUT', '/a/_doc/5', { isNew: true })
    expect(await migrated(from, to, { mayReplace: true })).toMatchObject({ isComplete: true, documents: 4 })
    expect(await to.contents('a')).toEqual(await from.contents('a'))
  })

  it('that the target refuses are told and counted, and nothing is switched', async () => {
    await from.ask('PUT', '/a', { mappings: { dynamic: false, properties: { n: { type: 'keyword' } } } })
    await from.bulk([{ index: { _index: 'a', _id: 'x' } }, { n: 'word' }])
    // A mapping of the target that was there before: the index is taken for one this migration has made.
    const first = await migrated(from, to, { keepsSource: true })
    expect(first.isComplete).toBe(true)
    await to.ask('DELETE', '/a')
    await to.ask('PUT', '/_index_template/t', {
      index_patterns: ['a'],
      template: { mappings: { properties: { m: { type: 'long' } } } },
    })
    await from.bulk([{ index: { _index: 'a', _id: 'y' } }, { m: 'no number' }])
    const { told, isComplete, failures } = await migrated(from, to)
    expect({ isComplete, failures }).toMatchObject({ isComplete: false })
    expect(failures).toBeGreaterThan(0)
    expect(told.join('\n')).toContain('a/y: 400')
    // The source takes writes as before.
    await from.bulk([{ index: { _index: 'a', _id: 'z' } }, { n: '1' }])
  })
})

describe('an index', () => {
  it('comes with its mapping, settings and aliases', async () => {
    await from.ask('PUT', '/_ingest/pipeline/p', { processors: [{ set: { field: 'set', value: 1 } }] })
    await from.ask('PUT', '/a', {
      settings: {
        'index.number_of_shards': 2,
        'index.refresh_interval': '7s',
        'index.default_pipeline': 'p',
        'index.max_result_window': 30,
        analysis: { analyzer: { mine: { tokenizer: 'keyword', filter: ['lowercase'] } } },
      },
      mappings: { properties: { text: { type: 'text', analyzer: 'mine' } } },
      aliases: { one: { filter: { term: { text: 'x' } }, routing: 'r' }, two: { is_write_index: true } },
    })
    await from.bulk(
      Array.from({ length: 100 }, (_, n) => [
        { index: { _index: 'a', _id: `${n}`, pipeline: '_none' } },
        { n },
      ]).flat(),
    )
    expect((await migrated(from, to)).isComplete).toBe(true)
    const shape = async (end: TestEnd) => {
      const { a } = await end.ask<Record<string, { settings: { index: Record<string, unknown> } }>>(
        'GET',
        '/a',
      )
      const { uuid, version, creation_date, provided_name, replication, ...rest } = a!.settings.index
      return { ...a, settings: rest }
    }
    expect(await shape(to)).toEqual(await shape(from))
    // The pipeline of the index did not run again.
    expect(await to.contents('a')).toEqual(await from.contents('a'))
  })

  it('that the target has already is left alone unless it may be replaced', async () => {
    await from.bulk([{ index: { _index: 'a', _id: '1' } }, { n: 1 }])
    await to.bulk([{ index: { _index: 'a', _id: '2' } }, { n: 2 }])
    const { isComplete, told } = await migrated(from, to)
    expect(isComplete).toBe(false)
    expect(told.join('\n')).toContain('a exists at')
    expect(await to.contents('a')).toHaveLength(1)
    expect((await migrated(from, to, { mayReplace: true })).isComplete).toBe(true)
    expect(await to.contents('a')).toEqual(await from.contents('a'))
  })

  it('stays blocked for writing at the source, unless it is kept', async () => {
    await from.bulk([{ index: { _index: 'a', _id: '1' } }, { n: 1 }])
    await migrated(from, to, { keepsSource: false })
    await expect(from.ask('PUT', '/a/_doc/2', {})).rejects.toThrow('index write (api)')
    // The block is the source's own affair.
    await to.ask('PUT', '/a/_doc/2', {})
  })
})

describe('definitions', () => {
  const put = async (end: TestEnd) => {
    await end.ask('PUT', '/_ingest/pipeline/p', { processors: [{ set: { field: 'a', value: 1 } }] })
    await end.ask('PUT', '/_component_template/c', { template: { settings: { number_of_shards: 2 } } })
    await end.ask('PUT', '/_index_template/i', { index_patterns: ['i-*'], composed_of: ['c'], priority: 7 })
    await end.ask('PUT', '/_template/old', { index_patterns: ['old-*'], order: 3 })
    await end.ask('PUT', '/_scripts/s', { script: { lang: 'painless', source: 'ctx._source.a = 1' } })
  }
  const read = async (end: TestEnd) => [
    await end.ask('GET', '/_ingest/pipeline/p'),
    await end.ask('GET', '/_component_template/c'),
    await end.ask('GET', '/_index_template/i'),
    await end.ask('GET', '/_template/old'),
    await end.ask('GET', '/_scripts/s'),
  ]

  it('come along', async () => {
    await put(from)
    expect((await migrated(from, to)).isComplete).toBe(true)
    expect(await read(to)).toEqual(await read(from))
  })

  it('that are others at the target stay there, and are told', async () => {
    await put(from)
    await to.ask('PUT', '/_template/old', { index_patterns: ['old-*'], order: 4 })
    const { isComplete, told } = await migrated(from, to)
    expect(isComplete).toBe(true)
    expect(told.join('\n')).toContain('template old is another one at the target')
    expect(await to.ask('GET', '/_template/old')).toMatchObject({ old: { order: 4 } })
  })
})

describe('a data stream', () => {
  it('comes with as many backing indices and all documents', async () => {
    await from.ask('PUT', '/_index_template/s', { index_patterns: ['s-*'], data_stream: {} })
    for (let part = 0; part < 3; part++) {
      if (part > 0) await from.ask('POST', '/s-1/_rollover')
      await from.bulk(
        [0, 1, 2].flatMap((n) => [
          { create: { _index: 's-1', _id: `${part}-${n}` } },
          { '@timestamp': n, part },
        ]),
      )
    }
    const streams = (end: TestEnd) =>
      end.ask<{ data_streams: { indices: { index_name: string }[] }[] }>('GET', '/_data_stream/s-1')
    const old = (await streams(from)).data_streams[0]!.indices[0]!.index_name
    expect((await migrated(from, to)).isComplete).toBe(true)
    const there = (await streams(to)).data_streams[0]!.indices
    expect(there).toHaveLength(3)
    expect(await to.contents(there[0]!.index_name, false)).toEqual(await from.contents(old, false))
    expect(await to.store.count('s-1')).toBe(9)
  })
})

describe('a dry run', () => {
  it('says what there is and changes nothing', async () => {
    await from.bulk([{ index: { _index: 'a', _id: '1' } }, { n: 1 }])
    const { told, documents } = await migrated(from, to, { isDryRun: true })
    expect(told).toEqual(['a: index, 1 documents'])
    expect(documents).toBe(1)
    expect(await to.store.find('/a')).toBeUndefined()
  })

  it('is refused between an end and itself', async () => {
    await expect(migrated(from, from)).rejects.toThrow('are the same store')
  })
})
