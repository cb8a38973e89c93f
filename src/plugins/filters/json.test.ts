import { describe, expect, it } from 'vitest'
import { Timestamp } from '../../event/timestamp.ts'
import { LsFloat } from '../../event/value.ts'
import { filterFor, runFilter, type TestOptions, testEvent, testTime } from '../../plugin/testing.ts'
import json from './json.ts'

async function parse(message: unknown, options: TestOptions = {}) {
  const created = filterFor(json, { source: 'message', ...options })
  const [event] = await created.filter([testEvent({ message: message as string })])
  return { event: event!, logger: created.environment.logger }
}

describe('json', () => {
  it('puts members into the event and keeps the source', async () => {
    const message = '{ "hello": "world", "list": [ 1, 2, 3 ], "hash": { "k": "v" }, "none": null }'
    expect(await runFilter(json, { source: 'message' }, [{ message, hello: 'old' }])).toEqual([
      { message, hello: 'world', list: [1, 2, 3], hash: { k: 'v' }, none: null },
    ])
  })

  it('keeps integers, floats and big integers apart', async () => {
    const { event } = await parse('{"i":1,"f":1.0,"b":18446744073709551615}')
    expect(event.get('i')).toBe(1)
    expect(event.get('f')).toEqual(new LsFloat(1))
    expect(event.get('b')).toBe(18446744073709551615n)
  })

  it('stores any value in a target, over the source too', async () => {
    for (const [message, value] of [
      ['[1,{"k":"v"}]', [1, { k: 'v' }]],
      ['"text"', 'text'],
      ['7', 7],
      ['false', false],
      ['null', null],
      ['', null],
    ] as const) {
      const { event } = await parse(message, { target: 'message', add_tag: ['ok'] })
      expect(event.get('message')).toEqual(value)
      expect(event.get('tags')).toEqual(['ok'])
    }
  })

  it('does nothing without a source', async () => {
    const options = { source: 'missing', add_tag: ['x'] }
    expect(await runFilter(json, options, [{ a: 1 }, { missing: null }, { missing: false }])).toEqual([
      { a: 1 },
      { missing: null },
      { missing: false },
    ])
  })

  it.each(['random_message', '{"a":', '{"a":1}x', '{a:1}'])('tags %j and warns', async (message) => {
    const { event, logger } = await parse(message, { remove_field: ['message'], add_tag: ['parsed'] })
    expect(event.get('message')).toBe(message)
    expect(event.get('tags')).toEqual(['_jsonparsefailure'])
    expect(logger.lines).toMatchObject([
      { level: 'warn', message: 'Error parsing json', fields: { source: 'message', raw: message } },
    ])
  })

  it('tags a source that is no text', async () => {
    for (const message of [5, { a: 1 }, ['{}'], true]) {
      expect((await parse(message)).event.get('tags')).toEqual(['_jsonparsefailure'])
    }
  })

  it.each(['[1, 2, 3]', '"text"', '5', 'null', '', '  '])('needs a target for %j', async (message) => {
    const { event, logger } = await parse(message)
    expect(event.get('tags')).toEqual(['_jsonparsefailure'])
    expect(logger.messages('warn')).toEqual([
      'Parsed JSON object/hash requires a target configuration option',
    ])
  })

  it('adds to the tags that are there, and none twice', async () => {
    const options = { source: 'm', tag_on_failure: ['one', 'two'] }
    expect(await runFilter(json, options, [{ m: '{', tags: ['two', 'x'] }])).toEqual([
      { m: '{', tags: ['two', 'x', 'one'] },
    ])
  })

  it('skips what is no JSON when asked to', async () => {
    const { event, logger } = await parse('plain', { skip_on_invalid_json: true, add_tag: ['x'] })
    expect(event.get('tags')).toBeUndefined()
    expect(logger.lines).toEqual([])
  })

  it('takes over a timestamp', async () => {
    const { event } = await parse('{"@timestamp":"2015-12-02T17:40:00.666Z","@version":"2"}')
    expect(event.timestamp?.toString()).toBe('2015-12-02T17:40:00.666Z')
    expect(event.get('@version')).toBe('2')
  })

  it.each([
    ['"foobar"', 'foobar'],
    ['1449078000', '1449078000'],
    ['{"a":1}', '{"a"=>1}'],
  ])('keeps a timestamp it cannot read: %s', async (given, kept) => {
    const { event, logger } = await parse(`{"@timestamp":${given},"tags":["t"]}`, { add_tag: ['ok'] })
    expect(event.get('_@timestamp')).toBe(kept)
    expect(event.get('tags')).toEqual(['t', '_timestampparsefailure', 'ok'])
    expect(event.timestamp).toBeInstanceOf(Timestamp)
    expect(event.timestamp?.equals(testTime)).toBe(false)
    expect(logger.messages('warn')[0]).toMatch(/^Unrecognized @timestamp value/)
  })

  it('leaves the time of the event when the member is null', async () => {
    expect((await parse('{"@timestamp":null}')).event.timestamp).toBe(testTime)
  })

  it('treats a timestamp in a target as text', async () => {
    const { event } = await parse('{"@timestamp":"x"}', { target: 'doc' })
    expect(event.get('[doc][@timestamp]')).toBe('x')
  })

  it('reads member names as references', async () => {
    const { event } = await parse('{"[a][b]":1,"@metadata":{"m":2},"c.d":3,"50%":4}')
    expect(event.get('[a][b]')).toBe(1)
    expect(event.get('[@metadata][m]')).toBe(2)
    expect(event.get('c.d')).toBe(3)
    expect(event.get('50%')).toBe(4)
  })

  it.each(['{"first":1,"foo[bar]":2}', '{"first":1,"tags":{"a":1}}', '{"first":1,"@metadata":5}'])(
    'tags members that cannot be fields: %s',
    async (message) => {
      const { event, logger } = await parse(message, { add_tag: ['parsed'] })
      expect(event.get('first')).toBe(1)
      expect(event.get('tags')).toEqual(['_jsonparsefailure'])
      expect(logger.messages('warn')).toEqual(['Exception caught in json filter'])
    },
  )

  it('tags an event whose decoration fails', async () => {
    const { event } = await parse('{}', { add_field: { 'bad[reference': 'x' } })
    expect(event.get('tags')).toEqual(['_jsonparsefailure'])
  })

  it('takes odd names as data', async () => {
    const { event } = await parse('{"__proto__":{"constructor":1},"constructor":2,"toString":3}')
    expect(JSON.parse(event.toJson())).toMatchObject({ constructor: 2, toString: 3 })
    expect(event.get('[__proto__][constructor]')).toBe(1)
    expect(Object.getPrototypeOf(event.data)).toBe(Object.prototype)
    const inTarget = await parse('{"__proto__":1}', { target: '[constructor][__proto__]' })
    expect(inTarget.event.get('[constructor][__proto__][__proto__]')).toBe(1)
  })

  it('forgets the text an event arrived as', async () => {
    const { filter } = filterFor(json, { source: 'message' })
    const event = testEvent({ message: '{"a":1}' })
    event.raw = '{"message":"x"}'
    await filter([event])
    expect(event.raw).toBeNull()
  })

  it('hints at a target in ECS mode only', async () => {
    for (const [options, lines] of [
      [{ ecs_compatibility: 'v8' }, 1],
      [{ ecs_compatibility: 'v8', target: 'doc' }, 0],
      [{ ecs_compatibility: 'disabled' }, 0],
    ] as const) {
      const { instance, environment } = filterFor(json, { source: 'message', ...options })
      await instance.register?.()
      expect(environment.logger.lines).toHaveLength(lines)
    }
  })
})
