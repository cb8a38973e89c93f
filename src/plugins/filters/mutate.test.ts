import { describe, expect, it } from 'vitest'
import { type Fields, LsFloat, type Value } from '../../event/value.ts'
import { filterFor, runFilter, type TestOptions, testEvent, testTime } from '../../plugin/testing.ts'
import mutate from './mutate.ts'

/** The fields after one mutate block. */
async function mutated(options: TestOptions, fields: Fields): Promise<Fields> {
  const [result] = await runFilter(mutate, options, [fields])
  return result!
}

describe('order and failures', () => {
  it('runs the operations in one order whatever the configuration says', async () => {
    const options = new Map<string, string[] | Map<string, string>>([
      ['copy', new Map([['out', 'copied']])],
      ['merge', new Map([['out', 'more']])],
      ['join', new Map([['out', '+']])],
      ['split', new Map([['out', ' ']])],
      ['strip', ['out']],
      ['lowercase', ['out']],
      ['capitalize', ['out']],
      ['uppercase', ['out']],
      ['gsub', ['out', 'x', ' y ']],
      ['convert', new Map([['out', 'string']])],
      ['replace', new Map([['more', '%{out}']])],
      ['update', new Map([['out', ' AxB %{n}']])],
      ['rename', new Map([['in', 'out']])],
      ['coerce', new Map([['in', '5']])],
    ])
    expect(await mutated(options, { in: null, n: 1 })).toEqual({
      n: 1,
      more: ' AxB 1',
      out: ['a+y+b+1', ' AxB 1'],
      copied: ['a+y+b+1', ' AxB 1'],
    })
  })

  it('stops at the first failure, tags, and skips the decorations', async () => {
    const { filter, environment } = filterFor(mutate, {
      rename: { a: 'b' },
      convert: { b: 'integer' },
      uppercase: ['c'],
      add_tag: ['done'],
    })
    const [event] = await filter([testEvent({ a: 'hello', c: 'x', tags: ['_mutate_error', 't'] })])
    expect(event!.toHash()).toMatchObject({ b: 'hello', c: 'x', tags: ['_mutate_error', 't'] })
    expect(environment.logger.lines).toEqual([
      {
        level: 'warn',
        message: 'Exception caught while applying mutate filter',
        fields: { exception: 'invalid value for BigDecimal(): "hello"' },
      },
    ])
  })

  it('uses the tag it is given', async () => {
    const options = { convert: { f: 'float' }, tag_on_failure: 'my_tag' }
    expect(await mutated(options, { f: 'x' })).toEqual({ f: 'x', tags: ['my_tag'] })
  })

  it('decorates after its own work', async () => {
    const options = { lowercase: ['a'], add_field: { b: '%{a}' }, remove_field: ['a'], add_tag: ['t'] }
    expect(await mutated(options, { a: 'X' })).toEqual({ b: 'x', tags: ['t'] })
  })

  it('tags when a decoration or a reference is bad, and starts all the same', async () => {
    for (const options of [
      { add_field: { '[[][[[[]message': 'nope' } },
      { uppercase: ['foo[bar]'] },
      { rename: { message: '[a' } },
      { copy: { message: ['a', 'b'] } },
      { replace: { '[message][below]': 'x' } },
      { replace: { '@timestamp': 'x' } },
      { split: { message: 5 } },
    ]) {
      expect((await mutated(options, { message: 'foo' }))['tags']).toEqual(['_mutate_error'])
    }
  })
})

describe('coerce, update, replace', () => {
  it('coerces fields that exist and are null', async () => {
    const options = { coerce: { a: 'Hello %{n}', b: 5, c: 'x', d: 'x' } }
    expect(await mutated(options, { a: null, b: null, c: false, n: 1 })).toEqual({
      a: 'Hello 1',
      b: '5',
      c: false,
      n: 1,
    })
  })

  it('updates fields that exist and replaces any', async () => {
    const options = {
      update: { a: '1 %{b}', missing: 'x', none: 'y' },
      replace: { b: 'new', '[c][d]': '%{a}', e: ['x', 'y'] },
    }
    expect(await mutated(options, { a: ['x'], b: 'old', none: null })).toEqual({
      a: '1 old',
      b: 'new',
      none: 'y',
      c: { d: '1 old' },
      e: '["x", "y"]',
    })
  })
})

