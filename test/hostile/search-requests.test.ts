/**
 * Requests meant to hold up the search store (bombs S1 to S8 of the reliability tables): each is refused in the words of
 * OpenSearch or answered, and others are answered meanwhile.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestNode, type TestAnswer, type TestNode } from '../../src/api/search/testing.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode()
  const properties = {
    text: { type: 'text' },
    word: { type: 'keyword' },
    number: { type: 'long' },
    at: { type: 'date' },
  }
  await node.ask('PUT', '/logs', { mappings: { properties } })
  const lines = Array.from({ length: 2000 }, (_, i) => {
    const document = {
      text: `word${i % 50} common`,
      word: `w${i}`,
      number: i,
      at: 1_700_000_000_000 + i * 1000,
    }
    return `{"index":{}}\n${JSON.stringify(document)}\n`
  })
  const answer = await node.ask('POST', '/logs/_bulk?refresh=true', lines.join(''))
  expect(answer.at('errors')).toBe(false)
}, 120_000)

afterAll(() => node.close())

const search = (body: unknown, path = '/logs/_search') => node.ask('POST', path, body)

function text(body: string): Promise<TestAnswer> {
  return node.ask('POST', '/logs/_search', body, { 'content-type': 'application/json' })
}

/** Innermost error of a refusal. */
function reason(answer: TestAnswer): string {
  const root = answer.at('error.root_cause') as readonly { readonly type: string; readonly reason: string }[]
  return `${root[0]!.type}: ${root[0]!.reason}`
}

function nested(depth: number, inner: string, outer: (inner: string) => string): string {
  let json = inner
  for (let level = 0; level < depth; level++) json = outer(json)
  return json
}

const limited = { timeout: 120_000 }

