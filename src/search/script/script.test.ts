import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SearchError } from '../request/search-error.ts'
import { compileScript, compileSteps, readScript } from './script.ts'
import type { ScriptValue } from './values.ts'

const given = new Map<string, ScriptValue>([
  ['a', 7],
  ['b', 2],
  ['n', null],
  ['i', 7n],
  ['s', 'text'],
])

function answer(source: string, lang = 'painless', result?: 'Number' | 'boolean'): ScriptValue {
  const values = new Map([['params', new Map(given)]])
  return compileScript(readScript({ source, lang }), ['params'])(values, result)
}

function run(source: string, lang = 'painless'): ScriptValue {
  return answer(source, lang, 'Number')
}

function holds(source: string, lang = 'painless'): ScriptValue {
  return answer(source, lang, 'boolean')
}

function failure(source: string, lang = 'painless'): SearchError {
  try {
    run(source, lang)
  } catch (error) {
    if (error instanceof SearchError) return error
    throw error
  }
  throw new Error(`no failure: ${source}`)
}

describe('painless', () => {
  it.each<[string, number]>([
    ['params.a + params.b * 2', 11],
    ['(params.a + params.b) * 2', 18],
    ['params.a / params.b', 3.5],
    ['params.i / 2', 3],
    ['params.i / 2.0', 3.5],
    ['(double) params.i / 2', 3.5],
    ['(int) params.a / 2', 3],
    ['7 / 2 * 2', 6],
    ['-7 / 2', -3],
    ['-7 % 3', -1],
    ['1e3 + .5 + 1L + 2d + 3f', 1006.5],
    ["params['a'] - params.get('b')", 5],
    ["params.getOrDefault('x', 9)", 9],
    ['params.n == null ? -1 : params.n', -1],
    ['params.n ?: 4', 4],
    ['params.x != null ? 1 : 0', 0],
    ['Math.max(params.a, 10) + Math.min(1, 2) + Math.abs(-3)', 14],
    ['Math.round(params.a / params.b)', 4],
    ['Math.pow(params.b, 3) + Math.sqrt(16) + Math.floor(1.7) + Math.ceil(1.2)', 15],
    ['params.a > 5 && params.b < 3 ? 1 : 0', 1],
    ['params.a < 5 || !(params.b > 3) ? 1 : 0', 1],
    ['return params.a;', 7],
    ['def x = params.a; double y = x * 2; y += 1; return y - x', 8],
    ['if (params.b == 0) { return 0 } else if (params.a > 5) return 2; return 3;', 2],
    ['if (params.b == 0) { return 0; } params.a / params.b', 3.5],
    ['int half = 7; half /= 2; return half', 3],
    ['params.a.intValue() / 2 /* whole */ // end', 3],
    ['long z = 5; return z.doubleValue() / 2', 2.5],
  ])('%s', (source, expected) => {
    expect(Number(run(source))).toBe(expected)
  })

  it.each<[string, boolean]>([
    ['params.a > 5', true],
    ['params.i == params.a', true],
    ['params.i === 7', true],
    ["params.s == 'text'", true],
    ['params.s != "text"', false],
    ["params.containsKey('a') && !params.containsKey('x')", true],
    ['Double.isNaN(0.0 / 0)', true],
    ['true', true],
  ])('%s', (source, expected) => {
    expect(holds(source)).toBe(expected)
  })

  it.each<[string, string]>([
    ["'a' + 1 + 2.0 + null + true", 'a12.0nulltrue'],
    ["def m = ['a': 1, 'b': [1, 2]]; m.c = 'x'; m.b.add(3); return m.toString()", '{a=1, b=[1, 2, 3], c=x}'],
    ["def m = [:]; m['__proto__'] = 1; m.remove('a'); return '' + m", '{__proto__=1}'],
    ["def t = ''; for (int i = 0; i < 3; i++) { t += i } return t", '012'],
    ["def t = ''; for (x in [3, 1, 2]) { if (x == 1) continue; t += x } t", '32'],
    ["String t = ''; for (def e : ['k': 'v'].entrySet()) { t += e.getKey() + e.value } return t", 'kv'],
    ["def i = 0; while (true) { if (++i > 4) { break; } } return 'i' + i", 'i5'],
    ["def i = 0; do { i += 2 } while (i < 5); return 'i' + i", 'i6'],
    [
      "def l = new ArrayList(); l.add('b'); l.add(0, 'a'); l.addAll(['c', 'd']); l.remove(1); '' + l",
      '[a, c, d]',
    ],
    ["def l = ['x', 'y', 'x']; l.removeIf(t -> t == 'x'); return '' + l", '[y]'],
    ["def l = [3, 1, 2]; l.sort((a, b) -> b - a); l.set(0, 9); return '' + l", '[9, 2, 1]'],
    [
      "def l = [3, 1, 2]; l.sort(null); l.forEach(x -> { l.indexOf(x) }); return String.join('-', l)",
      '1-2-3',
    ],
    ["def l = ['a', 'b']; l.remove(l.indexOf('a')); return l.contains('b') ? 'yes' : 'no'", 'yes'],
    ["'Some Text'.toLowerCase().replace('text', 'thing').substring(5)", 'thing'],
    ["def m = params; m?.x?.y == null ? 'none' : 'some'", 'none'],
    [
      "def s = new HashSet(); s.add(1); s.add(1); return s.size() + ' ' + [1, 2].length + ' ' + 'abc'.length()",
      '1 2 3',
    ],
    [
      "1 instanceof Integer && 'a' instanceof String && !(1.5 instanceof Integer) ? 'right' : 'wrong'",
      'right',
    ],
    ["Integer.parseInt('42') + Long.parseLong('1') + ' ' + Double.parseDouble('1.5')", '43 1.5'],
    [
      "(5 & 6) + ' ' + (5 | 6) + ' ' + (5 ^ 6) + ' ' + (1 << 4) + ' ' + (-8 >> 1) + ' ' + ~1",
      '4 7 3 16 -4 -2',
    ],
    ["int i = 5; i++; i -= 2; ++i; def before = i--; return before + ' ' + i", '5 4'],
    ["def m = ['n': 1]; m.n++; m.n += 10; m['n'] *= 2; return '' + m.n", '24'],
    ["['a': ['b': 1]] == ['a': ['b': 1.0]] ? 'same' : 'other'", 'same'],
    ["def l = [[1, 2], [3]]; return '' + l[1][0] + l[-2].size() + l.0.1", '322'],
    ['long fib(long n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) } return "" + fib(15)', '610'],
    [
      "boolean isShort(String s) { return s.length() < 3 } String mark(def s) { if (isShort(s)) { return s } return '-' } mark('ab') + mark('abc')",
      'ab-',
    ],
    ["int half(int n) { return n / 2.0 } '' + half(7)", '3'],
    [
      "def x = 1; try { x = 2; [].get(0); x = 3 } catch (Exception e) { return x + ' ' + e.getMessage() }",
      '2 Index 0 out of bounds for length 0',
    ],
    [
      "try { Integer.parseInt('x') } catch (IllegalStateException e) { return 'state' } catch (NumberFormatException e) { return 'number' }",
      'number',
    ],
    [
      "for (i in [1, 2]) { try { throw new IllegalStateException('a' + i) } catch (RuntimeException e) { return e.message } }",
      'a1',
    ],
    ["try { return 'fine' } catch (Exception e) { return 'failed' }", 'fine'],
  ])('%s', (source, expected) => {
    expect(answer(source)).toBe(expected)
  })

  it('a script without a result returns null', () => {
    expect(run('params.n')).toBeNull()
    expect(run('null')).toBeNull()
  })

  it.each([
    ['params.a +', 10, 'unexpected end of script.'],
    ['params.a ) 1', 9, "invalid sequence of tokens near [')']."],
    ["params['a'] ) 1", 12, "unexpected token [')'] was expecting one of [{<EOF>, ';'}]."],
    ['x ]', 2, "invalid sequence of tokens near [']']."],
    ['nope(', 5, 'unexpected end of script.'],
    ['nope(1)', 0, 'Unknown call [nope] with [1] arguments.'],
    ['foo + (', 7, 'unexpected end of script.'],
    ['if (true', 8, "unexpected token ['<EOF>'] was expecting one of [')']."],
    ['x ? 1', 5, "unexpected token ['<EOF>'] was expecting one of [':']."],
    ["'abc", 0, "unexpected character ['abc]."],
    ['foo + 1', 0, 'cannot resolve symbol [foo]'],
    ["doc['x'].value", 0, 'cannot resolve symbol [doc]'],
    ['Math.frob(1)', 5, 'static method [Math, frob] not found'],
    ['Math.max(1)', 4, 'static method [Math, max/1] not found'],
    ['3000000000', 0, 'Invalid int constant [3000000000].'],
    ['1 # 2', 2, 'unexpected character [#].'],
    ['try { params.clear() }', 22, "unexpected token ['<EOF>'] was expecting one of ['catch']."],
    ['try { } catch (Thing t) {}', 15, 'cannot resolve type [Thing]'],
    ['int f(Thing t) { } f(1)', 6, 'cannot resolve type [Thing]'],
    ['int f(int a) { } f()', 17, 'Unknown call [f] with [0] arguments.'],
    ['int f() { } int f() { } f()', 16, 'Illegal duplicate functions [f].'],
    ['new Thread()', 4, 'cannot resolve type [Thread]'],
    ['break', 0, 'invalid break statement: not inside loop'],
    ['int x = 1; int x = 2', 15, 'variable [x] is already defined'],
    ['{ int x = 1; } x', 15, 'cannot resolve symbol [x]'],
    ['1 = 2', 2, 'cannot assign a value to this expression'],
    ['params.a; return 1', 0, 'not a statement: result not used from expression'],
  ])('refuses %s', (source, offset, reason) => {
    const error = failure(source)
    expect(error.type).toBe('script_exception')
    expect(error.reason).toBe('compile error')
    expect(error.details).toMatchObject({ script: source, lang: 'painless', position: { offset } })
    expect(error.details['script_stack']).toEqual([source, `${' '.repeat(offset)}^---- HERE`])
    expect(error.causedBy).toMatchObject({ type: 'illegal_argument_exception', message: reason })
  })

  it.each([
    ['params.n + 1', 'null_pointer_exception'],
    ['1 / 0', 'arithmetic_exception'],
    ['params.s + 1', 'class_cast_exception'],
    ['params.a ? 1 : 2', 'class_cast_exception'],
    ['true', 'class_cast_exception'],
    ['params.a.getClass()', 'illegal_argument_exception'],
    ['params.x.y', 'null_pointer_exception'],
    ['while (true) {}', 'painless_error'],
    ["def s = 'x'; while (true) { s += s }", 'illegal_argument_exception'],
    ['def l = [1]; while (true) { l.addAll(l) }', 'illegal_argument_exception'],
    [
      'def l = [1]; for (int i = 0; i < 14; i++) { l.addAll(l) } l.forEach(x -> l.forEach(y -> 1))',
      'painless_error',
    ],
    [
      'def l = [1]; for (int i = 0; i < 19; i++) { l.addAll(l) } for (x in l) { l.contains(2) }',
      'painless_error',
    ],
    ["throw new IllegalArgumentException('no')", 'illegal_argument_exception'],
    ['[1, 2][2]', 'array_index_out_of_bounds_exception'],
    ["'abc'.substring(2, 9)", 'string_index_out_of_bounds_exception'],
    ["Integer.parseInt('x')", 'number_format_exception'],
    ['int f(int n) { return f(n + 1) } f(1)', 'stack_overflow_error'],
    ['def m = [:]; m.f = x -> { [1].forEach(m.f) }; [1].forEach(m.f)', 'stack_overflow_error'],
    ['try { while (true) {} } catch (Exception e) { return 1 }', 'painless_error'],
    [
      "try { throw new IllegalStateException('a') } catch (IllegalArgumentException e) {}",
      'illegal_state_exception',
    ],
    [
      "try { throw new IllegalStateException('a') } catch (Exception e) { throw e }",
      'illegal_state_exception',
    ],
  ])('fails at %s', (source, type) => {
    const error = failure(source)
    expect(error.reason).toBe('runtime error')
    expect(error.causedBy).toMatchObject({ type })
  })

  // The places are those that OpenSearch 3.8 names.
  it.each([
    ['params.size() > 50 ? params.s : params', 'String', 32, 'class_cast_exception'],
    ['params.size() > 50 ? params.s : 0', 'String', 0, 'class_cast_exception'],
    ["params['s']", 'double', 6, 'class_cast_exception'],
    ["def x = 'a'; return x", 'double', 20, 'class_cast_exception'],
    ["def x = 'a'; return 5 + x * 2", undefined, 24, 'class_cast_exception'],
    ['def x = null; return 1 + x.foo()', undefined, 26, 'null_pointer_exception'],
    ['params.x.y', undefined, 8, 'null_pointer_exception'],
    ['def x = [1]; x[3]', undefined, 14, undefined],
    ["Integer.parseInt('x')", undefined, 7, 'number_format_exception'],
    ['int f(def x) { return x.foo } f(3)', undefined, 23, 'illegal_argument_exception'],
    ["throw new IllegalArgumentException('why')", undefined, 6, 'illegal_argument_exception'],
    ['def x = 1; x.foo = 3', undefined, 12, undefined],
  ] as const)('says where %s fails', (source, result, offset, type) => {
    const run = compileScript(readScript(source), ['params'])
    expect(() => run(new Map([['params', new Map(given)]]), result)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ position: expect.objectContaining({ offset }) }),
        ...(type !== undefined && { cause: expect.objectContaining({ type }) }),
      }),
    )
  })

  it('limits nesting and size', () => {
    expect(failure(`${'('.repeat(5000)}1`).causedBy!.message).toMatch(/nested/)
    expect(failure(`${'-'.repeat(5000)}1`).causedBy!.message).toMatch(/nested/)
    expect(() => readScript(' '.repeat(70_000))).toThrow(/exceeded max allowed inline script size in bytes/)
  })

  it('runs outer loops in steps', () => {
    const source =
      'int sum = 0; for (int i = 0; i < 1000; i++) { sum += i } for (x in [1, 2]) { sum += x } return sum'
    const steps = compileSteps(readScript(source), [])(new Map())
    let pauses = 0
    let last = steps.next()
    for (; !last.done; last = steps.next()) pauses++
    expect(last.value).toBe(499_503n)
    expect(pauses).toBe(15)
    const failing = compileSteps(readScript('for (x in [1]) { def y = x / 0 }'), [])(new Map())
    expect(() => failing.next()).toThrow(SearchError)
  })

  it('never runs user text as JavaScript', () => {
    const pieces = fc.constantFrom(
      ...'params . a [ ] ( ) + - * / ? : ; { } if return def x = 1 "s" < && || ! Math max , null for while -> ++ new try catch int f Exception'.split(
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (words) => {
        try {
          run(words.join(' '))
        } catch (error) {
          expect(error).toBeInstanceOf(SearchError)
        }
      }),
    )
  })
})