describe('rename', () => {
  it('moves any value, null too, and overwrites', async () => {
    const options = { rename: { a: 'b', none: '[n][m]', missing: 'c', '[x][y]': 'z' } }
    expect(await mutated(options, { a: [1], b: 2, none: null, x: { y: { k: 1 } } })).toEqual({
      b: [1],
      n: { m: null },
      x: {},
      z: { k: 1 },
    })
  })

  it('takes templates on both sides', async () => {
    expect(await mutated({ rename: { 'field_%{x}': 'new' } }, { field_one: 'v', x: 'one' })).toEqual({
      new: 'v',
      x: 'one',
    })
    expect(await mutated({ rename: { origin: 'field_%{x}' } }, { origin: 'v', x: 'one' })).toEqual({
      field_one: 'v',
      x: 'one',
    })
  })

  it('loses a value that its new place refuses', async () => {
    expect(await mutated({ rename: { a: '@timestamp' } }, { a: 'x' })).toEqual({ tags: ['_mutate_error'] })
  })

  it('moves metadata', async () => {
    const options = { rename: { '[@metadata][a]': 'a', b: '[@metadata][b]' } }
    expect(await mutated(options, { '@metadata': { a: 1 }, b: 2 })).toEqual({ a: 1, '@metadata': { b: 2 } })
  })
})

describe('gsub', () => {
  it('replaces in texts and in lists of texts', async () => {
    const { filter, environment } = filterFor(mutate, { gsub: ['a', 'extinct', 'common', 'b', '[x/]', '_'] })
    const [event] = await filter([testEvent({ a: ['extinct extinct', 1], b: 'x/y/', c: 'extinct' })])
    expect(event!.toHash()).toMatchObject({ a: ['common common', 1], b: '__y_', c: 'extinct' })
    expect(environment.logger.lines).toEqual([
      {
        level: 'warn',
        message: 'gsub mutation is only applicable for strings and arrays of strings, skipping',
        fields: { field: 'a', value: 1 },
      },
    ])
  })

  it('leaves other values', async () => {
    const fields = { a: 1, b: { c: 'x' }, d: null }
    expect(
      await mutated({ gsub: ['a', '1', '2', 'b', 'x', 'y', 'd', 'x', 'y', 'e', 'x', 'y'] }, fields),
    ).toEqual(fields)
  })

  it('knows the replacement syntax of Ruby', async () => {
    const options = {
      gsub: ['a', '(\\w+)=(?:\\d+)', '<\\1>', 'b', '(?<n>\\d)', '[\\k<n>\\0]', 'c', '\\.', '\\\\'],
    }
    expect(await mutated(options, { a: 'x=1 y=22', b: '12', c: 'a.b' })).toEqual({
      a: '<x> <y>',
      b: '[11][22]',
      c: 'a\\b',
    })
  })

  it('fills in placeholders in the replacement and in the pattern', async () => {
    const options = {
      gsub: ['a', 'of type %{color}', '%{color} and green', 'b', 'x', '%{missing}', 'c', '%{bad}', 'y'],
    }
    expect(await mutated(options, { a: ['of type blue'], b: 'x', color: 'blue' })).toEqual({
      a: ['blue and green'],
      b: '%{missing}',
      color: 'blue',
    })
    expect((await mutated(options, { c: 'x', bad: '(' }))['tags']).toEqual(['_mutate_error'])
  })

  it('anchors lines, and the dot stops at a newline', async () => {
    const options = { gsub: ['a', '^', '> ', 'b', 'x.y', '', 'c', '\\d$', 'blue'] }
    expect(await mutated(options, { a: '1\n2', b: 'x\ny', c: 'red3' })).toEqual({
      a: '> 1\n> 2',
      b: 'x\ny',
      c: 'redblue',
    })
  })

  it('refuses a list not in threes and a bad pattern at start-up', () => {
    expect(() => filterFor(mutate, { gsub: ['message', 'toreplace'] })).toThrow(
      'Invalid gsub configuration ["message", "toreplace", nil]. gsub requires 3 non-nil elements per config entry',
    )
    expect(() => filterFor(mutate, { gsub: ['message', '(', ''] })).toThrow()
  })
})

