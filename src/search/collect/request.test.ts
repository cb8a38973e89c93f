import { describe, expect, it } from 'vitest'
import { SearchError } from '../request/search-error.ts'
import { parseSearchRequest, type RequestOptions } from './request/parse-request.ts'
import { defaultLimits } from './search-index.ts'
import { search, testIndex } from './test-search.ts'

function refusal(
  body: unknown,
  parameters: Record<string, string> = {},
  options: RequestOptions = {},
): SearchError {
  try {
    parseSearchRequest(body, new Map(Object.entries(parameters)), options)
  } catch (error) {
    if (error instanceof SearchError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('parsing a search request', () => {
  it.each<[unknown, Record<string, string>, string, string]>([
    [{ from: -5 }, {}, 'illegal_argument_exception', '[from] parameter cannot be negative, found [-5]'],
    [
      undefined,
      { size: '-1' },
      'illegal_argument_exception',
      '[size] parameter cannot be negative, found [-1]',
    ],
    [
      undefined,
      { from: '1.5' },
      'illegal_argument_exception',
      'Failed to parse int parameter [from] with value [1.5]',
    ],
    [
      undefined,
      { from: '2147483648' },
      'illegal_argument_exception',
      'Failed to parse int parameter [from] with value [2147483648]',
    ],
    [{ from: 'abc' }, {}, 'number_format_exception', 'For input string: "abc"'],
    [
      { size: 2147483648 },
      {},
      'input_coercion_exception',
      'Numeric value (2147483648) out of range of `int` (-2147483648 - 2147483647)\n at [Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); byte offset: #18]',
    ],
    [{ match: {} }, {}, 'parsing_exception', 'Unknown key for a START_OBJECT in [match].'],
    [{ nope: 'x' }, {}, 'parsing_exception', 'Unknown key for a VALUE_STRING in [nope].'],
    [[], {}, 'parsing_exception', 'Expected [START_OBJECT] but found [START_ARRAY]'],
    [{ terminate_after: -1 }, {}, 'illegal_argument_exception', 'terminateAfter must be > 0'],
    [
      { track_total_hits: -2 },
      {},
      'illegal_argument_exception',
      '[track_total_hits] parameter must be positive or equals to -1, got -2',
    ],
    [
      {},
      { track_total_hits: '100', rest_total_hits_as_int: 'true' },
      'illegal_argument_exception',
      '[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got 100',
    ],
    [{}, { batched_reduce_size: '1' }, 'illegal_argument_exception', 'batchedReduceSize must be >= 2'],
    [{ slice: { id: 0, max: 1 } }, {}, 'x_content_parse_exception', '[slice] failed to parse field [max]'],
    [{ slice: { id: 3, max: 2 } }, {}, 'x_content_parse_exception', '[slice] failed to parse field [max]'],
    [
      { from: 1, size: 0 },
      { scroll: '1m' },
      'action_request_validation_exception',
      'Validation Failed: 1: using [from] is not allowed in a scroll context;2: [size] cannot be [0] in a scroll context;',
    ],
    [
      {},
      { timeout: 'abc' },
      'illegal_argument_exception',
      'failed to parse setting [timeout] with value [abc] as a time value: unit is missing or unrecognized',
    ],
    [
      { explain: 'maybe' },
      {},
      'illegal_argument_exception',
      'Failed to parse value [maybe] as only [true] or [false] are allowed.',
    ],
  ])('%j %j is refused', (body, parameters, type, reason) => {
    expect(refusal(body, parameters)).toMatchObject({ type, reason, status: 400 })
  })

  it('reports the position of an unknown key', () => {
    const text = '{\n  "match": {}\n}'
    const error = refusal(JSON.parse(text), {}, { text: Buffer.from(text) })
    expect(error.details).toEqual({ line: 2, col: 12 })
  })

  it('accepts numbers as strings and truncates fractions', () => {
    expect(parseSearchRequest({ from: '5', size: 1.9 })).toMatchObject({ from: 5, size: 1 })
  })

  it('lets the query string override the body', () => {
    const parameters = new Map([
      ['q', 'a:b'],
      ['size', '3'],
      ['sort', 'x:desc,y'],
      ['_source_includes', 'a,b'],
      ['default_operator', 'AND'],
    ])
    const request = parseSearchRequest({ size: 7, query: { match_all: {} } }, parameters)
    expect(request).toMatchObject({
      size: 3,
      query: { query_string: { query: 'a:b', default_operator: 'AND' } },
      sort: [
        { field: 'x', descending: true },
        { field: 'y', descending: false },
      ],
      source: { isWanted: true, includes: ['a', 'b'], excludes: [] },
    })
  })
})

describe('index limits', () => {
  const docs = Array.from({ length: 20 }, (_, i) => ({ id: String(i), source: { n: i } }))
  const open = testIndex([[docs]])
  const closed = testIndex([[docs]], { limits: { ...defaultLimits, maxResultWindow: 10 } })

  function failure(body: unknown, strict = false): SearchError {
    try {
      search(closed, body, { strict })
    } catch (error) {
      if (error instanceof SearchError) return error
    }
    throw new Error('nothing was refused')
  }

  it('refuse pages beyond max_result_window', () => {
    const reason =
      'Result window is too large, from + size must be less than or equal to: [10] but was [11]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.'
    const error = failure({ from: 1 })
    expect(error).toMatchObject({
      type: 'search_phase_execution_exception',
      reason: 'all shards failed',
      status: 400,
    })
    expect(error.details['root_cause']).toEqual([{ type: 'illegal_argument_exception', reason }])
    expect(error.details['failed_shards']).toEqual([
      { shard: 0, index: 'test', node: 'node', reason: { type: 'illegal_argument_exception', reason } },
    ])
    expect(error.causedBy).toMatchObject({ type: 'illegal_argument_exception', reason, causedBy: { reason } })
  })

  it('fail only the indices that set them', () => {
    const other = testIndex([[docs]], { name: 'other', limits: { maxResultWindow: 10 } })
    const found = search([open, other], { from: 5 })
    expect(found.hits.hits).toHaveLength(10)
    expect(found['_shards']).toMatchObject({ total: 2, successful: 1, failed: 1 })
  })

  it('refuse search_after with the wrong values, without a sort, or with from', () => {
    expect(failure({ size: 1, sort: ['n', '_doc'], search_after: [1] }).causedBy?.message).toBe(
      'search_after has 1 value(s) but sort has 2.',
    )
    expect(failure({ size: 1, search_after: [1] }).causedBy?.message).toBe(
      'Sort must contain at least one field.',
    )
    expect(
      failure({ size: 1, from: 1, sort: ['n'], search_after: [1] }, true).details['root_cause'],
    ).toMatchObject([
      { type: 'search_exception', reason: '`from` parameter must be set to 0 when `search_after` is used.' },
    ])
    expect(failure({ size: 1, sort: ['n'], search_after: ['x'] }).causedBy?.message).toBe(
      'Failed to parse search_after value for field [n].',
    )
  })

  it('cap the counted total hits', () => {
    expect(search(open, { track_total_hits: 4 }).hits.total).toEqual({ value: 4, relation: 'gte' })
    expect(search(open, { track_total_hits: 20 }).hits.total).toEqual({ value: 20, relation: 'eq' })
    expect(search(open, { track_total_hits: false }).hits).not.toHaveProperty('total')
    const parameters = new Map([['rest_total_hits_as_int', 'true']])
    expect(search(open, {}, { parameters, strict: true }).hits.total).toBe(20)
    expect(search(open, { track_total_hits: false }, { parameters }).hits.total).toBe(-1)
  })

  it('terminate_after limits the documents per shard', () => {
    const found = search(open, { terminate_after: 5 })
    expect(found['terminated_early']).toBe(true)
    expect(found.hits.total!.value).toBe(5)
  })
})
