import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { TextEvent } from '../../event/text-event.ts'
import { Timestamp } from '../../event/timestamp.ts'
import { compile } from '../../plugin/compile.ts'
import { compileJsonDecode } from './json-events.ts'
import { JsonShapes } from './json-shapes.ts'

const time = new Timestamp(0)

function shapesOf(...lessons: string[]): JsonShapes {
  const shapes = new JsonShapes()
  for (const text of lessons) shapes.learn(parseJson(text), text)
  return shapes
}

const lesson = '{"a":"x","b":1,"c":{"d":[1,2],"e":null},"f":[{"g":true}]}'

describe('a shape', () => {
  const shapes = shapesOf(lesson)
  const fits = (text: string) => shapes.originOf(text, time) !== undefined

  it.each([
    lesson,
    '{"a":"","b":-0.53,"c":{"d":[],"e":"y"},"f":[]}',
    '{"a": "x", "b": 1, "c": {"d": [1, 2], "e": null}, "f": [{"g": 1}, {"g": 2}]}',
    String.raw`{"a":"\"\\\/\n\u00e9","b":true,"c":{"d":["z"],"e":0},"f":[{"g":"{}"}]}`,
    '{"a":"é 東京 😀","b":1,"c":{"d":[1],"e":null},"f":[{"g":true}]}',
  ])('fits %s', (text) => {
    expect(fits(text)).toBe(true)
    expect(() => JSON.parse(text)).not.toThrow()
  })

  it.each([
    '{"a":"x","b":1,"c":{"d":[1,2],"e":null}}',
    '{"b":1,"a":"x","c":{"d":[1,2],"e":null},"f":[{"g":true}]}',
    '{"a":"x","a":"x","b":1,"c":{"d":[1,2],"e":null},"f":[{"g":true}]}',
    '{"a":"x","b":1,"c":{"d":[1,2],"e":null},"f":[{"g":true}]} ',
    '{"a":"x","b":1,"c":{"d":[1,],"e":null},"f":[{"g":true}]}',
    '{"a":"x","b":01,"c":{"d":[1],"e":null},"f":[{"g":true}]}',
    '{"a":"x","b":1e3,"c":{"d":[1],"e":null},"f":[{"g":true}]}',
    '{"a":"x\t","b":1,"c":{"d":[1],"e":null},"f":[{"g":true}]}',
    '{"a":"x","b":1.,"c":{"d":[1],"e":null},"f":[{"g":true}]}',
    String.raw`{"a":"\x","b":1,"c":{"d":[1],"e":null},"f":[{"g":true}]}`,
    '{"a":{},"b":1,"c":{"d":[1],"e":null},"f":[{"g":true}]}',
    `{"a":"x","b":${'9'.repeat(1001)},"c":{"d":[1],"e":null},"f":[{"g":true}]}`,
  ])('does not fit %s', (text) => {
    expect(fits(text)).toBe(false)
  })

  it('is not made of reserved names, names that are there twice or written with escapes', () => {
    for (const text of ['{"tags":[]}', '{"@timestamp":"x"}', '{"@metadata":{}}', '{"@version":"1"}'])
      expect(shapesOf(text).originOf(text, time), text).toBeUndefined()
    for (const text of ['{"a":1,"a":1}', String.raw`{"\u0061":1}`, '{"a":{"b":1,"b":2}}'])
      expect(shapesOf(text).originOf(text, time), text).toBeUndefined()
  })

  it('takes names as they are', () => {
    const odd = '{"a.b*(":1,"[x]|":2,"__proto__":{"$":3},"":4}'
    expect(shapesOf(odd).originOf(odd, time)).toBeDefined()
    expect(shapesOf('{"a.b":1}').originOf('{"axb":1}', time)).toBeUndefined()
  })

  it('is one of several', () => {
    const several = shapesOf('{"a":1}', '{"b":1}', '{"c":1}')
    for (const name of ['b', 'a', 'c', 'c', 'a'])
      expect(several.originOf(`{"${name}":"v"}`, time)?.lacks(name)).toBe(false)
  })
})

describe('decoding by shape', () => {
  function decoderFor() {
    const events: Event[] = []
    const { decode } = compileJsonDecode({
      target: undefined,
      keepOriginal: false,
      compile,
      onFailure: () => {},
    })
    return (text: string) => {
      decode(text, (event) => events.push(event), time)
      return events.pop()!
    }
  }

  it('gives the same events as parsing does', () => {
    const record = fc.record({
      a: fc.oneof(
        fc.string(),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
      ),
      b: fc.array(fc.integer(), { maxLength: 3 }),
      c: fc.record({ d: fc.oneof(fc.constant(null), fc.string()) }),
    })
    fc.assert(
      fc.property(fc.array(record, { minLength: 2, maxLength: 8 }), (records) => {
        const decode = decoderFor()
        for (const each of records) {
          const text = JSON.stringify(each)
          const [first, again] = [decoderFor()(text), decode(text)]
          expect(again.toJson()).toBe(first.toJson())
          expect(again.toHash()).toEqual(first.toHash())
        }
      }),
    )
  })

  it('stops trying where the fields are asked for', () => {
    const decode = decoderFor()
    const kinds = Array.from({ length: 2000 }, (_, n) => {
      const event = decode(`{"n":${n}}`)
      expect(event.get('n')).toBe(n)
      return event instanceof TextEvent
    })
    expect(kinds[100]).toBe(true)
    expect(kinds.at(-1)).toBe(false)
  })

  it('goes on where they are not', () => {
    const decode = decoderFor()
    const kinds = Array.from({ length: 2000 }, (_, n) => decode(`{"n":${n}}`) instanceof TextEvent)
    expect(kinds.filter(Boolean)).toHaveLength(1999)
  })
})
