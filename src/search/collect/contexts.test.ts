import { describe, expect, it } from 'vitest'
import { finish } from '../scheduling/steps.ts'
import { defaultContextLimits, SearchContexts } from './contexts.ts'
import { countSteps, explainSteps, validateSteps } from './count.ts'
import { searchPage } from './execute-search.ts'
import { topHits } from './fetch/inner-hits.ts'
import { parseSearchRequest } from './request/parse-request.ts'
import { nextScroll, openScroll, searchPit } from './scroll-search.ts'
import { caught, search, type TestResponse, testIndex } from './test-search.ts'

const docs = Array.from({ length: 7 }, (_, i) => ({
  id: String(i),
  source: { n: i, t: i < 3 ? 'low' : 'high' },
}))
const index = testIndex([[docs.slice(0, 4)], [docs.slice(4)]])
const context = { node: 'node' }

function ids(response: Record<string, unknown>): string[] {
  return (response as unknown as TestResponse).hits.hits.map(({ _id }) => _id)
}

describe('a scroll', () => {
  it('gives batch after batch under one id, then nothing', () => {
    const contexts = new SearchContexts()
    const request = parseSearchRequest({ size: 3, sort: [{ n: 'desc' }] }, new Map([['scroll', '1m']]))
    const first = finish(openScroll([index], request, context, contexts))
    const id = first['_scroll_id'] as string
    expect(ids(first)).toEqual(['6', '5', '4'])
    const rest = [1, 2, 3].map(() => finish(nextScroll(id, 60_000, false, context, contexts)))
    expect(rest.map(ids)).toEqual([['3', '2', '1'], ['0'], []])
    expect(rest[2]).toMatchObject({ _scroll_id: id, hits: { total: { value: 7, relation: 'eq' } } })
    expect(contexts.closeScroll(id)).toBe(true)
    expect(contexts.closeScroll(id)).toBe(false)
    const error = caught(() => finish(nextScroll(id, undefined, false, context, contexts)))
    expect(error).toMatchObject({ type: 'search_phase_execution_exception', status: 404 })
    expect(error.details['root_cause']).toMatchObject([
      { type: 'search_context_missing_exception', reason: 'No search context found for id [1]' },
    ])
  })

  it('expires after its keep-alive, and is limited in number', () => {
    let now = 0
    const contexts = new SearchContexts({
      elapsed: () => now,
      limits: () => ({ ...defaultContextLimits, maxScrolls: 1 }),
    })
    const request = parseSearchRequest({}, new Map([['scroll', '1m']]))
    const scroll = contexts.openScroll([index], request, 60_000)
    expect(caught(() => contexts.openScroll([index], request, 1)).reason).toMatch(
      /^Trying to create too many scroll contexts\. Must be less than or equal to: \[1\]/,
    )
    now = 50_000
    contexts.useScroll(scroll.id)
    now = 100_000
    contexts.useScroll(scroll.id)
    now = 161_000
    expect(caught(() => contexts.useScroll(scroll.id)).status).toBe(404)
    expect(caught(() => contexts.useScroll('xyz')).reason).toBe('Cannot parse scroll id')
    expect(caught(() => contexts.openScroll([index], request, 2 * 86_400_000)).reason).toBe(
      'Keep alive for request (2d) is too large. It must be less than (1d). This limit can be set by changing the [search.max_keep_alive] cluster level setting.',
    )
  })

  it('expires by the monotonic clock, whatever the wall clock is set to', () => {
    let date = 1_700_000_000_000
    let passed = 0
    const contexts = new SearchContexts({ clock: () => date, elapsed: () => passed })
    const request = parseSearchRequest({}, new Map([['scroll', '1m']]))
    const scroll = contexts.openScroll([index], request, 60_000)
    const pit = contexts.openPit([index], 60_000)
    expect(pit.created).toBe(1_700_000_000_000)
    date += 86_400_000
    contexts.reap()
    expect([contexts.useScroll(scroll.id), contexts.usePit(pit.id)]).toEqual([scroll, pit])
    date -= 2 * 86_400_000
    passed = 60_001
    expect(caught(() => contexts.useScroll(scroll.id)).status).toBe(404)
    expect(caught(() => contexts.usePit(pit.id)).status).toBe(404)
  })

  it('is sliced into disjoint parts that cover everything', () => {
    const five = testIndex([
      [[{ id: '2', source: { foo: 2 } }]],
      [],
      [[{ id: '1', source: { foo: 1 } }]],
      [],
      [[{ id: '3', source: { foo: 3 } }]],
    ])
    for (const max of [2, 3, 5, 7, 12]) {
      const parts = Array.from({ length: max }, (_, id) => {
        const request = { slice: { id, max }, size: 10 }
        return search(five, request, { parameters: new Map([['scroll', '1m']]) }).hits.hits.map(
          ({ _id }) => _id,
        )
      })
      expect(parts.flat().sort()).toEqual(['1', '2', '3'])
    }
    const error = caught(() => search(five, { slice: { id: 0, max: 1025 } }))
    expect(error.causedBy?.message).toMatch(
      /^The number of slices \[1025\] is too large\. It must be less than \[1024\]\./,
    )
  })
})

