import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat } from '../../event/value.ts'
import { codecFor, encodeWith } from '../../plugin/testing.ts'
import rubydebug from './rubydebug.ts'

const head = { '@version': '1', '@timestamp': '2015-10-01T05:06:07.089Z' }

function print(fields: Parameters<typeof encodeWith>[1][number], options = {}): string[] {
  return encodeWith(codecFor(rubydebug, options), [fields])[0]!.split('\n')
}

describe('rubydebug', () => {
  it('aligns names and shows indices', () => {
    expect(print({ ...head, message: 'hi', tags: ['a'] })).toEqual([
      '{',
      '      "@version" => "1",',
      '    "@timestamp" => 2015-10-01T05:06:07.089Z,',
      '       "message" => "hi",',
      '          "tags" => [',
      '        [0] "a"',
      '    ]',
      '}',
      '',
    ])
  })

  it('goes four blanks in per level', () => {
    expect(print({ ...head, url: { path: '/', query: { a: [{ bb: 1, c: [] }] } }, none: {} })).toEqual([
      '{',
      '      "@version" => "1",',
      '    "@timestamp" => 2015-10-01T05:06:07.089Z,',
      '           "url" => {',
      '         "path" => "/",',
      '        "query" => {',
      '            "a" => [',
      '                [0] {',
      '                    "bb" => 1,',
      '                     "c" => []',
      '                }',
      '            ]',
      '        }',
      '    },',
      '          "none" => {}',
      '}',
      '',
    ])
  })

  it('aligns the indices of long lists', () => {
    const lines = print({ ...head, n: Array.from({ length: 11 }, (_, i) => i) })
    expect(lines).toContain('        [ 0] 0,')
    expect(lines).toContain('        [10] 10')
  })

  it.each([
    [null, 'nil'],
    [true, 'true'],
    [12, '12'],
    [12345678901234567890n, '12345678901234567890'],
    [1.5, '1.5'],
    [new LsFloat(1), '1.0'],
    [new LsFloat(1e20), '1.0e+20'],
    [0.00001, '1.0e-05'],
    [new Timestamp(0, 1000), '1970-01-01T00:00:00.000001Z'],
    ['a"b\\c\n\t\x01é', '"a\\"b\\\\c\\n\\t\\u0001é"'],
    ['#{x} #y', '"\\#{x} #y"'],
  ])('prints %s', (value, text) => {
    expect(print({ ...head, v: value })).toContain(`             "v" => ${text}`)
  })

  it('hides metadata unless asked', () => {
    const fields = { ...head, '@metadata': { x: 1 } }
    expect(print(fields).join()).not.toContain('@metadata')
    expect(print(fields, { metadata: true })).toEqual([
      '{',
      '      "@version" => "1",',
      '    "@timestamp" => 2015-10-01T05:06:07.089Z,',
      '     "@metadata" => {',
      '        "x" => 1',
      '    }',
      '}',
      '',
    ])
  })

  it('does not show removed fields', () => {
    const codec = codecFor(rubydebug)
    expect(codec.decode).toBeUndefined()
    expect(encodeWith(codec, [{ ...head, gone: undefined }])[0]).not.toContain('gone')
  })
})
