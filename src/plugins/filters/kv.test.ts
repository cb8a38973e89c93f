import { describe, expect, it } from 'vitest'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import kv from './kv.ts'

async function parse(message: unknown, options: TestOptions = {}) {
  const created = filterFor(kv, { target: 'kv', ...options })
  const [event] = await created.filter([testEvent({ message: message as string })])
  return { found: event!.get('kv'), tags: event!.get('tags'), logger: created.environment.logger }
}

describe('kv', () => {
  it('puts pairs into the event and applies the common options', async () => {
    const message = 'hello=world a=1 hello=again'
    expect(
      await runFilter(kv, { add_tag: ['ok'], remove_field: ['message'] }, [{ message, a: 'old' }]),
    ).toEqual([{ hello: ['world', 'again'], a: '1', tags: ['ok'] }])
  })

  it('reads another field', async () => {
    expect(await runFilter(kv, { source: '[x][y]' }, [{ message: 'a=1', x: { y: 'b=2' } }])).toEqual([
      { message: 'a=1', x: { y: 'b=2' }, b: '2' },
    ])
  })

  it('takes blanks around separators as part of them, unless told otherwise', async () => {
    const pairs = async (options: TestOptions) =>
      (await runFilter(kv, { target: 't', ...options }, [{ message: 'a= b c =d' }]))[0]?.['t']
    expect(await pairs({})).toEqual({ a: 'b', c: 'd' })
    expect(await pairs({ whitespace: 'strict' })).not.toEqual({ a: 'b', c: 'd' })
  })

  it('passes events in which it finds nothing', async () => {
    const fields = [
      { message: 'nothing' },
      { message: '' },
      { message: null },
      { other: 1 },
      { message: 'a=' },
    ]
    expect(await runFilter(kv, { add_tag: ['ok'] }, fields)).toEqual(fields)
  })

  it('trims, removes and transforms in this order', async () => {
    const options = {
      field_split: ',',
      trim_key: '<>',
      remove_char_key: '_',
      transform_key: 'uppercase',
      trim_value: '. ',
      remove_char_value: 'x',
      transform_value: 'capitalize',
    }
    expect((await parse('<a_b>= .hELlo xyz.', options)).found).toEqual({ AB: 'Hello yz' })
  })

  it('knows the old names of trimming', async () => {
    expect((await parse('<a>=<b>', { trimkey: '<>', include_brackets: false, trim: '<>' })).found).toEqual({
      a: 'b',
    })
  })

  it('chooses keys before the prefix', async () => {
    const options = { include_keys: ['a', '%{none}', 'b'], exclude_keys: ['b'], prefix: 'p_' }
    expect((await parse('a=1 b=2 c=3', options)).found).toEqual({ p_a: '1' })
  })

  it('fills in names and prefix per event', async () => {
    const fields = { message: 'a=1 b=2', which: 'b' }
    expect(
      await runFilter(kv, { include_keys: ['%{which}'], prefix: '%{which}_', target: 't' }, [fields]),
    ).toEqual([{ ...fields, t: { b_b: '2' } }])
  })

  it('adds defaults, and matches with them alone', async () => {
    const options = { default_keys: { a: 'x', z: 'y' }, add_tag: ['ok'] }
    expect((await parse('a=1', options)).found).toEqual({ a: '1', z: 'y' })
    const none = await parse('nothing', options)
    expect(none.found).toEqual({ a: 'x', z: 'y' })
    expect(none.tags).toEqual(['ok'])
    expect(await runFilter(kv, options, [{}])).toEqual([{ a: 'x', z: 'y', tags: ['ok'] }])
  })

  it('keeps duplicate values or not', async () => {
    expect((await parse('a=1 a=1 a=2 a=1')).found).toEqual({ a: ['1', '1', '2', '1'] })
    expect((await parse('a=1 a=1 a=2 a=1', { allow_duplicate_values: false })).found).toEqual({
      a: ['1', '2'],
    })
  })

  it('keeps empty values or not', async () => {
    expect((await parse('a="" b= c=1')).found).toEqual({ b: 'c=1' })
    expect((await parse('a="" b=', { allow_empty_values: true })).found).toEqual({ a: '', b: '' })
  })

  it('looks inside of values', async () => {
    const options = { recursive: true, prefix: 'p_' }
    expect((await parse('a=[b=<c=1 d=2> e=3] f=4', options)).found).toEqual({
      p_a: { p_b: { p_c: '1', p_d: '2' }, p_e: '3' },
      p_f: '4',
    })
  })

  it('reads the texts of a list and warns about other types', async () => {
    expect((await parse(['a=1', 5, 'a=2 b=3'])).found).toEqual({ a: ['1', '2'], b: '3' })
    const { found, logger } = await parse({ a: 1 })
    expect(found).toBeUndefined()
    expect(logger.lines).toMatchObject([
      { level: 'warn', message: 'kv filter has no support for this type of data', fields: { type: 'Hash' } },
    ])
  })

  it('takes keys as references, and tags broken ones', async () => {
    expect(await runFilter(kv, { remove_field: ['message'] }, [{ message: '[a][b]=1' }])).toEqual([
      { a: { b: '1' } },
    ])
    const message = '[a=1'
    expect(await runFilter(kv, { tag_on_failure: ['x', 'y'], add_tag: ['ok'] }, [{ message }])).toEqual([
      { message, tags: ['x', 'y'] },
    ])
  })

  it('treats inherited names as data', async () => {
    const { found } = await parse('__proto__=1 constructor=2 toString=3')
    expect(Object.entries(found as object)).toEqual([
      ['__proto__', '1'],
      ['constructor', '2'],
      ['toString', '3'],
    ])
  })

  it('passes long runs of blanks, between pairs and alone, once', async () => {
    const blanks = ' '.repeat(200_000)
    const started = performance.now()
    const events = await runFilter(kv, {}, [
      { message: blanks },
      { message: `${blanks}a=1${blanks}b${blanks}=${blanks}2${blanks}` },
    ])
    expect(events.map(({ a, b }) => [a, b])).toEqual([
      [undefined, undefined],
      ['1', '2'],
    ])
    expect(performance.now() - started).toBeLessThan(3000)
  })

  it('handles many keys', async () => {
    const message = Array.from({ length: 100 }, (_, i) => `k${i % 50}=${i}`).join(' ')
    const { found } = await parse(message)
    expect(Object.keys(found as object)).toHaveLength(50)
    expect((found as Record<string, unknown>)['k49']).toEqual(['49', '99'])
  })

  it('tags what takes too long', async () => {
    const slow = {
      field_split_pattern: '^(?:a|a)+$',
      value_split_pattern: '=(?:a|a)+b',
      timeout_millis: 20,
    }
    const { tags, logger } = await parse(`k=${'a'.repeat(60)}!`, slow)
    expect(tags).toEqual(['_kv_filter_timeout'])
    expect((await parse(`k=${'a'.repeat(60)}!`, { ...slow, tag_on_timeout: 'own' })).tags).toEqual(['own'])
    expect(logger.messages('warn')[0]).toMatch(/^Timeout reached in KV filter with value /)
  })

  it.each(['field_split', 'value_split', 'field_split_pattern', 'value_split_pattern'])(
    'refuses an empty %s',
    (name) => {
      expect(() => filterFor(kv, { [name]: '' })).toThrow(
        `Configuration option '${name}' must be a non-empty string`,
      )
    },
  )
})