describe('a request that asks for too much is refused', limited, () => {
  it('with a page beyond the result window', async () => {
    const answer = await search({ from: 1_000_000_000 })
    expect(answer.status).toBe(400)
    expect(reason(answer)).toContain(
      'illegal_argument_exception: Result window is too large, from + size must be less than or equal to: [10000] but was [1000000010]',
    )
  })

  it('with more clauses than allowed', async () => {
    const should = Array.from({ length: 100_000 }, (_, i) => ({ term: { word: `w${i}` } }))
    const answer = await search({ query: { bool: { should } } })
    expect(answer.status).toBe(400)
    expect(reason(answer)).toBe('too_many_clauses: maxClauseCount is set to 1024')
  })

  it('with more leaves than allowed in a tree of small parts', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, i) => ({ term: { word: `w${i}` } }))
    const tree = (count: number) => ({
      bool: { must: [{ bool: { should: words(1000) } }, { bool: { should: words(count) } }] },
    })
    const answer = await search({ query: tree(26) })
    expect(answer.status).toBe(400)
    const text = 'Query contains too many nested clauses; maxClauseCount is set to 1024'
    expect(reason(answer)).toBe(`too_many_nested_clauses: ${text}`)
    expect((await search({ query: tree(25) })).status).toBe(200)
    const clauses = Array.from({ length: 5000 }, (_, i) => ({ span_term: { word: `w${i}` } }))
    expect(reason(await search({ query: { span_or: { clauses } } }))).toBe(`too_many_nested_clauses: ${text}`)
  })

  it('with more words than allowed in a simple query string', async () => {
    const answer = await search({ query: { simple_query_string: { query: 'hello world '.repeat(50_000) } } })
    expect(answer.status).toBe(400)
    expect(reason(answer)).toBe('too_many_clauses: maxClauseCount is set to 1024')
  })

  it('with a limit of clauses that the cluster sets', async () => {
    const query = { bool: { should: [{ term: { word: 'a' } }, { term: { word: 'b' } }] } }
    await node.ask('PUT', '/_cluster/settings', { transient: { 'indices.query.bool.max_clause_count': 1 } })
    const refused = await search({ query })
    await node.ask('PUT', '/_cluster/settings', {
      transient: { 'indices.query.bool.max_clause_count': null },
    })
    expect(reason(refused)).toBe('too_many_clauses: maxClauseCount is set to 1')
    expect((await search({ query })).status).toBe(200)
  })

  it('with queries nested too deep', async () => {
    const query = nested(50, '{"match_all":{}}', (inner) => `{"bool":{"must":${inner}}}`)
    const answer = await text(`{"query":${query}}`)
    expect(answer.status).toBe(400)
    // OpenSearch wraps what is wrong inside of a bool, once for each that is around it.
    expect(reason(answer)).toMatch(
      /^x_content_parse_exception: \[1:\d+\] \[bool\] failed to parse field \[must\]$/,
    )
    expect(JSON.stringify(answer.at('error'))).toContain(
      'The nested depth of the query exceeds the maximum nested depth for queries set in [indices.query.bool.max_nested_depth]',
    )
  })

  it.each([501, 10_000])('with JSON nested %d bools deep', async (depth) => {
    const query = nested(depth, '{"match_all":{}}', (inner) => `{"bool":{"must":${inner}}}`)
    const answer = await text(`{"query":${query}}`)
    expect(answer.status).toBe(400)
    expect(reason(answer)).toContain(
      'stream_constraints_exception: Document nesting depth (1001) exceeds the maximum allowed (1000, from `StreamReadConstraints.getMaxNestingDepth()`)',
    )
    expect(reason(answer)).toContain('line: 1, column: ')
  })

  it('with JSON that opens a million lists', async () => {
    const answer = await text(`{"query":${'['.repeat(1_000_000)}`)
    expect(answer.status).toBe(400)
    expect(reason(answer)).toContain('Document nesting depth (1001)')
    const inText = await search({ query: { match: { text: '['.repeat(2000) } } })
    expect(inText.status).toBe(200)
  })

  it('with aggregations nested too deep', async () => {
    const aggs = nested(
      200,
      '{"a":{"sum":{"field":"number"}}}',
      (inner) => `{"a":{"filter":{"match_all":{}},"aggs":${inner}}}`,
    )
    const answer = await text(`{"size":0,"aggs":${aggs}}`)
    expect(answer.status).toBe(400)
  })

  it('with more terms than allowed', async () => {
    const words = Array.from({ length: 65_537 }, (_, i) => `w${i}`)
    const answer = await search({ query: { terms: { word: words } } })
    expect(answer.status).toBe(400)
    expect(reason(answer)).toContain(
      'The number of terms [65537] used in the Terms Query request has exceeded the allowed maximum of [65536]. This maximum can be set by changing the [index.max_terms_count] index level setting.',
    )
  })

  it('with more buckets than allowed', async () => {
    const bounds = { min: '2015-01-01', max: '2025-01-01' }
    const histogram = { field: 'at', fixed_interval: '1ms', min_doc_count: 0, extended_bounds: bounds }
    const answer = await search({ size: 0, aggs: { a: { date_histogram: histogram } } })
    expect(answer.status).toBe(503)
    expect(answer.at('error.caused_by.type')).toBe('too_many_buckets_exception')
    expect(answer.at('error.caused_by.reason')).toContain(
      'Trying to create too many buckets. Must be less than or equal to: [65535] but was',
    )
  })

  it('with more percentiles than one aggregation computes', async () => {
    const percents = Array.from({ length: 10_001 }, (_, i) => i / 101)
    const answer = await search({ size: 0, aggs: { a: { percentiles: { field: 'n', percents } } } })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.at('error'))).toContain(
      '[percents] must not have more than [10000] elements',
    )
  })

  it('with an expression that is too long or too complex', async () => {
    const long = await search({ query: { regexp: { word: 'a'.repeat(1001) } } })
    expect(reason(long)).toContain('The length of regex [1001] used in the Regexp Query request has exceeded')
    const complex = await search({ query: { regexp: { word: '(a|b)*a(a|b){30}' } } })
    expect([long.status, complex.status]).toEqual([400, 400])
  })

  it('with a sort of a text or of a field that is not there', async () => {
    const answers = [await search({ sort: ['text'] }), await search({ sort: ['nothing'] })]
    expect(answers.map(({ status }) => status)).toEqual([400, 400])
    expect(answers.map(reason)).toEqual([
      expect.stringContaining(
        'Text fields are not optimised for operations that require per-document field data',
      ),
      'query_shard_exception: No mapping found for [nothing] in order to sort on',
    ])
  })

  it('with a term too long for the index', async () => {
    const answer = await node.ask('PUT', '/logs/_doc/1', { word: 'a'.repeat(40_000) })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('Document contains at least one immense term in field=\\"word\\"')
  })

  it('with more fields than a mapping may have', async () => {
    const document = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`field${i}`, 1]))
    const answer = await node.ask('PUT', '/wide/_doc/1', document)
    expect(answer.status).toBe(400)
    expect(reason(answer)).toBe('illegal_argument_exception: Limit of total fields [1000] has been exceeded')
  })

  it('with a keep-alive or more contexts than the cluster allows', async () => {
    const setting = (value: unknown) =>
      node.ask('PUT', '/_cluster/settings', {
        transient: {
          'search.max_keep_alive': value,
          'search.max_open_scroll_context': value === null ? null : 0,
        },
      })
    await setting('1m')
    const long = await search({}, '/logs/_search?scroll=2m')
    const many = await search({}, '/logs/_search?scroll=30s')
    await setting(null)
    expect(long.text).toContain('Keep alive for request (2m) is too large. It must be less than (1m).')
    expect(many.text).toContain(
      'Trying to create too many scroll contexts. Must be less than or equal to: [0].',
    )
    expect([long.status, many.status]).toEqual([400, 429])
  })
})

