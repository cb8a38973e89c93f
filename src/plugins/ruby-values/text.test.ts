import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat, type Value } from '../../event/value.ts'
import { rubyClass, rubyJoin, rubyStrip, rubyText } from './text.ts'

describe('rubyText', () => {
  it.each<[Value, string]>([
    ['a', 'a'],
    [1234, '1234'],
    [-1, '-1'],
    [18446744073709551615n, '18446744073709551615'],
    [1.5, '1.5'],
    [new LsFloat(1), '1.0'],
    [new LsFloat(1e20), '1.0e+20'],
    [1.5e-10, '1.5e-10'],
    [true, 'true'],
    [null, ''],
    [['a', null, 1], '["a", nil, 1]'],
    [{ a: [1] }, '{"a"=>[1]}'],
    [new Timestamp(0), '1970-01-01T00:00:00.000Z'],
  ])('%o is %s', (value, text) => {
    expect(rubyText(value)).toBe(text)
  })
})

describe('rubyClass', () => {
  it('names classes as Ruby does', () => {
    const values = ['', 1, 1n, 1.5, new LsFloat(1), true, false, null, undefined, [], {}, new Timestamp(0)]
    expect(values.map(rubyClass)).toEqual(
      'String Integer Integer Float Float TrueClass FalseClass NilClass NilClass Array Hash LogStash::Timestamp'.split(
        ' ',
      ),
    )
  })
})

describe('rubyStrip', () => {
  it('takes ASCII white space and NUL, nothing else', () => {
    expect(rubyStrip('\0 \t\v\f\r\na b\0 \0')).toBe('a b')
    expect(rubyStrip('\u00a0a\u00a0')).toBe('\u00a0a\u00a0')
    expect(rubyStrip('   ')).toBe('')
    expect(rubyStrip('a')).toBe('a')
  })
})

describe('rubyJoin', () => {
  it('joins nested lists with the same separator', () => {
    const list: Value[] = [1, null, [2, [3]], { a: 1 }, new LsFloat(1e20), new LsFloat(1), true]
    expect(rubyJoin(list, '-')).toBe('1--2-3-{"a"=>1}-1.0e+20-1.0-true')
    expect(rubyJoin([], '-')).toBe('')
  })
})
