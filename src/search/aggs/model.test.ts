/** Aggregations over random documents, segments, shards and deletions against plain loops over the same documents. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SearchIndex } from '../collect/search-index.ts'
import { type TestDoc, testIndex } from '../collect/test-search.ts'
import { aggregated, type Json } from './test-aggs.ts'

interface Doc {
  readonly k: readonly string[]
  readonly n: readonly number[]
  readonly d: number | undefined
  readonly t: number
}

const runs = { numRuns: Number(process.env['MILLRACE_MODEL_RUNS'] ?? 40) }

const documents = fc.array(
  fc.record({
    k: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'é', '😀', 'z'), { maxLength: 3 }),
    n: fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 3 }),
    // Without the negative zero, which JSON in JavaScript does not have.
    d: fc.option(
      fc.double({ min: -100, max: 100, noNaN: true }).map((value) => value + 0),
      { nil: undefined },
    ),
    t: fc.integer({ min: Date.UTC(2024, 2, 29), max: Date.UTC(2024, 3, 3) }),
  }),
  { maxLength: 40 },
)

/** The shard of a document, whether it begins a new segment, and whether it is deleted. */
const placing = fc.array(fc.tuple(fc.nat({ max: 2 }), fc.boolean(), fc.boolean()), {
  minLength: 40,
  maxLength: 40,
})

type Placing = readonly (readonly [number, boolean, boolean])[]

function build(docs: readonly Doc[], places: Placing): { index: SearchIndex; live: Doc[] } {
  const shards: TestDoc[][][] = [[], [], []]
  const live: Doc[] = []
  docs.forEach((doc, at) => {
    const [shard, isNew, isDeleted] = places[at]!
    const segments = shards[shard]!
    if (isNew || segments.length === 0) segments.push([])
    segments.at(-1)!.push({ id: String(at), source: { ...doc }, isDeleted })
    if (!isDeleted) live.push(doc)
  })
  const properties = {
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'double' },
    t: { type: 'date' },
  }
  return { index: testIndex(shards, { mappings: { properties } }), live }
}

function check(test: (index: SearchIndex, live: readonly Doc[]) => void): void {
  fc.assert(
    fc.property(documents, placing, (docs, places) => {
      const { index, live } = build(docs, places)
      test(index, live)
    }),
    runs,
  )
}

function countBy<K>(docs: readonly Doc[], keysOf: (doc: Doc) => readonly K[]): Map<K, Doc[]> {
  const groups = new Map<K, Doc[]>()
  for (const doc of docs)
    for (const key of new Set(keysOf(doc))) groups.set(key, [...(groups.get(key) ?? []), doc])
  return groups
}

