import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { float, type Value } from '../../event/value.ts'
import { codecFor, decodeWith, encodeWith } from '../../plugin/testing.ts'
import { readEdn } from './edn/reader.ts'
import edn from './edn.ts'
import ednLines from './edn-lines.ts'
import { mutations } from './test-mutations.ts'

describe('values of EDN', () => {
  // The examples of the format's description.
  it.each<[string, Value]>([
    ['nil', null],
    ['true', true],
    ['"a \\"b\\" \\n\\u00e9 é"', 'a "b" \n\u00e9 é'],
    ['\\c', 'c'],
    ['\\newline', '\n'],
    ['\\u00e9', 'é'],
    ['symbol.with/ns', 'symbol.with/ns'],
    [':fred/keyword', 'fred/keyword'],
    ['42', 42],
    ['-7', -7],
    ['12345678901234567890N', 12345678901234567890n],
    ['1.0', float(1)],
    ['1e3', float(1000)],
    ['2.5M', 2.5],
    ['(a b 42)', ['a', 'b', 42]],
    ['["a" b 42]', ['a', 'b', 42]],
    ['{:a 1, "foo" :bar, [1 2 3] four}', { a: 1, foo: 'bar', '1,2,3': 'four' }],
    ['#{a b [1 2 3]}', ['a', 'b', [1, 2, 3]]],
    ['#inst "1985-04-12T23:20:50.52Z"', new Timestamp(482196050520)],
    ['#uuid "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'],
    ['#myapp/Person {:first "Fred"}', { first: 'Fred' }],
    ['[a b #_foo 42]', ['a', 'b', 42]],
    ['^{:doc "x"} [1 ; one\n 2]', [1, 2]],
    ['{:__proto__ 1}', JSON.parse('{"__proto__":1}')],
  ])('%s', (text, expected) => {
    expect(readEdn(text)).toEqual(expected)
  })

  it.each(['', '{', '{:a}', '"x', '[1', '#', '1x', ')', ':', '#inst "never"', '['.repeat(300)])(
    'refuses %s',
    (text) => {
      expect(() => readEdn(text)).toThrow(/at position/)
    },
  )
})

describe('edn', () => {
  it('falls back to text with a tag', () => {
    expect(decodeWith(codecFor(edn), '{:a')).toEqual([{ message: '{:a', tags: ['_ednparsefailure'] }])
    expect(decodeWith(codecFor(edn), '[1]')).toEqual([{ message: '[1]', tags: ['_ednparsefailure'] }])
  })

  it('reads below a target', () => {
    expect(decodeWith(codecFor(edn, { target: 't' }), '{:a 1}')).toEqual([{ t: { a: 1 } }])
  })

  it('writes what it reads', () => {
    const event = { a: 'x"\n', b: [1, float(2), null, true], c: { d: 2n ** 70n } }
    const [text] = encodeWith(codecFor(edn), [event])
    expect(text).toContain('"a" "x\\"\\n", "b" [1, 2.0, nil, true], "c" {"d" 1180591620717411303424}')
    expect(decodeWith(codecFor(edn), text!)[0]).toMatchObject(event)
  })

  it('reads and writes lines', () => {
    expect(decodeWith(codecFor(ednLines), ['{:a 1}\n{:', 'a 2}'])).toEqual([{ a: 1 }, { a: 2 }])
    expect(encodeWith(codecFor(ednLines), [{ a: 1 }])[0]).toMatch(/^\{.*"a" 1.*\}\n$/)
  })

  it('makes one event of each of 10,000 mutated texts', () => {
    const codec = codecFor(edn)
    const samples = [
      '{:a [1 2.5 "x\\n"] #_b :c #inst "2020-01-01T00:00:00Z"}',
      '{"k" #{a (b \\c)} ^m :d nil}',
    ]
    for (const bytes of mutations(
      samples.map((text) => Buffer.from(text)),
      10_000,
    )) {
      const events = decodeWith(codec, bytes)
      if (events.length > 1) expect.fail(bytes.toString('hex'))
    }
  })
})
