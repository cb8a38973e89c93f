import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { type Fields, float, LsFloat } from '../event/value.ts'
import { compileProgram, exceptionOf, inspectValue, limitRuns, UnsupportedRuby } from './program.ts'
import { runtime } from './runtime.ts'

function compiled(code: string, init = '') {
  return compileProgram(
    [
      { label: 'ruby init', text: init, parameters: [] },
      { label: 'ruby code', text: code, parameters: ['event', 'new_event_block'] },
    ],
    { className: 'LogStash::Filters::Ruby' },
  )
}

function problems(code: string): readonly string[] {
  try {
    compiled(code)
    return []
  } catch (error) {
    expect(error).toBeInstanceOf(UnsupportedRuby)
    return (error as UnsupportedRuby).problems
  }
}

/** The fields after the code ran. */
function fieldsAfter(code: string, fields: Fields): Fields {
  const event = new Event(fields)
  compiled(code).runs[1]!(event, null)
  return event.toHash()
}

function raised(code: string, fields: Fields = {}): string {
  try {
    compiled(code).runs[1]!(new Event(fields), null)
  } catch (error) {
    const exception = exceptionOf(error)
    return exception === undefined
      ? `stopped: ${(error as Error).message}`
      : `${exception.rubyClass.name}: ${exception.message}`
  }
  return 'nothing'
}

afterEach(() => limitRuns(30_000))

const commands = 'no command is run from code: use the `exec` input or output, or a `pipe`'
const names = 'names are looked up by the `dns` filter, which does not hold up other events meanwhile'

describe('what is not supported', () => {
  it.each([
    ['x = 1\n\nx.frobnicate(2)', 'ruby code line 3: method `frobnicate` is not supported'],
    ['Time.frobnicate', 'ruby code line 1: method `Time.frobnicate` is not supported'],
    ['LogStash::Util::Foo.new', 'ruby code line 1: method `LogStash::Util::Foo.new` is not supported'],
    ['Foo.bar', 'ruby code line 1: method `Foo.bar` is not supported'],
    ['x = Foo::Bar', 'ruby code line 1: constant `Foo::Bar` is not supported'],
    ['`ls`', `ruby code line 1: \`xstring\` is not supported; ${commands}`],
    ['`ls #{1}`', `ruby code line 1: \`interpolated xstring\` is not supported; ${commands}`],
    ['class A; end', 'ruby code line 1: `class` is not supported'],
    [
      "require 'net/http'",
      'ruby code line 1: library `net/http` is not supported; other servers are asked by the `http` filter',
    ],
    ["require 'resolv'", `ruby code line 1: library \`resolv\` is not supported; ${names}`],
    ['Resolv.getname("::1")', `ruby code line 1: method \`Resolv.getname\` is not supported; ${names}`],
    ['system("ls")', `ruby code line 1: method \`system\` is not supported; ${commands}`],
    [
      'eval("1")',
      'ruby code line 1: method `eval` is not supported; texts do not become code here: write the code itself, or read data with `JSON` or `YAML`',
    ],
  ])('%s', (code, problem) => {
    expect(problems(code)).toEqual([problem])
  })

  it('is reported with everything else that is wrong', () => {
    expect(problems('event.set("a", fork)\nif system(1) then exit! end')).toEqual([
      `ruby code line 1: method \`fork\` is not supported; ${commands}`,
      `ruby code line 2: method \`system\` is not supported; ${commands}`,
      'ruby code line 2: method `exit!` is not supported',
    ])
  })

  it('is let through where the program reckons with it', () => {
    const outcome = (code: string) => fieldsAfter(`event.set('r', ${code})`, {})['r']
    expect(outcome('(1.frobnicate rescue $!.message)')).toBe("undefined method `frobnicate' for 1:Integer")
    expect(outcome('begin; Foo.bar; rescue NameError => e; e.message; end')).toBe(
      'uninitialized constant Foo',
    )
    expect(outcome('1.respond_to?(:frobnicate) ? 1.frobnicate : 2')).toBe(2)
    expect(outcome('defined?(frob) ? frob : 3')).toBe(3)
  })

  it('raises when it is called, if Ruby does not have it either', () => {
    expect(fieldsAfter('x = (undefined_thing rescue $!.class.to_s); event.set("r", x)', {})).toEqual({
      r: 'NameError',
    })
    expect(problems('undefined_thing\nundefined_function(1)')).toEqual([])
  })

  it('is told from what is no Ruby', () => {
    try {
      compiled('if true\n  1\n')
      expect.unreachable()
    } catch (error) {
      expect((error as UnsupportedRuby).isSyntaxError).toBe(true)
      expect((error as UnsupportedRuby).problems[0]).toMatch(/^ruby code line \d/)
    }
  })
})

