/** Random documents and random queries against a matcher that looks at one document after the other. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finish } from '../scheduling/steps.ts'
import { TestIndex } from './test-index.ts'

interface Doc {
  text?: string[]
  tag?: string[]
  n?: number[]
  flag?: boolean
  objects?: { k: string; v: number }[]
}

type Json = Record<string, unknown>

const word = fc.constantFrom('red', 'green', 'blue', 'grey', 'gold')
const doc: fc.Arbitrary<Doc> = fc.record(
  {
    text: fc.array(word, { minLength: 1, maxLength: 6 }),
    tag: fc.array(word, { minLength: 1, maxLength: 2 }),
    n: fc.array(fc.integer({ min: -5, max: 20 }), { minLength: 1, maxLength: 2 }),
    flag: fc.boolean(),
    objects: fc.array(fc.record({ k: word, v: fc.integer({ min: 0, max: 3 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
  },
  { requiredKeys: [] },
)

const leaf: fc.Arbitrary<Json> = fc.oneof(
  fc.constant({ match_all: {} }),
  fc.constant({ match_none: {} }),
  word.map((value) => ({ term: { tag: value } })),
  word.map((value) => ({ term: { text: value } })),
  fc.array(word, { minLength: 1, maxLength: 3 }).map((values) => ({ terms: { tag: values } })),
  fc.array(fc.integer({ min: -5, max: 20 }), { minLength: 1, maxLength: 3 }).map((n) => ({ terms: { n } })),
  fc.boolean().map((flag) => ({ term: { flag } })),
  fc.tuple(fc.integer({ min: -6, max: 21 }), fc.integer({ min: 0, max: 9 })).map(([from, width]) => ({
    range: { n: { gt: from, lte: from + width } },
  })),
  fc.tuple(word, word).map(([gte, lt]) => ({ range: { tag: { gte, lt } } })),
  fc.constantFrom('text', 'tag', 'n', 'flag', 'nope').map((field) => ({ exists: { field } })),
  fc.constantFrom('g', 'gr', 'b', 'x').map((value) => ({ prefix: { tag: value } })),
  fc.constantFrom('g*', '*e', '?r*', 'b?ue').map((value) => ({ wildcard: { tag: value } })),
  fc.tuple(word, word, fc.constantFrom('or', 'and')).map(([a, b, operator]) => ({
    match: { text: { query: `${a} ${b}`, operator } },
  })),
  fc.tuple(word, word).map(([a, b]) => ({ match_phrase: { text: `${a} ${b}` } })),
  fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 3 }).map((values) => ({
    ids: { values: values.map(String) },
  })),
  fc.tuple(word, fc.integer({ min: 0, max: 3 })).map(([k, v]) => ({
    nested: {
      path: 'objects',
      query: { bool: { must: [{ term: { 'objects.k': k } }, { term: { 'objects.v': v } }] } },
    },
  })),
)

const query: fc.Arbitrary<Json> = fc.letrec<{ query: Json }>((tie) => ({
  query: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc
      .record(
        {
          must: fc.array(tie('query'), { maxLength: 2 }),
          filter: fc.array(tie('query'), { maxLength: 2 }),
          should: fc.array(tie('query'), { maxLength: 3 }),
          must_not: fc.array(tie('query'), { maxLength: 2 }),
          minimum_should_match: fc.integer({ min: 0, max: 3 }),
        },
        { requiredKeys: [] },
      )
      .map((bool) => ({ bool })),
    // A case of its own, since a high minimum_should_match is rare by chance.
    fc
      .tuple(fc.array(leaf, { minLength: 3, maxLength: 5 }), fc.integer({ min: 2, max: 4 }))
      .map(([should, minimum_should_match]) => ({ bool: { should, minimum_should_match } })),
    fc.array(tie('query'), { minLength: 1, maxLength: 3 }).map((queries) => ({ dis_max: { queries } })),
    tie('query').map((filter) => ({ constant_score: { filter } })),
  ),
})).query

type Matcher = (body: Json, doc: Doc, id: string) => boolean

const one = (body: Json): [string, unknown] => Object.entries(body)[0]!

const matchers: Record<string, Matcher> = {
  match_all: () => true,
  match_none: () => false,
  term: (body, doc) => {
    const [field, value] = one(body)
    return values(doc, field).includes(value)
  },
  terms: (body, doc) => {
    const [field, list] = one(body)
    return values(doc, field).some((value) => (list as unknown[]).includes(value))
  },
  range: (body, doc) => {
    const [field, bounds] = one(body) as [string, Record<string, number>]
    return values(doc, field).some((given) => {
      const value = given as number
      if ('gt' in bounds) return value > bounds['gt']! && value <= bounds['lte']!
      return value >= bounds['gte']! && value < bounds['lt']!
    })
  },
  exists: (body, doc) => values(doc, body['field'] as string).length > 0,
  prefix: (body, doc) => (doc.tag ?? []).some((tag) => tag.startsWith(body['tag'] as string)),
  wildcard: (body, doc) => {
    const pattern = new RegExp(`^${(body['tag'] as string).replace(/\*/g, '.*').replace(/\?/g, '.')}$`)
    return (doc.tag ?? []).some((tag) => pattern.test(tag))
  },
  match: (body, doc) => {
    const { query: text, operator } = body['text'] as { query: string; operator: string }
    const words = text.split(' ')
    const has = (wanted: string) => (doc.text ?? []).includes(wanted)
    return operator === 'and' ? words.every(has) : words.some(has)
  },
  match_phrase: (body, doc) => ` ${(doc.text ?? []).join(' ')} `.includes(` ${body['text'] as string} `),
  ids: (body, _doc, id) => (body['values'] as string[]).includes(id),
  nested: (body, doc) => {
    const { must } = (body['query'] as { bool: { must: Record<string, Record<string, unknown>>[] } }).bool
    return (doc.objects ?? []).some(
      (object) => object.k === must[0]!['term']!['objects.k'] && object.v === must[1]!['term']!['objects.v'],
    )
  },
  dis_max: (body, doc, id) => (body['queries'] as Json[]).some((inner) => matches(inner, doc, id)),
  constant_score: (body, doc, id) => matches(body['filter'] as Json, doc, id),
  bool: (body, doc, id) => {
    const list = (name: string) =>
      ((body[name] as Json[] | undefined) ?? []).map((inner) => matches(inner, doc, id))
    const should = list('should')
    const required = [...list('must'), ...list('filter')]
    if (required.some((is) => !is) || list('must_not').some((is) => is)) return false
    const minimum = (body['minimum_should_match'] as number | undefined) ?? 0
    // Lucene finds nothing when more optional clauses are required than there are; a bool without clauses finds all.
    if (should.length === 0) return minimum === 0 || required.length + list('must_not').length === 0
    const needed = Math.max(minimum, required.length === 0 ? 1 : 0)
    return should.filter((is) => is).length >= needed
  },
}

function values(doc: Doc, field: string): unknown[] {
  const value = (doc as Json)[field]
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

function matches(json: Json, doc: Doc, id: string): boolean {
  const [name, body] = one(json)
  return matchers[name]!(body as Json, doc, id)
}

function indexOf(docs: readonly Doc[], cut: number): TestIndex {
  const index = new TestIndex({
    properties: {
      text: { type: 'text' },
      tag: { type: 'keyword' },
      n: { type: 'integer' },
      flag: { type: 'boolean' },
      objects: { type: 'nested', properties: { k: { type: 'keyword' }, v: { type: 'long' } } },
    },
  })
  const sources = docs.map((given) =>
    given.text === undefined ? { ...given } : { ...given, text: given.text.join(' ') },
  )
  if (cut > 0) index.add(...sources.slice(0, cut))
  if (cut < docs.length) index.add(...sources.slice(cut))
  return index
}

describe('queries agree with a matcher of single documents', () => {
  const setup = fc.record({
    docs: fc.array(doc, { minLength: 1, maxLength: 12 }),
    cut: fc.nat(12),
    deleted: fc.array(fc.nat(11), { maxLength: 2 }),
    query,
  })

  it('matches, scored matches and counts agree', () => {
    fc.assert(
      fc.property(setup, ({ docs, cut, deleted, query: asked }) => {
        const index = indexOf(docs, Math.min(cut, docs.length))
        for (const number of deleted) index.delete(String(number))
        const expected = docs.flatMap((given, number) => {
          const id = String(number)
          return !deleted.includes(number) && matches(asked, given, id) ? [id] : []
        })
        expect(index.find(asked)).toEqual(expected)
        const compiled = index.compile(asked)
        const scored = index.leaves.flatMap((reader) =>
          Array.from(compiled.scores(reader).docs, (number) => reader.segment.id(number)),
        )
        expect(scored).toEqual(expected)
        const count = index.leaves.reduce(
          (sum, reader) => sum + finish(index.compile(asked).countSteps(reader)),
          0,
        )
        expect(count).toBe(expected.length)
      }),
      { numRuns: 150 },
    )
  })

  it('explanations match and have the score of the document', () => {
    fc.assert(
      fc.property(setup, ({ docs, query: asked }) => {
        const index = indexOf(docs, docs.length)
        const compiled = index.compile(asked)
        const scores = index.scores(asked)
        const [reader] = index.leaves
        docs.forEach((_, number) => {
          const explanation = compiled.explain(reader!, reader!.segment.findId(String(number)))
          expect(explanation.matched).toBe(scores[number] !== undefined)
          if (explanation.matched) expect(explanation.value).toBeCloseTo(scores[number]!, 5)
        })
      }),
      { numRuns: 80 },
    )
  })
})
