/**
 * Pages behind the window of a cluster, beside the order that one search without a window gives. The cluster is a
 * Millrace endpoint with the limits of Elasticsearch; one of two equal indices has a window of 50.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ClusterClient } from '../../../cluster/cluster-client.ts'
import { parseHost } from '../../../cluster/cluster-host.ts'
import { type Endpoint, startEndpoint } from '../../../endpoint.ts'
import { writeJson } from '../../../search/answer/json-text.ts'
import { isObject, type JsonObject } from '../../../search/request/json-object.ts'
import { deepSearch } from './deep-search.ts'
import { ProductCheck } from './product.ts'
import { searchRequest } from './search-request.ts'

const count = 1200
const window = 50
let endpoint: Endpoint
let client: ClusterClient
/** Requests that were sent. */
let sent: { path: string; body: JsonObject }[] = []

const properties = {
  long: { type: 'long' },
  integer: { type: 'integer' },
  double: { type: 'double' },
  date: { type: 'date' },
  nanos: { type: 'date_nanos' },
  keyword: { type: 'keyword' },
  ip: { type: 'ip' },
  flag: { type: 'boolean' },
  few: { type: 'keyword' },
  many: { type: 'long' },
  text: { type: 'text' },
  unique: { type: 'long' },
}

function documentOf(number: number): JsonObject {
  const spread = (number * 7919) % count
  const words = ['red', 'red green', 'green blue red', 'blue'][number % 4]!
  if (number % 11 === 0) return { text: words, unique: number }
  return {
    long: spread % 400,
    integer: spread - 600,
    double: spread / 7,
    date: 1_700_000_000_000 + (spread % 300) * 1000,
    nanos: `2024-01-01T00:00:00.${String(100_000_000 + spread)}Z`,
    keyword: `k${spread % 500}`,
    ip: `10.0.${spread >> 8}.${spread & 255}`,
    flag: spread % 3 === 0,
    few: `f${spread % 2}`,
    many: [spread % 90, (spread * 31) % 1000],
    text: `${words} ${'red '.repeat(spread % 9)}`,
    unique: number,
  }
}

async function send(method: string, path: string, body?: unknown): Promise<JsonObject> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(endpoint.url + path, {
    method,
    headers,
    ...(body !== undefined && { body: text }),
  })
  return (await response.json()) as JsonObject
}

beforeAll(async () => {
  endpoint = await startEndpoint({ strict: true })
  client = new ClusterClient({
    hosts: [parseHost(endpoint.url)],
    connectMillis: 5_000,
    requestMillis: 30_000,
    retries: 0,
  })
  const ask = client.ask.bind(client)
  client.ask = (request, limit) => {
    const text = request.body === undefined ? '{}' : Buffer.from(request.body as Uint8Array).toString()
    sent.push({ path: request.path, body: JSON.parse(text) as JsonObject })
    return ask(request, limit)
  }
  for (const [index, max_result_window] of [
    ['narrow', window],
    ['wide', 100_000],
  ] as const) {
    const settings = { number_of_shards: 3, max_result_window }
    await send('PUT', `/${index}`, { settings, mappings: { properties } })
    const lines = Array.from({ length: count }, (_, number) => [
      JSON.stringify({ index: { _id: String(number) } }),
      JSON.stringify(documentOf(number)),
    ])
    const { errors } = await send('POST', `/${index}/_bulk?refresh=true`, `${lines.flat().join('\n')}\n`)
    expect(errors).toBe(false)
  }
}, 60_000)

afterAll(async () => {
  await client.close()
  await endpoint.stop()
})

async function deep(body: JsonObject, query = ''): Promise<JsonObject | undefined> {
  sent = []
  const product = await new ProductCheck(client).get({})
  const parameters = new URLSearchParams(query)
  const request = searchRequest('/narrow/_search', parameters, Buffer.from(JSON.stringify(body)))!
  const signal = new AbortController().signal
  const answer = await deepSearch(request, { client, product, headers: {}, window, signal })
  return answer && (JSON.parse(writeJson(answer)) as JsonObject)
}

/** What one search without a window gives, under the other index's name. */
async function wide(body: JsonObject, query = ''): Promise<JsonObject> {
  const answer = await send('POST', `/wide/_search?track_total_hits=true&${query}`, body)
  return JSON.parse(JSON.stringify(answer).replaceAll('"wide"', '"narrow"')) as JsonObject
}

function withoutTook({ took: _, ...answer }: JsonObject): JsonObject {
  return answer
}

const sorts: readonly unknown[] = [
  ...['long', 'integer', 'double', 'date', 'nanos', 'keyword', 'ip', 'flag', 'few', 'many', 'unique'].flatMap(
    (name) => [{ [name]: 'asc' }, { [name]: 'desc' }],
  ),
  { long: { order: 'asc', missing: '_first' } },
  { keyword: { order: 'desc', missing: '_first' } },
  { double: { order: 'desc', missing: '_first' } },
  { long: { order: 'asc', missing: 200 } },
  { integer: { order: 'desc', missing: 0 } },
  [{ few: 'asc' }, { keyword: 'desc' }, { unique: 'asc' }],
  [{ flag: 'desc' }, { date: { order: 'asc', missing: '_first' } }, 'unique'],
  [{ long: 'desc' }, { ip: 'asc' }],
  ['_score', { unique: 'desc' }],
  [{ _score: 'asc' }, { keyword: 'asc' }],
  [{ date: { order: 'desc', format: 'yyyy-MM-dd' } }, { unique: 'asc' }],
  '_score',
  undefined,
]