describe('YAML', () => {
  it('keeps the last value of a key that stands twice, as Psych does', () => {
    const code = "event.set('r', YAML.load(event.get('text')))"
    expect(fieldsAfter(code, { text: 'a: 1\nb: 2\na: 3' })['r']).toEqual({ a: 3, b: 2 })
  })
})

describe('events', () => {
  it('are read and written', () => {
    expect(fieldsAfter("event.set('x', event.get('y').to_i * 2)", { y: '21' })).toEqual({ y: '21', x: 42 })
    expect(fieldsAfter("event.set('[a][b]', event.get('[c][0]'))", { c: [7] })).toEqual({
      c: [7],
      a: { b: 7 },
    })
    expect(fieldsAfter("event.remove('a'); event.tag('t'); event.tag('t')", { a: 1 })).toEqual({
      tags: ['t'],
    })
    expect(fieldsAfter("n = 'a'; event.set(n + '2', event.include?(n))", { a: null })).toEqual({
      a: null,
      a2: true,
    })
  })

  it('keep integers and floats apart', () => {
    expect(fieldsAfter("event.set('f', event.get('i') * 1.0)", { i: 2 })['f']).toEqual(new LsFloat(2))
    expect(fieldsAfter("event.set('i', event.get('f').to_i)", { f: new LsFloat(2) })['i']).toBe(2)
    expect(fieldsAfter("event.set('b', 2 ** 64)", {})['b']).toBe(2n ** 64n)
  })

  it('give copies of lists and maps', () => {
    expect(fieldsAfter("event.get('a') << 2; event.get('h')['k'] = 1", { a: [1], h: {} })).toEqual({
      a: [1],
      h: {},
    })
    expect(fieldsAfter("h = event.get('h'); h[:k] = [:s, nil]; event.set('h', h)", { h: { z: 1 } })).toEqual({
      h: { z: 1, k: ['s', null] },
    })
  })

  it('see strings that are changed in place', () => {
    expect(fieldsAfter("event.get('m').gsub!('a', 'b')", { m: 'aa' })).toEqual({ m: 'bb' })
    expect(fieldsAfter("event.get('l').each { |s| s << '!' }", { l: ['a', 'b'] })).toEqual({
      l: ['a!', 'b!'],
    })
    expect(fieldsAfter("s = 'x'; event.set('m', s); s << 'y'", {})).toEqual({ m: 'xy' })
    expect(fieldsAfter("s = event.get('m').dup; s << 'y'", { m: 'x' })).toEqual({ m: 'x' })
  })

  it('treat names of our own objects as data', () => {
    const fields = fieldsAfter(
      "h = event.get('h'); h['__proto__'] = 1; event.set('o', h); event.set('constructor', 2)",
      { h: {} },
    )
    expect(Object.hasOwn(fields['o'] as Fields, '__proto__')).toBe(true)
    expect(fields['constructor']).toBe(2)
    expect(({} as Record<string, unknown>)['o']).toBeUndefined()
  })

  it('raise what Logstash raises', () => {
    expect(raised("event['a']")).toMatch(
      /^NoMethodError: Direct event field references \(i\.e\. event\['field'\]\) have been disabled/,
    )
    expect(raised("event['a'] = 1")).toMatch(
      /^NoMethodError: Direct event field references \(i\.e\. event\['field'\] = 'value'\)/,
    )
    expect(raised("event.get('a[b')")).toBe('RuntimeError: Invalid FieldReference: `a[b`')
    expect(raised("event.set('@timestamp', 'x')")).toBe(
      'TypeError: wrong argument type String (expected LogStash::Timestamp)',
    )
    expect(raised("event.set('a', 1..2)")).toBe(
      'StandardError: Missing Converter handling for full class name=org.jruby.RubyRange, simple name=RubyRange',
    )
    expect(raised("event.get('a').length")).toBe("NoMethodError: undefined method `length' for nil:NilClass")
  })

  it('take decimal numbers as the nearest doubles, and no fractions', () => {
    const fields = fieldsAfter(
      "event.set('a', BigDecimal('1.10')); event.set('b', [BigDecimal('-123456789.123456789123456789'), { 'c' => BigDecimal('100') }])",
      {},
    )
    expect(fields).toMatchObject({
      a: float(1.1),
      b: [float(-123456789.12345679), { c: float(100) }],
    })
    expect(raised("event.set('a', 3.to_r)")).toContain('class name=org.jruby.RubyRational')
  })

  it('have times', () => {
    const time = Timestamp.now()
    expect(fieldsAfter("event.set('t', Time.at(1.5).utc)", {})['t']).toEqual(new Timestamp(1500, 0))
    expect(fieldsAfter("event.set('t', LogStash::Timestamp.new('2020-01-02T03:04:05Z'))", {})['t']).toEqual(
      new Timestamp(Date.UTC(2020, 0, 2, 3, 4, 5)),
    )
    expect(fieldsAfter("event.set('s', event.timestamp.time.to_i)", { '@timestamp': time })['s']).toBe(
      Math.floor(time.millis / 1000),
    )
    expect(
      fieldsAfter("event.set('d', event.get('a') - event.get('b'))", {
        a: new Timestamp(2500),
        b: new Timestamp(1000),
      })['d'],
    ).toBe(1.5)
  })
})

