import { describe, expect, it } from 'vitest'
import { Event } from './event.ts'
import { TextEvent, TextOrigin } from './text-event.ts'
import { Timestamp } from './timestamp.ts'
import { LsFloat } from './value.ts'
import { decodeEvents, encodeEvents } from './wire.ts'

const time = new Timestamp(1443675967089)
const iso = '2015-10-01T05:06:07.089Z'

function made(text: string, names: string[] = ['a', 'b']) {
  let opened = 0
  const origin = new TextOrigin(time, new Set(names), () => {
    opened += 1
  })
  return { event: new TextEvent(text, origin), opened: () => opened }
}

describe('an event that is still text', () => {
  it('gives its text, completed, without its fields', () => {
    const { event, opened } = made('{"a":1.50,"b":[1]}')
    expect(event.toJson()).toBe(`{"a":1.50,"b":[1],"@timestamp":"${iso}","@version":"1"}`)
    expect(event.timestamp).toBe(time)
    expect(event.sprintf('%{+yyyy.MM.dd}')).toBe('2015.10.01')
    expect(opened()).toBe(0)
    expect(made('{}', []).event.toJson()).toBe(`{"@timestamp":"${iso}","@version":"1"}`)
  })

  it('has fields when they are asked for, and keeps its text', () => {
    const { event, opened } = made('{"a":1.0,"b":[1]}')
    expect(event.get('[b][0]')).toBe(1)
    expect(event.get('a')).toEqual(new LsFloat(1))
    expect(event.toHash()).toEqual({ a: new LsFloat(1), b: [1], '@timestamp': time, '@version': '1' })
    expect(opened()).toBe(1)
    expect(event.toJson()).toBe(`{"a":1.0,"b":[1],"@timestamp":"${iso}","@version":"1"}`)
  })

  it('gives up its text when it is changed', () => {
    const { event } = made('{"a":1,"b":2}')
    event.set('c', 3)
    expect(event.toJson()).toBe(`{"a":1,"b":2,"@timestamp":"${iso}","@version":"1","c":3}`)
    event.timestamp = new Timestamp(0)
    expect(event.timestamp).toEqual(new Timestamp(0))
    const other = made('{"a":1,"b":2}').event
    other.remove('a')
    other.tag('t')
    expect(other.toHash()).toEqual({ b: 2, '@timestamp': time, '@version': '1', tags: ['t'] })
  })

  it('takes further fields without having any', () => {
    const { event, opened } = made('{"a":1,"b":2}')
    expect([event.origin.lacks('a'), event.origin.lacks('@version'), event.origin.lacks('host')]).toEqual([
      false,
      false,
      true,
    ])
    event.extend(event.origin.with({ host: { name: 'h' } }, ',"host":{"name":"h"}'))
    expect(event.origin.lacks('host')).toBe(false)
    expect(event.toJson()).toMatch(/"@version":"1","host":\{"name":"h"\}\}$/)
    expect(opened()).toBe(0)
    expect(event.get('[host][name]')).toBe('h')
  })

  it('shares nothing with its copies', () => {
    const { event } = made('{"a":{"x":1},"b":2}')
    const early = event.clone()
    expect(early).toBeInstanceOf(TextEvent)
    event.set('[a][x]', 2)
    const late = event.clone()
    late.set('[a][x]', 3)
    expect([early, event, late].map((each) => each.get('[a][x]'))).toEqual([1, 2, 3])
    expect(early.toJson()).toContain('{"x":1}')
  })

  it('has the metadata of its origin until it is given its own', () => {
    const { event } = made('{"a":1,"b":2}')
    expect([event.meta, event.metaView, event.get('[@metadata][ip]')]).toEqual([null, null, undefined])
    const origin = event.origin.with({}, '', { ip: '10.0.0.1', deep: { n: [1] } })
    const [first, second] = [new TextEvent('{"a":1}', origin), new TextEvent('{"a":2}', origin)] as const
    expect(first.metaView).toBe(origin.meta)
    const copy = first.clone()
    first.set('[@metadata][deep][n]', [2])
    expect([first, second, copy].map((each) => each.get('[@metadata][deep][n]'))).toEqual([[2], [1], [1]])
    second.remove('@metadata')
    expect(second.metadata()).toEqual({})
    expect(second.clone().metaView).toEqual({})
    expect(first.toHashWithMetadata()['@metadata']).toEqual({ ip: '10.0.0.1', deep: { n: [2] } })
    expect(origin.meta).toEqual({ ip: '10.0.0.1', deep: { n: [1] } })
    expect(new TextEvent('{"a":3}', origin, null).meta).toBe(null)
  })

  it('can take over another event, and be taken over', () => {
    const { event } = made('{"a":1,"b":2}')
    const plain = Event.from({ a: 9 }, time)
    plain.overwrite(event)
    expect(JSON.parse(plain.toJson())).toEqual({ a: 1, b: 2, '@timestamp': iso, '@version': '1' })
    const second = made('{"a":5,"b":6}').event
    second.overwrite(event)
    expect(second.get('a')).toBe(1)
    expect(JSON.parse(second.toJson())).toMatchObject({ a: 1, b: 2 })
  })

  it('travels between pipelines', () => {
    const [arrived] = decodeEvents(encodeEvents([made('{"a":1.0,"b":"x"}').event]))
    expect(arrived!.toHash()).toEqual({ a: new LsFloat(1), b: 'x', '@timestamp': time, '@version': '1' })
  })
})