describe('a point in time', () => {
  it('adds a tiebreaker to every sort', () => {
    const contexts = new SearchContexts()
    const pit = contexts.openPit([index], 60_000)
    const body = {
      pit: { id: pit.id, keep_alive: '1m' },
      size: 2,
      sort: [{ t: { unmapped_type: 'keyword', order: 'asc' } }],
    }
    const sorted = { ...body, sort: [{ 't.keyword': 'asc' }] }
    const first = finish(searchPit(parseSearchRequest(sorted), context, contexts))
    expect(first['pit_id']).toBe(pit.id)
    const hits = (first as unknown as TestResponse).hits.hits
    expect(hits.map(({ _id, sort }) => [_id, sort])).toEqual([
      ['3', ['high', 3]],
      ['4', ['high', 2 ** 32]],
    ])
    const next = finish(
      searchPit(parseSearchRequest({ ...sorted, search_after: hits[1]!.sort }), context, contexts),
    )
    expect(ids(next)).toEqual(['5', '6'])
    expect(contexts.pits().map(({ id }) => id)).toEqual([pit.id])
    expect(contexts.closePit(pit.id)).toBe(true)
    expect(caught(() => contexts.usePit('bad')).reason).toBe('invalid id: [bad]')
  })

  it('refuses an index in the path', () => {
    const error = caught(() =>
      parseSearchRequest({ pit: { id: 'x' } }, new Map([['routing', 'a']]), { namesIndices: true }),
    )
    expect(error.reason).toBe(
      'Validation Failed: 1: [indices] cannot be used with point in time;2: [routing] cannot be used with point in time;',
    )
  })
})

describe('inner pages', () => {
  const nested = testIndex(
    [[[{ id: '1', source: { u: [{ n: 2 }, { n: 1 }] } }]], [[{ id: '2', source: { u: [{ n: 0 }] } }]]],
    { mappings: { properties: { u: { type: 'nested', properties: { n: { type: 'integer' } } } } } },
  )

  it('are shown in their order, nested objects too', () => {
    const { search: prepared } = searchPage([nested], parseSearchRequest({}), context)
    const matches = prepared.matches.map(({ leaf, docs: found }) => ({ leaf, docs: found.complement() }))
    const page = finish(topHits({ sort: ['u.n'], size: 2 }, prepared, context)(matches))
    const shown = finish(page.steps())
    expect(shown).toMatchObject({
      hits: {
        total: { value: 3, relation: 'eq' },
        max_score: null,
        hits: [
          { _id: '2', _nested: { field: 'u', offset: 0 }, _source: { n: 0 }, sort: [0] },
          { _id: '1', _nested: { field: 'u', offset: 1 }, _source: { n: 1 }, sort: [1] },
        ],
      },
    })
  })
})

describe('_count, _explain and _validate', () => {
  it('counts matches', () => {
    expect(finish(countSteps([index], undefined, new Map(), context))).toEqual({
      count: 7,
      _shards: { total: 2, successful: 2, skipped: 0, failed: 0 },
    })
    expect(finish(countSteps([index], { query: { match: { t: 'low' } } }, new Map(), context))['count']).toBe(
      3,
    )
    expect(caught(() => finish(countSteps([index], { match: {} }, new Map(), context))).reason).toBe(
      'request does not support [match]',
    )
  })

  it('explains a score', () => {
    const found = finish(explainSteps(index, '1', { query: { match_all: {} } }, new Map([['_source', 'n']])))
    expect(found).toMatchObject({
      _index: 'test',
      _id: '1',
      matched: true,
      explanation: { value: 1, description: '*:*' },
      get: { _source: { n: 1 } },
    })
    expect(finish(explainSteps(index, 'nobody', { query: { match_all: {} } }, new Map()))).toEqual({
      _index: 'test',
      _id: 'nobody',
      matched: false,
    })
  })

  it('validates a query', () => {
    const validate = (...given: Parameters<typeof validateSteps>) => finish(validateSteps(...given))
    expect(validate([index], { query: { boool: {} } }, new Map())).toEqual({ valid: false })
    const told = validate([index], { query: { boool: {} } }, new Map([['explain', 'true']]))
    expect(told['error']).toMatch(/unknown query \[boool\] did you mean \[bool\]\?/)
    expect(validate([index], undefined, new Map([['explain', '']]))).toMatchObject({
      valid: true,
      explanations: [{ index: 'test', valid: true, explanation: '*:*' }],
    })
    expect(validate([index], { match_all: {} }, new Map([['explain', 'true']]))['error']).toMatch(
      /request does not support \[match_all\]/,
    )
  })
})