describe('letters, strip, split, join', () => {
  it('changes texts and the texts in lists', async () => {
    const options = { uppercase: ['u'], lowercase: ['l', '[n][l]'], capitalize: ['c'], strip: ['s'] }
    const fields = { u: ['a', 2, 'C'], l: 'ExAmPlE', n: { l: 'X' }, c: ['ab', 2, 'CDE'], s: [' a ', '\tb\n'] }
    expect(await mutated(options, fields)).toEqual({
      u: ['A', 2, 'C'],
      l: 'example',
      n: { l: 'x' },
      c: ['Ab', 2, 'Cde'],
      s: ['a', 'b'],
    })
  })

  it('does not create fields, and leaves other values', async () => {
    const options = {
      uppercase: ['a', 'x'],
      lowercase: ['x'],
      capitalize: ['x'],
      strip: ['a', 'x'],
      split: { a: ',' },
    }
    expect(await mutated(options, { a: { b: 'c' } })).toEqual({ a: { b: 'c' } })
    expect(await mutated({ uppercase: ['@timestamp'] }, { a: 1 })).toEqual({ a: 1 })
  })

  it('fails to strip a list with something else than text', async () => {
    const { filter, environment } = filterFor(mutate, { strip: ['s'] })
    await filter([testEvent({ s: ['a', 1] })])
    expect(environment.logger.lines[0]?.fields).toEqual({
      exception: "undefined method `strip' for 1:Integer",
    })
  })

  it('splits like Ruby and joins lists only', async () => {
    const options = { split: { a: ',', b: ' ', c: '', d: ',', e: ',' }, join: { d: '+', e: '-', f: '-' } }
    const fields = {
      a: 'foo,',
      b: ' x  y ',
      c: 'ab',
      d: 'p,q',
      e: ['x', 1, null, [new LsFloat(2)]],
      f: 'text',
    }
    expect(await mutated(options, fields)).toEqual({
      a: ['foo'],
      b: ['x', 'y'],
      c: ['a', 'b'],
      d: 'p+q',
      e: 'x-1--2.0',
      f: 'text',
    })
  })
})

describe('merge', () => {
  it.each<[Fields, Value | undefined]>([
    [{ foo: 'bar' }, ['bar']],
    [{ foo: 'bar', list: [] }, ['bar']],
    [{ foo: 'bar', list: ['baz'] }, ['baz', 'bar']],
    [{ foo: ['bar'], list: ['baz'] }, ['baz', 'bar']],
    [{ foo: [], list: ['baz'] }, ['baz']],
    [{ foo: ['bar'], list: 'baz' }, ['baz', 'bar']],
    [{ foo: 'bar', list: 'baz' }, ['baz', 'bar']],
    [{ list: 'baz' }, ['baz']],
    [{ foo: null, list: null }, []],
    [{}, []],
    [{ foo: [[1]], list: [2] }, [2, [1]]],
    [
      { foo: { b: 2, c: 3 }, list: { a: 1, b: 1 } },
      { a: 1, b: 2, c: 3 },
    ],
    [{ foo: { a: 1 } }, undefined],
    [{ foo: { a: 1 }, list: ['x'] }, ['x']],
    [{ foo: 'x', list: { a: 1 } }, { a: 1 }],
  ])('%o', async (fields, expected) => {
    const result = await mutated({ merge: { list: 'foo' } }, fields)
    expect(result['list']).toEqual(expected)
    expect(result['foo']).toEqual(fields['foo'])
    expect(result['tags']).toBeUndefined()
  })

  it('logs maps that meet something else', async () => {
    const { filter, environment } = filterFor(mutate, { merge: { list: 'foo' } })
    await filter([testEvent({ list: ['a'], foo: {} })])
    expect(environment.logger.lines).toEqual([
      {
        level: 'error',
        message: 'Not possible to merge an array and a hash: ',
        fields: { dest_field: 'list', added_field: 'foo' },
      },
    ])
  })

  it('takes several sources: lists and maps grow, a scalar keeps the last', async () => {
    const options = { merge: { list: ['a', 'b'], map: ['m', 'n'], scalar: ['a', 'b'] } }
    const fields = { list: [0], a: 1, b: [2], map: {}, m: { x: 1 }, n: { y: 2 }, scalar: 0 }
    expect(await mutated(options, fields)).toMatchObject({
      list: [0, 1, 2],
      map: { x: 1, y: 2 },
      scalar: [0, 2],
    })
  })

  it('refuses tags that would not be texts', async () => {
    expect(await mutated({ merge: { tags: 'n' } }, { tags: ['a'], n: 1 })).toEqual({
      tags: ['a', '_mutate_error'],
      n: 1,
    })
  })
})

