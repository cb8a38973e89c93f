import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codecFor, decodeWith, encodeWith } from '../../plugin/testing.ts'
import { compileRecord } from '../csv/record.ts'
import { compileWriteRecord, usualForm } from '../csv/write-record.ts'
import csv from './csv.ts'

describe('csv', () => {
  it('leaves out what it is told to', () => {
    const codec = codecFor(csv, {
      columns: ['a'],
      skip_empty_columns: true,
      autogenerate_column_names: false,
      target: '[row]',
    })
    expect(decodeWith(codec, '1,2\n,3\n\n')).toEqual([{ row: { a: '1' } }, {}])
  })

  it('has empty columns as null, keeps the line in ECS mode, tags what is no CSV', () => {
    expect(decodeWith(codecFor(csv, {}, { ecs: 'v8' }), 'a,,""\r\n')).toEqual([
      { column1: 'a', column2: null, column3: '', event: { original: 'a,,""\r' } },
    ])
    expect(decodeWith(codecFor(csv), 'a "b"\n')).toEqual([{ message: 'a "b"', tags: ['_csvparsefailure'] }])
  })

  it('takes another quote, and reads other encodings', () => {
    const codec = codecFor(csv, { quote_char: "'", charset: 'ISO-8859-1' })
    expect(decodeWith(codec, Buffer.from('\'a,b\',"c",\u00e9\n', 'latin1'))).toEqual([
      { column1: 'a,b', column2: '"c"', column3: '\u00e9' },
    ])
  })

  it('takes names from the first line of every stream', () => {
    const codec = codecFor(csv, { autodetect_column_names: true })
    expect(decodeWith(codec, ['x,y\n1,', '2\n'])).toEqual([{ x: '1', y: '2' }])
    expect(decodeWith(codec, 'z\n3\n')).toEqual([{ z: '3' }])
  })

  it('takes names as data', () => {
    const [event] = decodeWith(codecFor(csv, { columns: ['__proto__', 'constructor'] }), 'a,b\n')
    expect(JSON.stringify(event)).toBe(
      '{"@timestamp":"2015-10-01T05:06:07.089Z","__proto__":"a","constructor":"b"}'.replace(
        '"@timestamp":"2015-10-01T05:06:07.089Z",',
        '',
      ),
    )
  })

  it('writes headers once, and lists and maps as JSON', () => {
    const codec = codecFor(csv, { columns: ['a', '[b][c]', 'd'], include_headers: true, separator: ';' })
    expect(encodeWith(codec, [{ a: 1, b: { c: 'x;"y' }, d: [1] }, { a: '' }])).toEqual([
      'a;[b][c];d\n1;"x;""y";[1]\n',
      '"";;\n',
    ])
  })

  it('refuses unknown types', () => {
    expect(() => codecFor(csv, { convert: { a: 'time' } })).toThrow('Invalid conversion types: time')
  })

  it('gives back what was written', () => {
    const write = compileWriteRecord({ ...usualForm, rowEnd: '' })
    const read = compileRecord(',', '"')
    const cell = fc.oneof(fc.constant(null), fc.string(), fc.constantFrom('"', ',', '\r\n', ' x'))
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2 }), (cells) => {
        expect(read(write(cells))).toEqual(cells)
      }),
    )
  })
})
