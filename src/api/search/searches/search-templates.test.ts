/** Searches out of templates, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../testing.ts'

let node: TestNode
beforeAll(async () => {
  node = await startTestNode()
  const lines = ['red', 'green', 'blue', 'blue'].flatMap((color, n) => [
    JSON.stringify({ index: { _id: String(n) } }),
    JSON.stringify({ color, n }),
  ])
  await node.ask('POST', '/colors/_bulk?refresh=true', `${lines.join('\n')}\n`)
  await node.ask('PUT', '/_scripts/by-color', {
    script: {
      lang: 'mustache',
      source: { query: { match: { color: '{{color}}' } }, from: '{{from}}{{^from}}0{{/from}}', sort: ['n'] },
    },
  })
})
afterAll(() => node.close())

const ids = (hits: unknown) => (hits as { _id: string }[]).map(({ _id }) => _id)

describe('a search template', () => {
  it('can be inline', async () => {
    const { status, at } = await node.ask('POST', '/colors/_search/template', {
      source:
        '{"query":{"terms":{"color.keyword":{{#toJson}}colors{{/toJson}}}},"sort":"n"{{#size}},"size":{{size}}{{/size}}}',
      params: { colors: ['red', 'blue'], size: 2 },
    })
    expect(status).toBe(200)
    expect(at('hits.total.value')).toBe(3)
    expect(ids(at('hits.hits'))).toEqual(['0', '2'])
  })

  it('can be stored', async () => {
    const asked = (params: unknown) => node.ask('POST', '/_search/template', { id: 'by-color', params })
    expect(ids((await asked({ color: 'blue' })).at('hits.hits'))).toEqual(['2', '3'])
    expect(ids((await asked({ color: 'blue', from: 1 })).at('hits.hits'))).toEqual(['3'])
  })

  it('honours parameters of the URL and the body', async () => {
    const { at } = await node.ask('POST', '/colors/_search/template?rest_total_hits_as_int=true', {
      source: { query: { match: { color: '{{c}}' } } },
      params: { c: 'green' },
      explain: true,
      profile: true,
    })
    expect(at('hits.total')).toBe(1)
    expect(at('hits.hits.0._explanation.value')).toBeGreaterThan(0)
    expect(at('profile.shards')).toHaveLength(1)
  })

  it('can be part of _msearch/template', async () => {
    const lines = [
      {},
      { id: 'by-color', params: { color: 'red' } },
      { index: 'nowhere' },
      { source: '{}' },
      { index: 'colors' },
      { id: 'none' },
      { index: 'colors' },
      { source: '{{#x}}' },
    ].map((line) => JSON.stringify(line))
    const { at } = await node.ask('POST', '/colors/_msearch/template', `${lines.join('\n')}\n`)
    expect(ids(at('responses.0.hits.hits'))).toEqual(['0'])
    expect([at('responses.0.status'), at('responses.1.status'), at('responses.2.status')]).toEqual([
      200, 404, 404,
    ])
    expect(at('responses.1.error.type')).toBe('index_not_found_exception')
    expect(at('responses.2.error.reason')).toBe('unable to find script [none] in cluster state')
    expect(at('responses.3.error.type')).toBe('script_exception')
  })
})

describe('a stored template', () => {
  it('is rendered by _render/template', async () => {
    const inline = await node.ask('POST', '/_render/template', {
      source: '{"size":{{size}},"a":"{{a}}"}',
      params: { size: 7, a: '"' },
    })
    expect(inline.json).toEqual({ template_output: { size: 7, a: '"' } })
    const stored = await node.ask('POST', '/_render/template/by-color', { params: { color: 'red' } })
    expect(stored.at('template_output.query')).toEqual({ match: { color: 'red' } })
    expect(stored.at('template_output.from')).toBe('0')
  })

  it('is stored as text', async () => {
    const { json } = await node.ask('GET', '/_scripts/by-color')
    expect(json).toEqual({
      _id: 'by-color',
      found: true,
      script: {
        lang: 'mustache',
        source: '{"query":{"match":{"color":"{{color}}"}},"from":"{{from}}{{^from}}0{{/from}}","sort":["n"]}',
        options: { content_type: 'application/json;charset=utf-8' },
      },
    })
  })

  it.each([
    [
      { params: {} },
      400,
      'action_request_validation_exception',
      "Validation Failed: 1: template is missing;2: template's script type is missing;",
    ],
    [{ id: 'none' }, 404, 'resource_not_found_exception', 'unable to find script [none] in cluster state'],
    [
      { source: '{}', other: 1 },
      400,
      'x_content_parse_exception',
      '[1:2] [search_template] unknown field [other]',
    ],
    [{ source: '{{#a}}' }, 400, 'script_exception', "Failed to close 'a' tag @[query-template:1]"],
  ])('%j is refused', async (body, status, type, reason) => {
    const { at, ...answer } = await node.ask('POST', '/colors/_search/template', body)
    expect([answer.status, at('error.type'), at('error.reason')]).toEqual([status, type, reason])
  })

  it('is refused when it is invalid', async () => {
    const script = { lang: 'mustache', source: '{{a' }
    const { status, at } = await node.ask('PUT', '/_scripts/broken', { script })
    expect([status, at('error.type'), at('error.caused_by.type')]).toEqual([
      400,
      'script_exception',
      'mustache_exception',
    ])
    expect((await node.ask('GET', '/_scripts/broken')).status).toBe(404)
  })

  it('fails the search when it renders to invalid JSON', async () => {
    const { status, at } = await node.ask('POST', '/colors/_search/template', { source: '{"size":{{none}}}' })
    expect(status).toBe(400)
    expect(at('error.type')).toMatch(/parse/)
  })
})
