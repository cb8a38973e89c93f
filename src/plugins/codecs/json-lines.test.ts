import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Event } from '../../event/event.ts'
import { parseJson } from '../../event/json-parse.ts'
import { writeJson } from '../../event/json-write.ts'
import type { Fields } from '../../event/value.ts'
import { createCodec } from '../../plugin/instantiate.ts'
import {
  codecFor,
  decodeWith,
  encodeWith,
  testEnvironment,
  testTime,
  validOptions,
} from '../../plugin/testing.ts'
import jsonLines from './json-lines.ts'

describe('json_lines', () => {
  it('reads a document per line and skips blank lines', () => {
    expect(decodeWith(codecFor(jsonLines), ['\n{"a":1}\n\n{"b"', ':2}\r\n  \n{"c":3}'])).toEqual([
      { a: 1 },
      { b: 2 },
      { c: 3 },
    ])
  })

  it('puts the object below a target, and reads other encodings', () => {
    expect(decodeWith(codecFor(jsonLines, { target: '[a][b]' }), '{"c":1}\n[{"d":2},{"d":3}]\n')).toEqual([
      { a: { b: { c: 1 } } },
      { a: { b: { d: 2 } } },
      { a: { b: { d: 3 } } },
    ])
    const codec = codecFor(jsonLines, { charset: 'ISO-8859-1' })
    expect(decodeWith(codec, Buffer.from('{"a":"caf\u00e9"}\n', 'latin1'))).toEqual([{ a: 'caf\u00e9' }])
  })

  it('has no original, not even in ECS mode', () => {
    expect(decodeWith(codecFor(jsonLines, {}, { ecs: 'v8' }), '{"a":1}\n')).toEqual([{ a: 1 }])
  })

  it('keeps a line that is not JSON and says so', () => {
    const { logger, ...environment } = testEnvironment()
    const codec = createCodec(jsonLines, validOptions(jsonLines, {}), { ...environment, logger })
    expect(decodeWith(codec, 'oops\n{"a":1}\n')).toEqual([
      { message: 'oops', tags: ['_jsonparsefailure'] },
      { a: 1 },
    ])
    expect(logger.messages('warn')).toEqual(['JSON parse error, original data now in message field'])
    expect(logger.lines[0]!.fields).toMatchObject({ data: 'oops' })
  })

  it('has a limit', () => {
    expect(codecFor(jsonLines).maxRecordBytes).toBeUndefined()
    expect(codecFor(jsonLines, { decode_size_limit_bytes: 7 }).maxRecordBytes).toBe(7)
    expect(() => codecFor(jsonLines, { decode_size_limit_bytes: 0 })).toThrow('Size limit must be positive')
  })

  it('writes a line per event', () => {
    expect(encodeWith(codecFor(jsonLines, { delimiter: ';' }), [{ a: 1 }])).toEqual([
      '{"a":1,"@timestamp":"2015-10-01T05:06:07.089Z","@version":"1"};',
    ])
  })

  it('keeps only text that says what the event holds', () => {
    const codec = codecFor(jsonLines)
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (data, indent) => {
        const events: Event[] = []
        codec.decode!(JSON.stringify(data, null, indent), (event) => events.push(event), testTime)
        const text = events[0]!.toJson()
        expect(parseJson(text)).toEqual(parseJson(writeJson(events[0]!.data)) as Fields)
        expect(text).not.toContain('\n')
      }),
    )
  })
})
