/** Figures of the node and of indices: measured or counted, never made up. */
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NodeFigures } from './cluster/node-figures.ts'
import { startTestNode, type TestNode } from './testing.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode('opensearch')
})
afterAll(() => node.close())

describe('the node', () => {
  it('measures its resource usage', () => {
    const figures = new NodeFigures(tmpdir())
    const { total, available, free } = figures.disk
    expect(total).toBeGreaterThan(0)
    expect(free).toBeLessThanOrEqual(total)
    expect(available).toBeLessThanOrEqual(free)
    expect(figures.processorPercent).toBeGreaterThanOrEqual(0)
    expect(figures.processorPercent).toBeLessThanOrEqual(100)
    expect(figures.heap.used).toBeGreaterThan(1_000_000)
    expect(figures.heap.max).toBeGreaterThan(figures.heap.used)
    expect(figures.threads.count).toBeGreaterThan(0)
    expect(new NodeFigures(undefined).fsStats()).toMatchObject({ total: { total_in_bytes: 0 }, data: [] })
  })

  it('reports it in _nodes/stats', async () => {
    const answer = await node.ask('GET', '/_nodes/stats/os,process,jvm,fs,http,thread_pool')
    const figure = (path: string) => answer.at(`nodes.testnode_testnode_test.${path}`)
    expect(figure('os.mem.total_in_bytes')).toBeGreaterThan(0)
    expect(figure('process.open_file_descriptors')).not.toBe(0)
    expect(figure('http.total_opened')).toBeGreaterThan(0)
    expect(figure('jvm.threads.count')).toBeGreaterThan(0)
  })

  it('shows its attributes', async () => {
    expect((await node.ask('GET', '/_cat/nodeattrs?h=node,attr,value')).text).toBe(
      'node-1 shard_indexing_pressure_enabled true\nnode-1 testattr                        test\n',
    )
    const settings = await node.ask('GET', '/_cluster/settings?include_defaults=true')
    expect(settings.at('defaults.node.attr.testattr')).toBe('test')
  })
})

describe('an index', () => {
  it('counts requests and documents', async () => {
    await node.ask('PUT', '/counted', { settings: { number_of_replicas: 0 } })
    for (const id of ['1', '2']) await node.ask('PUT', `/counted/_doc/${id}`, { n: 1 })
    await node.ask('POST', '/counted/_refresh')
    await node.ask('GET', '/counted/_doc/1')
    await node.ask('GET', '/counted/_doc/9')
    await node.ask('POST', '/counted/_search', { query: { match_all: {} } })
    await node.ask('POST', '/counted/_search?size=0', { suggest: { s: { text: 'x', term: { field: 'n' } } } })
    await node.ask('POST', '/counted/_forcemerge?max_num_segments=1')
    const stats = await node.ask('GET', '/counted/_stats')
    const total = (path: string) => stats.at(`indices.counted.total.${path}`)
    expect(total('indexing.index_total')).toBe(2)
    expect(total('get.exists_total')).toBe(1)
    expect(total('get.missing_total')).toBe(1)
    expect(total('search.query_total')).toBe(2)
    expect(total('search.fetch_total')).toBe(1)
    expect(total('search.suggest_total')).toBe(1)
    expect(total('search.query_current')).toBe(0)
    const line = await node.ask(
      'GET',
      '/_cat/shards/counted?h=index,docs,indexing.index_total,search.query_total',
    )
    expect(line.text.trim().split(/\s+/)).toEqual(['counted', '2', '2', '2'])
  })

  it('keeps its statistics when it is closed', async () => {
    await node.ask('PUT', '/shut', { settings: { number_of_replicas: 0 } })
    await node.ask('PUT', '/shut/_doc/1?refresh=true', { n: 1 })
    await node.ask('POST', '/shut/_close')
    const parameters = 'expand_wildcards=closed&forbid_closed_indices=false'
    const path = 'indices.shut.primaries.segments.count'
    expect((await node.ask('GET', `/_stats/segments?${parameters}`)).at(path)).toBe(0)
    const all = await node.ask('GET', `/_stats/segments?${parameters}&include_unloaded_segments=true`)
    expect(all.at(path)).toBe(1)
  })
})

