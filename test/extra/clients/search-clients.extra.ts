/** The official clients of Elasticsearch and OpenSearch, several major versions, use the search API of the program. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Millrace } from '../../support/millrace.ts'
import { clientKinds, type Json, SearchClient } from '../support/search-clients.ts'

const documents = Array.from({ length: 250 }, (_, n) => ({
  n,
  title: `document number ${n}`,
  kind: ['red', 'green', 'blue'][n % 3]!,
  price: n / 4,
  at: new Date(Date.UTC(2024, 0, 1 + (n % 60))).toISOString(),
}))
const many = 12_000
const mappings = {
  properties: {
    n: { type: 'integer' },
    title: { type: 'text' },
    kind: { type: 'keyword' },
    price: { type: 'double' },
    at: { type: 'date' },
  },
}

interface Hits {
  readonly total: { readonly value: number; readonly relation: string }
  readonly hits: readonly { readonly _id: string; readonly _source: Json; readonly sort?: unknown[] }[]
}
const hitsOf = (answer: Json): Hits => answer['hits'] as Hits
const numbersOf = (answer: Json): unknown[] => hitsOf(answer).hits.map((hit) => hit._source['n'])
const all = documents.map(({ n }) => n)

describe.each(clientKinds)('client $name of a server that is $flavor', (kind) => {
  let millrace: Millrace
  let client: SearchClient

  beforeAll(async () => {
    millrace = await Millrace.start({
      config: 'input { stdin { } } output { null { } }',
      search: true,
      args: ['--search.compat.flavor', kind.flavor],
    })
    await millrace.until('Search API endpoint started')
    client = new SearchClient(kind, `http://127.0.0.1:${millrace.searchPort}`)
    await client.call('indices.create', { index: 'docs' }, { mappings })
    const outcome = await client.helpers.bulk({
      datasource: documents,
      flushBytes: 5000,
      refreshOnCompletion: true,
      onDocument: ({ n }: { n: number }) => ({ index: { _index: 'docs', _id: `id-${n}` } }),
    })
    expect(outcome).toMatchObject({ total: 250, successful: 250, failed: 0 })
  })
  afterAll(async () => {
    await client?.close()
    await millrace?.dispose()
  })

  it('greets, tells its health, lists its indices', async () => {
    expect(await client.call('info')).toMatchObject({
      version: { number: expect.stringMatching(/^\d+\.\d+\.\d+$/) },
    })
    expect(await client.call('cluster.health')).toMatchObject({
      status: expect.stringMatching(/green|yellow/),
    })
    expect(await client.call('cat.indices', { format: 'json' })).toEqual(
      expect.arrayContaining([expect.objectContaining({ index: 'docs', 'docs.count': '250' })]),
    )
  })

  it('writes, reads, changes and removes one document', async () => {
    const place = { index: 'single', id: '1' }
    const document = { text: 'naïve €', at: '2024-01-01' }
    const write = kind.isWrapped
      ? client.call('index', { ...place, refresh: true }, document)
      : client.call('index', { ...place, refresh: true, document })
    expect(await write).toMatchObject({ _index: 'single', _id: '1', _version: 1, result: 'created' })
    expect(await client.call('get', place)).toMatchObject({ found: true, _source: document, _version: 1 })
    expect(await client.call('update', place, { doc: { more: 1 } })).toMatchObject({
      result: 'updated',
      _version: 2,
    })
    expect(
      await client.call(
        'mget',
        {},
        {
          docs: [
            { _index: 'single', _id: '1' },
            { _index: 'single', _id: '2' },
          ],
        },
      ),
    ).toMatchObject({ docs: [{ found: true, _source: { more: 1 } }, { found: false }] })
    expect(await client.call('delete', { ...place, refresh: 'wait_for' })).toMatchObject({
      result: 'deleted',
    })
    expect(await client.failure('get', place)).toMatchObject({
      name: 'ResponseError',
      status: 404,
      body: { found: false },
    })
    expect(await client.call('count', { index: 'docs' })).toMatchObject({ count: 250 })
  })

  it('takes a bulk of all kinds of operations', async () => {
    const answer = await client.list(
      'bulk',
      [
        { index: { _index: 'mixed', _id: 'a' } },
        { n: 1 },
        { create: { _index: 'mixed', _id: 'a' } },
        { n: 2 },
        { update: { _index: 'mixed', _id: 'a' } },
        { doc: { m: 2 } },
        { delete: { _index: 'mixed', _id: 'missing' } },
      ],
      { refresh: true },
    )
    expect(answer).toMatchObject({
      errors: true,
      items: [
        { index: { status: 201, result: 'created' } },
        { create: { status: 409, error: { type: 'version_conflict_engine_exception' } } },
        { update: { status: 200, result: 'updated' } },
        { delete: { status: 404, result: 'not_found' } },
      ],
    })
  })

  it('tells the bulk helper which documents were refused', async () => {
    const dropped: Json[] = []
    const outcome = await client.helpers.bulk({
      datasource: [{ n: 1 }, { n: 'no number' }, { n: 3 }],
      retries: 0,
      refreshOnCompletion: true,
      onDocument: () => ({ index: { _index: 'docs-refused' } }),
      onDrop: (drop: Json) => dropped.push(drop),
    })
    expect(outcome).toMatchObject({ total: 3, successful: 2, failed: 1 })
    expect(dropped).toMatchObject([{ status: 400, document: { n: 'no number' } }])
  })

  it('pages to the last page with from and size', async () => {
    const found: unknown[] = []
    for (let from = 0; ; from += 40) {
      const page = await client.call('search', { index: 'docs' }, { from, size: 40, sort: [{ n: 'asc' }] })
      expect(hitsOf(page).total).toEqual({ value: 250, relation: 'eq' })
      if (hitsOf(page).hits.length === 0) break
      found.push(...numbersOf(page))
    }
    expect(found).toEqual(all)
  })

  it('pages with search_after over a point in time, which does not see later changes', async () => {
    const id = await client.openPit('docs')
    await client.list('bulk', [{ index: { _index: 'docs', _id: 'late' } }, { n: 9999 }], { refresh: true })
    try {
      const found: unknown[] = []
      for (let after: unknown[] | undefined; ; ) {
        const page = await client.call(
          'search',
          {},
          {
            size: 60,
            pit: { id, keep_alive: '1m' },
            sort: [{ n: 'asc' }],
            ...(after !== undefined && { search_after: after }),
          },
        )
        if (hitsOf(page).hits.length === 0) break
        found.push(...numbersOf(page))
        after = hitsOf(page).hits.at(-1)!.sort
      }
      expect(found).toEqual(all)
      await client.closePit(id)
    } finally {
      await client.call('delete', { index: 'docs', id: 'late', refresh: true })
    }
    expect(await client.failure('search', {}, { pit: { id, keep_alive: '1m' } })).toMatchObject({
      status: 404,
    })
  })

  it('scrolls with the helpers', async () => {
    const parameters = client.helped(
      { index: 'docs', size: 70 },
      { sort: [{ n: 'asc' }], query: { match_all: {} } },
    )
    const pages: number[] = []
    for await (const page of client.helpers.scrollSearch(parameters)) pages.push(page.documents.length)
    expect(pages).toEqual([70, 70, 70, 40])
    const found: unknown[] = []
    for await (const document of client.helpers.scrollDocuments(parameters)) found.push(document['n'])
    expect(found).toEqual(all)
    expect(
      await client.helpers.search(client.helped({ index: 'docs', size: 3 }, { sort: [{ n: 'desc' }] })),
    ).toMatchObject([{ n: 249 }, { n: 248 }, { n: 247 }])
  })

  it('scrolls by hand, and clears', async () => {
    let page = await client.call(
      'search',
      { index: 'docs', scroll: '1m', size: 100 },
      { query: { match_all: {} } },
    )
    const found = new Set<unknown>()
    while (hitsOf(page).hits.length > 0) {
      for (const n of numbersOf(page)) found.add(n)
      page = await client.call('scroll', {}, { scroll: '1m', scroll_id: page['_scroll_id'] })
    }
    expect(found.size).toBe(250)
    expect(await client.call('clearScroll', {}, { scroll_id: page['_scroll_id'] })).toMatchObject({
      succeeded: true,
    })
    expect(await client.failure('scroll', {}, { scroll: '1m', scroll_id: page['_scroll_id'] })).toMatchObject(
      {
        status: 404,
      },
    )
  })

  it('finds by text, range and filter, ranked and highlighted', async () => {
    const answer = await client.call(
      'search',
      { index: 'docs' },
      {
        query: {
          bool: { must: { match: { title: 'number 42' } }, filter: { range: { n: { gte: 40, lt: 50 } } } },
        },
        highlight: { fields: { title: {} } },
        size: 3,
      },
    )
    expect(hitsOf(answer).total.value).toBe(10)
    expect(hitsOf(answer).hits[0]).toMatchObject({
      _id: 'id-42',
      highlight: { title: ['document <em>number</em> <em>42</em>'] },
    })
  })

  it('counts, sums and groups', async () => {
    const answer = await client.call(
      'search',
      { index: 'docs' },
      {
        size: 0,
        track_total_hits: true,
        aggs: {
          kinds: { terms: { field: 'kind' }, aggs: { price: { avg: { field: 'price' } } } },
          stats: { stats: { field: 'n' } },
          days: { date_histogram: { field: 'at', calendar_interval: 'month' } },
          pages: { composite: { size: 2, sources: [{ kind: { terms: { field: 'kind' } } }] } },
        },
      },
    )
    const aggregations = answer['aggregations'] as Record<string, Json>
    expect(aggregations['kinds']!['buckets']).toMatchObject([
      { key: 'red', doc_count: 84, price: { value: expect.any(Number) } },
      { key: 'blue', doc_count: 83 },
      { key: 'green', doc_count: 83 },
    ])
    expect(aggregations['stats']).toMatchObject({ count: 250, min: 0, max: 249, sum: 31125 })
    expect(aggregations['days']!['buckets']).toMatchObject([
      { key_as_string: '2024-01-01T00:00:00.000Z' },
      { key_as_string: '2024-02-01T00:00:00.000Z' },
    ])
    expect(aggregations['pages']).toMatchObject({ after_key: { kind: 'green' } })
  })

  it('answers several searches at once, directly and through the helper', async () => {
    const answer = await client.list('msearch', [
      { index: 'docs' },
      { query: { term: { kind: 'red' } }, size: 0 },
      { index: 'missing' },
      { query: { match_all: {} } },
    ])
    expect(answer['responses']).toMatchObject([
      { status: 200, hits: { total: { value: 84 } } },
      { status: 404, error: { type: 'index_not_found_exception' } },
    ])
    const helper = client.helpers.msearch()
    const found = await Promise.all(
      ['red', 'green'].map((value) =>
        helper.search({ index: 'docs' }, { query: { term: { kind: value } }, size: 100 }),
      ),
    )
    helper.stop()
    expect(found.map((one) => (one['documents'] as unknown[]).length)).toEqual([84, 83])
  })

  it('says in the words of the client what is wrong', async () => {
    expect(await client.failure('search', { index: 'missing' })).toMatchObject({
      name: 'ResponseError',
      message: expect.stringContaining('index_not_found_exception'),
      status: 404,
    })
    expect(await client.failure('search', { index: 'docs' }, { query: { no_such_query: {} } })).toMatchObject(
      {
        message: expect.stringContaining('unknown query [no_such_query]'),
        status: 400,
      },
    )
    expect(await client.failure('indices.create', { index: 'docs' })).toMatchObject({
      message: expect.stringContaining('resource_already_exists_exception'),
      status: 400,
    })
    expect(await client.failure('indices.create', { index: 'Upper' })).toMatchObject({
      message: expect.stringContaining('invalid_index_name_exception'),
      status: 400,
    })
  })

  it('takes compressed requests, and is found by sniffing', async () => {
    const url = `http://127.0.0.1:${millrace.searchPort}`
    const other = new SearchClient(kind, url, { compression: compressionFor(kind), sniffOnStart: true })
    try {
      expect(await other.call('ping')).toBe(true)
      const outcome = await other.helpers.bulk({
        datasource: manyDocuments(),
        concurrency: 3,
        flushBytes: 100_000,
        onDocument: () => ({ create: { _index: 'many' } }),
      })
      expect(outcome).toMatchObject({ total: many, successful: many, failed: 0, retry: 0 })
      await other.call('indices.refresh', { index: 'many' })
      expect(await other.call('count', { index: 'many' })).toMatchObject({ count: many })
      const answer = await other.call('search', {
        index: 'many',
        filter_path: 'hits.total.value,hits.hits._id',
      })
      expect(Object.keys(answer)).toEqual(['hits'])
    } finally {
      await other.close()
    }
  })

  it('goes to the last page of many, unless an index limits its window', async () => {
    const last = { from: many - 5, size: 10, sort: [{ n: 'asc' }], track_total_hits: true }
    const page = await client.call('search', { index: 'many' }, last)
    expect(hitsOf(page).total).toEqual({ value: many, relation: 'eq' })
    expect(numbersOf(page)).toEqual([5, 4, 3, 2, 1].map((n) => many - n))
    await client.call('indices.create', { index: 'narrow' }, { settings: { max_result_window: 10 } })
    expect(await client.failure('search', { index: 'narrow', from: 5, size: 6 })).toMatchObject({
      message: expect.stringContaining(
        'Result window is too large, from + size must be less than or equal to: [10] but was [11]',
      ),
      status: 400,
    })
    const answer = await client.call('search', { index: 'docs', rest_total_hits_as_int: true, size: 0 })
    expect(answer).toMatchObject({ hits: { total: 250 } })
  })

  it('updates by query and copies indices, with tasks to wait for', async () => {
    const source = { query: { range: { n: { lt: 10 } } } }
    expect(
      await client.call(
        'reindex',
        { refresh: true },
        { source: { index: 'docs', ...source }, dest: { index: 'copy' } },
      ),
    ).toMatchObject({
      total: 10,
      created: 10,
      failures: [],
    })
    expect(
      await client.call('updateByQuery', { index: 'copy', refresh: true, conflicts: 'proceed' }, source),
    ).toMatchObject({
      updated: 10,
    })
    const begun = await client.call('deleteByQuery', { index: 'copy', wait_for_completion: false }, source)
    const task = await client.call('tasks.get', { task_id: begun['task'], wait_for_completion: true })
    expect(task).toMatchObject({ completed: true, response: { deleted: 10 } })
  })

  it('manages indices, aliases and templates', async () => {
    expect(await existence(client, 'docs')).toBe(true)
    expect(await existence(client, 'missing')).toBe(false)
    await client.call('indices.putAlias', { index: 'docs', name: 'alias' })
    expect(
      await client.call('search', { index: 'alias' }, { size: 0, track_total_hits: true }),
    ).toMatchObject({
      hits: { total: { value: 250 } },
    })
    expect(await client.call('indices.getMapping', { index: 'docs' })).toMatchObject({ docs: { mappings } })
    await client.call(
      'indices.putIndexTemplate',
      { name: 'logs' },
      {
        index_patterns: ['logs-*'],
        template: {
          settings: { number_of_shards: 1 },
          mappings: { properties: { level: { type: 'keyword' } } },
        },
      },
    )
    await client.list('bulk', [{ create: { _index: 'logs-1' } }, { level: 'info' }], { refresh: true })
    expect(await client.call('indices.getMapping', { index: 'logs-1' })).toMatchObject({
      'logs-1': { mappings: { properties: { level: { type: 'keyword' } } } },
    })
    expect(
      await client.call('deleteByQuery', { index: 'logs-1', refresh: true }, { query: { match_all: {} } }),
    ).toMatchObject({
      deleted: 1,
    })
    expect(await client.call('indices.delete', { index: 'logs-1' })).toMatchObject({ acknowledged: true })
  })
})

/** The older clients name the method. */
function compressionFor({ name }: { name: string }): unknown {
  return name === 'es8' || name === 'es9' ? true : 'gzip'
}

async function* manyDocuments(): AsyncGenerator<Json> {
  for (let n = 0; n < many; n++) yield { n, text: 'the same text again and again', big: 2 ** 40 + n }
}

async function existence(client: SearchClient, index: string): Promise<unknown> {
  return (await client.call('indices.exists', { index })) as unknown
}