describe('copy', () => {
  it('copies deeply, over existing fields, but not null', async () => {
    const { filter } = filterFor(mutate, { copy: { a: 'b', none: 'b', '@timestamp': 't', missing: 'b' } })
    const [event] = await filter([testEvent({ a: { x: [1] }, b: 'old', none: null })])
    event!.set('[a][x][0]', 2)
    expect(event!.get('b')).toEqual({ x: [1] })
    expect(event!.get('t')).toBe(testTime)
  })

  it('shares nothing after a merge either', async () => {
    const { filter } = filterFor(mutate, { merge: { list: 'a', map: 'b' } })
    const [event] = await filter([testEvent({ a: [{ x: 1 }], map: {}, b: { k: { x: 1 } } })])
    event!.set('[a][0][x]', 2)
    event!.set('[b][k][x]', 2)
    expect(event!.get('[list][0][x]')).toBe(1)
    expect(event!.get('[map][k][x]')).toBe(1)
  })
})

it('takes odd names as data in every option', async () => {
  const fields: Fields = JSON.parse(
    '{"__proto__":" Ab ","constructor":{"__proto__":"1"},"hasOwnProperty":null,"toString":["x"],"valueOf":"a,b"}',
  )
  const options = new Map<string, (string | number)[] | Map<string, string>>([
    ['coerce', new Map([['hasOwnProperty', 'h']])],
    ['rename', new Map([['hasOwnProperty', '[__proto__2][__proto__]']])],
    ['update', new Map([['__proto__', ' %{__proto__}C ']])],
    ['replace', new Map([['isPrototypeOf', '%{[constructor][__proto__]}']])],
    ['convert', new Map([['[constructor][__proto__]', 'integer']])],
    ['gsub', ['__proto__', 'b', 'B']],
    ['lowercase', ['__proto__']],
    ['strip', ['__proto__']],
    ['split', new Map([['valueOf', ',']])],
    ['join', new Map([['valueOf', ';']])],
    ['merge', new Map([['toString', '__proto__']])],
    ['copy', new Map([['__proto__', '[constructor][constructor]']])],
  ])
  const result = await mutated(options, fields)
  expect(JSON.parse(JSON.stringify(result))).toEqual(
    JSON.parse(
      '{"__proto__":"ab c","constructor":{"__proto__":1,"constructor":"ab c"},"toString":["x","ab c"],' +
        '"valueOf":"a;b","__proto__2":{"__proto__":"h"},"isPrototypeOf":"1"}',
    ),
  )
  expect(JSON.stringify(result)).toContain('"__proto__":"ab c"')
})

it('forgets the text an event arrived as only when it changes the event', async () => {
  const { filter } = filterFor(mutate, { lowercase: ['a'], rename: { missing: 'x' }, gsub: ['a', 'z', 'y'] })
  const same = testEvent({ a: 'x' })
  const other = testEvent({ a: 'X' })
  same.raw = other.raw = '{}'
  await filter([same, other])
  expect([same.raw, other.raw]).toEqual(['{}', null])
})
