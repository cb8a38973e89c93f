/**
 * A leaf of many windows and blocks, where queries use other code paths than in small ones: bit sets, clauses
 * that test candidates only, zone maps that decide whole blocks, and cached filters.
 */
import { describe, expect, it } from 'vitest'
import { Mapping } from '../mapping/mapping.ts'
import { finish } from '../scheduling/steps.ts'
import { DecodedCache } from '../segment/decoded-cache.ts'
import type { FieldInput } from '../segment/document.ts'
import { BitSet } from '../segment/encoding/bit-set.ts'
import type { LeafReader } from '../segment/segment.ts'
import { SegmentBuilder } from '../segment/writer/segment-builder.ts'
import { mappingContext } from './binding/mapping-context.ts'
import { bindQuery, compileQuery, parseQuery } from './dsl/parse-query.ts'
import { FilterCache } from './exec/filter-cache.ts'

const size = 20_000
const text = { index: 'positions', norms: true, ordinals: false } as const
const keyword = { index: 'docs', norms: false, ordinals: true } as const
const number = { index: null, norms: false, ordinals: false } as const

interface Doc {
  words: string[]
  tag: string
  time: number
  code: number | undefined
}

/** A deterministic random generator. */
function generator(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const random = generator(7)
const words = ['common', 'usual', 'seldom', 'rare']
const docs: Doc[] = Array.from({ length: size }, (_, doc) => ({
  words: [
    'common',
    ...(random(3) === 0 ? ['usual'] : []),
    ...(random(60) === 0 ? ['seldom'] : []),
    ...(random(3000) === 0 ? ['rare'] : []),
    ...(random(2) === 0 ? ['common'] : []),
  ],
  tag: `t${random(50)}`,
  // Nearly in order, as logs are.
  time: doc * 10 + random(50),
  code: random(4) === 0 ? undefined : 200 + random(6) * 50,
}))

const builder = new SegmentBuilder('_0')
docs.forEach((doc, at) => {
  const fields = new Map<string, FieldInput>([
    [
      'w',
      {
        spec: text,
        tokens: { terms: doc.words, positions: doc.words.map((_, i) => i), length: doc.words.length },
      },
    ],
    ['tag', { spec: keyword, terms: [doc.tag] }],
    ['time', { spec: number, numbers: [doc.time] }],
  ])
  if (doc.code !== undefined) fields.set('code', { spec: number, numbers: [doc.code] })
  const source = new Uint8Array(0)
  builder.add({
    id: `${at}`,
    routing: undefined,
    source,
    seqNo: at,
    version: 1,
    primaryTerm: 1,
    fields,
    nested: [],
  })
})
const live = BitSet.full(size)
for (let doc = 0; doc < size; doc += 97) live.remove(doc)
const leaf: LeafReader = { segment: builder.build(), live, base: 0 }

const mapping = Mapping.create({
  properties: {
    w: { type: 'text' },
    tag: { type: 'keyword' },
    time: { type: 'long' },
    code: { type: 'integer' },
  },
})
const context = mappingContext(mapping, { index: 'large', now: 0 })
const compile = (query: unknown, filters?: FilterCache) =>
  compileQuery(bindQuery(parseQuery(query), context), { leaves: [leaf], filters })

type Test = (doc: Doc, at: number) => boolean
type Part = readonly [query: object, test: Test]

const parts: readonly Part[] = [
  ...words.map((word): Part => [{ match: { w: word } }, (doc) => doc.words.includes(word)]),
  [{ match_phrase: { w: 'common usual' } }, (doc) => doc.words.join(' ').includes('common usual')],
  [{ term: { tag: 't7' } }, (doc) => doc.tag === 't7'],
  [{ prefix: { tag: 't1' } }, (doc) => doc.tag.startsWith('t1')],
  [{ range: { time: { gte: 40_960, lt: 81_925 } } }, (doc) => doc.time >= 40_960 && doc.time < 81_925],
  [{ range: { time: { gte: 40_960, lt: 41_000 } } }, (doc) => doc.time >= 40_960 && doc.time < 41_000],
  [{ range: { code: { lte: 250 } } }, (doc) => doc.code !== undefined && doc.code <= 250],
  [{ terms: { code: [200, 450] } }, (doc) => doc.code === 200 || doc.code === 450],
  [{ exists: { field: 'code' } }, (doc) => doc.code !== undefined],
  [{ ids: { values: ['5', '8191', '8192', '19999'] } }, (_, at) => [5, 8191, 8192, 19_999].includes(at)],
  [{ match_all: {} }, () => true],
]

const expected = (test: Test): number[] =>
  docs.flatMap((doc, at) => (at % 97 !== 0 && test(doc, at) ? [at] : []))

/** Faster than vitest's comparison, which would dominate the run time. */
function requireSame(found: Uint32Array, wanted: readonly number[]): void {
  const wrong = wanted.findIndex((doc, i) => found[i] !== doc)
  expect([found.length, wrong]).toEqual([wanted.length, -1])
}

function check(query: unknown, test: Test, filters?: FilterCache): void {
  const wanted = expected(test)
  const compiled = compile(query, filters)
  requireSame(compiled.matching(leaf).array(), wanted)
  const scored = compile(query, filters).scores(leaf)
  requireSame(scored.docs, wanted)
  expect(finish(compiled.countSteps(leaf))).toBe(wanted.length)
}

describe('in a large leaf', () => {
  it.each(parts)('%j', (query, test) => {
    check(query, test)
  })

  it('conjunction, exclusion and disjunction of any two clauses agree with sets', () => {
    const found = parts.map(([query, test]) => ({
      query,
      has: Uint8Array.from(docs, (doc, at) => (test(doc, at) ? 1 : 0)),
    }))
    for (const [i, one] of found.entries()) {
      // Each pair once, in an order that takes turns.
      for (const other of found.slice(i + 1)) {
        const [a, b] = i % 2 === 0 ? [one, other] : [other, one]
        check({ bool: { must: a.query, filter: b.query } }, (_, at) => (a.has[at]! & b.has[at]!) === 1)
        check({ bool: { must: a.query, must_not: b.query } }, (_, at) => a.has[at]! > b.has[at]!)
        check({ bool: { should: [a.query, b.query] } }, (_, at) => (a.has[at]! | b.has[at]!) === 1)
      }
    }
  })

  it('minimum_should_match counts the matching clauses', () => {
    const list = parts.slice(0, 8)
    check(
      { bool: { should: list.map(([query]) => query), minimum_should_match: 2 } },
      (doc, at) => list.filter(([, test]) => test(doc, at)).length >= 2,
    )
  })

  it('filters leave scores unchanged, and optional clauses add theirs', () => {
    const scoresOf = (query: unknown) => {
      const { docs: found, scores } = compile(query).scores(leaf)
      return new Map(Array.from(found, (doc, i) => [doc, scores[i]!]))
    }
    const usual = scoresOf({ match: { w: 'usual' } })
    const seldom = scoresOf({ match: { w: 'seldom' } })
    for (const [filter] of parts) {
      const filtered = scoresOf({ bool: { must: { match: { w: 'usual' } }, filter } })
      expect([...filtered].filter(([doc, score]) => score !== usual.get(doc))).toEqual([])
      const both = scoresOf({
        bool: { must: { match: { w: 'usual' } }, should: { match: { w: 'seldom' } }, filter },
      })
      const sum = (doc: number) => Math.fround(usual.get(doc)! + (seldom.get(doc) ?? 0))
      expect([...both].filter(([doc, score]) => score !== sum(doc))).toEqual([])
    }
  })

  it('cached filters give the same matches and stay within the memory limit', () => {
    const memory = new DecodedCache(40_000)
    const filters = new FilterCache(memory)
    for (let round = 0; round < 4; round++) {
      for (const [query, test] of parts)
        check(
          { bool: { filter: [query, { exists: { field: 'code' } }] } },
          (doc, at) => test(doc, at) && doc.code !== undefined,
          filters,
        )
      expect(memory.bytes).toBeLessThanOrEqual(40_000)
    }
    expect(memory.bytes).toBeGreaterThan(0)
  })

  it('stops when the search is cancelled', () => {
    const bound = bindQuery(parseQuery({ bool: { must: parts.map(([query]) => query) } }), context)
    const cancelled = compileQuery(bound, {
      leaves: [leaf],
      check() {
        throw new Error('cancelled')
      },
    })
    expect(() => cancelled.matching(leaf)).toThrow('cancelled')
  })
})