/** Sends a heavy request and searches for little until it is answered; how many of these were. */
async function lightMeanwhile(
  heavy: () => Promise<TestAnswer>,
): Promise<{ answer: TestAnswer; light: number }> {
  let isOver = false
  const running = heavy().finally(() => {
    isOver = true
  })
  let light = 0
  while (!isOver) {
    const answer = await search({ query: { term: { word: 'w7' } } })
    expect(answer.at('hits.total.value')).toBe(1)
    light++
  }
  return { answer: await running, light }
}

describe('a request that takes long leaves others their turn', limited, () => {
  const cases: readonly (readonly [string, () => Promise<TestAnswer>])[] = [
    [
      'with as many clauses as allowed',
      () => {
        const should = Array.from({ length: 512 }, (_, i) => ({ match: { text: `word${i} common` } }))
        return search({ query: { bool: { should } }, size: 1000 })
      },
    ],
    [
      'with as many terms as allowed',
      () =>
        search({ query: { terms: { word: Array.from({ length: 65_536 }, (_, i) => `w${i}`) } }, size: 1000 }),
    ],
    ['with leading stars', () => search({ query: { wildcard: { word: '*1*2*' } }, size: 1000 })],
    [
      'with an expression that tries everything',
      () => search({ query: { regexp: { word: '.*.*.*1' } }, size: 1000 }),
    ],
    [
      'with all the buckets there are',
      () => search({ size: 0, aggs: { a: { terms: { field: 'word', size: 2_147_483_647 } } } }),
    ],
    [
      'with thousands of patterns for the source',
      () => search({ _source: Array.from({ length: 10_000 }, (_, i) => `*a*b${i}*`), size: 1000 }),
    ],
    [
      'with thousands of filters',
      () => {
        const filters = Array.from({ length: 2000 }, (_, i) => ({ term: { word: `w${i}` } }))
        return search({ size: 0, aggs: { a: { filters: { filters } } } })
      },
    ],
    [
      'with thousands of searches',
      () => node.ask('POST', '/logs/_msearch', '{}\n{"query":{"match":{"text":"common"}}}\n'.repeat(300)),
    ],
  ]
  it.each(cases)('%s', async (_, heavy) => {
    const { answer, light } = await lightMeanwhile(heavy)
    expect(answer.status).toBe(200)
    expect(light).toBeGreaterThan(0)
  })
})

