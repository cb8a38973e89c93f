/** Filters whose whole behaviour fits into a few lines; their examples say the rest. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LsFloat } from '../../event/value.ts'
import { filterFor, runFilter } from '../../plugin/testing.ts'
import alter from './alter.ts'
import anonymize from './anonymize.ts'
import environment from './environment.ts'
import jsonEncode from './json-encode.ts'
import truncate from './truncate.ts'
import uuid from './uuid.ts'

describe('json_encode', () => {
  it('writes any value, into the source unless told otherwise', async () => {
    const events = [{ a: { b: new LsFloat(1) } }, { a: 'x"y' }, { a: null }, { c: 1 }]
    expect(await runFilter(jsonEncode, { source: 'a', add_tag: ['ok'] }, events)).toEqual([
      { a: '{"b":1.0}', tags: ['ok'] },
      { a: '"x\\"y"', tags: ['ok'] },
      { a: 'null', tags: ['ok'] },
      { c: 1, a: 'null', tags: ['ok'] },
    ])
  })
})

describe('json_encode into what cannot hold it', () => {
  it('tags, and does not match', async () => {
    const options = { source: 'a', target: '[n][x]', add_tag: ['ok'] }
    expect(await runFilter(jsonEncode, options, [{ a: 1, n: 5 }])).toEqual([
      { a: 1, n: 5, tags: ['_jsongeneratefailure'] },
    ])
  })
})

describe('uuid', () => {
  it('sets an identifier, and replaces one when asked', async () => {
    const [fields] = await runFilter(uuid, { target: 'id', overwrite: true }, [{ id: 'old' }])
    expect(fields?.['id']).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(await runFilter(uuid, { target: 'id' }, [{ id: 'old' }])).toEqual([{ id: 'old' }])
  })
})

describe('truncate', () => {
  it('never cuts a character', () => {
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 0, max: 20 }),
        async (text, length) => {
          const [fields] = await runFilter(truncate, { fields: ['a'], length_bytes: length }, [{ a: text }])
          const cut = fields?.['a'] as string
          expect(text.startsWith(cut)).toBe(true)
          expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(length)
          const next = [...text.slice(cut.length)][0]
          if (next !== undefined) expect(Buffer.byteLength(cut + next)).toBeGreaterThan(length)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('cuts all fields unless some are named, and matches when it did', async () => {
    const options = { length_bytes: 2, add_tag: ['cut'] }
    expect(await runFilter(truncate, options, [{ a: { b: ['abc'] }, n: 12345 }, { a: 'ab' }])).toEqual([
      { a: { b: ['ab'] }, n: 12345, tags: ['cut'] },
      { a: 'ab' },
    ])
  })
})

describe('alter', () => {
  it('compares with filled-in values, in lists too', async () => {
    const options = { condrewrite: ['a', '%{b}', 'new %{b}'] }
    expect(
      await runFilter(alter, options, [{ a: 'x', b: 'x' }, { a: ['y', 'x'], b: 'x' }, { a: 'z' }]),
    ).toEqual([{ a: 'new x', b: 'x' }, { a: ['y', 'new x'], b: 'x' }, { a: 'z' }])
  })

  it('changes another field where a value is found', async () => {
    const options = { condrewriteother: ['a', '%{b}', 'c', 'new %{b}', 'a', 'z', 'd', 'seen'] }
    expect(
      await runFilter(alter, options, [{ a: 'x', b: 'x' }, { a: ['y', 'x'], b: 'x' }, { a: 'z' }]),
    ).toEqual([
      { a: 'x', b: 'x', c: 'new x' },
      { a: ['y', 'x'], b: 'x', c: 'new x' },
      { a: 'z', d: 'seen' },
    ])
  })

  it('gives a field the first value that is known', async () => {
    const events = [{ x: '1', y: '2' }, { y: '2', a: 'old' }, {}]
    expect(await runFilter(alter, { coalesce: ['a', '%{x}', '%{y}', 'none'] }, events)).toEqual([
      { x: '1', y: '2', a: '1' },
      { y: '2', a: '2' },
      { a: 'none' },
    ])
  })

  it('leaves a field alone when no value is known', async () => {
    expect(await runFilter(alter, { coalesce: ['a', '%{x}', '%{y}'], add_tag: ['ok'] }, [{ a: 1 }])).toEqual([
      { a: 1, tags: ['ok'] },
    ])
  })

  it('refuses incomplete lists', () => {
    expect(() => filterFor(alter, { condrewrite: ['a', 'b'] })).toThrow('Invalid condrewrite configuration')
  })
})

describe('anonymize', () => {
  it('replaces fields, lists item by item', async () => {
    const options = { fields: ['a', 'b', 'none'], algorithm: 'SHA1', key: 'key' }
    const text = 'The quick brown fox jumps over the lazy dog'
    const digest = 'de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9'
    expect(await runFilter(anonymize, options, [{ a: text, b: [text] }])).toEqual([
      { a: digest, b: [digest] },
    ])
  })
})

describe('environment', () => {
  it('sets fields and metadata', async () => {
    process.env['MILLRACE_TEST_VARIABLE'] = 'value'
    const options = {
      add_field_from_env: { '[a][b]': 'MILLRACE_TEST_VARIABLE' },
      add_metadata_from_env: { c: 'MILLRACE_TEST_VARIABLE' },
    }
    expect(await runFilter(environment, options, [{}])).toEqual([
      { a: { b: 'value' }, '@metadata': { c: 'value' } },
    ])
    delete process.env['MILLRACE_TEST_VARIABLE']
  })
})
