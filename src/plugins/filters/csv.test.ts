import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat } from '../../event/value.ts'
import { isOneToOne, sharesState } from '../../plugin/instantiate.ts'
import { validOptions } from '../../plugin/testing/environment.ts'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import csv from './csv.ts'

async function parse(message: string, options: TestOptions = {}) {
  const [fields] = await runFilter(csv, { remove_field: ['message'], ...options }, [{ message }])
  return fields
}

describe('csv', () => {
  it('needs one worker only to remember names from the first event', () => {
    const traits = (given: TestOptions) => {
      const options = validOptions(csv, given)
      return [sharesState(csv, options), isOneToOne(csv, options)]
    }
    expect(traits({})).toEqual([false, true])
    expect(traits({ columns: ['a'], autodetect_column_names: true })).toEqual([false, true])
    expect(traits({ autodetect_column_names: true })).toEqual([true, false])
  })

  it('names columns, or makes up names', async () => {
    expect(await parse('big,bird,sesame street', { columns: ['first', 'last'] })).toEqual({
      first: 'big',
      last: 'bird',
      column3: 'sesame street',
    })
    expect(await parse('big,bird', { columns: ['first'], autogenerate_column_names: false })).toEqual({
      first: 'big',
    })
  })

  it('keeps empty columns as null, or skips them', async () => {
    expect(await parse('1,,"",')).toEqual({ column1: '1', column2: null, column3: '', column4: null })
    expect(await parse('1,,"",4', { skip_empty_columns: true })).toEqual({ column1: '1', column4: '4' })
  })

  it('puts columns into the target, new or there', async () => {
    const options = { target: '[t][u]', columns: ['a', '[b][c]', '__proto__'], convert: { a: 'integer' } }
    const columns = JSON.parse('{"a":1,"b":{"c":"x"},"__proto__":"y"}')
    expect(await parse('1,x,y', options)).toEqual({ t: { u: columns } })
    const plain = { target: 't', columns: ['a', 'b'], remove_field: ['message'] }
    const given = [{ message: '1,2' }, { message: '1,2', t: { b: 'old', c: 3 } }]
    expect(await runFilter(csv, plain, given)).toEqual([
      { t: { a: '1', b: '2' } },
      { t: { a: '1', b: '2', c: 3 } },
    ])
    expect(await parse(',""', { ...plain, skip_empty_columns: true })).toEqual({})
  })

  it('takes other separators and quotes', async () => {
    expect(await parse('a\t"b\tc"', { separator: '\t' })).toEqual({ column1: 'a', column2: 'b\tc' })
    expect(await parse('a;\'b;c\';"d"', { separator: ';', quote_char: "'" })).toEqual({
      column1: 'a',
      column2: 'b;c',
      column3: '"d"',
    })
    expect(await parse('a||b|c', { separator: '||' })).toEqual({ column1: 'a', column2: 'b|c' })
  })

  it('reads another field', async () => {
    expect(await runFilter(csv, { source: '[x][y]' }, [{ message: 'a', x: { y: '1,2' } }])).toEqual([
      { message: 'a', x: { y: '1,2' }, column1: '1', column2: '2' },
    ])
  })

  it('reads the first record only', async () => {
    expect(await parse('1,2\n3,4')).toEqual({ column1: '1', column2: '2' })
  })

  it('stores many columns without compiling something for each', async () => {
    const columns = 200_000
    const { filter } = filterFor(csv)
    const started = performance.now()
    const [event] = await filter([testEvent({ message: 'a,'.repeat(columns) })])
    expect([event!.get('column1'), event!.get(`column${columns}`)]).toEqual(['a', 'a'])
    expect(event!.get('tags')).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(3000)
  })

  it('drops headers', async () => {
    const options = { columns: ['a', 'b'], skip_header: true }
    const events = [{ message: 'a,b' }, { message: 'a,c' }]
    expect(await runFilter(csv, options, events)).toEqual([{ message: 'a,c', a: 'a', b: 'c' }])
  })

  it('takes names from the first event', async () => {
    const events = [{ message: 'x,y' }, { message: '1,2,3' }]
    const options = { autodetect_column_names: true, remove_field: ['message'] }
    expect(await runFilter(csv, options, events)).toEqual([{ x: '1', y: '2', column3: '3' }])
  })

  it('stores under a target and at references', async () => {
    const options = { columns: ['a', '[b][c]'], target: '[t][u]' }
    expect(await parse('1,2', options)).toEqual({ t: { u: { a: '1', b: { c: '2' } } } })
    expect(await parse('1,2', { columns: ['[a][b]', '[@metadata][c]'] })).toEqual({
      a: { b: '1' },
      '@metadata': { c: '2' },
    })
  })

  it('tags what is not CSV, and texts without a record', async () => {
    const failed = { tags: ['_csvparsefailure'] }
    for (const message of ['a "b"', '', 5, ['a,b'], { a: 1 }]) {
      const options = { add_tag: ['ok'], remove_field: ['message'] }
      expect(await runFilter(csv, options, [{ message }])).toEqual([{ message, ...failed }])
    }
    expect(await runFilter(csv, { skip_empty_rows: true, add_tag: ['ok'] }, [{ message: '' }])).toEqual([
      { message: '', tags: ['_csvskippedemptyfield'] },
    ])
  })

  it('passes events without a source', async () => {
    expect(await runFilter(csv, { add_tag: ['ok'] }, [{}, { message: null }])).toEqual([
      {},
      { message: null },
    ])
  })

  it('converts columns', async () => {
    const convert = { i: 'integer', f: 'float', d: 'date_time', b: 'boolean', bad: 'integer' }
    const columns = ['i', 'f', 'd', 'b', 'bad', 'none']
    const created = filterFor(csv, { columns, convert: { ...convert, none: 'integer' } })
    const message = '0x1f,1,2020-02-29T10:20:30Z,TRUE,4.2,'
    const [event] = await created.filter([testEvent({ message })])
    expect(event!.get('i')).toBe(31)
    expect(event!.get('f')).toEqual(new LsFloat(1))
    expect(event!.get('d')).toEqual(new Timestamp(Date.UTC(2020, 1, 29, 10, 20, 30)))
    expect(event!.get('b')).toBe(true)
    expect(event!.get('bad')).toBe('4.2')
    expect(event!.get('none')).toBe(null)
  })

  it('fails on an empty column that should be a boolean, which Ruby cannot strip', async () => {
    expect(await parse('1,,3', { columns: ['a', 'b', 'c'], convert: { b: 'boolean' } })).toMatchObject({
      a: '1',
      tags: ['_csvparsefailure'],
    })
  })

  it.each<[string, unknown]>([
    ['12', 12],
    ['-7', -7],
    ['010', 8],
    ['0b11', 3],
    ['1_000', 1000],
    ['1__0', '1__0'],
    [' 5 ', 5],
    ['18446744073709551616', 18446744073709551616n],
    ['abc', 'abc'],
  ])('converts %j to an integer', async (text, expected) => {
    expect(await parse(`"${text}"`, { columns: ['n'], convert: { n: 'integer' } })).toEqual({ n: expected })
  })

  it('converts dates to midnight at the host', async () => {
    const options = { columns: ['d'], convert: { d: 'date' } }
    const midnight = new Timestamp(new Date(2020, 2, 1).getTime())
    expect(await parse('2020-03-01', options)).toEqual({ d: midnight })
    expect(await parse('"Mar 1, 2020"', options)).toEqual({ d: midnight })
    expect(await parse('2020-02-30', options)).toEqual({ d: '2020-02-30' })
    expect(await parse('03/01/2020', options)).toEqual({ d: '03/01/2020' })
  })

  it('refuses unknown types', () => {
    expect(() => filterFor(csv, { convert: { a: 'text', b: 'integer' } })).toThrow(
      'Invalid conversion types: text',
    )
  })
})
