import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SearchError } from '../../../search-error.ts'
import { compileScript, readScript } from './script.ts'
import type { ScriptValue } from './values.ts'

const given = new Map<string, ScriptValue>([
  ['a', 7],
  ['b', 2],
  ['n', null],
  ['i', 7n],
  ['s', 'text'],
])

function run(source: string, lang = 'painless'): ScriptValue {
  return compileScript(readScript({ source, lang }), 'number', ['a', 'b'])(given)
}

function holds(source: string, lang = 'painless'): ScriptValue {
  return compileScript(readScript({ source, lang }), 'condition', ['a', 'b'])(given)
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

  it('a script may come to nothing', () => {
    expect(run('params.n')).toBeNull()
    expect(run('null')).toBeNull()
  })

  it.each([
    ['params.a +', 10, 'unexpected end of script.'],
    ['params.a ) 1', 9, "unexpected token [')']."],
    ['foo + 1', 0, 'cannot resolve symbol [foo]'],
    ["doc['x'].value", 0, 'cannot resolve symbol [doc]'],
    ['Math.frob(1)', 5, 'static method [Math, frob] not found'],
    ['Math.max(1)', 0, 'static method [Math, max/1] not found'],
    ['3000000000', 0, 'Invalid int constant [3000000000].'],
    ['1 # 2', 2, 'unexpected character [#].'],
    ['while (true) {}', 0, '[while] is not supported in the scripts of aggregations'],
    ['params.a; return 1', 0, 'not a statement: result not used from expression'],
    ['params.a.getClass()', 9, 'dynamic method [java.lang.Double, getClass] not found'],
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
  ])('fails at %s', (source, type) => {
    const error = failure(source)
    expect(error.reason).toBe('runtime error')
    expect(error.causedBy).toMatchObject({ type })
  })

  it('bounds nesting and size', () => {
    expect(failure(`${'('.repeat(5000)}1`).causedBy!.message).toMatch(/nested/)
    expect(failure(`${'-'.repeat(5000)}1`).causedBy!.message).toMatch(/nested/)
    expect(() => readScript(' '.repeat(70_000))).toThrow(/exceeded max allowed inline script size in bytes/)
  })

  it('never runs anything for any text', () => {
    const pieces = fc.constantFrom(
      ...'params . a [ ] ( ) + - * / ? : ; { } if return def x = 1 "s" < && || ! Math max , null'.split(' '),
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

describe('expression', () => {
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

  it('is true when not zero', () => {
    expect(holds('a - 7', 'expression')).toBe(false)
    expect(holds('a > 1', 'expression')).toBe(true)
  })

  it('refuses unknown functions', () => {
    expect(failure('frob(1)', 'expression').causedBy!.message).toBe('Unrecognized function call (frob).')
  })
})

describe('reading', () => {
  it.each([
    [{ source: '1', lang: 'groovy' }, 'script_lang not supported [groovy]'],
    [{ id: 'stored' }, 'unable to find script [stored] in cluster state'],
    [{ source: '1', typo: 1 }, '[script] unknown field [typo]'],
    [{}, 'must specify either [source] for an inline script or [id] for a stored script'],
  ])('%j', (json, reason) => {
    expect(() => readScript(json)).toThrow(reason)
  })
})
