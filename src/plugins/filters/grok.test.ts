import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { type Fields, LsFloat, type Value } from '../../event/value.ts'
import {
  filterFor,
  runFilter,
  type TestOptions,
  type TestSettings,
  testEvent,
  validOptions,
} from '../../plugin/testing.ts'
import grok from './grok.ts'

async function run(fields: Fields, options: TestOptions, settings: TestSettings = {}) {
  const created = filterFor(grok, options, settings)
  const [event] = await created.filter([testEvent(fields)])
  const { counts, logger } = created.environment
  return { event: event!, counts: Object.fromEntries(counts), logger }
}

/** The fields that the expressions add to an event with this message. */
async function captures(
  message: Value,
  expressions: string | string[],
  options: TestOptions = {},
): Promise<Fields> {
  const match = { message: expressions }
  const [{ message: _, ...found } = {}] = await runFilter(grok, { match, ...options }, [{ message }])
  return found
}

const failure = { tags: ['_grokparsefailure'] }

describe('an expression', () => {
  it('of old configurations is about the message', async () => {
    const [fields] = await runFilter(grok, { pattern: ['%{INT:n}', '%{WORD:w}'] }, [{ message: 'a' }])
    expect(fields).toEqual({ message: 'a', w: 'a' })
  })

  it('stores what its references name', async () => {
    expect(
      await captures('55.3.244.1 GET /i.html', '%{IP:client} %{WORD:method} %{URIPATHPARAM:request}'),
    ).toEqual({
      client: '55.3.244.1',
      method: 'GET',
      request: '/i.html',
    })
  })

  it('is searched anywhere in the text', async () => {
    expect(await captures('<< 12 >>', '%{INT:n}')).toEqual({ n: '12' })
    expect(await captures('<< 12 >>', '^%{INT:n}$')).toEqual(failure)
  })

  it('knows lines: ^ and $ are their ends, the dot goes on over them', async () => {
    expect(await captures('one\n2\nthree', '^%{INT:n}$')).toEqual({ n: '2' })
    expect(await captures('one\ntwo', '%{GREEDYDATA:all}')).toEqual({ all: 'one\ntwo' })
  })

  it('has ASCII digits and words, but Unicode classes and word ends', async () => {
    expect(await captures('٣ 3', String.raw`(?<n>\d)`)).toEqual({ n: '3' })
    expect(await captures('éa', String.raw`(?<w>\w)`)).toEqual({ w: 'a' })
    expect(await captures('éa', String.raw`(?<w>\ba)`)).toEqual(failure)
    expect(await captures('éa', '(?<w>[[:alpha:]]+)')).toEqual({ w: 'éa' })
  })

  it('may name groups of its own, and whole fields by references', async () => {
    expect(await captures('a=1', String.raw`(?<key>\w)=(?<[v][n]>\d)`)).toEqual({ key: 'a', v: { n: '1' } })
    expect(await captures('x 1 2', '%{WORD:[a][b]} %{INT:[a][c]:int} %{INT:[@metadata][d]}')).toEqual({
      a: { b: 'x', c: 1 },
      '@metadata': { d: '2' },
    })
  })

  it('may define a pattern on the spot, for what follows in it too', async () => {
    expect(await captures('AB-12 CD-34', String.raw`%{CODE:a=[A-Z]{2}-\d+} %{CODE:b}`)).toEqual({
      a: 'AB-12',
      b: 'CD-34',
    })
  })

  it('must be known when the pipeline starts', () => {
    const start = (expression: string) => () => filterFor(grok, { match: { message: expression } })
    expect(start('%{NOPE:x}')).toThrow('pattern %{NOPE:x} not defined')
    expect(start('(%{INT:x}')).toThrow('end pattern with unmatched parenthesis')
    expect(start('%{LOOP:x=%{LOOP}}')).toThrow('Deep recursion pattern compilation of "%{LOOP:x=%{LOOP}}"')
  })

  it('may be no text', async () => {
    expect(await captures('a 12', [12] as unknown as string[])).toEqual({})
  })
})