function codePoints(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function bucketsOf(json: unknown): Json[] {
  return (json as Json)['buckets'] as Json[]
}

function sumOf(docs: readonly Doc[]): number {
  return docs.reduce((sum, { n }) => sum + n.reduce((all, each) => all + each, 0), 0)
}

describe('aggregations agree with a naive model', () => {
  it('for terms of texts with a sum', () => {
    check((index, live) => {
      const groups = countBy(live, ({ k }) => k)
      const expected = [...groups]
        .sort(([one, a], [other, b]) => b.length - a.length || codePoints(one, other))
        .map(([key, docs]) => ({ key, doc_count: docs.length, s: { value: sumOf(docs) } }))
      const aggs = { a: { terms: { field: 'k', size: 3 }, aggs: { s: { sum: { field: 'n' } } } } }
      const found = aggregated(index, aggs)['a'] as Json
      expect(found['buckets']).toEqual(expected.slice(0, 3))
      const rest = expected.slice(3).reduce((sum, { doc_count }) => sum + doc_count, 0)
      expect(found['sum_other_doc_count']).toBe(rest)
    })
  })

  it('for terms of numbers under terms of texts', () => {
    check((index, live) => {
      const aggs = {
        a: {
          terms: { field: 'k', order: { _key: 'asc' } },
          aggs: { b: { terms: { field: 'n', size: 100, order: { _key: 'desc' } } } },
        },
      }
      const expected = [...countBy(live, ({ k }) => k)]
        .sort(([one], [other]) => codePoints(one, other))
        .map(([key, docs]) => [
          key,
          [...countBy(docs, ({ n }) => n)]
            .sort(([one], [other]) => other - one)
            .map(([n, all]) => [n, all.length]),
        ])
      const found = bucketsOf(aggregated(index, aggs)['a']).map(({ key, b }) => [
        key,
        bucketsOf(b).map(({ key: n, doc_count }) => [n, doc_count]),
      ])
      expect(found).toEqual(expected)
    })
  })

  it('for histograms with gaps', () => {
    check((index, live) => {
      const aggs = {
        a: {
          histogram: { field: 'n', interval: 7, offset: 2 },
          aggs: { c: { value_count: { field: 'k' } } },
        },
      }
      const groups = countBy(live, ({ n }) => n.map((value) => Math.floor((value - 2) / 7)))
      const places = [...groups.keys()]
      const expected: unknown[] = []
      for (let at = Math.min(...places); at <= Math.max(...places); at++) {
        const docs = groups.get(at) ?? []
        const values = docs.reduce((sum, { k }) => sum + k.length, 0)
        expected.push({ key: at * 7 + 2, doc_count: docs.length, c: { value: values } })
      }
      expect(bucketsOf(aggregated(index, aggs)['a'])).toEqual(expected)
    })
  })

  it('for days in the week of a daylight saving transition', () => {
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' })
    check((index, live) => {
      const date_histogram = {
        field: 't',
        calendar_interval: 'day',
        time_zone: 'Europe/Berlin',
        format: 'yyyy-MM-dd',
        min_doc_count: 1,
      }
      const expected = [...countBy(live, ({ t }) => [day.format(t)])]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, docs]) => [key, docs.length])
      const found = bucketsOf(aggregated(index, { a: { date_histogram } })['a'])
      expect(found.map(({ key_as_string, doc_count }) => [key_as_string, doc_count])).toEqual(expected)
    })
  })

  it('for ranges, filters and missing', () => {
    check((index, live) => {
      const found = aggregated(index, {
        r: { range: { field: 'n', ranges: [{ to: 0 }, { from: -5, to: 5 }, { from: 0 }] } },
        f: { filters: { filters: [{ term: { k: 'a' } }, { range: { n: { gte: 3 } } }] } },
        m: { missing: { field: 'd' }, aggs: { s: { sum: { field: 'n' } } } },
      })
      const having = (test: (value: number) => boolean) => live.filter(({ n }) => n.some(test)).length
      expect(bucketsOf(found['r']).map(({ doc_count }) => doc_count)).toEqual([
        having((value) => value < 0),
        having((value) => value >= -5 && value < 5),
        having((value) => value >= 0),
      ])
      expect(bucketsOf(found['f']).map(({ doc_count }) => doc_count)).toEqual([
        live.filter(({ k }) => k.includes('a')).length,
        having((value) => value >= 3),
      ])
      const without = live.filter(({ d }) => d === undefined)
      expect(found['m']).toEqual({ doc_count: without.length, s: { value: sumOf(without) } })
    })
  })

  it('for all pages of a composite', () => {
    check((index, live) => {
      const sources = [
        { k: { terms: { field: 'k', order: 'desc' } } },
        { n: { histogram: { field: 'n', interval: 5, missing_bucket: true } } },
      ]
      const pairs = new Map<string, { k: string; n: number | null; count: number }>()
      for (const { k, n } of live) {
        // Each value counts, also where another one of the document is in the same interval.
        const places: (number | null)[] = n.map((value) => Math.floor(value / 5) * 5)
        if (places.length === 0) places.push(null)
        for (const key of k) {
          for (const place of places) {
            const name = JSON.stringify([key, place])
            const pair = pairs.get(name) ?? { k: key, n: place, count: 0 }
            pairs.set(name, { ...pair, count: pair.count + 1 })
          }
        }
      }
      const expected = [...pairs.values()].sort(
        (one, other) =>
          codePoints(other.k, one.k) ||
          (one.n ?? Number.NEGATIVE_INFINITY) - (other.n ?? Number.NEGATIVE_INFINITY),
      )
      const found: unknown[] = []
      let after: unknown
      for (let page = 0; page <= expected.length; page++) {
        const composite: Json = { sources, size: 3, ...(after !== undefined && { after }) }
        const { buckets, after_key } = aggregated(index, { a: { composite } })['a'] as {
          buckets: { key: Json; doc_count: number }[]
          after_key?: unknown
        }
        for (const { key, doc_count } of buckets) found.push({ ...key, count: doc_count })
        if (after_key === undefined) break
        after = after_key
      }
      expect(found).toEqual(expected)
    })
  })

  it('for stats and exact percentiles', () => {
    check((index, live) => {
      const values = live.flatMap(({ d }) => (d === undefined ? [] : [d])).sort((one, other) => one - other)
      const { s, c } = aggregated(index, {
        s: { stats: { field: 'd' } },
        c: { cardinality: { field: 'n' } },
      }) as {
        s: { count: number; min: number | null; max: number | null; sum: number }
        c: { value: number }
      }
      expect([s.count, s.min, s.max]).toEqual([values.length, values[0] ?? null, values.at(-1) ?? null])
      expect(s.sum).toBeCloseTo(
        values.reduce((sum, value) => sum + value, 0),
        9,
      )
      expect(c.value).toBe(new Set(live.flatMap(({ n }) => n)).size)
    })
  })
})
