import { describe, expect, it } from 'vitest'
import { writeJson } from '../../answer/json-text.ts'
import { parseExactJson } from '../../request/json-literals.ts'
import type { JsonObject } from '../../request/json-object.ts'
import { SearchError } from '../../request/search-error.ts'
import { updateScript } from './update-script.ts'

const about = { _index: 'things', _id: '1', _version: 3, _routing: null, _now: 1_700_000_000_000 }

function run(source: string, before = '{}', params: JsonObject = {}) {
  const script = updateScript({ source, params, lang: 'painless' }, {})
  return script.run(parseExactJson(before) as JsonObject, about)
}

const sourceAfter = (...asked: Parameters<typeof run>) => writeJson(run(...asked).source)

describe('update scripts', () => {
  it.each<[string, string, JsonObject, string]>([
    ['ctx._source.n += params.count; ctx._source.s = "b;c"', '{"n":1}', { count: 4 }, '{"n":5,"s":"b;c"}'],
    ["ctx._source.remove('s')", '{"s":1,"n":1}', {}, '{"n":1}'],
    ["ctx._source['o'].x = 2; ctx._source.l.add(7)", '{"o":{"x":1},"l":[1]}', {}, '{"o":{"x":2},"l":[1,7]}'],
    [
      'if (ctx._source.tags.contains(params.tag)) { ctx._source.tags.remove(ctx._source.tags.indexOf(params.tag)) }',
      '{"tags":["red","blue"]}',
      { tag: 'red' },
      '{"tags":["blue"]}',
    ],
    [
      'if (ctx._source.seen == null) { ctx._source.seen = [params.at] } else { ctx._source.seen.add(params.at) }',
      '{}',
      { at: 'today' },
      '{"seen":["today"]}',
    ],
    [
      'for (entry in params.more.entrySet()) { ctx._source[entry.getKey()] = entry.getValue() }',
      '{"a":1}',
      { more: { b: { c: [1] } } },
      '{"a":1,"b":{"c":[1]}}',
    ],
    ['for (x in params.l) ctx._source.l.add(x)', '{"l":[1]}', { l: [2, 3] }, '{"l":[1,2,3]}'],
    ['int i = 0; while (i < 3) ctx._source.n += i++;', '{"n":0}', {}, '{"n":3}'],
    ['ctx._source = params.doc', '{"a":1}', { doc: { b: 2 } }, '{"b":2}'],
    ['ctx._source.when = ctx._now; ctx._source.of = ctx._id', '{}', {}, '{"when":1700000000000,"of":"1"}'],
    [
      'ctx._source.half = ctx._source.n / 2; ctx._source.exact = ctx._source.n / 2.0',
      '{"n":4}',
      {},
      '{"n":4,"half":2,"exact":2.0}',
    ],
    ["ctx._source.__proto__ = ['x': 1]", '{}', {}, '{"__proto__":{"x":1}}'],
  ])('%s', (source, before, params, expected) => {
    expect(sourceAfter(source, before, params)).toBe(expected)
  })

  it('keep the spelling of untouched numbers', () => {
    const numbers = '{"a":1.0,"b":12345678901234567890,"c":1e3,"n":1}'
    expect(sourceAfter('ctx._source.n++', numbers)).toBe(numbers.replace('"n":1', '"n":2'))
    expect(sourceAfter('ctx._source.b2 = ctx._source.b', '{"b":9007199254740993}')).toBe(
      '{"b":9007199254740993,"b2":9007199254740993}',
    )
  })

  it('do not change their parameters for the next document', () => {
    const script = updateScript(
      { source: 'params.l.add(1); ctx._source.l = params.l', params: { l: [] } },
      {},
    )
    for (let i = 0; i < 2; i++) expect(writeJson(script.run({}, about).source)).toBe('{"l":[1]}')
  })

  it('set the operation', () => {
    expect(run("ctx.op = 'noop'").op).toBe('noop')
    expect(run("ctx.op = 'none'").op).toBe('noop')
    expect(run("if (ctx._version > 2) { ctx.op = 'delete' }").op).toBe('delete')
    expect(run('ctx._source.n = 1').op).toBe('index')
    expect(() => run("ctx.op = 'junk'")).toThrow(
      'Operation type [junk] not allowed, only [noop, index, delete] are allowed',
    )
  })

  it('may change the target of a reindex, and nothing else', () => {
    expect(run("ctx._id = 'a' + ctx._id; ctx._index = 'other'").place).toEqual(
      new Map([
        ['_index', 'other'],
        ['_id', 'a1'],
        ['_routing', undefined],
      ]),
    )
    expect(() => run('ctx.junk = 1')).toThrow('Invalid fields added to context [junk]')
  })

  it('are found by id', () => {
    const stored = { count: { lang: 'painless', source: 'ctx._source.n += params.by' } }
    const script = updateScript({ id: 'count', params: { by: 2 } }, stored)
    expect(script.run({ n: 1 }, about).source).toEqual({ n: 3 })
    expect(() => updateScript({ id: 'other' }, stored)).toThrow(
      'unable to find script [other] in cluster state',
    )
  })

  it.each([
    'System.exit(0)',
    'ctx._source.n = foo()',
    'this.constructor',
    'ctx.constructor.constructor("x")()',
  ])('refuses %s', (evil) => {
    expect(() => run(evil)).toThrow(SearchError)
  })

  it('are bounded in time', () => {
    expect(() => run('for (;;) {}')).toThrow('runtime error')
    expect(() => run('def m = [:]; m.m = m; ctx._source.x = m')).toThrow('runtime error')
  })
})
