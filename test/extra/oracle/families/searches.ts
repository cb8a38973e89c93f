/** Random searches: what is asked of a page of hits beside the query. */
import type { Request } from '../nodes.ts'
import type { Random } from '../random.ts'
import {
  broadQuery,
  compound,
  keywordFields,
  languageQuery,
  leaf,
  type Query,
  query,
  textFields,
} from './queries.ts'

export type Family = (random: Random) => Request

/** `_id` last, so that equal documents have one order. */
export const search = (body: Query, parameters = ''): Request => ({
  method: 'POST',
  path: `/d/_search${parameters}`,
  body,
})

const sortable = [
  'int',
  'long',
  'ulong',
  'double',
  'price',
  'date',
  'nanos',
  'tag',
  'code',
  'flag',
  'ip',
  'byte',
  'half',
  'obj.name',
  'alias_tag',
  'wild',
  'missing_field',
  'title',
  'tokens',
]

function sort(random: Random): unknown {
  const one = (): unknown => {
    const field = random.pick(sortable)
    // OpenSearch does not answer where it has to print the least date of nanoseconds.
    const missing = random.pick(field === 'nanos' ? ['_last'] : ['_first', '_last'])
    return random.pick<() => unknown>([
      () => field,
      () => ({ [field]: random.pick(['asc', 'desc']) }),
      () => ({ [field]: { order: random.pick(['asc', 'desc']), ...random.options(0.3, { missing, mode: random.pick(['min', 'max', 'avg', 'sum', 'median']), unmapped_type: 'long' }) } }),
      () => ({ int: { order: 'asc', missing: random.int(0, 500) } }),
      () => ({ _geo_distance: { place: random.pick<unknown>([[13.4, 52.5], '48.8,2.3', 'u33']), order: random.pick(['asc', 'desc']), ...random.options(0.3, { unit: random.pick(['km', 'm', 'mi']), mode: 'min', distance_type: 'plane' }) } }),
      () => ({ 'comments.stars': { order: random.pick(['asc', 'desc']), nested: { path: 'comments', ...random.options(0.4, { filter: { term: { 'comments.author': 'ann' } } }) }, ...random.options(0.4, { mode: random.pick(['min', 'max', 'avg', 'sum']), missing: random.pick<unknown>(['_first', '_last', 3]) }) } }),
      () => ({ _script: { type: random.pick(['number', 'string']), script: random.pick(["doc['int'].size() > 0 ? doc['int'].value : 0", "doc['tag'].size() > 0 ? doc['tag'].value : ''"]), order: 'desc' } }),
      () => '_score',
      () => '_doc',
    ])()
  }
  return [...random.times(random.int(1, 2), one), { _id: 'asc' }]
} // biome-ignore format: a kind a line

const fieldPatterns = [
  'title',
  'tag',
  'int',
  'date',
  'comments.*',
  '*',
  'obj.*',
  'all',
  'place',
  'ages',
  'ip',
  'long',
  'nanos',
  'alias_tag',
  'title.*',
  'price',
  'half',
  'sugg',
  'bin',
  'fallback',
  'tokens',
  'code',
  'missing*',
]

function source(random: Random): unknown {
  return random.pick<unknown>([true, false, 'title', ['t*', 'obj.name'], 'comments.*', { includes: ['comments.author', 'obj'] }, { excludes: ['*e*'] }, { includes: ['*.name', 'comments'], excludes: ['comments.text'] }, [], '*', 'obj.*', ''])
} // biome-ignore format: a list

const highlight = (random: Random): Query => {
  const options = () =>
    random.options(0.25, { type: random.pick(['unified', 'plain', 'fvh']), fragment_size: random.pick([0, 10, 30, 100]), number_of_fragments: random.pick([0, 1, 2, 5]), no_match_size: random.pick([0, 20]), require_field_match: false, order: 'score', boundary_scanner: random.pick(['sentence', 'word', 'chars']), encoder: 'html', highlight_query: leaf(random, 'match'), matched_fields: ['title', 'title.english'], max_analyzer_offset: random.pick([10, 100]), phrase_limit: 2, fragmenter: random.pick(['simple', 'span']), boundary_max_scan: 5, boundary_chars: '. ', tags_schema: 'styled' })
  const marks = () => (random.chance(0.3) ? { pre_tags: ['<b>'], post_tags: ['</b>'] } : {})
  const { matched_fields: _one, highlight_query: _two, max_analyzer_offset: _three, ...whole } = options()
  const fields = Object.fromEntries(random.some([...textFields, 'tag', '*', 't*'], 2).map((name) => {
    const { tags_schema: _one, encoder: _two, matched_fields, ...own } = options()
    return [name, { ...own, ...(matched_fields !== undefined && own.type === 'fvh' && name === 'title' && { matched_fields }) }]
  }))
  return { ...whole, ...marks(), fields }
} // biome-ignore format: one object

const collapse = (random: Random): Query => ({
  field: random.pick(['tag', 'code', 'int', 'obj.name', 'byte', 'copied', 'title', 'date', 'flag']),
  ...random.options(0.4, { inner_hits: { name: 'group', size: random.int(0, 3), sort: [{ price: 'asc' }, { _id: 'asc' }], ...random.options(0.3, { from: 1, _source: false, collapse: { field: 'obj.name' } }) } }),
}) // biome-ignore format: one object