const queries: readonly unknown[] = [
  undefined,
  { match_all: {} },
  { match: { text: 'red' } },
  { match: { text: 'red blue' } },
  { bool: { filter: [{ range: { unique: { gte: 100 } } }] } },
]

describe('a page behind the window of a cluster', () => {
  it('is the page that one search without a window gives', async () => {
    const cases = fc.record({
      sort: fc.constantFrom(...sorts),
      query: fc.constantFrom(...queries),
      from: fc.integer({ min: 0, max: count + 20 }),
      size: fc.integer({ min: 0, max: 70 }),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ sort, query, from, size }) => {
        // Values that are shown by a format are no anchors for a page in several requests.
        fc.pre(size <= window / 2 || !JSON.stringify(sort ?? null).includes('format'))
        const body = {
          from,
          size,
          ...(sort !== undefined && { sort }),
          ...(query !== undefined && { query }),
        }
        const [found, expected] = await Promise.all([deep(body), wide(body)])
        // Keys that are shown in a format name no document to start behind: what needs two requests is refused.
        if (found === undefined && size + 2 >= window / 2 && /format/.test(JSON.stringify(sort))) return
        expect(found && withoutTook(found)).toEqual(withoutTook(expected))
      }),
      { numRuns: Number(process.env['DEEP_CASES'] ?? 25) },
    )
  }, 120_000)

  it.each(sorts.map((sort) => [JSON.stringify(sort) ?? 'no sort', sort]))(
    'sorted by %s is the same at every place',
    async (_, sort) => {
      for (const from of [551, 1090]) {
        const body = {
          from,
          size: 10,
          ...(sort !== undefined && { sort }),
          query: { match: { text: 'red' } },
        }
        expect(withoutTook((await deep(body))!)).toEqual(withoutTook(await wide(body)))
      }
    },
    60_000,
  )

  it('fetches no document that is not on it', async () => {
    await deep({ from: 800, size: 10, sort: [{ unique: 'asc' }], aggs: { a: { max: { field: 'long' } } } })
    const searches = sent.filter(({ path }) => path.startsWith('/_search?'))
    const showing = searches.filter(({ body }) => body['_source'] !== false && body['size'] !== 0)
    expect(showing.map(({ body }) => body['size'])).toEqual([10])
    expect(searches.filter(({ body }) => body['aggs'] !== undefined)).toHaveLength(1)
    // Three counts and a sample in each of twelve rounds, total and page.
    expect(searches.length).toBeLessThanOrEqual(12 * 4 + 2)
    expect(sent.at(-1)!.path).toBe('/_pit')
  })

  it('shows aggregations, highlights, totals and scores as one search does', async () => {
    const body = {
      from: 300,
      size: 5,
      query: { match: { text: 'red' } },
      sort: [{ keyword: 'asc' }, { unique: 'asc' }],
      track_scores: true,
      aggs: { few: { terms: { field: 'few' }, aggs: { top: { max: { field: 'long' } } } } },
      highlight: { fields: { text: {} } },
      docvalue_fields: ['keyword'],
      _source: ['unique'],
      version: true,
    }
    expect(withoutTook((await deep(body))!)).toEqual(withoutTook(await wide(body)))
    const query = 'track_total_hits=false&_source=false&typed_keys=true'
    const found = (await deep(body, query))!
    const hits = found['hits']
    expect(isObject(hits) && Object.keys(hits)).toEqual(['max_score', 'hits'])
    expect(Object.keys(found['aggregations'] as JsonObject)).toEqual(['sterms#few'])
    const limited = (await deep({ ...body, track_total_hits: 100 }))!['hits'] as JsonObject
    expect(limited['total']).toEqual({ value: 100, relation: 'gte' })
  })

  it('takes query, sort and page from the address', async () => {
    const query = 'q=text:red&sort=keyword:desc,unique:asc&from=400&size=7&_source_includes=unique'
    expect(withoutTook((await deep({ from: 3, size: 1 }, query))!)).toEqual(
      withoutTook(await wide({}, query)),
    )
  })

  it.each([
    ['collapse', { collapse: { field: 'few' } }],
    ['search_after', { sort: ['unique'], search_after: [3] }],
    ['rescore', { rescore: { window_size: 10, query: { rescore_query: { match_all: {} } } } }],
    ['a sort that is none', { sort: 17 }],
  ])('is left to the cluster with %s', async (_, body) => {
    expect(await deep({ from: 100, ...body })).toBeUndefined()
  })

  it('passes the refusal of a wrong query on', async () => {
    await expect(deep({ from: 100, query: { nonsense: {} } })).rejects.toMatchObject({
      name: 'ClusterRefusal',
      status: 400,
    })
  })
})