describe('Lucene expressions', () => {
  it.each<[string, number]>([
    ['a / b', 3.5],
    ['7 / 2', 3.5],
    ['max(a, b) + ln(1) + abs(-1)', 8],
    ['a > b', 1],
    ['a > b && b > 5', 0],
    ['a > 5 ? sqrt(4) : 0', 2],
    ['!a', 0],
  ])('%s', (source, expected) => {
    expect(run(source, 'expression')).toBe(expected)
  })

  it('are true when not zero', () => {
    expect(holds('a - 7', 'expression')).toBe(false)
    expect(holds('a > 1', 'expression')).toBe(true)
  })

  it('refuse unknown functions', () => {
    expect(failure('frob(1)', 'expression').causedBy!.message).toBe('Unrecognized function call (frob).')
  })
})

describe('parsing a script', () => {
  it.each([
    [{ source: '1', lang: 'groovy' }, 'script_lang not supported [groovy]'],
    [{ id: 'stored' }, 'unable to find script [stored] in cluster state'],
    [{ source: '1', typo: 1 }, '[script] unknown field [typo]'],
    [{}, 'must specify either [source] for an inline script or [id] for a stored script'],
  ])('%j', (json, reason) => {
    expect(() => readScript(json)).toThrow(reason)
  })
})