describe('searches', () => {
  it('count shards that cannot match as skipped with pre_filter_shard_size', async () => {
    for (const [name, day] of [
      ['day-1', '2016-01-01'],
      ['day-2', '2017-01-01'],
      ['day-3', '2018-01-01'],
    ] as const) {
      await node.ask('PUT', `/${name}`, { mappings: { properties: { at: { type: 'date' } } } })
      await node.ask('PUT', `/${name}/_doc/1?refresh=true`, { at: day })
    }
    const search = (from: string, parameters = '') =>
      node.ask('POST', `/day-*/_search${parameters}`, { query: { range: { at: { gte: from } } } })
    expect((await search('2016-06-01')).at('_shards.skipped')).toBe(0)
    expect((await search('2016-06-01', '?pre_filter_shard_size=1')).at('_shards')).toEqual({
      total: 3,
      successful: 3,
      skipped: 1,
      failed: 0,
    })
    expect((await search('2030-01-01', '?pre_filter_shard_size=1')).at('_shards.skipped')).toBe(2)
    expect((await search('2016-06-01', '?batched_reduce_size=2')).at('num_reduce_phases')).toBe(2)
  })

  it('explain a score after rescoring', async () => {
    const query = { rescore_query: { match_all: {} }, query_weight: 5, rescore_query_weight: 10 }
    const body = { query: { match_all: {} }, rescore: { window_size: 2, query } }
    const answer = await node.ask('POST', '/day-1/_search?explain=true', body)
    expect(answer.at('hits.hits.0._score')).toBe(15)
    expect(answer.at('hits.hits.0._explanation.value')).toBe(15)
  })

  it('collapse within groups', async () => {
    const keyword = { type: 'keyword' }
    await node.ask('PUT', '/groups', {
      mappings: { properties: { a: keyword, b: keyword, n: { type: 'long' } } },
    })
    const documents = [
      { a: 'x', b: 'p', n: 1 },
      { a: 'x', b: 'p', n: 2 },
      { a: 'x', b: 'q', n: 3 },
    ]
    for (const [id, document] of documents.entries())
      await node.ask('PUT', `/groups/_doc/${id}?refresh=true`, document)
    const inner = { name: 'i', collapse: { field: 'b' }, sort: [{ n: 'asc' }], size: 5 }
    const answer = await node.ask('POST', '/groups/_search', { collapse: { field: 'a', inner_hits: inner } })
    const hits = answer.at('hits.hits.0.inner_hits.i.hits.hits') as { _id: string; fields: unknown }[]
    expect(hits.map(({ _id }) => _id)).toEqual(['0', '2'])
    expect(hits[0]!.fields).toEqual({ b: ['p'] })
  })

  it('name the clauses of a rescore and of a post filter', async () => {
    const body = {
      query: { match: { n: { query: 1, _name: 'main' } } },
      post_filter: { term: { a: { value: 'x', _name: 'post' } } },
      rescore: { query: { rescore_query: { term: { b: { value: 'p', _name: 'again' } } } } },
    }
    const answer = await node.ask('POST', '/groups/_search', body)
    expect(answer.at('hits.hits.0.matched_queries')).toEqual(['post', 'again', 'main'])
  })
})

describe('_cat/indices', () => {
  it('has the number of segments, for those who ask for it', async () => {
    const { json } = await node.ask(
      'GET',
      '/_cat/indices/groups?format=json&h=index,segments.count,pri.segments.count',
    )
    const { json: segments } = await node.ask('GET', '/_cat/segments/groups?format=json')
    const count = String((segments as unknown as unknown[]).length)
    expect(json).toEqual([{ index: 'groups', 'segments.count': count, 'pri.segments.count': count }])
    expect((await node.ask('GET', '/_cat/indices/groups?format=json')).at('0.segments.count')).toBeUndefined()
  })
})

