import { describe, expect, it } from 'vitest'
import { codecFor, decodeWith, encodeWith } from '../../plugin/testing.ts'
import line from './line.ts'

describe('line', () => {
  it('cuts a stream into lines, across chunks and at its end', () => {
    expect(decodeWith(codecFor(line), ['a\nb', 'b\n\nc\r\nrest'])).toEqual([
      { message: 'a' },
      { message: 'bb' },
      { message: '' },
      { message: 'c\r' },
      { message: 'rest' },
    ])
  })

  it('takes any delimiter', () => {
    const codec = codecFor(line, { delimiter: '||' })
    expect(decodeWith(codec, 'a|b||c\nd||')).toEqual([{ message: 'a|b' }, { message: 'c\nd' }])
    expect(encodeWith(codecFor(line, { delimiter: '||', format: '%{a}' }), [{ a: 'x' }])).toEqual(['x||'])
  })

  it('reads other charsets', () => {
    expect(
      decodeWith(codecFor(line, { charset: 'ISO-8859-1' }), Buffer.from('caf\xe9\nx\n', 'latin1')),
    ).toEqual([{ message: 'café' }, { message: 'x' }])
  })

  it('keeps the original in ECS mode', () => {
    expect(decodeWith(codecFor(line, {}, { ecs: 'v1' }), 'x\n')).toEqual([
      { message: 'x', event: { original: 'x' } },
    ])
  })

  it('ends what it writes', () => {
    expect(encodeWith(codecFor(line), [{ message: 'hi', host: 'h' }])).toEqual([
      '2015-10-01T05:06:07.089Z h hi\n',
    ])
  })
})