describe('a type', () => {
  it.each<[string, string, Value]>([
    ['int', '12', 12],
    ['int', '-5', -5],
    ['int', '12abc', 12],
    ['int', 'abc', 0],
    ['int', '1.9', 1],
    ['int', '18446744073709551615', 18446744073709551615n],
    ['float', '1.5x', 1.5],
    ['float', '2', new LsFloat(2)],
    ['float', 'abc', new LsFloat(0)],
    ['integer', '12', '12'],
    ['string', '12', '12'],
    ['long', '12', '12'],
  ])('%s makes of %s', async (type, text, value) => {
    const { event } = await run({ message: text }, { match: { message: `%{NOTSPACE:n:${type}}` } })
    expect(event.get('n')).toEqual(value)
  })

  it('is for the first of several of the very same name', async () => {
    // The second is a text, and a field with a number keeps it.
    expect(await captures('1 2', '%{INT:n:int} %{INT:n:int}')).toEqual({ n: 1 })
    expect(await captures('x 2', '(?:%{WORD:n:int}|y) %{INT:n:int}')).toEqual({ n: 0 })
    expect(await captures('1 2', '%{INT:n} %{INT:n:int}')).toEqual({ n: ['1', 2] })
    expect(await captures('1 2', '%{INT:n:int} %{INT:n:int}', { overwrite: ['n'] })).toEqual({ n: '2' })
    expect(await captures('1', '%{WORD:n:float}|%{INT:n:int}')).toEqual({ n: new LsFloat(1) })
  })

  it('makes a number of an empty text too', async () => {
    expect(await captures('x', 'x(?<DATA:n:int>)')).toEqual({ n: 0 })
  })
})

