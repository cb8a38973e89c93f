import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rubyFloat } from '../text/ruby-float.ts'
import { inspect, inspectFields, inspectString, RubyLiteral } from './ruby-inspect.ts'

describe('inspect', () => {
  it.each<[unknown, string]>([
    [null, 'nil'],
    [undefined, 'nil'],
    [true, 'true'],
    [7, '7'],
    [-1, '-1'],
    [0.4, '0.4'],
    [12345678901234567890n, '12345678901234567890'],
    ['a"b', '"a\\"b"'],
    ['a\\b', '"a\\\\b"'],
    ['tab\tline\nend\r', '"tab\\tline\\nend\\r"'],
    ['\u0000\u001b\u007f', '"\\u0000\\e\\x7F"'],
    ['#{x} #$y #@z #w', '"\\#{x} \\#$y \\#@z #w"'],
    ['Zürich 東京 🙂', '"Zürich 東京 🙂"'],
    ['\u200b\ufeff\u2028', '"\\u200B\\uFEFF\\u2028"'],
    [['a', null, [1]], '["a", nil, [1]]'],
    [[], '[]'],
    [{}, '{}'],
    [{ a: 1, 'b.c': { d: [true] } }, '{"a"=>1, "b.c"=>{"d"=>[true]}}'],
    [new Map([['x', 1]]), '{"x"=>1}'],
    [Symbol('main'), ':main'],
    [Symbol('my pipe'), ':"my pipe"'],
    [new TypeError('no luck'), '#<TypeError: no luck>'],
    [
      new RubyLiteral('LogStash::PipelineAction::Create/pipeline_id:main'),
      'LogStash::PipelineAction::Create/pipeline_id:main',
    ],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('%o prints as %s', (value, text) => {
    expect(inspect(value)).toBe(text)
  })

  it('prints floats like Ruby', () => {
    expect([1.5, 1e16, 1e-5, 1.25e20, 1, -0].map(rubyFloat)).toEqual([
      '1.5',
      '10000000000000000.0',
      '1.0e-05',
      '1.25e+20',
      '1.0',
      '-0.0',
    ])
  })

  it('treats boxed numbers as floats and lets other classes print themselves', () => {
    class Boxed {
      valueOf(): number {
        return 3
      }
    }
    class Password {
      toString(): string {
        return '<password>'
      }
    }
    expect(inspect([new Boxed(), new Password(), new (class Thing {})()])).toBe('[3.0, <password>, #<Thing>]')
  })

  it('survives cycles, depth and values that cannot print themselves', () => {
    const list: unknown[] = [1]
    list.push(list)
    expect(inspect(list)).toBe('[1, [...]]')
    const map: Record<string, unknown> = {}
    map['self'] = map
    expect(inspect(map)).toBe('{"self"=>{...}}')
    let deep: unknown = 1
    for (let level = 0; level < 5000; level++) deep = [deep]
    expect(inspect(deep)).toContain('[...]')
    class Broken {
      toString(): string {
        throw new Error('no')
      }
    }
    expect(inspect(new Broken())).toBe('#<Broken>')
  })

  it('stays near its limit', () => {
    expect(inspect('x'.repeat(1_000_000), 100).length).toBeLessThan(120)
    expect(inspect(new Array(100_000).fill('abc'), 100).length).toBeLessThan(200)
  })

  it('keeps odd names as data', () => {
    expect(inspect(JSON.parse('{"__proto__":1,"constructor":2}'))).toBe('{"__proto__"=>1, "constructor"=>2}')
  })

  it('writes strings that contain no raw control character or unescaped quote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const body = inspectString(text).slice(1, -1)
        expect(/\p{Cc}/u.test(body)).toBe(false)
        expect(/(?<!\\)(?:\\\\)*"/.test(body)).toBe(false)
      }),
    )
  })
})

describe('inspectFields', () => {
  it('prints identifier-like keys as symbols and others as strings', () => {
    expect(
      inspectFields({
        pipeline_id: 'main',
        'pipeline.workers': 2,
        running: [Symbol('main')],
        none: undefined,
      }),
    ).toBe('{:pipeline_id=>"main", "pipeline.workers"=>2, :running=>[:main]}')
    expect(inspectFields({ a: { b: 1 } })).toBe('{:a=>{"b"=>1}}')
  })
})
