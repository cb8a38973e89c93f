import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { searchApiRoutes } from './routes.ts'
import { startTestNode, type TestNode } from './testing.ts'

let node: TestNode

beforeEach(async () => {
  node = await startTestNode()
})

afterEach(() => node.close())

describe('the search API', () => {
  it('says who it is in the way official clients check', async () => {
    const { json, headers, at } = await node.ask('GET', '/')
    expect(headers.get('x-elastic-product')).toBe('Elasticsearch')
    expect(Object.keys(json as object)).toEqual([
      'name',
      'cluster_name',
      'cluster_uuid',
      'version',
      'tagline',
    ])
    expect(at('version')).toMatchObject({ number: '8.15.0', build_flavor: 'default' })
    expect(at('tagline')).toBe('You Know, for Search')
    const vendored = 'application/vnd.elasticsearch+json; compatible-with=8'
    const echoed = await node.ask('GET', '/', undefined, { accept: vendored, 'x-opaque-id': 'me' })
    expect(echoed.headers.get('content-type')).toBe('application/vnd.elasticsearch+json;compatible-with=8')
    expect(echoed.headers.get('x-opaque-id')).toBe('me')
  })

  it('refuses in order: route, method, parameters, content type, body', async () => {
    expect((await node.ask('GET', '/a/b/c/d')).json).toEqual({
      error: 'no handler found for uri [/a/b/c/d] and method [GET]',
    })
    const wrong = await node.ask('PUT', '/_cluster/health')
    expect(wrong.status).toBe(405)
    expect(wrong.headers.get('allow')).toBe('GET,HEAD')
    expect((await node.ask('GET', '/_search?siz=1')).at('error.reason')).toBe(
      'request [/_search] contains unrecognized parameter: [siz] -> did you mean [size]?',
    )
    const form = await node.ask(
      'POST',
      '/_search',
      {},
      { 'content-type': 'application/x-www-form-urlencoded' },
    )
    expect(form).toMatchObject({
      status: 406,
      json: {
        error: 'Content-Type header [application/x-www-form-urlencoded] is not supported',
        status: 406,
      },
    })
    expect((await node.ask('GET', '/_search?from=1.5')).json).toMatchObject({
      error: {
        type: 'illegal_argument_exception',
        reason: 'Failed to parse int parameter [from] with value [1.5]',
        caused_by: { type: 'number_format_exception', reason: 'For input string: "1.5"' },
      },
      status: 400,
    })
    const options = await node.ask('OPTIONS', '/_search')
    expect([options.status, options.text, options.headers.get('allow')]).toEqual([200, '', 'GET,HEAD,POST'])
  })

  it('tells of a missing index with the whole envelope', async () => {
    const cause = {
      type: 'index_not_found_exception',
      reason: 'no such index [nope]',
      'resource.type': 'index_or_alias',
      'resource.id': 'nope',
      index_uuid: '_na_',
      index: 'nope',
    }
    expect((await node.ask('GET', '/nope/_search')).json).toEqual({
      error: { root_cause: [cause], ...cause },
      status: 404,
    })
    expect((await node.ask('HEAD', '/nope')).status).toBe(404)
  })

  it('keeps documents as they were sent and finds them', async () => {
    const put = await node.ask('PUT', '/a/_doc/1?refresh=true', undefined)
    expect(put.at('error')).toMatchObject({ type: 'parse_exception', reason: 'request body is required' })
    const body = '{"n":1.0, "long":9223372036854775807}\n'
    const headers = { 'content-type': 'application/json' }
    expect(await node.ask('PUT', '/a/_doc/1?refresh=true', body, headers)).toMatchObject({
      status: 201,
      json: {
        _index: 'a',
        _id: '1',
        _version: 1,
        result: 'created',
        forced_refresh: true,
        _shards: { total: 2, successful: 1, failed: 0 },
      },
    })
    expect((await node.ask('GET', '/a/_doc/1')).text).toContain(
      '"_source":{"n":1.0, "long":9223372036854775807}',
    )
    expect((await node.ask('GET', '/a/_search?filter_path=hits.total,hits.hits._id')).json).toEqual({
      hits: { total: { value: 1, relation: 'eq' }, hits: [{ _id: '1' }] },
    })
    const flat = await node.ask('GET', '/a/_search?hits_format=array')
    expect(flat.at('hits')).toMatchObject([{ _id: '1' }])
    expect((await node.ask('GET', '/a/_doc/9')).json).toEqual({ _index: 'a', _id: '9', found: false })
  })

  it('answers every line of a bulk request by itself', async () => {
    const lines = [
      '{"index":{"_index":"a","_id":"1"}}',
      '{"n":1}',
      '{"create":{"_index":"a","_id":"1"}}',
      '{"n":2}',
      '{"delete":{"_index":"a","_id":"7"}}',
      '{"update":{"_index":"a","_id":"1"}}',
      '{"doc":{"n":5}}',
      '',
    ].join('\r\n')
    const { at, status } = await node.ask('POST', '/_bulk', lines)
    expect(status).toBe(200)
    expect(at('errors')).toBe(true)
    const { uuid } = node.cluster.index('a')!
    expect((at('items') as object[]).map((item) => Object.entries(item)[0])).toMatchObject([
      ['index', { _id: '1', status: 201, result: 'created' }],
      [
        'create',
        {
          _id: '1',
          status: 409,
          error: {
            type: 'version_conflict_engine_exception',
            reason: '[1]: version conflict, document already exists (current version [1])',
            index_uuid: uuid,
            shard: '0',
            index: 'a',
          },
        },
      ],
      ['delete', { _id: '7', status: 404, result: 'not_found' }],
      ['update', { _id: '1', status: 200, result: 'updated', _version: 2 }],
    ])
  })

  it.each([
    ['{"index":{}}', 'The bulk request must be terminated by a newline [\\n]'],
    ['"x"\n', 'Malformed action/metadata line [1], expected START_OBJECT but found [VALUE_STRING]'],
    ['{}\n', 'Malformed action/metadata line [1], expected FIELD_NAME but found [END_OBJECT]'],
    [
      '{"foo":{}}\n',
      'Malformed action/metadata line [1], expected one of [create, delete, index, update] but found [foo]',
    ],
    ['{"index":{"_foo":1}}\n{}\n', 'Action/metadata line [1] contains an unknown parameter [_foo]'],
    ['\n\n', 'Validation Failed: 1: no requests added;'],
  ])('refuses the bulk request %j as a whole', async (lines, reason) => {
    const { at, status } = await node.ask('POST', '/_bulk', lines)
    expect([status, at('error.reason')]).toEqual([400, reason])
  })

  it('reads bodies that are compressed or part of the URL', async () => {
    const response = await fetch(`${node.url}/a/_doc/1`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync('{"a":1}'),
    })
    expect(response.status).toBe(201)
    await response.arrayBuffer()
    const source = encodeURIComponent('{"query":{"match_all":{}}}')
    const asked = await node.ask('GET', `/a/_search?source=${source}&source_content_type=application/json`)
    expect(asked.status).toBe(200)
  })

  it('prints tables as text and as JSON', async () => {
    await node.ask('PUT', '/a', { settings: { number_of_replicas: 0 }, aliases: { x: {} } })
    expect((await node.ask('GET', '/_cat/aliases?v&h=alias,index')).text).toBe('alias index\nx     a\n')
    expect((await node.ask('GET', '/_cat/indices?h=health,index,pri&format=json')).json).toEqual([
      { health: 'green', index: 'a', pri: '1' },
    ])
    const unsorted = await node.ask('GET', '/_cat/indices?s=nope')
    expect([unsorted.status, unsorted.at('error.type')]).toEqual([500, 'unsupported_operation_exception'])
    expect((await node.ask('GET', '/_cat/count?h=count')).text).toBe('0\n')
  })

  it('reports health honestly and times out with 408', async () => {
    await node.ask('PUT', '/a')
    expect((await node.ask('GET', '/_cluster/health')).json).toMatchObject({
      status: 'yellow',
      unassigned_shards: 1,
    })
    const waited = await node.ask('GET', '/_cluster/health?wait_for_status=green&timeout=1ms')
    expect([waited.status, waited.at('timed_out')]).toEqual([408, true])
  })

  it('scrolls, and keeps points in time in both dialects', async () => {
    for (const id of ['1', '2', '3']) await node.ask('PUT', `/a/_doc/${id}?refresh=true`, { n: Number(id) })
    const first = await node.ask('POST', '/a/_search?scroll=1m&size=2', { sort: ['n'] })
    expect(first.at('hits.hits')).toHaveLength(2)
    const scroll_id = first.at('_scroll_id')
    expect(
      (await node.ask('POST', '/_search/scroll', { scroll: '1m', scroll_id })).at('hits.hits'),
    ).toMatchObject([{ _id: '3' }])
    expect((await node.ask('DELETE', '/_search/scroll', { scroll_id })).json).toEqual({
      succeeded: true,
      num_freed: 1,
    })
    expect((await node.ask('DELETE', '/_search/scroll', { scroll_id })).status).toBe(404)
    const id = (await node.ask('POST', '/a/_pit?keep_alive=1m')).at('id')
    await node.ask('DELETE', '/a/_doc/1?refresh=true')
    expect((await node.ask('POST', '/_search', { pit: { id } })).at('hits.total.value')).toBe(3)
    expect((await node.ask('DELETE', '/_pit', { id })).json).toEqual({ succeeded: true, num_freed: 1 })
    const pit_id = (await node.ask('POST', '/a/_search/point_in_time?keep_alive=1m')).at('pit_id')
    expect((await node.ask('GET', '/_search/point_in_time/_all')).at('pits')).toMatchObject([{ pit_id }])
    expect((await node.ask('POST', '/a/_pit')).at('error.reason')).toBe(
      'Validation Failed: 1: [keep_alive] is not specified;',
    )
  })

  it('copies, rewrites and deletes by query', async () => {
    for (const id of ['1', '2', '3']) await node.ask('PUT', `/a/_doc/${id}?refresh=true`, { n: Number(id) })
    const copied = await node.ask('POST', '/_reindex?refresh=true', {
      source: { index: 'a', size: 2 },
      dest: { index: 'b' },
    })
    expect(copied.json).toMatchObject({
      total: 3,
      created: 3,
      updated: 0,
      batches: 2,
      version_conflicts: 0,
      failures: [],
    })
    const again = await node.ask('POST', '/_reindex', {
      source: { index: 'a' },
      dest: { index: 'b', op_type: 'create' },
    })
    expect([again.status, again.at('version_conflicts')]).toEqual([409, 3])
    const script = { source: 'ctx._source.n += params.x', params: { x: 10 } }
    expect((await node.ask('POST', '/b/_update_by_query?refresh=true', { script })).json).toMatchObject({
      updated: 3,
    })
    const removed = await node.ask('POST', '/b/_delete_by_query?refresh=true', {
      query: { range: { n: { gte: 12 } } },
    })
    expect(removed.json).toMatchObject({ deleted: 2, total: 2 })
    expect((await node.ask('GET', '/b/_count')).at('count')).toBe(1)
    const task = String((await node.ask('POST', '/b/_update_by_query?wait_for_completion=false')).at('task'))
    const done = await node.ask('GET', `/_tasks/${task}?wait_for_completion=true`)
    expect(done.json).toMatchObject({ completed: true, response: { updated: 1 } })
  })

  it('finds what is like other documents, of whichever index', async () => {
    const lines = [
      { index: { _index: 'books', _id: '1' } },
      { title: 'the river and the mill' },
      { index: { _index: 'books', _id: '2' } },
      { title: 'a mill by the river' },
      { index: { _index: 'books', _id: '3' } },
      { title: 'mountains' },
      { index: { _index: 'notes', _id: '1' } },
      { title: ['high mountains', 'a river'] },
    ]
    const body = lines.map((line) => JSON.stringify(line)).join('\n')
    expect((await node.ask('POST', '/_bulk?refresh', `${body}\n`)).at('errors')).toBe(false)
    const found = async (like: unknown) => {
      const options = { fields: ['title'], min_term_freq: 1, min_doc_freq: 1, stop_words: ['the', 'a'] }
      const query = { more_like_this: { ...options, like } }
      const { status, at } = await node.ask('POST', '/books/_search', { query, sort: ['_doc'] })
      expect(status).toBe(200)
      return (at('hits.hits') as { readonly _id: string }[]).map(({ _id }) => _id)
    }
    expect(await found({ _id: '1' })).toEqual(['2'])
    expect(await found([{ _index: 'notes', _id: '1' }])).toEqual(['2', '3'])
    expect(await found([{ _index: 'books', _id: '3' }, { _index: 'missing', _id: '3' }, 'mill'])).toEqual([
      '1',
      '2',
    ])
    // Realtime: the current version counts, whether or not it is searchable yet.
    await node.ask('PUT', '/notes/_doc/1', { title: 'mountains' })
    expect(await found([{ _index: 'notes', _id: '1' }])).toEqual(['3'])
  })

  it('lets requests that have work to do wait where many come at once, and others pass', async () => {
    let letGo = () => {}
    const come = vi.spyOn(node.cluster.scheduler, 'admit').mockImplementation(
      () =>
        new Promise((resolve) => {
          letGo = resolve
        }),
    )
    let isCounted = false
    const count = node.ask('POST', '/_count', { query: { match_all: {} } }).finally(() => {
      isCounted = true
    })
    await vi.waitFor(() => expect(come).toHaveBeenCalledTimes(1))
    expect((await node.ask('GET', '/')).status).toBe(200)
    expect(isCounted).toBe(false)
    letGo()
    expect((await count).at('count')).toBe(0)
  })

  it('takes several searches at once, each with its own outcome', async () => {
    await node.ask('PUT', '/a/_doc/1?refresh=true', { n: 1 })
    const lines = '{"index":"a"}\n{"query":{"match_all":{}}}\n{"index":"nope"}\n{}\n'
    const { at } = await node.ask('POST', '/_msearch', lines)
    expect(at('responses')).toMatchObject([
      { status: 200, hits: { total: { value: 1 } } },
      { status: 404, error: { type: 'index_not_found_exception' } },
    ])
    expect((await node.ask('POST', '/_msearch', '{}\n{}')).at('error.reason')).toBe(
      'The msearch request must be terminated by a newline [\n]',
    )
  })
})

describe('the table of routes', () => {
  it('has every method and path once', () => {
    const all = searchApiRoutes.flatMap(({ methods, paths }) =>
      methods.flatMap((method) => paths.map((path) => `${method} ${path}`)),
    )
    expect(all.filter((one, index) => all.indexOf(one) !== index)).toEqual([])
    expect(all.length).toBeGreaterThan(200)
  })
})