export const searchFamilies: Record<string, Family> = {
  leaf: (random) => search({ query: leaf(random), size: 20, _source: false }),
  compound: (random) => search({ query: compound(random, 2), size: 15, _source: false }),
  query_string: (random) => search({ query: languageQuery(random), size: 15, _source: false }),
  sort: (random) =>
    search({ query: broadQuery(random), sort: sort(random), size: random.int(0, 20), _source: false, ...random.options(0.15, { from: random.int(0, 30), track_scores: true, track_total_hits: random.pick<unknown>([true, false, 10]), min_score: 0.5 }) }),
  collapse: (random) =>
    search({ query: broadQuery(random), collapse: collapse(random), size: 8, _source: ['tag'], sort: [random.pick(['price', 'int', '_score']), { _id: 'asc' }], ...random.options(0.2, { from: 2 }) }),
  highlight: (random) => search({ query: random.chance(0.8) ? leaf(random, random.pick(['match', 'match_phrase', 'query_string', 'multi_match', 'prefix', 'wildcard', 'fuzzy', 'match_phrase_prefix', 'term_text', 'span', 'intervals', 'simple_query_string', 'match_bool_prefix', 'regexp'])) : compound(random, 1), size: 5, _source: false, highlight: highlight(random) }),
  source_fields: (random) =>
    search({ query: broadQuery(random), size: 4, ...random.options(0.4, { _source: source(random), fields: random.some<unknown>([...fieldPatterns, { field: 'date', format: 'yyyy/MM' }, { field: 'nanos', format: 'epoch_millis' }], 4), docvalue_fields: random.some<unknown>(['tag', 'int', 'date', 'price', 'place', 'ip', 'flag', 'half', 'ulong', 'nanos', { field: 'date', format: 'epoch_millis' }, { field: 'price', format: '#.0' }, 'title'], 3), stored_fields: random.pick<unknown>(['_none_', ['_source'], ['title'], '*']), script_fields: { s: { script: random.pick(["doc['int'].size()", "params._source.tag", "doc['tag'].size() == 0 ? 'x' : doc['tag'].value", '1 + 1.5', "['a': 1, 'b': [1, 2]]", 'null']) } }, version: true, seq_no_primary_term: true, explain: false }) }),
  page: (random) => search({ query: query(random, 1), _source: false, ...random.options(0.3, { from: random.int(0, 50), size: random.int(0, 30), min_score: random.pick([0.1, 1, 3]), track_total_hits: random.pick<unknown>([true, false, 5, 100]), terminate_after: 1000, timeout: '10s', post_filter: leaf(random, 'term_keyword'), rescore: { window_size: 20, query: { rescore_query: leaf(random, 'match'), query_weight: 0.7, rescore_query_weight: 1.2, ...random.options(0.3, { score_mode: random.pick(['max', 'avg', 'multiply']) }) } }, stats: ['a'], indices_boost: [{ d: 1.4 }], slice: { id: 0, max: 2 } }) }),
  search_after: (random) => search({ query: broadQuery(random), _source: false, size: 5, ...random.pick<Query>([{ sort: [{ int: 'asc' }, { _id: 'asc' }], search_after: [random.int(0, 500), '50'] }, { sort: [{ date: 'desc' }, { _id: 'asc' }], search_after: [1_600_000_000_000, '0'] }, { sort: [{ tag: 'asc' }, { _id: 'asc' }], search_after: ['blue', '0'] }, { sort: ['_score', { _id: 'asc' }], search_after: [1, '7'] }, { sort: [{ double: 'asc' }, { _id: 'desc' }], search_after: [0.5, '7'] }, { sort: [{ long: 'desc' }, { _id: 'desc' }], search_after: [null, '7'] }, { sort: [{ nanos: 'desc' }, { _id: 'desc' }], search_after: ['2021-01-01T00:00:00Z', '7'] }]) }),
  url: (random) => ({ method: 'GET', path: `/${random.pick(['d', '_all', 'd,e', 'e', 'd*', 'nope', 'nope*', 'd,nope'])}/_search?_source=${random.pick(['false', 'title', 'true'])}&size=3&${random.pick([`q=${random.pick(['error', 'title:dog', 'int:>100', '*', 'tag:red AND flag:true', 'nofield:1', ''])}`, 'sort=int:desc,_id:asc', 'from=3', 'stored_fields=title', 'docvalue_fields=tag,int', 'track_total_hits=false', 'rest_total_hits_as_int=true', 'typed_keys', 'ignore_unavailable=true', 'allow_no_indices=false', 'version', 'default_operator=AND&q=error server', 'df=body&q=error', 'terminate_after=5', 'filter_path=hits.total,hits.hits._id', '_source_includes=t*', '_source_excludes=title', 'search_type=dfs_query_then_fetch&q=error', 'timeout=1s', 'batched_reduce_size=1', 'request_cache=true', 'preference=_local', 'siz=3', 'expand_wildcards=none', 'explain=foo', 'size=x', 'lenient=true&q=int:foo', 'q=int:foo', 'analyzer=keyword&q=error server', 'sort=_score', 'seq_no_primary_term=true', 'suggest_field=title&suggest_text=eror', 'stats=a,b'])}`.replaceAll(' ', '%20') }),
  count: (random) => ({ method: 'POST', path: `/d/_count${random.pick(['', '', '?min_score=1', '?terminate_after=3', '?q=error', '?min_score=2'])}`, ...(random.chance(0.8) && { body: { query: query(random, 1) } }) }),
  named: (random) => search({ query: { bool: { should: random.times(3, () => leaf(random)).map((one, at) => ({ bool: { must: [one], _name: `q${at}` } })) } }, size: 5, _source: false }, random.pick(['', '?include_named_queries_score=true'])),
  keyword_text: (random) => search({ query: { bool: { should: [{ term: { [random.pick(keywordFields)]: 'red' } }, { match: { title: 'error' } }] } }, size: 10, _source: false }),
} // biome-ignore format: a family a line
