import { describe, expect, it } from 'vitest'
import type { Event } from '../../event/event.ts'
import { writeJson } from '../../event/json-write.ts'
import { LsFloat } from '../../event/value.ts'
import { createCodec } from '../../plugin/instantiate.ts'
import {
  codecFor,
  decodeWith,
  encodeWith,
  testEnvironment,
  testTime,
  validOptions,
} from '../../plugin/testing.ts'
import json from './json.ts'

function decode(text: string, options = {}, ecs: 'disabled' | 'v8' = 'disabled'): Event[] {
  const events: Event[] = []
  codecFor(json, options, { ecs }).decode!(text, (event) => events.push(event), testTime)
  return events
}

describe('json', () => {
  it('makes an event of an object and several of a list', () => {
    expect(decodeWith(codecFor(json), '{"foo":"bar","baz":{"bah":["a","b"]}}')).toEqual([
      { foo: 'bar', baz: { bah: ['a', 'b'] } },
    ])
    expect(decodeWith(codecFor(json), '[{"a":1},{"a":1.0}]')).toEqual([{ a: 1 }, { a: new LsFloat(1) }])
  })

  it('reads other charsets', () => {
    const bytes = Buffer.from('{"a":"caf\xe9"}', 'latin1')
    expect(decodeWith(codecFor(json, { charset: 'CP1252' }), bytes)).toEqual([{ a: 'café' }])
  })

  it.each(['no json', '{"a":', '"text"', '12', 'null', '1.0', '[1,2]', '[{"a":1},"b"]'])(
    'keeps %s as a message',
    (text) => {
      const environment = testEnvironment({ ecs: 'v8' })
      const codec = createCodec(json, validOptions(json, {}, { ecs: 'v8' }), environment)
      expect(decodeWith(codec, text)).toEqual([{ message: text, tags: ['_jsonparsefailure'] }])
      expect(environment.logger.messages('error')).toEqual([
        'JSON parse error, original data now in message field',
      ])
    },
  )

  it('makes nothing of blanks and of empty lists', () => {
    expect(decode('')).toEqual([])
    expect(decode(' \n')).toEqual([])
    expect(decode('[]')).toEqual([])
  })

  it('puts objects below a target', () => {
    expect(decodeWith(codecFor(json, { target: '[a][b]' }), '[{"@timestamp":"x"},{"c":1}]')).toEqual([
      { a: { b: { '@timestamp': 'x' } } },
      { a: { b: { c: 1 } } },
    ])
  })

  it('keeps the original of a single event in ECS mode', () => {
    expect(decode('{"a":1}', {}, 'v8')[0]!.get('[event][original]')).toBe('{"a":1}')
    expect(decode('[{"a":1}]', {}, 'v8')[0]!.get('[event][original]')).toBe('[{"a":1}]')
    expect(decode('{"event":{"original":"o"}}', {}, 'v8')[0]!.get('[event][original]')).toBe('o')
    expect(decode('[{"a":1},{"a":2}]', {}, 'v8')[0]!.get('event')).toBeUndefined()
    expect(decode('{"a":1}', { target: 't' }, 'v8')[0]!.get('[event][original]')).toBe('{"a":1}')
  })

  it('takes over the reserved fields', () => {
    const [event] = decode(
      '{"@timestamp":"2020-02-03T04:05:06.700Z","@version":"2","@metadata":{"m":1},"tags":["t"]}',
    )
    expect(event!.timestamp!.toString()).toBe('2020-02-03T04:05:06.700Z')
    expect(event!.get('@version')).toBe('2')
    expect(event!.get('[@metadata][m]')).toBe(1)
    expect(event!.raw).toBeNull()
    expect(decode('{"@metadata":1}')[0]!.get('tags')).toEqual(['_jsonparsefailure'])
    expect(decode('{"@timestamp":"x"}')[0]!.get('tags')).toEqual(['_timestampparsefailure'])
  })

  it('treats any name as data', () => {
    const [event] = decode('{"__proto__":{"a":1},"constructor":{"b":2}}')
    expect(JSON.parse(event!.toJson())).toMatchObject({ constructor: { b: 2 } })
    expect(event!.get('[__proto__][a]')).toBe(1)
  })

  it('writes compact JSON', () => {
    expect(encodeWith(codecFor(json), [{ a: { b: [1, new LsFloat(2), null] } }])).toEqual([
      '{"a":{"b":[1,2.0,null]},"@timestamp":"2015-10-01T05:06:07.089Z","@version":"1"}',
    ])
  })
})

describe('text kept of an untouched event', () => {
  const added = '"@timestamp":"2015-10-01T05:06:07.089Z","@version":"1"}'

  it.each([
    ['{"a":1.00}', `{"a":1.00,${added}`],
    ['{"a": {"b": "c:d"} }\r', `{"a": {"b": "c:d"} ,${added}`],
    ['{}', `{${added}`],
    [' { } ', `{${added}`],
    ['{"tags":["a"]}', `{"tags":["a"],${added}`],
    ['{"@version":"1"}', '{"@version":"1","@timestamp":"2015-10-01T05:06:07.089Z"}'],
    ['{"@timestamp":"2020-02-03T04:05:06.700Z"}', '{"@timestamp":"2020-02-03T04:05:06.700Z","@version":"1"}'],
    [
      '{"@timestamp":"2020-02-03T04:05:06.700Z","@version":"1"} ',
      '{"@timestamp":"2020-02-03T04:05:06.700Z","@version":"1"}',
    ],
  ])('%j', (text, raw) => {
    const [event] = decode(text)
    expect(event!.toJson()).toBe(raw)
    expect(decode(raw)[0]!.data).toEqual(event!.data)
  })

  it.each([
    ['a repeated name', '{"a":1,"a":2}'],
    ['a repeated name inside', '{"a":[{"b":1,"b":1}]}'],
    ['repeated names behind blanks', '{"a" :1,"b":1,"b":2}'],
    ['a line feed', '{"a":\n1}'],
    ['a time in other words', '{"@timestamp":"2020-02-03T04:05:06Z"}'],
    ['no time', '{"@timestamp":null}'],
    ['metadata', '{"@metadata":{}}'],
    ['tags that are none', '{"tags":{"a":1}}'],
    ['a list', '[{"a":1}]'],
  ])('not with %s', (_, text) => {
    const [event] = decode(text)
    expect(event!.toJson()).toBe(writeJson(event!.data))
  })

  it('not below a target, and not once a field was set', () => {
    expect(decode('{"a":1}', { target: 't' })[0]!.raw).toBeNull()
    const [event] = decode('{"a":1}')
    event!.set('b', 2)
    expect(event!.raw).toBeNull()
    expect(event!.toJson()).toBe(`{"a":1,${added.slice(0, -1)},"b":2}`)
  })
})
