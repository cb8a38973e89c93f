import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { filterFor, runFilter, type TestOptions, testEvent } from '../../plugin/testing.ts'
import elasticsearch from './elasticsearch.ts'

let server: Server
let host = ''
let seen: { method: string; path: string; parameters: URLSearchParams; body: string; auth: string }[] = []
let answers: { status: number; body: unknown }[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const url = new URL(request.url!, 'http://x')
      const auth = request.headers.authorization ?? ''
      seen.push({ method: request.method!, path: url.pathname, parameters: url.searchParams, body, auth })
      const { status, body: answer } = answers.length > 1 ? answers.shift()! : answers[0]!
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  seen = []
  answers = [{ status: 200, body: found([{ a: { b: 1 }, '@timestamp': 'then' }]) }]
})

function found(sources: unknown[], more: Record<string, unknown> = {}) {
  const hits = sources.map((_source, n) => ({ _index: 'logs', _id: `id${n}`, _source }))
  return { _shards: { total: 1 }, hits: { total: { value: sources.length }, hits }, ...more }
}

const lookUp = (options: TestOptions, event = { opid: 'x y' }) =>
  runFilter(elasticsearch, { hosts: [host], ...options }, [event])

describe('elasticsearch filter', () => {
  it('searches with a query string and copies fields', async () => {
    const [event] = await lookUp({
      query: 'type:start AND operation:%{[opid]}',
      index: 'logs-%{opid}',
      fields: { '@timestamp': 'started', '[a][b]': '[copied][b]', 'a.c': 'nothing' },
      docinfo_fields: { _id: 'document_id' },
      user: 'me',
      password: 'secret',
      add_tag: ['found'],
    })
    expect(seen[0]).toMatchObject({ method: 'GET', path: '/logs-x%20y/_search' })
    expect(Object.fromEntries(seen[0]!.parameters)).toEqual({
      q: 'type:start AND operation:x y',
      size: '1',
      sort: '@timestamp:desc',
    })
    expect(seen[0]!.auth).toBe(`Basic ${Buffer.from('me:secret').toString('base64')}`)
    expect(event).toMatchObject({
      started: 'then',
      copied: { b: 1 },
      nothing: null,
      document_id: 'id0',
      '@metadata': { total_hits: 1 },
      tags: ['found'],
    })
  })

  it('gives lists for several documents, below a target, unsorted', async () => {
    answers = [{ status: 200, body: found([{ n: 1 }, { n: 2 }, { m: 3 }]) }]
    const options = { query: '*', fields: ['n', 'ns'], target: 'result', result_size: 3, enable_sort: false }
    const [event] = await lookUp(options)
    expect(event).toMatchObject({ result: { ns: [1, 2, null] } })
    expect(seen[0]).toMatchObject({ path: '/_search' })
    expect([...seen[0]!.parameters.keys()]).toEqual(['q', 'size'])
  })

  it('takes a template and copies aggregations', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'lookup-')), 'template.json')
    writeFileSync(path, '{"size":0,"query":{"term":{"id":"%{opid}"}}}')
    answers = [{ status: 200, body: found([], { aggregations: { total: { value: 5 } } }) }]
    const [event] = await lookUp({
      query_template: path,
      aggregation_fields: { total: 'sum' },
      add_tag: ['ok'],
    })
    expect(JSON.parse(seen[0]!.body)).toEqual({ size: 0, query: { term: { id: 'x y' } } })
    expect(event).toMatchObject({ sum: { value: 5 }, tags: ['ok'] })
  })

  it('leaves the event alone when nothing is found', async () => {
    answers = [{ status: 200, body: found([]) }]
    const [event] = await lookUp({ query: '*', fields: { a: 'b' }, add_tag: ['found'] })
    expect(event).toEqual({ opid: 'x y', '@metadata': { total_hits: 0 } })
  })

  it.each([
    ['an answer that is an error', [{ status: 400, body: { error: 'no' } }], 1],
    ['failed shards', [{ status: 200, body: { _shards: { failures: [{}] }, hits: { hits: [] } } }], 1],
  ])('tags the event after %s', async (_, given, requests) => {
    answers = given
    const [event] = await lookUp({ query: '*', retry_on_failure: 2, add_tag: ['found'] })
    expect(event!['tags']).toEqual(['_elasticsearch_lookup_failure'])
    expect(seen).toHaveLength(requests)
  })

  it('repeats what a status of the list says', async () => {
    answers = [
      { status: 503, body: {} },
      { status: 200, body: found([{ a: 1 }]) },
    ]
    const [event] = await lookUp({
      query: '*',
      fields: { a: 'b' },
      retry_on_failure: 1,
      retry_on_status: [503],
    })
    expect(event).toMatchObject({ b: 1 })
    expect(seen).toHaveLength(2)
  })

  it('runs ES|QL with parameters', async () => {
    const columns = [
      { name: 'food.name', type: 'keyword' },
      { name: 'n', type: 'long' },
    ]
    answers = [{ status: 200, body: { columns, values: [['soup', 2]] } }]
    const [event] = await lookUp({
      query_type: 'esql',
      query: 'FROM food | WHERE id == ?food_id',
      query_params: { food_id: '[opid]', limit: 5 },
      fields: { 'food.name': 'food_name' },
    })
    expect(seen[0]!.path).toBe('/_query')
    expect(JSON.parse(seen[0]!.body)).toEqual({
      query: 'FROM food | WHERE id == ?food_id | LIMIT 1',
      params: [{ food_id: 'x y' }, { limit: 5 }],
    })
    expect(event).toMatchObject({ food_name: 'soup', '@metadata': { total_values: 1 } })
  })

  it('tags the event when nobody answers, and goes on', async () => {
    const [event] = await runFilter(elasticsearch, { hosts: ['127.0.0.1:1'], query: '*' }, [{}])
    expect(event!['tags']).toEqual(['_elasticsearch_lookup_failure'])
  })

  it('refuses both kinds of query, and none', async () => {
    const both = filterFor(elasticsearch, { query: '*', query_template: '/x' })
    await expect(both.instance.register!()).rejects.toThrow('Use either `query` or `query_template`')
    await expect(filterFor(elasticsearch, {}).instance.register!()).rejects.toThrow('Either `query`')
  })

  it('searches for a whole batch within bounds', async () => {
    const made = filterFor(elasticsearch, { hosts: [host], query: '%{n}', fields: { a: 'b' } })
    await made.instance.register!()
    await made.filter(Array.from({ length: 100 }, (_, n) => testEvent({ n })))
    await made.instance.close!()
    expect(new Set(seen.map(({ parameters }) => parameters.get('q'))).size).toBe(100)
  })
})