describe('a task with wait_for_completion=false', () => {
  it('leaves its result in .tasks', async () => {
    const { task } = (await node.ask('POST', '/groups/_update_by_query?wait_for_completion=false')).json as {
      task: string
    }
    const waited = await node.ask('GET', `/_tasks/${task}?wait_for_completion=true`)
    expect(waited.at('response.updated')).toBe(3)
    const kept = await node.ask('GET', `/.tasks/_doc/${encodeURIComponent(task)}`)
    expect(kept.at('_source.completed')).toBe(true)
    expect(kept.at('_source.response.updated')).toBe(3)
  })

  it('merges, without a status and not to be cancelled', async () => {
    const path = '/groups/_forcemerge?max_num_segments=1&wait_for_completion=false'
    const { status, json } = await node.ask('POST', path)
    expect([status, Object.keys(json as object)]).toEqual([200, ['task']])
    const { task } = json as { task: string }
    const waited = await node.ask('GET', `/_tasks/${task}?wait_for_completion=true`)
    expect(waited.json).toMatchObject({
      completed: true,
      task: {
        action: 'indices:admin/forcemerge',
        description:
          'Force-merge indices [groups], maxSegments[1], onlyExpungeDeletes[false], flush[true], primaryOnly[false]',
        cancellable: false,
      },
      response: { _shards: { total: 2, successful: 1, failed: 0 } },
    })
    expect(waited.at('task.status')).toBeUndefined()
    expect((await node.ask('GET', `/.tasks/_doc/${encodeURIComponent(task)}`)).at('_source.completed')).toBe(
      true,
    )
  })

  it('tells the failure of a merge where the task is asked for', async () => {
    const { status, json } = await node.ask('POST', '/nobody/_forcemerge?wait_for_completion=false')
    expect(status).toBe(200)
    const answer = await node.ask(
      'GET',
      `/_tasks/${(json as { task: string }).task}?wait_for_completion=true`,
    )
    expect([answer.at('completed'), answer.at('error.type')]).toEqual([true, 'index_not_found_exception'])
    expect((await node.ask('POST', '/nobody/_forcemerge')).status).toBe(404)
  })
})

describe('reindexing from another cluster', () => {
  const reindex = (host: string, more: object = {}) =>
    node.ask('POST', '/_reindex?refresh=true', {
      source: { remote: { host }, index: 'groups', size: 2, ...more },
      dest: { index: 'copy' },
    })

  it('copies documents by scroll', async () => {
    const answer = await reindex(node.url)
    expect(answer.json).toMatchObject({ total: 3, created: 3, batches: 2, failures: [] })
    expect((await node.ask('GET', '/copy/_doc/2')).at('_source')).toEqual({ a: 'x', b: 'q', n: 3 })
    expect((await node.ask('GET', '/groups/_stats/search')).at('_all.total.search.open_contexts')).toBe(0)
  })

  it('asks only hosts that are allowed', async () => {
    const refused = await reindex('http://example.org:9200')
    expect([refused.status, refused.at('error.reason')]).toEqual([
      400,
      '[example.org:9200] not allowlisted in reindex.remote.allowlist',
    ])
    const malformed = await reindex('example.org')
    expect(malformed.at('error.reason')).toBe(
      '[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [example.org]',
    )
  })

  it('reports errors of the remote cluster', async () => {
    expect((await reindex('http://127.0.0.1:1')).at('error.type')).toBe('connect_exception')
    const broken = await reindex(node.url, { query: { garbage: 'x' } })
    expect(broken.status).toBe(400)
    expect(JSON.stringify(broken.json)).toContain('query malformed, no start_object after query name')
  })
})
