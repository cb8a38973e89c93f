/**
 * Searches that are almost right: every kind of query, aggregation, suggester, sort and highlight with a few changes
 * from a seed. Each is answered or refused; none is a fault of ours, and the node lives on.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestAnswer, type TestNode } from '../../src/api/search/testing.ts'
import { mutated, random } from './json-mutations.ts'
import {
  aggregations,
  fuzzDocuments,
  fuzzMapping,
  pipelines,
  queries,
  searches,
  siblings,
} from './search-request-samples.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode()
  await node.ask('PUT', '/fuzz', { mappings: fuzzMapping })
  for (const [id, document] of fuzzDocuments.entries()) {
    const { status } = await node.ask('PUT', `/fuzz/_doc/${id}`, document)
    expect(status).toBe(201)
  }
  await node.ask('POST', '/fuzz/_refresh')
})

afterAll(() => node.close())

const sum = { sum: { field: 'number' } }
const histogram = { histogram: { field: 'number', interval: 3 }, aggs: { inner: sum } }

const bodies: readonly unknown[] = [
  ...queries.map((query) => ({ query })),
  ...aggregations.map((outer) => ({ size: 0, aggs: { outer } })),
  ...pipelines.map((last) => ({ size: 0, aggs: { outer: { ...histogram, aggs: { inner: sum, last } } } })),
  ...siblings.map((last) => ({ size: 0, aggs: { outer: histogram, last } })),
  ...searches,
]

/** OpenSearch itself answers these with 5xx. */
const serverErrors = new Set(['too_many_buckets_exception', 'aggregation_initialization_exception'])

function expectNoFault(answer: TestAnswer): void {
  const types = [answer.at('error.type'), answer.at('error.caused_by.type')]
  const isKnown = answer.status < 500 || types.some((type) => serverErrors.has(String(type)))
  expect(isKnown, answer.text).toBe(true)
  if (answer.status >= 400) expect(answer.at('error.root_cause'), answer.text).toBeInstanceOf(Array)
  // A fault of one shard is a fault as well.
  expect(answer.text).not.toContain('"type":"exception"')
}

describe('requests that are almost right', () => {
  it('begin with requests that are', async () => {
    const refused: unknown[] = []
    for (const body of bodies) {
      const { status } = await node.ask('POST', '/fuzz/_search', body)
      if (status !== 200) refused.push(body)
    }
    // Aggregations that have to stand in another or to hold one, a field in a pattern, a point in time that is none.
    expect(refused.length).toBeLessThan(6)
  })

  it('are answered or refused as searches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const next = random(seed)
        const body = mutated(bodies[next(bodies.length)], next)
        expectNoFault(await node.ask('POST', '/fuzz/_search', body))
      }),
      { seed: 22, numRuns: 400 },
    )
  })

  it.each([
    '_count',
    '_validate/query?explain=true',
    '_explain/1',
    '_delete_by_query?requests_per_second=-1',
  ])('are answered or refused by %s', async (path) => {
    await node.ask('PUT', '/other', { mappings: fuzzMapping })
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const next = random(seed)
        const body = mutated({ query: queries[next(queries.length)] }, next)
        expectNoFault(await node.ask('POST', `/other/${path}`, body))
      }),
      { seed: 22, numRuns: 60 },
    )
  })

  it('are answered or refused as documents, mappings and settings', async () => {
    const settings = {
      analysis: {
        analyzer: { a: { tokenizer: 'standard', filter: ['lowercase', 'f'], char_filter: ['c'] } },
        filter: { f: { type: 'ngram', min_gram: 1, max_gram: 2 } },
        char_filter: { c: { type: 'mapping', mappings: ['a => b'] } },
      },
    }
    let number = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const next = random(seed)
        const document = mutated(fuzzDocuments[next(fuzzDocuments.length)], next)
        expectNoFault(await node.ask('PUT', '/other/_doc/1', document))
        expectNoFault(
          await node.ask('POST', '/other/_update/1', mutated({ doc: document, doc_as_upsert: true }, next)),
        )
        const index = `made-${number++}`
        const body = mutated({ mappings: fuzzMapping, settings, aliases: { x: {} } }, next)
        expectNoFault(await node.ask('PUT', `/${index}`, body))
        await node.ask('DELETE', `/${index}?ignore_unavailable=true`)
      }),
      { seed: 22, numRuns: 150 },
    )
  })
})
