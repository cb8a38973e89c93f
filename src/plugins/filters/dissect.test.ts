import { describe, expect, it } from 'vitest'
import { LsFloat } from '../../event/value.ts'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import dissect from './dissect.ts'

async function cut(pattern: string, message: unknown, options: TestOptions = {}) {
  const created = filterFor(dissect, { mapping: { '[m]': pattern }, remove_field: ['m'], ...options })
  const [event] = await created.filter([testEvent({ m: message as string })])
  const fields = event!.toHash()
  delete fields['@timestamp']
  delete fields['@version']
  return { fields, logger: created.environment.logger, counts: created.environment.counts }
}

describe('dissect', () => {
  it.each<[string, string, object]>([
    ['%{a} %{b}', 'x y z', { a: 'x', b: 'y z' }],
    ['%{a}, %{b};', 'x, y;rest', { a: 'x', b: 'y' }],
    ['<%{a}>%{}', '<1>rest', { a: '1' }],
    ['%{a} %{?b} %{c}', '1 2 3', { a: '1', c: '3' }],
    // A delimiter at the very beginning is not passed; seen in Logstash 8.19.
    ['%{a}|%{b}', '|', { a: '', b: '|' }],
    ['%{a} %{b} %{c} %{d}', '  pad  ', { a: '', b: '', c: '', d: '  pad  ' }],
    ['%{a}->%{b}', 'x->y', { a: 'x', b: 'y' }],
    ['%{a->} %{b}', 'x    y', { a: 'x', b: 'y' }],
    ['%{a->}, %{b}', 'x, , y', { a: 'x', b: 'y' }],
    ['%{->} %{b}', '----  y', { '': '----', b: 'y' }],
    ['%{a} %{+a} %{+a}', '1 2 3', { a: '1 2 3' }],
    ['%{a}/%{+a}/%{+a}', '1/2/3', { a: '1/2/3' }],
    ['%{+a/2} %{+a/1} %{+a/3}', '1 2 3', { a: '2 1 3' }],
    ['%{+a/2->}  %{+a/1}', '1    2', { a: '2 1' }],
    ['%{+a->/2}  %{+a/1}', '1    2', { a: '2 1' }],
    ['%{?k}=%{&k}', 'user=joe', { user: 'joe' }],
    ['%{k}=%{&k}', 'user=joe', { k: 'user', user: 'joe' }],
    ['%{&k}=%{?k}', 'joe=user', { user: 'joe' }],
    ['%{[a][b]} %{[[c][d]]}', '1 2', { a: { b: '1' }, c: { d: '2' } }],
    ['%{a} %{b}  %{c}', '1 2 3  4', { a: '1', b: '2 3', c: '4' }],
  ])('%j on %j', async (pattern, message, expected) => {
    expect((await cut(pattern, message)).fields).toEqual(expected)
  })

  it.each([
    ['%{a}:%{b}', 'no colon'],
    ['x%{a}', 'yx1'],
    ['%{a} %{b};', 'x y'],
    ['%{a}%{b}', 'xy'],
    ['%{a} %{b}', ''],
    ['%{a} %{b}', null],
    ['%{a} %{b}', 5],
  ])('tags where %j meets %j, and saves nothing', async (pattern, message) => {
    const { fields, counts } = await cut(pattern, message, { add_tag: ['ok'] })
    expect(fields).toEqual({ m: message, tags: ['_dissectfailure'] })
    expect(counts.get('failures')).toBe(1)
  })

  it('tags as told', async () => {
    const { fields } = await cut('%{a}:%{b}', 'x', { tag_on_failure: ['one', 'two'] })
    expect(fields).toEqual({ m: 'x', tags: ['one', 'two'] })
  })

  it('warns about a missing field without a tag', async () => {
    const { environment, filter } = filterFor(dissect, { mapping: { a: '%{b} %{c}' }, add_tag: ['ok'] })
    const [event] = await filter([testEvent({})])
    expect(event!.get('tags')).toBeUndefined()
    expect(environment.logger.messages('warn')).toEqual(['Dissector mapping, field not found in event'])
    expect(environment.counts.get('failures')).toBe(1)
  })

  it('appends to what the event has', async () => {
    expect(await runFilter(dissect, { mapping: { m: '%{+a} %{}' } }, [{ m: '2 3', a: 1 }])).toEqual([
      { m: '2 3', a: '1 2' },
    ])
  })

  it('applies the common options for each pattern that fits', async () => {
    const options = { mapping: { a: '%{x} %{}', b: '%{y} %{}' }, add_tag: ['ok'] }
    expect(
      await runFilter(dissect, options, [
        { a: '1 2', b: '3' },
        { a: '1 2', b: '3 4' },
      ]),
    ).toEqual([
      { a: '1 2', b: '3', x: '1', tags: ['ok', '_dissectfailure'] },
      { a: '1 2', b: '3 4', x: '1', y: '3', tags: ['ok', 'ok'] },
    ])
  })

  it('converts', async () => {
    const options = {
      convert_datatype: { a: 'int', '[b]': 'float', c: 'int', d: 'float' },
    }
    const { fields } = await cut('%{a} %{b} %{c}', '12 1 abc', options)
    expect(fields).toEqual({
      a: 12,
      b: new LsFloat(1),
      c: 'abc',
      tags: ['_dataconversionuncoercible_c_int', '_dataconversionnullvalue_d_float'],
    })
  })

  it.each(['%{+&a}', '%{&+a}', '%{+}', '%{?}', '%{&}', '%{+/2}'])('refuses %j', (pattern) => {
    expect(() => filterFor(dissect, { mapping: { m: pattern } })).toThrow(/^Field cannot/)
  })
})
