import { expect, it, vi } from 'vitest'
import { AnswerBytes, AnswerTooLarge } from '../../answer/answer-memory.ts'
import { searchPage } from '../../collect/execute-search.ts'
import { parseSearchRequest } from '../../collect/request/parse-request.ts'
import { plainValues } from '../../request/test-values.ts'
import { NotReady } from '../../scheduling/not-ready.ts'
import { aggregations } from '../aggregate.ts'
import { indexOf, type Json } from '../test-aggs.ts'

const groups = 10
const sources = Array.from({ length: 200 }, (_, n) => ({
  n,
  place: (n * 37) % 200,
  tag: [`t${n % groups}`, `t${(n * 3) % groups}`],
}))
const index = indexOf(sources, { shards: 2, mappings: { properties: { tag: { type: 'keyword' } } } })

/** The ids of the first three documents by `place`, for each tag. */
const expected = Array.from({ length: groups }, (_, group) =>
  sources
    .filter(({ tag }) => tag.includes(`t${group}`))
    .sort((one, other) => other.place - one.place)
    .slice(0, 3)
    .map(({ n }) => String(n)),
)

const hits = { top_hits: { size: 3, sort: [{ place: 'desc' }] }, meta: { of: 'hits' } }
const order = { _key: 'asc' }

/** Runs aggregations and records which documents are fetched. */
function run(aggs: Json, isReady: () => boolean = () => true, answer?: AnswerBytes) {
  const request = parseSearchRequest({ aggs })
  const settings = aggregations({ node: 'node' })
  const { search } = searchPage([index], request, { node: 'node', aggregations: settings })
  const read: [leaf: number, doc: number][] = []
  const spies = search.shards.flatMap(({ leaves }) =>
    leaves.map((leaf) => {
      const { segment } = leaf.reader
      const sourceText = segment.sourceText.bind(segment)
      return vi.spyOn(segment, 'sourceText').mockImplementation((doc) => {
        if (!isReady()) throw new NotReady(Promise.resolve(true), () => {})
        read.push([leaf.number, doc])
        return sourceText(doc)
      })
    }),
  )
  const steps = settings.steps(request.aggregations, search, request, answer)
  let taken = 0
  let waits = 0
  try {
    for (;;) {
      const { done, value } = steps.next()
      taken++
      if (value instanceof NotReady) waits++
      if (done) return { json: plainValues(value.json) as Json, read, taken, waits }
    }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

function idsIn({ buckets }: Json): string[][] {
  return (buckets as Json[]).map(({ h }) => {
    const shown = ((h as Json)['hits'] as Json)['hits'] as { _id: string; _source: { n: number } }[]
    for (const { _id, _source } of shown) expect(String(_source.n)).toBe(_id)
    return shown.map(({ _id }) => _id)
  })
}

it('shows the hits of each bucket in their order', () => {
  const { json, taken } = run({ a: { terms: { field: 'tag', size: groups, order }, aggs: { h: hits } } })
  expect(idsIn(json['a'] as Json)).toEqual(expected)
  expect(((json['a'] as Json)['buckets'] as Json[])[0]!['h']).toMatchObject({
    meta: { of: 'hits' },
    hits: { total: { value: 20, relation: 'eq' }, max_score: null },
  })
  expect(taken).toBeGreaterThan(3 * groups)
})

it('fetches the documents of all buckets in document order', () => {
  const { read } = run({
    all: { filter: { match_all: {} }, aggs: { a: { terms: { field: 'tag' }, aggs: { h: hits } } } },
    h: hits,
  })
  expect(read).toHaveLength(3 * groups + 3)
  expect(read).toEqual(read.toSorted(([leaf, doc], other) => leaf - other[0] || doc - other[1]))
})

it('fetches nothing for dropped buckets', () => {
  const dropped = { bucket_sort: { from: 4, size: 2 } }
  const { json, read } = run({
    a: { terms: { field: 'tag', size: groups, order }, aggs: { h: hits, dropped } },
  })
  expect(idsIn(json['a'] as Json)).toEqual(expected.slice(4, 6))
  expect(read).toHaveLength(6)
})

it('refuses hits beyond the memory of an answer', () => {
  let read = 0
  const isReady = () => {
    read++
    return true
  }
  const all = { h: { top_hits: { size: 100 } } }
  // A hit takes a few hundred bytes, the text of its document included; the aggregator itself counts as 48 KB.
  const aggregator = 48 * 1024
  expect(() => run(all, isReady, new AnswerBytes(aggregator + 5000))).toThrow(AnswerTooLarge)
  expect(read).toBeGreaterThan(5)
  expect(read).toBeLessThan(50)
  expect(run(all, isReady, new AnswerBytes(aggregator + 100_000)).read).toHaveLength(100)
})

it('fetches one document per step', () => {
  let asked = 0
  const { json, read, waits } = run(
    { a: { terms: { field: 'tag', size: groups, order }, aggs: { h: hits } } },
    () => ++asked % 2 === 0,
  )
  expect(idsIn(json['a'] as Json)).toEqual(expected)
  expect(waits).toBe(3 * groups)
  expect(read).toHaveLength(3 * groups)
})
