import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestNode, type TestNode } from './testing.ts'

let node: TestNode

const documents = 3000

beforeAll(async () => {
  node = await startTestNode()
  const lines = Array.from({ length: documents }, (_, n) => [
    JSON.stringify({ index: { _index: 'many', _id: `id${n}` } }),
    JSON.stringify({ n, group: n % 50, turned: (n * 7919) % documents, text: 'x'.repeat(40 + (n % 50)) }),
  ])
  await node.ask('POST', '/_bulk?refresh', `${lines.flat().join('\n')}\n`)
})

afterAll(() => node.close())

const ids = (hits: unknown) => (hits as { readonly _id: string }[]).map(({ _id }) => _id)

describe('answers with thousands of hits', () => {
  test('keep the requested order and the source of each hit', async () => {
    const { at } = await node.ask('POST', '/many/_search', { size: documents, sort: [{ turned: 'desc' }] })
    const hits = at('hits.hits') as {
      readonly _id: string
      readonly sort: number[]
      readonly _source: { n: number }
    }[]
    expect(hits).toHaveLength(documents)
    hits.forEach(({ _id, sort, _source }, rank) => {
      expect(sort).toEqual([documents - 1 - rank])
      expect(_id).toBe(`id${_source.n}`)
      expect((_source.n * 7919) % documents).toBe(sort[0])
    })
  })

  test('are the same in JSON, pretty JSON and YAML', async () => {
    const plain = await node.ask('POST', '/many/_search', { size: documents })
    const pretty = await node.ask('POST', '/many/_search?pretty', { size: documents })
    expect(pretty.text.split('\n').length).toBeGreaterThan(documents * 5)
    expect(pretty.at('hits')).toEqual(plain.at('hits'))
    const filtered = await node.ask('POST', '/many/_search?filter_path=hits.hits._source.n', {
      size: documents,
    })
    expect(filtered.json).toEqual({
      hits: {
        hits: (plain.at('hits.hits') as { _source: { n: number } }[]).map(({ _source: { n } }) => ({
          _source: { n },
        })),
      },
    })
    const got = await node.ask('POST', '/many/_mget', { ids: ids(plain.at('hits.hits')).reverse() })
    expect(ids(got.at('docs'))).toEqual(ids(plain.at('hits.hits')).reverse())
  })

  test('are refused when they take too much memory', async () => {
    const limit = (value: string | null) =>
      node.ask('PUT', '/_cluster/settings', { persistent: { 'indices.breaker.request.limit': value } })
    await limit('100kb')
    try {
      for (const [path, body] of [
        ['/many/_search', { size: documents }],
        ['/many/_search', { size: documents, _source: ['n'], fields: ['*'] }],
        ['/many/_search', { size: documents, _source: false }],
        [
          '/many/_search',
          { aggs: { a: { terms: { field: 'n', size: documents }, aggs: { h: { top_hits: {} } } } } },
        ],
        [
          '/many/_search',
          { size: 50, collapse: { field: 'group', inner_hits: { name: 'x', size: 100, _source: ['text'] } } },
        ],
        ['/many/_mget', { ids: Array.from({ length: documents }, (_, n) => `id${n}`) }],
      ] as const) {
        const { status, at } = await node.ask('POST', path, body)
        expect(status).toBe(429)
        expect(at('error.type')).toBe('circuit_breaking_exception')
        expect(at('error.bytes_limit')).toBe(100 * 1024)
        expect(at('error.bytes_wanted')).toBeGreaterThan(100 * 1024)
      }
      expect((await node.ask('POST', '/many/_search', { size: 10 })).status).toBe(200)
    } finally {
      await limit(null)
    }
    await limit('60%')
    expect((await node.ask('POST', '/many/_search', { size: documents })).status).toBe(200)
    await limit(null)
  })

  test('of one _msearch share the memory limit', async () => {
    const search = '{"index":"many"}\n{"size":500}\n'
    await node.ask('PUT', '/_cluster/settings', { persistent: { 'indices.breaker.request.limit': '400kb' } })
    try {
      const { status, at } = await node.ask(
        'POST',
        '/_msearch?filter_path=responses.status',
        search.repeat(10),
      )
      expect(status).toBe(200)
      const statuses = (at('responses') as { readonly status: number }[]).map((one) => one.status)
      const fitting = statuses.indexOf(429)
      expect(fitting).toBeGreaterThan(0)
      expect(statuses).toEqual([...Array(fitting).fill(200), ...Array(10 - fitting).fill(429)])
    } finally {
      await node.ask('PUT', '/_cluster/settings', { persistent: { 'indices.breaker.request.limit': null } })
    }
  })

  test('release their memory when the client disconnects', async () => {
    await new Promise<void>((resolve) => {
      const asked = get(`${node.url}/many/_search?size=${documents}&pretty`, (answer) => {
        answer.once('data', () => asked.destroy())
      })
      asked.on('close', () => resolve())
      asked.on('error', () => resolve())
    })
    expect((await node.ask('GET', '/many/_count')).at('count')).toBe(documents)
  })
})
