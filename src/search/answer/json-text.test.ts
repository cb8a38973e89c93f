import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonNumber } from '../request/json-literals.ts'
import type { SearchError } from '../request/search-error.ts'
import { AnswerBytes } from './answer-memory.ts'
import { plainJson, RawJson, writeJson } from './json-text.ts'
import { writtenBytes } from './value-writer.ts'

function stepsOf(value: unknown, most = Number.POSITIVE_INFINITY): { steps: number; text: string } {
  const work = writtenBytes(value, plainJson, new AnswerBytes(most))
  for (let steps = 1; ; steps++) {
    const { done, value: pieces } = work.next()
    if (done) return { steps, text: Buffer.concat(pieces).toString() }
  }
}

describe('JSON serialisation', () => {
  it('round-trips through JSON.parse, in one piece or many, plain or pretty', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const plain = JSON.parse(JSON.stringify(value))
        expect(JSON.parse(writeJson(value))).toEqual(plain)
        expect(JSON.parse(writeJson(value, true))).toEqual(plain)
        expect(stepsOf(value).text).toBe(JSON.stringify(value))
      }),
      { numRuns: 300 },
    )
  })

  it('keeps digits and spellings, and copies raw JSON', () => {
    const value = {
      long: 9_223_372_036_854_775_807n,
      float: new JsonNumber('1.0'),
      none: Number.NaN,
      source: new RawJson('{"a": [1.50,\n"ü"]}'),
      bytes: new RawJson(Buffer.from('[1 ,2]')),
      left: undefined,
      map: new Map<string, unknown>([
        ['b', null],
        ['gone', undefined],
        ['__proto__', 1],
      ]),
    }
    expect(writeJson(value)).toBe(
      '{"long":9223372036854775807,"float":1.0,"none":"NaN","source":{"a": [1.50,\n"ü"]},"bytes":[1 ,2],"map":{"b":null,"__proto__":1}}',
    )
    expect(writeJson(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}')
  })

  it('indents as Elasticsearch does', () => {
    const value = {
      took: 3,
      hits: [{ _id: 'a', _source: new RawJson('{"n":1.0,"none":[]}') }, 'b'],
      empty: {},
    }
    expect(writeJson(value, true)).toBe(`{
  "took" : 3,
  "hits" : [
    {
      "_id" : "a",
      "_source" : {
        "n" : 1.0,
        "none" : [ ]
      }
    },
    "b"
  ],
  "empty" : { }
}
`)
    expect(writeJson(new RawJson(' "text"'), true)).toBe('"text"\n')
    expect(writeJson([], true)).toBe('[ ]\n')
  })

  it('yields after a few thousand values, and after a few long ones', () => {
    const buckets = Array.from({ length: 20_000 }, (_, key) => ({ key, doc_count: 1 }))
    const { steps, text } = stepsOf({ aggregations: { a: { buckets } } })
    expect(JSON.parse(text)).toEqual({ aggregations: { a: { buckets } } })
    expect(steps).toBeGreaterThan(20)
    const sources = Array.from({ length: 100 }, () => new RawJson(`"${'x'.repeat(30_000)}"`))
    expect(stepsOf(sources).steps).toBeGreaterThan(30)
    expect(stepsOf({ took: 1, hits: { hits: [] } }).steps).toBe(1)
  })

  it('stops when it takes too much memory', () => {
    const refused = () =>
      stepsOf(
        Array.from({ length: 100_000 }, () => 'x'.repeat(100)),
        3 * 1024 * 1024,
      )
    expect(refused).toThrow(
      /^\[request\] Data too large, data for .* larger than the limit of \[3145728\/3mb\]$/,
    )
    try {
      refused()
    } catch (error) {
      expect((error as SearchError).status).toBe(429)
      expect((error as SearchError).details).toMatchObject({
        bytes_limit: 3_145_728,
        durability: 'TRANSIENT',
      })
    }
  })
})