describe('state', () => {
  it('lasts from event to event and is prepared by init', () => {
    const program = compiled(
      "@n += 1; event.set('n', [@n, LIMIT_A, twice(@n)])",
      '@n = 40; LIMIT_A = 7; def twice(x) x * 2 end',
    )
    program.runs[0]!()
    const event = new Event({})
    program.runs[1]!(event, null)
    program.runs[1]!(event, null)
    expect(event.get('n')).toEqual([42, 7, 84])
  })

  it('is found in the text', () => {
    const finds = (code: string) => compiled(code).findings[1]!
    expect(finds('@a = 1').assignsShared).toBe(true)
    expect(finds('@a[1] = 2').assignsShared).toBe(true)
    expect(finds('@a[1][:b].push(2)').assignsShared).toBe(true)
    expect(finds('$seen.fetch(1) << 2').assignsShared).toBe(true)
    expect(finds('x = @a; y = 1').assignsShared).toBe(false)
    expect(finds("event.set('b', @a[1]); x = []; x << @a[1]").assignsShared).toBe(false)
    expect(finds('new_event_block.call(event.clone)').emits).toBe(true)
    expect(finds('h = {}; h[1] = 2; a = []; a << 1').changesStrings).toBe(false)
    expect(finds("a = event.get('x'); a << 1").changesStrings).toBe(true)
  })
})

describe('limits', () => {
  it.each([
    'loop { }',
    'while true do end',
    'def f(x) f(x) end; begin; f(1); rescue SystemStackError; end; loop {}',
    'begin; loop {}; rescue Exception; end',
    '(1..).each { |x| x }',
  ])('stops %s', (code) => {
    limitRuns(50)
    expect(raised(code)).toMatch(/^stopped: execution of the ruby code took longer than/)
  })

  it('refuses absurd sizes', () => {
    expect(raised("'a' * 10**9")).toBe('ArgumentError: argument too big')
    expect(raised('[0] * 10**9')).toBe('ArgumentError: argument too big')
    expect(raised('(1..10**12).to_a')).toMatch(/^ArgumentError: more than/)
    expect(raised("'%1000000000d' % 1")).toBe('ArgumentError: width too big')
    expect(raised('a = []; a << a; event.set("x", a)')).toMatch(
      /^StandardError: a value that is nested too deeply/,
    )
  })
})

describe('numbers', () => {
  const run = (code: string) => inspectValue(compiled(code).runs[1]!(null, null))

  it('are exact at any size', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        (a, b) => {
          const floor = a / b - (a % b !== 0n && a < 0n ? 1n : 0n)
          expect(run(`[(${a}) + ${b}, (${a}) * ${b}, (${a}) / ${b}, (${a}) % ${b}]`)).toBe(
            `[${a + b}, ${a * b}, ${floor}, ${a - floor * b}]`,
          )
        },
      ),
      { numRuns: 50 },
    )
  })

  /** Where JRuby, which Logstash runs on, and C Ruby answer differently, JRuby's answer counts. */
  it('answer as JRuby where Rubies differ', () => {
    expect(run('1e15.to_s')).toBe('"1000000000000000.0"')
    expect(run('Time.at(1577934245, 678000).to_f')).toBe('1577934245.678')
    expect(raised('IPAddr.new("nope")')).toBe('IPAddr::InvalidAddressError: invalid address: nope')
  })
})

describe('output', () => {
  it('goes where the host says', () => {
    const before = runtime.print
    const lines: string[] = []
    runtime.print = (text) => lines.push(text)
    try {
      compiled('puts "a", [1, [nil]]; print 1, :b; p "x"').runs[1]!(null, null)
    } finally {
      runtime.print = before
    }
    expect(lines.join('')).toBe('a\n1\n\n1b"x"\n')
  })
})
