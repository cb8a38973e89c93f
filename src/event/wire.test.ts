import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepEqual } from './equal.ts'
import { Event } from './event.ts'
import { Timestamp } from './timestamp.ts'
import { type Fields, LsFloat, type Value } from './value.ts'
import { decodeEvents, encodeEvents } from './wire.ts'

const time = new Timestamp(1_443_675_967_089, 123_000)

function travel(...events: Event[]): Event[] {
  return decodeEvents(encodeEvents(events))
}

describe('events between pipelines', () => {
  it('keeps fields, metadata, time and their order', () => {
    const first = Event.from({ message: 'a\nb', n: 1, '@metadata': { x: { y: [1] } } }, time)
    const second = Event.from({ message: 'é€😀' }, time)
    const [one, two, ...none] = travel(first, second)
    expect(none).toEqual([])
    expect(one!.data).toEqual({ message: 'a\nb', n: 1, '@timestamp': time, '@version': '1' })
    expect(one!.meta).toEqual({ x: { y: [1] } })
    expect(two!.get('message')).toBe('é€😀')
    expect(two!.meta).toBeNull()
    expect(two!.timestamp!.equals(time)).toBe(true)
  })

  it('keeps kinds of numbers', () => {
    const numbers: Fields = {
      one: new LsFloat(1),
      big: 12345678901234567890n,
      nan: new LsFloat(Number.NaN),
      list: [new LsFloat(Number.NEGATIVE_INFINITY), 1, 1.5],
      text: 'NaN',
    }
    const [event] = travel(Event.from({ ...numbers }, time))
    expect(event!.get('one')).toEqual(new LsFloat(1))
    expect(event!.get('big')).toBe(12345678901234567890n)
    expect(event!.get('nan')).toEqual(new LsFloat(Number.NaN))
    expect(event!.get('list')).toEqual([new LsFloat(Number.NEGATIVE_INFINITY), 1, 1.5])
    expect(event!.get('text')).toBe('NaN')
  })

  it('keeps timestamps wherever they stand, and strings that look like them', () => {
    const event = Event.from({ event: { created: time, seen: [time] }, text: time.toString() }, time)
    event.set('[@metadata][when]', time)
    const [copy] = travel(event)
    expect(copy!.get('[event][created]')).toEqual(time)
    expect(copy!.get('[event][seen][0]')).toEqual(time)
    expect(copy!.get('[@metadata][when]')).toEqual(time)
    expect(copy!.get('text')).toBe(time.toString())
    const [again] = travel(copy!)
    expect(again!.get('[event][created]')).toEqual(time)
  })

  it('does not invent what was removed', () => {
    const event = Event.from({ a: 1 }, time)
    event.remove('@timestamp')
    event.remove('@version')
    expect(travel(event)[0]!.toHash()).toEqual({ a: 1 })
  })

  it('passes the text of an untouched event on, and the receiver keeps it', () => {
    const event = Event.from({ a: new LsFloat(1) }, time)
    event.raw = `{"a":1.00,"@timestamp":"${time}","@version":"1"}`
    const [copy] = travel(event)
    expect(copy!.raw).toBe(event.raw)
    expect(copy!.get('a')).toEqual(new LsFloat(1))
  })

  it('treats any name as data', () => {
    const data = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as Fields
    const [event] = travel(Event.from(data, time))
    expect(Object.hasOwn(event!.data, '__proto__')).toBe(true)
    expect(event!.toJson()).toContain('"__proto__":{"a":1},"constructor":2')
  })

  it('reads nothing from nothing and refuses what is cut short', () => {
    expect(travel()).toEqual([])
    const bytes = encodeEvents([Event.from({ a: 1 }, time)])
    expect(() => decodeEvents(bytes.subarray(0, bytes.length - 1))).toThrow(RangeError)
  })

  const { value } = fc.letrec<{ value: Value }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.string({ unit: 'binary' }),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
      fc.bigInt({ min: 2n ** 60n, max: 2n ** 80n }),
      fc.integer().map((n) => new LsFloat(n)),
      fc.constantFrom(new LsFloat(Number.NaN), new LsFloat(Infinity), time),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }) as fc.Arbitrary<Value>,
    ),
  }))

  it('keeps any event', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.dictionary(fc.string(), value), (data, meta) => {
        const event = new Event({ ...data, '@timestamp': time } as Fields, meta as Fields)
        const [copy] = travel(event)
        return same(copy!.data, event.data) && same(copy!.meta!, event.meta!)
      }),
    )
  })
})

/** NaN counts as itself here. */
function same(a: Value, b: Value): boolean {
  const plain = (value: Value): Value =>
    value instanceof LsFloat && Number.isNaN(value.value)
      ? 'not a number'
      : Array.isArray(value)
        ? value.map(plain)
        : typeof value === 'object' &&
            value !== null &&
            !(value instanceof Timestamp || value instanceof LsFloat)
          ? (Object.fromEntries(Object.entries(value).map(([k, v]) => [`.${k}`, plain(v!)])) as Fields)
          : value
  return deepEqual(plain(a), plain(b))
}