describe('a field', () => {
  it('is tried in the order of the configuration', async () => {
    const match = { a: ['x', '%{INT:n}'], b: '%{WORD:w}' }
    expect(await runFilter(grok, { match }, [{ a: '5', b: 'y' }])).toEqual([{ a: '5', b: 'y', n: '5' }])
    expect(await runFilter(grok, { match }, [{ a: '-', b: 'y' }])).toEqual([{ a: '-', b: 'y', w: 'y' }])
  })

  it('that is missing or nil is the empty text', async () => {
    expect(await runFilter(grok, { match: { gone: '^$' } }, [{}, { gone: null }])).toEqual([
      {},
      { gone: null },
    ])
    expect(await runFilter(grok, { match: { gone: '.' } }, [{}])).toEqual([failure])
  })

  it.each<[Value, string]>([
    [12, '^12$'],
    [1.5, '^1.5$'],
    [new LsFloat(2), '^2\\.0$'],
    [true, '^true$'],
    [{ a: 1 }, '^\\{"a"=>1\\}$'],
    [new Timestamp(0), '^1970-01-01T00:00:00.000Z$'],
  ])('with %o is matched as text', async (value, expression) => {
    const [event] = await runFilter(grok, { match: { f: expression } }, [{ f: value }])
    expect(event!['tags']).toBeUndefined()
  })

  it('with a list is matched item by item, and one match is enough', async () => {
    expect(await captures(['a1', 'b', 'c3', 4], '%{INT:n}')).toEqual({ n: ['1', '3', '4'] })
    expect(await captures(['a', 'b'], '%{INT:n}')).toEqual(failure)
    expect(await captures([], '.*')).toEqual(failure)
  })

  it('with a list of many items is done in time proportional to them', async () => {
    const items = Array.from({ length: 100_000 }, (_, n) => `word${n}`)
    const started = performance.now()
    const [event] = await runFilter(grok, { match: { list: '%{WORD:word}' } }, [{ list: items }])
    expect(event!['word']).toEqual(items)
    // Copying what was found before at every item took minutes.
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('with a list of many items tags in time proportional to them, and refuses what is no tag', async () => {
    const items = Array.from({ length: 100_000 }, (_, n) => `word${n}`)
    const started = performance.now()
    const [event] = await runFilter(grok, { match: { list: '%{WORD:tags}' } }, [{ list: items }])
    expect(event!['tags']).toEqual(items)
    expect(performance.now() - started).toBeLessThan(10_000)
    const [other] = await runFilter(grok, { match: { list: '%{WORD:tags} %{INT:tags:int}' } }, [
      { list: ['a 1', 'b 2'] },
    ])
    expect(other!['tags']).toEqual(['a', '_grokparsefailure'])
  })

  it('with a list may get its captures into that list', async () => {
    const [event] = await runFilter(
      grok,
      { match: { text: '%{WORD:list}', list: '%{WORD:list}' }, break_on_match: false },
      [{ text: ['a', 'b', 'c'], list: ['x'] }],
    )
    expect(event!['list']).toEqual(['x', 'a', 'b', 'c', 'x', 'a', 'b', 'c'])
  })

  it('may be given by a reference, and hold names of JavaScript', async () => {
    const event = { a: { __proto__x: '1', constructor: '5' } }
    expect(await runFilter(grok, { match: { '[a][constructor]': '%{INT:n}' } }, [event])).toMatchObject([
      { n: '5' },
    ])
  })
})

describe('break_on_match', () => {
  const expressions = ['%{INT:n}', '%{WORD:w}']

  it('ends everything at the first match', async () => {
    expect(await captures('a 1', expressions)).toEqual({ n: '1' })
    const match = { a: '%{INT:x}', b: '%{INT:y}' }
    expect(await runFilter(grok, { match }, [{ a: '1', b: '2' }])).toEqual([{ a: '1', b: '2', x: '1' }])
  })

  it('set to false runs everything', async () => {
    expect(await captures('a 1', expressions, { break_on_match: false })).toEqual({ n: '1', w: 'a' })
    const match = { a: '%{INT:x}', b: '%{INT:y}' }
    expect(await runFilter(grok, { match, break_on_match: false }, [{ a: '1', b: '2' }])).toEqual([
      { a: '1', b: '2', x: '1', y: '2' },
    ])
  })

  it('set to false takes the last expression of a field for its result', async () => {
    const options = { break_on_match: false, add_tag: ['ok'] }
    expect(await captures('a 1', ['%{INT:n}', 'nothing'], options)).toEqual({ n: '1', ...failure })
    expect(await captures('a 1', ['nothing', '%{INT:n}'], options)).toEqual({ n: '1', tags: ['ok'] })
    const match = { a: ['%{INT:x}', 'nothing'], b: '.' }
    expect(await runFilter(grok, { match, ...options }, [{ a: '1', b: '2' }])).toEqual([
      { a: '1', b: '2', x: '1', tags: ['ok'] },
    ])
  })
})

describe('a capture', () => {
  it.each<[string, Value | undefined, Value]>([
    ['absent', undefined, 'new'],
    ['nil', null, 'new'],
    ['text', 'old', ['old', 'new']],
    ['an empty text', '', ['', 'new']],
    ['a list', ['a', 'b'], ['a', 'b', 'new']],
    ['an empty list', [], ['new']],
    ['a number', 5, 5],
    ['a float', new LsFloat(5), new LsFloat(5)],
    ['a map', { a: 1 }, { a: 1 }],
    ['true', true, true],
    ['a time', new Timestamp(0), new Timestamp(0)],
  ])('meets a field that is %s', async (_, old, value) => {
    for (const field of ['f', '[deep][f]', '__proto__', '[@metadata][f]']) {
      const created = filterFor(grok, { match: { message: `%{WORD:${field}}` } })
      const event = testEvent({ message: 'new' })
      if (old !== undefined) event.set(field, old)
      await created.filter([event])
      expect(event.get(field), field).toEqual(value)
    }
  })

  it('replaces what overwrite names', async () => {
    const options = { match: { message: '%{WORD:w} %{GREEDYDATA:message}' }, overwrite: ['message'] }
    expect(await runFilter(grok, options, [{ message: 'a b c', w: 'x' }])).toEqual([
      { message: 'b c', w: ['x', 'a'] },
    ])
    for (const old of [5, { a: 1 }, ['x']]) {
      const [event] = await runFilter(grok, { match: { message: '%{WORD:w}' }, overwrite: ['w'] }, [
        { message: 'a', w: old },
      ])
      expect(event!['w']).toBe('a')
    }
    const nested = { match: { message: '%{WORD:[a][b]}' }, overwrite: ['[a][b]'] }
    expect(await runFilter(grok, nested, [{ message: 'x', a: { b: 1, c: 2 } }])).toEqual([
      { message: 'x', a: { b: 'x', c: 2 } },
    ])
  })

  it('that is empty or took no part is left out, unless it is kept', async () => {
    const expression = String.raw`(?<a>x)?(?<b>\d*)(?<c>.)%{INT:d:int}?`
    expect(await captures('-', expression)).toEqual({ c: '-' })
    expect(await captures('-', expression, { keep_empty_captures: true })).toEqual({
      a: null,
      b: '',
      c: '-',
      d: null,
    })
    const [event] = await runFilter(
      grok,
      { match: { message: expression }, keep_empty_captures: true, overwrite: ['a'] },
      [{ message: '-', a: 'old' }],
    )
    expect(event!['a']).toBeNull()
  })

  it('without a field is stored under the pattern when asked for', async () => {
    expect(await captures('a 1', '%{WORD} %{INT:n}')).toEqual({ n: '1' })
    const options = { named_captures_only: false }
    expect(await captures('a 1', '%{WORD} %{INT:n}', options)).toEqual({ WORD: 'a', n: '1' })
    expect(await captures('10.0.0.1', '%{IP:ip}', options)).toEqual({ ip: '10.0.0.1', IPV4: '10.0.0.1' })
    // A named group makes plain ones mere brackets.
    expect(await captures('ab', '(a)(?<x>b)', options)).toEqual({ x: 'b' })
  })

  it('of several groups with one name becomes a list', async () => {
    expect(await captures('a b c', '%{WORD:w} %{WORD:w} %{WORD:w}')).toEqual({ w: ['a', 'b', 'c'] })
    expect(await captures('b', '(?:a%{INT:x}|%{WORD:x})')).toEqual({ x: 'b' })
    expect(await captures('a 1', '%{WORD:x} %{INT:x}')).toEqual({ x: ['a', '1'] })
  })

  it('goes into the target', async () => {
    expect(await captures('a 1', '%{WORD:w} %{INT:[d][n]:int}', { target: 'out' })).toEqual({
      out: { w: 'a', d: { n: 1 } },
    })
    expect(await captures('a', '%{WORD:w}', { target: '[x][y]' })).toEqual({ x: { y: { w: 'a' } } })
    expect(await captures('a', '%{WORD:w}', { target: '[@metadata][g]' })).toEqual({
      '@metadata': { g: { w: 'a' } },
    })
    const options = { match: { message: '%{WORD:w}' }, target: 'out' }
    expect(await runFilter(grok, options, [{ message: 'a', w: 'top', out: { w: 'old' } }])).toEqual([
      { message: 'a', w: 'top', out: { w: ['old', 'a'] } },
    ])
    expect(
      await runFilter(grok, { ...options, overwrite: ['w'] }, [{ message: 'a', out: { w: 'old' } }]),
    ).toEqual([{ message: 'a', out: { w: 'a' } }])
  })

  it('may be called like members of JavaScript objects', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']
    for (const name of names) {
      const { event } = await run({ message: 'x' }, { match: { message: `(?<${name}>x)` } })
      expect(event.get(name), name).toBe('x')
      expect(Object.getPrototypeOf(event.data)).toBe(Object.prototype)
      const nested = await run({ message: 'x' }, { match: { message: `%{WORD:[__proto__][${name}]}` } })
      expect(nested.event.get(`[__proto__][${name}]`), name).toBe('x')
    }
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  it('forgets the text an event arrived as', async () => {
    const { filter } = filterFor(grok, { match: { message: '%{INT:n}' } })
    const event = testEvent({ message: '5' })
    event.raw = '{"message":"5"}'
    await filter([event])
    expect(event.raw).toBeNull()
  })

  it('goes into the tags too', async () => {
    const options = { match: { message: '%{WORD:tags}' } }
    expect(await runFilter(grok, options, [{ message: 'a' }, { message: 'a', tags: ['b'] }])).toEqual([
      { message: 'a', tags: 'a' },
      { message: 'a', tags: ['b', 'a'] },
    ])
  })

  it.each([
    [
      '%{WORD:w} %{INT:@timestamp}',
      'wrong argument type String (expected LogStash::Timestamp)',
      ['@timestamp'],
    ],
    ['%{WORD:w} %{INT:tags:int}', "Could not set the reserved tags field '[tags]' to value '5'", []],
    ['%{WORD:w} %{INT:[a}', 'Invalid FieldReference: `[a`', []],
  ])('that cannot be stored fails the field: %s', async (expression, message, overwrite) => {
    const options = { match: { message: expression, other: '(?<o>.)' }, overwrite, add_tag: ['ok'] }
    const { event, logger, counts } = await run({ message: 'a 5' }, options)
    expect(event.get('w')).toBe('a')
    expect(event.get('tags')).toEqual(['_grokparsefailure'])
    expect(counts).toMatchObject({ failures: 1 })
    expect(logger.lines).toMatchObject([
      {
        level: 'warn',
        message: 'Grok regexp threw exception',
        fields: { exception: expect.stringContaining(message) as string },
      },
    ])
    // Another field may still match.
    const second = await run({ message: 'a 5', other: 'x' }, options)
    expect(second.event.get('tags')).toEqual(['ok'])
  })
})

describe('success and failure', () => {
  const options = {
    match: { message: '%{INT:n}' },
    add_tag: ['ok'],
    remove_field: ['message'],
    tag_on_failure: ['bad', 'worse'],
  }

  it('decorates what matched', async () => {
    expect(await runFilter(grok, options, [{ message: '1' }])).toEqual([{ n: '1', tags: ['ok'] }])
  })

  it('tags what did not, each tag once', async () => {
    expect(await runFilter(grok, options, [{ message: 'x', tags: ['worse'] }])).toEqual([
      { message: 'x', tags: ['worse', 'bad'] },
    ])
    expect(await runFilter(grok, { ...options, tag_on_failure: [] }, [{ message: 'x' }])).toEqual([
      { message: 'x' },
    ])
  })

  it('without any expression is a failure', async () => {
    expect(await runFilter(grok, {}, [{ message: 'x' }])).toEqual([{ message: 'x', ...failure }])
  })

  it('is counted, for each expression too', async () => {
    const match = { a: ['%{INT:n}', '%{WORD:w}'], b: 'b' }
    const created = filterFor(grok, { match })
    await created.filter(
      [{ a: '1' }, { a: 'x' }, { a: '-', b: 'b' }, { a: '-' }].map((fields) => testEvent(fields)),
    )
    expect(Object.fromEntries(created.environment.counts)).toEqual({
      matches: 3,
      failures: 1,
      'ext.patterns.0.hits': 1,
      'ext.patterns.0.misses': 3,
      'ext.patterns.1.hits': 1,
      'ext.patterns.1.misses': 2,
      'ext.patterns.2.hits': 1,
      'ext.patterns.2.misses': 1,
    })
  })

  it('times one search in sixty-four', async () => {
    const created = filterFor(grok, { match: { message: '%{INT:n}' } })
    const events = (count: number) => Array.from({ length: count }, () => testEvent({ message: 'x 1' }))
    await created.filter(events(63))
    expect(created.environment.counts.has('ext.patterns.0.duration_in_nanos')).toBe(false)
    await created.filter(events(1))
    expect(created.environment.counts.get('ext.patterns.0.duration_in_nanos')).toBeGreaterThan(0)
  })
})

describe('what is said about the options', () => {
  it('has the number of expressions of each field', () => {
    const options = validOptions(grok, { match: { message: ['a', 'b'], '[a][b]': 'c' } })
    expect(grok.factsOf?.(options as never)).toEqual({
      patterns_per_field: { message: 2, '[a][b]': 1 },
    })
  })

  it('has a word on expressions that can explode', () => {
    const concerns = (expression: string) =>
      grok.concerns?.(validOptions(grok, { match: { message: expression } }) as never, 'disabled') ?? []
    expect(concerns('^(?<x>(?:a|a|b)+)+c')).toMatchObject([
      {
        option: 'match',
        message: expect.stringContaining(
          "The grok expression '^(?<x>(?:a|a|b)+)+c' can take very long on some texts",
        ) as string,
        hint: expect.stringContaining('tag_on_timeout') as string,
      },
    ])
    for (const quiet of ['%{COMBINEDAPACHELOG}', '%{SYSLOGLINE}', '%{URI:u} %{GREEDYDATA:rest}'])
      expect(concerns(quiet)).toEqual([])
  })
})