describe('a document that takes long leaves others their turn', limited, () => {
  it.each([
    ['with one text of megabytes', () => ({ text: 'lorem ipsum dolor '.repeat(120_000) })],
    ['with a word of a megabyte', () => ({ text: 'a'.repeat(1_000_000) })],
    ['with very many texts', () => ({ text: Array.from({ length: 50_000 }, (_, i) => `some text ${i}`) })],
  ])('%s', async (_, document) => {
    const { answer, light } = await lightMeanwhile(() =>
      node.ask('PUT', '/logs/_doc/large?refresh=true', document()),
    )
    expect(answer.status).toBeLessThan(202)
    expect(light).toBeGreaterThan(0)
    const found = await search({ query: { ids: { values: ['large'] } }, _source: false })
    expect(found.at('hits.total.value')).toBe(1)
  })

  it('with the words it has and their positions', async () => {
    const words = Array.from({ length: 60_000 }, (_, i) => `u${i}`)
    await node.ask('PUT', '/logs/_doc/large?refresh=true', { text: [words.join(' '), 'the end'] })
    const phrase = (text: string) => search({ query: { match_phrase: { text } }, _source: false })
    // Far beyond the first step; then over the gap between two values, which no phrase spans.
    const counts = await Promise.all(
      ['u6000 u6001 u6002', 'u59998 u59999', 'the end', 'u59999 the'].map(phrase),
    )
    expect(counts.map((answer) => answer.at('hits.total.value'))).toEqual([1, 1, 1, 0])
  })

  it('is refused in the same words as a small one', async () => {
    const answer = await node.ask('PUT', '/logs/_doc/wrong', { text: 'x '.repeat(200_000), number: 'many' })
    expect(answer.status).toBe(400)
    expect(answer.at('error.reason')).toBe(
      "failed to parse field [number] of type [long] in document with id 'wrong'. Preview of field's value: 'many'",
    )
  })

  it('may be analysed, as far as the number of tokens allows', async () => {
    const answer = await node.ask('POST', '/_analyze', {
      analyzer: 'standard',
      text: 'hello world '.repeat(1_000_000),
    })
    expect(answer.status).toBe(400)
    expect(reason(answer)).toContain('has exceeded the allowed maximum of [10000]')
    const word = await node.ask('POST', '/_analyze', { analyzer: 'standard', text: 'a'.repeat(1_000_000) })
    expect(word.at('tokens')).toHaveLength(Math.ceil(1_000_000 / 255))
  })
})

describe('an index of thousands of fields', limited, () => {
  it('takes time in proportion to them to be flushed, shown and highlighted', async () => {
    const count = 4000
    const document = Object.fromEntries(Array.from({ length: count }, (_, i) => [`field${i}`, `value ${i}`]))
    const settings = { 'index.mapping.total_fields.limit': 20_000 }
    await node.ask('PUT', '/thousands', { settings })
    expect((await node.ask('PUT', '/thousands/_doc/1?refresh=true', document)).status).toBe(201)
    const started = performance.now()
    const shown = await search({ fields: ['*'], _source: false }, '/thousands/_search')
    const highlight = { fields: { '*': {} } }
    const marked = await search({ query: { match: { field7: 'value' } }, highlight }, '/thousands/_search')
    expect((await node.ask('POST', '/thousands/_flush')).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(8000)
    expect(Object.keys(shown.at('hits.hits.0.fields') as object)).toHaveLength(2 * count)
    expect(marked.at('hits.hits.0.highlight')).toMatchObject({ field7: ['<em>value</em> 7'] })
    const flushed = await search({ query: { match: { field4: 'value' } } }, '/thousands/_search')
    expect(flushed.at('hits.total.value')).toBe(1)
  })
})

it('twenty thousand settings of the cluster are taken at once', { timeout: 20_000 }, async () => {
  const settings = (value: unknown) =>
    Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`cluster.metadata.x${i}`, value]))
  const put = await node.ask('PUT', '/_cluster/settings', { persistent: settings('1') })
  expect(put.status).toBe(200)
  expect((await node.ask('PUT', '/_cluster/settings', { persistent: settings(null) })).status).toBe(200)
  expect((await node.ask('GET', '/_cluster/settings')).text).not.toContain('metadata')
})

it('a client that goes away ends the work for it', limited, async () => {
  const gone = new AbortController()
  const filters = Array.from({ length: 3000 }, (_, i) => ({ wildcard: { word: `*${i}*` } }))
  const heavy = fetch(`${node.url}/logs/_search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ size: 0, aggs: { a: { filters: { filters } } } }),
    signal: gone.signal,
  })
  const failed = expect(heavy).rejects.toThrow()
  const tasks = async () => {
    const answer = await node.ask('GET', '/_nodes/stats/indices')
    const nodes = answer.at('nodes') as Record<string, { indices: { search: { query_current: number } } }>
    return Object.values(nodes)[0]!.indices.search.query_current
  }
  while ((await tasks()) === 0) await search({ size: 0 })
  gone.abort()
  await failed
  while ((await tasks()) > 0) await search({ size: 0 })
})
