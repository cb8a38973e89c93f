import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { RawJson } from '../../search/answer/json-text.ts'
import { writtenText } from '../../search/answer/value-writer.ts'
import { yaml } from './yaml-text.ts'

const text = (value: unknown) => writtenText(value, yaml)

describe('YAML of answers', () => {
  it('is laid out as Elasticsearch does it', () => {
    const value = {
      took: 3,
      timed_out: false,
      hits: {
        total: { value: 2, relation: 'eq' },
        hits: [
          { _id: 'a', _source: new RawJson('{"size":1.0,"list":[[1,2],[]],"none":{}}') },
          { _id: 'b', sort: [1, null] },
        ],
      },
    }
    expect(text(value)).toBe(`---
took: 3
timed_out: false
hits:
  total:
    value: 2
    relation: "eq"
  hits:
  - _id: "a"
    _source:
      size: 1.0
      list:
      - - 1
        - 2
      - []
      none: {}
  - _id: "b"
    sort:
    - 1
    - null
`)
    expect(text([])).toBe('--- []\n')
  })

  it('quotes names and texts that would be read as something else', () => {
    const value = {
      yes: 'no',
      '1': '2',
      'a b': 'c: d',
      '': '# x',
      'line\u2028break': '\u0085\u0007"\ufeff',
      y: '~',
    }
    expect(parse(text(value))).toEqual(value)
    expect(parse(text(value), { version: '1.1' })).toEqual(value)
  })

  it('is read back as it was, by readers of both versions', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value))
        const whole = JSON.stringify(plain, (_, member) =>
          typeof member === 'number' ? Math.trunc(member % 1e9) : member,
        )
        const expected: unknown = JSON.parse(whole)
        expect(parse(text(expected))).toEqual(expected)
        expect(parse(text(expected), { version: '1.1' })).toEqual(expected)
      }),
      { numRuns: 300 },
    )
  })
})
