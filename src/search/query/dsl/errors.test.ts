/** Errors of invalid queries: types, texts and positions. */
import { describe, expect, it } from 'vitest'
import { SearchError } from '../../request/search-error.ts'
import { SourcePlaces } from '../../request/source-place.ts'
import { TestIndex } from '../test-index.ts'
import { parseQuery } from './parse-query.ts'

function caught(action: () => unknown): SearchError {
  try {
    action()
  } catch (error) {
    if (error instanceof SearchError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const parsing = 'parsing_exception'
const illegal = 'illegal_argument_exception'

describe('parsing an invalid query', () => {
  it.each<[unknown, string, string]>([
    [{ mtch: {} }, parsing, 'unknown query [mtch] did you mean [match]?'],
    [{ boool: {} }, parsing, 'unknown query [boool] did you mean [bool]?'],
    [{ invalid_query: {} }, parsing, 'unknown query [invalid_query]'],
    [{ zzz: {} }, parsing, 'unknown query [zzz]'],
    [
      { term: { a: 1 }, match_all: {} },
      parsing,
      '[term] malformed query, expected [END_OBJECT] but found [FIELD_NAME]',
    ],
    [{ bool: {}, term: {} }, parsing, '[bool] malformed query, expected [END_OBJECT] but found [FIELD_NAME]'],
    [{}, illegal, 'query malformed, empty clause found at [1:2]'],
    [{ bool: { must: [{}] } }, 'x_content_parse_exception', '[1:19] [bool] failed to parse field [must]'],
    [{ match: 'x' }, parsing, '[match] query malformed, no start_object after query name'],
    ['x', parsing, '[_na] query malformed, must start with start_object'],
    [{ match: { a: { query: 'x', y: 1 } } }, parsing, '[match] query does not support [y]'],
    [
      { match: { a: 'x', b: 'y' } },
      parsing,
      "[match] query doesn't support multiple fields, found [a] and [b]",
    ],
    [{ match: { a: { query: ['x'] } } }, parsing, '[match] unknown token [START_ARRAY] after [query]'],
    [{ match: { a: { operator: 'and' } } }, parsing, 'No text specified for text query'],
    [{ term: { a: ['x'] } }, parsing, '[term] query does not support array of values'],
    [{ term: { a: { value: 1, x: 1 } } }, parsing, '[term] query does not support [x]'],
    [{ term: { a: null } }, illegal, 'field name is null or empty'],
    [{ terms: { a: 'x' } }, parsing, '[terms] query does not support [a]'],
    [{ terms: { a: ['x'], b: ['y'] } }, parsing, '[terms] query does not support multiple fields'],
    [{ range: { a: { gte: 1, x: 1 } } }, parsing, '[range] query does not support [x]'],
    [
      { range: { a: { gte: 1, relation: 'disjoint' } } },
      illegal,
      '[range] query does not support relation [disjoint]',
    ],
    [{ exists: {} }, parsing, '[exists] must be provided with a [field]'],
    [{ constant_score: {} }, parsing, "[constant_score] requires a 'filter' element"],
    [{ dis_max: {} }, parsing, "[dis_max] requires 'queries' field with at least one clause"],
    [
      { bool: { mst: [] } },
      'x_content_parse_exception',
      '[1:10] [bool] unknown field [mst] did you mean [must]?',
    ],
    [{ match_all: { x: 1 } }, parsing, '[1:15] [match_all] unknown field [x]'],
    [{ query_string: {} }, parsing, '[query_string] must be provided with a [query]'],
    [
      { script: { script: { source: 'true', lang: 'groovy' } } },
      illegal,
      'script_lang not supported [groovy]',
    ],
    [{ script: {} }, parsing, 'script must be provided with a [script] filter'],
    [{ script_score: { query: { match_all: {} } } }, illegal, 'Required [script]'],
    [{ multi_match: { fields: ['a'] } }, parsing, 'No text specified for multi_match query'],
    [
      { multi_match: { query: 'a', type: 'cross_fields', fuzziness: 1 } },
      parsing,
      'Fuzziness not allowed for type [cross_fields]',
    ],
    [{ nested: { query: { match_all: {} } } }, illegal, "[nested] requires 'path' field"],
    [{ geo_distance: { p: [0, 0] } }, parsing, "geo_distance requires 'distance' to be specified"],
    [
      { match: { a: { query: 'x', boost: -1 } } },
      illegal,
      'negative [boost] are not allowed in [match], use a value between 0 and 1 to deboost',
    ],
  ])('%j', (query, type, reason) => {
    const error = caught(() => parseQuery(query))
    expect([error.type, error.message]).toEqual([type, reason])
  })

  it('names the clause of a bool that cannot be read', () => {
    const error = caught(() => parseQuery({ bool: { must: [{ match: { a: { x: 1 } } }] } }))
    expect(error.message).toBe('[1:37] [bool] failed to parse field [must]')
    expect((error.causedBy as SearchError).message).toBe('[match] query does not support [x]')
  })

  it('reports the line and column of the error', () => {
    const text = '{\n  "query": {\n    "match": {\n      "a": {"query": "x", "y": 1}\n    }\n  }\n}'
    const body = JSON.parse(text)
    expect(caught(() => parseQuery(body.query, new SourcePlaces(body, text))).details).toEqual({
      line: 4,
      col: 32,
    })
  })

  it('suggests names similar to an unknown one', () => {
    const cause = caught(() => parseQuery({ mtch: {} })).causedBy as SearchError
    expect([cause.type, cause.message]).toEqual([
      'named_object_not_found_exception',
      '[1:9] unknown field [mtch]',
    ])
  })

  it('refuses queries that are nested too deep', () => {
    let query: unknown = { match_all: {} }
    for (let i = 0; i < 40; i++) query = { bool: { must: query } }
    let error: unknown = caught(() => parseQuery(query))
    while (error instanceof SearchError && error.causedBy !== undefined) error = error.causedBy
    expect((error as SearchError).message).toMatch(/^The nested depth of the query exceeds/)
  })
})

describe('binding a query that the index refuses', () => {
  const index = new TestIndex({
    properties: {
      n: { type: 'long' },
      d: { type: 'date' },
      ip: { type: 'ip' },
      k: { type: 'keyword' },
      off: { type: 'keyword', index: false, doc_values: false },
      plain: { type: 'text', index_options: 'docs' },
      point: { type: 'geo_point' },
      object: { properties: { a: { type: 'long' } } },
    },
  }).add({ n: 1 })

  it.each<[unknown, string, string]>([
    [{ term: { n: 'abc' } }, 'failed to create query: For input string: "abc"', 'number_format_exception'],
    [{ match: { n: 'abc' } }, 'failed to create query: For input string: "abc"', 'number_format_exception'],
    [{ term: { ip: 'abc' } }, "failed to create query: 'abc' is not an IP string literal.", illegal],
    [
      { term: { d: 'abc' } },
      'failed to create query: failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]: [failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]]',
      'parse_exception',
    ],
    [
      { term: { off: 'a' } },
      'failed to create query: Cannot search on field [off] since it is not indexed.',
      illegal,
    ],
    [
      { fuzzy: { n: 'a' } },
      'failed to create query: Can only use fuzzy queries on keyword and text fields - not on [n] which is of type [long]',
      illegal,
    ],
    [
      { match_phrase: { plain: 'a b' } },
      'failed to create query: field:[plain] was indexed without position data; cannot run PhraseQuery',
      illegal,
    ],
    [
      { match_phrase_prefix: { k: 'a' } },
      'failed to create query: Can only use phrase prefix queries on text fields - not on [k] which is of type [keyword]',
      illegal,
    ],
    [
      { nested: { path: 'object', query: { match_all: {} } } },
      'failed to create query: [nested] nested object under path [object] is not of nested type',
      'illegal_state_exception',
    ],
    [
      { nested: { path: 'nope', query: { match_all: {} } } },
      'failed to create query: [nested] failed to find nested object under path [nope]',
      'illegal_state_exception',
    ],
    [
      { terms: { k: Array.from({ length: 65_537 }, (_, i) => `${i}`) } },
      'failed to create query: The number of terms [65537] used in the Terms Query request has exceeded the allowed maximum of [65536]. This maximum can be set by changing the [index.max_terms_count] index level setting.',
      illegal,
    ],
    [{ query_string: { query: 'foo AND' } }, 'Failed to parse query [foo AND]', 'parse_exception'],
  ])('%#', (query, reason, cause) => {
    const error = caught(() => index.compile(query))
    expect([error.type, error.message]).toEqual(['query_shard_exception', reason])
    expect((error.causedBy as SearchError).type).toBe(cause)
    expect(error.details).toEqual({ index: 'test', index_uuid: '_na_' })
  })

  it.each([
    { prefix: { n: '1' } },
    { geo_distance: { distance: '1km', nope: [0, 0] } },
    { term: { point: 'a' } },
    { match: { k: { query: 'a', analyzer: 'nope' } } },
    { exists: { field: '_source' } },
  ])('%j', (query) => {
    expect(caught(() => index.compile(query)).type).toBe('query_shard_exception')
  })

  it.each([
    [
      'prefix',
      "[prefix] queries cannot be executed when 'search.allow_expensive_queries' is set to false. For optimised prefix queries on text fields please enable [index_prefixes].",
    ],
    [
      'wildcard',
      "[wildcard] queries cannot be executed when 'search.allow_expensive_queries' is set to false.",
    ],
    ['regexp', "[regexp] queries cannot be executed when 'search.allow_expensive_queries' is set to false."],
    ['fuzzy', "[fuzzy] queries cannot be executed when 'search.allow_expensive_queries' is set to false."],
  ])('%s where expensive queries are not allowed', (clause, reason) => {
    const cheap = new TestIndex({ properties: { k: { type: 'keyword' } } }, { allowExpensive: false }).add({
      k: 'a',
    })
    expect(caught(() => cheap.compile({ [clause]: { k: 'a' } })).message).toContain(reason)
  })
})
