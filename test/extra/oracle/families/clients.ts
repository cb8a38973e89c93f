/** Requests as clients send them: dashboards, date mathematics, formats, pages of composites, lists of requests. */
import { words } from '../data.ts'
import type { Random } from '../random.ts'
import { broadQuery, leaf, phrase, type Query } from './queries.ts'
import { type Family, search } from './searches.ts'

const zones = [
  'Europe/Berlin',
  'America/New_York',
  '+05:30',
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  '-08:00',
  'Z',
]
const dateFormats = ['strict_date_optional_time', 'yyyy-MM-dd', 'epoch_millis', 'epoch_second', 'dd/MM/yyyy HH:mm:ss', 'date_time', 'date_hour_minute', 'basic_date', 'week_date', 'ordinal_date', "yyyy-'W'ww", 'EEE, dd MMM yyyy', 'uuuu-MM-dd HH:mm:ss.SSS', 'iso8601', 'yyyy-MM-dd||epoch_millis', 'yyyy', 'QQQ yyyy', 'hh:mm a', "yyyy-MM-dd'T'HH:mm:ssXXX", 'rfc3339_lenient', 'strict_year_month', 'nope', 'yyyy-MM-dd VV', 'e', 'DDD', 'B', 'A', 'n'] // biome-ignore format: a list
const numberFormats = [
  '0',
  '0.00',
  '#,##0.00',
  '#',
  '000',
  '0.0E0',
  '#.##%',
  '$0',
  "0 'units'",
  '¤0',
  'nope',
  '0.##;(0.##)',
  ',###',
]
const mathDates = [
  '2021-01-01||',
  '2021-06-15T10:20:30Z||',
  '2020-02-29||',
  '2021-12-31||',
  '2020-06||',
  '2021||',
]
const mathSteps = ['+1d', '-1M', '/M', '/w', '/y', '+1y', '/d', '-3h', '/h', '+2w', '+1M/M', '-1d/d', '/d+1h', '', '+90m', '-1y/y', '/s', '+1', '/Q', '+1x', '/'] // biome-ignore format: a list

const zone = (random: Random) => random.pick(zones)
const mathDate = (random: Random) => `${random.pick(mathDates)}${random.pick(mathSteps)}`

function dateBound(random: Random): unknown {
  return random.pick<() => unknown>([
    () => mathDate(random),
    () => mathDate(random),
    () => 'now-4y/y',
    () => random.pick(['2020-06-01', '2021', '2021-03', '2021-01-01T00', '2021-01-01T12:30', '2021-01-01T12:30:15+02:00', '2020-W12', 1_600_000_000_000, '1600000000000', 1.6e12, '2021-02-30', '20210101', '2021-1-1', 'x', '', null, '+2021-01-01', '2020-12-31T23:59:59.999999999Z', '2021-01-01T24:00:00']),
  ])()
} // biome-ignore format: a list

function dateRange(random: Random): Query {
  const bounds = random.options(0.6, { gte: dateBound(random), lt: dateBound(random) })
  const more = random.options(0.3, {
    gt: dateBound(random),
    lte: dateBound(random),
    time_zone: zone(random),
    format: random.pick(dateFormats),
    relation: random.pick(['intersects', 'within', 'contains', 'disjoint']),
    boost: 2,
  })
  return { range: { [random.pick(['date', 'day', 'nanos', 'span', 'date'])]: { ...bounds, ...more } } }
}

/** What Discover and the visualizations of OpenSearch Dashboards ask for. */
const dashboards: Family = (random) => {
  const range = { range: { date: { gte: '2020-03-01T00:00:00.000Z', lte: '2022-09-30T23:30:00.000Z', format: 'strict_date_optional_time' } } }
  const bar = random.pick<() => Query>([
    () => ({ must: [], filter: [{ match_all: {} }, range], should: [], must_not: [] }),
    () => ({ must: [{ query_string: { query: `${random.pick(words)} OR tag:red`, analyze_wildcard: true, time_zone: zone(random) } }], filter: [range], should: [], must_not: [] }),
    () => ({ must: [], filter: [{ bool: { should: [{ match_phrase: { tag: 'red' } }], minimum_should_match: 1 } }, range, { match_phrase: { title: phrase(random, 2) } }], should: [], must_not: [{ match_phrase: { code: 'abc' } }] }),
    () => ({ must: [], filter: [{ multi_match: { type: 'phrase', query: random.pick(words), lenient: true } }, range], should: [], must_not: [{ exists: { field: 'ip' } }] }),
    () => ({ must: [], filter: [{ bool: { should: [{ range: { int: { gte: random.int(0, 200) } } }], minimum_should_match: 1 } }, { bool: { must_not: { bool: { should: [{ exists: { field: 'obj.name' } }], minimum_should_match: 1 } } } }], should: [], must_not: [] }),
    () => ({ must: [], filter: [{ bool: { should: [{ query_string: { fields: ['title'], query: `${random.pick(words).slice(0, 3)}*` } }], minimum_should_match: 1 } }, range], should: [], must_not: [] }),
  ])()
  const common = { query: { bool: bar }, stored_fields: ['*'], script_fields: {}, docvalue_fields: [{ field: 'date', format: 'date_time' }, { field: 'nanos', format: 'strict_date_time' }], _source: { excludes: [] } }
  const order = random.pick<Query>([{ _count: 'desc' }, { 1: 'desc' }, { _key: 'asc' }])
  const terms = (field: string): Query => ({ terms: { field, order, size: random.int(1, 6), ...random.options(0.3, { missing: '__missing__', include: 'r.*', exclude: 'blue' }) } })
  const metrics = { 1: random.pick<Query>([{ avg: { field: 'price' } }, { cardinality: { field: 'tag' } }, { percentiles: { field: 'int', percents: [50], keyed: false } }, { max: { field: 'date' } }, { sum: { field: 'double' } }, { top_hits: { docvalue_fields: [{ field: 'price' }], _source: 'price', size: 1, sort: [{ date: { order: 'desc' } }] } }]) }
  const isSingle = 'percentiles' in metrics[1] || 'top_hits' in metrics[1]
  const inner = isSingle && '1' in order ? { 1: { avg: { field: 'price' } } } : metrics
  const overTime = { date_histogram: { field: random.pick(['date', 'nanos', 'span']), ...random.pick<Query>([{ calendar_interval: '1M' }, { calendar_interval: '1w' }, { fixed_interval: '30d' }, { calendar_interval: '1q' }, { fixed_interval: '12h' }, { calendar_interval: '1y' }]), time_zone: zone(random), min_doc_count: random.pick([0, 1, 5]), ...random.options(0.3, { extended_bounds: { min: 1_577_836_800_000, max: 1_672_444_800_000 } }), ...random.options(0.2, { format: random.pick(dateFormats), offset: random.pick(['+6h', '-1d', '1h']), keyed: true }) } }
  return random.pick<() => ReturnType<Family>>([
    () => search({ ...common, size: 5, version: true, sort: [{ date: { order: random.pick(['asc', 'desc']), unmapped_type: 'boolean' } }, { _id: 'asc' }], aggs: { 2: overTime }, highlight: { pre_tags: ['@kibana-highlighted-field@'], post_tags: ['@/kibana-highlighted-field@'], fields: { '*': {} }, fragment_size: 2_147_483_647 } }, random.pick(['', '?ignore_unavailable=true&track_total_hits=true&timeout=30000ms&preference=1234&rest_total_hits_as_int=true'])),
    () => search({ ...common, size: 0, aggs: { 2: { ...overTime, aggs: { 3: { ...terms('tag'), aggs: inner }, ...metrics } } } }),
    () => search({ ...common, size: 0, aggs: { 2: { ...terms(random.pick(['tag', 'obj.name', 'code', 'title.raw'])), aggs: { ...inner, 4: { ...terms('copied'), aggs: inner } } } } }),
    () => search({ ...common, size: 0, aggs: { 2: { filters: { filters: { 'tag: red': { bool: { must: [], filter: [{ match_phrase: { tag: 'red' } }], should: [], must_not: [] } }, '': { match_all: {} } } }, aggs: { 5: overTime } } } }),
    () => search({ ...common, size: 0, aggs: { 2: { histogram: { field: 'price', interval: random.pick([10, 0.5, 25]), min_doc_count: 1, ...random.options(0.3, { extended_bounds: { min: 0, max: 100 } }) }, aggs: inner } } }),
    () => search({ ...common, size: 0, aggs: { 2: { significant_terms: { field: 'tag', size: 3 } }, 3: { geohash_grid: { field: 'place', precision: 3 }, aggs: { 4: { geo_centroid: { field: 'place' } } } } } }),
    () => search({ size: 0, query: { bool: { filter: [range] } }, aggs: { timeFilter: { min: { field: 'date' } }, late: { max: { field: 'nanos', format: 'yyyy-MM' } } }, timeout: '1000ms', terminate_after: 100_000 }),
    () => search({ size: 0, aggs: { suggestions: { terms: { field: random.pick(['tag', 'copied', 'title.raw']), include: `${random.pick(['r', 'e', '', 'a.b'])}.*`, execution_hint: 'map', shard_size: 10 } } }, query: { bool: { filter: [] } } }),
  ])()
} // biome-ignore format: one body a line

const formats: Family = (random) => {
  const field = () => random.pick(['date', 'day', 'nanos', 'int', 'long', 'price', 'float', 'half', 'double', 'tag', 'ip', 'flag', 'ulong', 'span', 'ages', 'comments.at', 'comments.stars', 'd*', '*e', 'title', 'obj.*', 'place', 'tokens', 'wild', 'bin'])
  const one = (): unknown => {
    const name = field()
    const isDate = ['date', 'day', 'nanos', 'comments.at', 'd*', 'span'].includes(name)
    return random.chance(0.3) ? name : { field: name, format: random.pick(isDate ? dateFormats : [...numberFormats, 'use_field_mapping']) }
  }
  const kind = random.pick(['fields', 'docvalue_fields'])
  return search({ query: { ids: { values: random.times(4, () => String(random.int(0, 299))) } }, sort: ['_id'], _source: false, [kind]: random.times(random.int(1, 3), one), ...random.options(0.1, { stored_fields: random.pick<unknown>(['_none_', ['*'], 'tag', ['_source']]) }) })
} // biome-ignore format: one body a line

const aggFormats: Family = (random) => {
  const dates = random.chance(0.5)
  const format = random.pick(dates ? dateFormats : numberFormats)
  const field = dates ? random.pick(['date', 'day', 'nanos']) : random.pick(['int', 'price', 'double', 'half', 'long'])
  return search({ size: 0, query: broadQuery(random), aggs: { a: random.pick<Query>([
    { [random.pick(['min', 'max', 'avg', 'sum', 'stats', 'extended_stats', 'value_count', 'cardinality'])]: { field, format } },
    { terms: { field, format, size: 4, order: { _key: 'asc' } } },
    dates ? { date_histogram: { field, format, calendar_interval: 'year', time_zone: zone(random), keyed: random.chance(0.4) } } : { histogram: { field, format, interval: 100, min_doc_count: 1, keyed: random.chance(0.4) } },
    dates ? { date_range: { field, format: random.pick(['yyyy-MM-dd', 'yyyy', format]), time_zone: zone(random), ranges: [{ from: random.pick(['2020', '2021-01-01', 'now-3y/y', '2021-06-01||/M']) }, { to: '2021-06-01' }] } } : { range: { field, format, ranges: [{ to: 5 }, { from: 5.5, to: 100 }] } },
    { percentiles: { field, format, percents: [1, 50] } },
    { missing: { field } },
    { composite: { size: 4, sources: [{ k: dates ? { date_histogram: { field, format, calendar_interval: 'month', time_zone: zone(random) } } : { histogram: { field, interval: 50 } } }] } },
  ]) } })
} // biome-ignore format: one body a line

const compositePages: Family = (random) => {
  const all: [string, Query, unknown[]][] = [
    ['t', { terms: { field: 'tag' } }, ['red', 'a', '', null, 5]],
    ['c', { terms: { field: 'code' } }, ['abc', 'xyz-1', 'ABC', null]],
    ['b', { terms: { field: 'flag' } }, [true, false, 'true', 1]],
    ['i', { terms: { field: 'ip' } }, ['10.0.0.1', '::1', 'x']],
    ['o', { terms: { field: 'obj.count' } }, [2, '3', null, 1.5]],
    ['p', { histogram: { field: 'price', interval: 25 } }, [25, 50.0, '0', null]],
    ['n', { terms: { field: 'double' } }, [1.5, -20, 'x']],
    ['d', { date_histogram: { field: 'date', ...random.pick<Query>([{ calendar_interval: 'month' }, { fixed_interval: '90d' }, { calendar_interval: 'year', format: 'yyyy-MM-dd' }]), ...random.options(0.3, { time_zone: zone(random), offset: '+3h' }) } }, [1_600_000_000_000, '2021-01-01', '2020-06-01T00:00:00Z', null]],
    ['m', { terms: { field: random.pick(['missing_field', 'title', 'alias_tag', 'copied', 'day', 'nanos']) } }, ['x', 3, null]],
    ['g', { geotile_grid: { field: 'place', precision: 3 } }, ['3/4/2', 'x']],
    ['s', { terms: { script: { source: "doc['int'].size() == 0 ? 0 : doc['int'].value % 3" } } }, [1, '2']],
  ]
  const chosen = random.some(all, 3).map(([name, source, afters]) => {
    const [[kind, options]] = Object.entries(source) as [[string, object]]
    const more = random.options(0.25, { order: random.pick(['asc', 'desc', 'ASC']), missing_bucket: true, missing_order: random.pick(['first', 'last', 'default']) })
    return [{ [name]: { [kind]: { ...options, ...more } } }, [name, random.pick(afters)]] as const
  })
  return search({ size: 0, query: broadQuery(random), aggs: { p: { composite: { size: random.int(1, 6), sources: chosen.map(([source]) => source), ...(random.chance(0.5) && { after: Object.fromEntries(chosen.map(([, after]) => after)) }) }, ...(random.chance(0.4) && { aggs: { m: random.pick<Query>([{ avg: { field: 'price' } }, { terms: { field: 'tag', size: 2 } }, { top_hits: { size: 1, _source: false, sort: ['_id'] } }, { bucket_sort: { size: 2 } }, { bucket_selector: { buckets_path: { n: '_count' }, script: 'params.n > 1' } }]) } }) } } })
} // biome-ignore format: one source a line

const nestedHits: Family = (random) => {
  const sortBy = random.pick<unknown>([{ 'comments.stars': { order: random.pick(['asc', 'desc']), nested: { path: 'comments' } } }, { 'comments.stars': 'desc' }, { 'comments.at': { order: 'desc', missing: '_first', nested: { path: 'comments', filter: { range: { 'comments.stars': { gte: 3 } } } } } }, { 'comments.at': { order: 'asc', mode: 'max', nested: { path: 'comments', max_children: 2 } } }, { 'comments.author': { order: 'asc', nested: { path: 'comments' } } }, { 'comments.stars': { nested_path: 'comments', order: 'desc' } }])
  const inner = (): Query => random.options(0.25, { from: random.int(0, 1), size: random.int(0, 3), sort: random.pick<unknown>([[{ 'comments.stars': 'asc' }], [{ 'comments.at': { order: 'desc', missing: '_last' } }, '_doc'], ['_score'], 'comments.author']), _source: random.pick<unknown>([false, 'comments.text', ['author', 'comments.stars'], { excludes: ['*.text'] }]), highlight: { fields: { 'comments.text': { type: random.pick(['unified', 'plain', 'fvh']) } } }, docvalue_fields: ['comments.stars', { field: 'comments.at', format: 'yyyy' }], fields: ['comments.author', 'comments.*'], explain: false, version: true, script_fields: { x: { script: "doc['comments.stars'].size()" } }, stored_fields: ['_none_'] })
  const inside = () => random.pick<() => Query>([() => ({ match: { 'comments.text': phrase(random, 3) } }), () => ({ bool: { must: [{ match: { 'comments.text': phrase(random, 2) } }], filter: [{ range: { 'comments.at': { gte: mathDate(random) } } }] } }), () => ({ match_all: {} }), () => ({ range: { 'comments.stars': { gte: 2 } } }), () => ({ query_string: { query: `comments.text:${random.pick(words)}` } }), () => ({ term: { 'comments.author': { value: 'ann', case_insensitive: true } } }), () => ({ match_phrase: { 'comments.text': phrase(random, 2) } })])()
  const nested = (name: string): Query => ({ nested: { path: 'comments', query: inside(), ...random.options(0.3, { score_mode: random.pick(['avg', 'max', 'min', 'sum', 'none']) }), inner_hits: { name, ...inner() } } })
  return search({ query: random.pick<() => Query>([() => nested('a'), () => ({ bool: { should: [nested('a'), nested('b')], must_not: [{ nested: { path: 'comments', query: { term: { 'comments.author': 'cid' } } } }] } }), () => ({ bool: { filter: [nested('a')], must: [leaf(random, 'match')] } }), () => ({ constant_score: { filter: nested('a') } }), () => ({ function_score: { query: nested('a'), boost_mode: 'sum', functions: [{ filter: nested('b'), weight: 2 }] } })])(), size: 4, _source: random.pick<unknown>([false, ['tag'], 'comments.author']), ...(random.chance(0.5) && { sort: [sortBy, { _id: 'asc' }] }) })
} // biome-ignore format: one kind a line

const matches: Family = (random) => {
  const types = ['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix']
  const shares = ['3<75%', '2<-1', '75%', '-30%', '1<100% 3<2', '2', -1, '0%', '300%', '<1', '3<', 'x']
  const more = random.options(0.25, { fuzziness: random.pick<unknown>(['AUTO', 'AUTO:3,6', 1, '2', 0, 3]), slop: random.int(0, 3), tie_breaker: random.pick([0, 0.3, 1, 2]), operator: random.pick(['and', 'or', 'AND']), minimum_should_match: random.pick<unknown>(shares), prefix_length: 1, max_expansions: random.pick([1, 5, 50]), analyzer: random.pick(['english', 'whitespace', 'keyword']), zero_terms_query: random.pick(['all', 'none']), boost: 1.5, auto_generate_synonyms_phrase_query: false, fuzzy_transpositions: false, lenient: true })
  const fields = random.some(['title', 'title^3', 'body^2.5', 'note', 'plain', 'like', 'like._2gram', 'like._3gram', 'title.*', 'comments.text', '*', 't*^2', 'tag', 'code', 'int', 'date', 'nope', 'title.english', 'all', 'ip', 'flag'], 4)
  const text = random.pick<() => string>([() => phrase(random, 4), () => `${phrase(random, 2)} ${random.pick(['er', 'da', 'su', 'm'])}`, () => random.pick(['eror servr', 'the', '', 'quick-brown fox', 'Runs RUNNING', '42', 'red', '2021-01-01', '10.0.0.1', 'true'])])()
  return search({ query: { multi_match: { query: text, fields, ...(random.chance(0.8) && { type: random.pick(types) }), ...more } }, size: 10, _source: false })
} // biome-ignore format: one kind a line

const oddLanguage: Family = (random) => {
  const word = () => random.pick(words)
  const query = random.pick([`title:(${word()} AND NOT ${word()})`, `title:"${word()} ${word()}"~5 OR body:${word()}^4`, `${word()}~0.5`, `+(${word()} | ${word()}) -tag:red`, `date:[2020-01-01||/M TO 2021-01-01||+1M}`, 'date:[now-5y/y TO now]', `int:<=50 AND int:>-20`, 'price:[10.5 TO *]', 'price:{* TO 20]', '_exists_:comments.author', 'NOT _exists_:int', `_id:5`, '_id:(5 OR 6)', '_index:d', 'tag:"a b" OR tag:a\\ b', 'title:/er+o.*/ AND /d[ia].*/', 'obj.\\*:n1', '*:* AND -tag:red', 'ip:[10.0.0.0 TO 10.0.0.255]', 'ip:"10.0.0.0/8"', 'ip:10.0.0.1', 'flag:true', 'flag:T', `"${word()}`, `${word()})`, '[1 TO 2]', 'int:[1 TO', '\\"', 'a AND OR b', 'AND', 'OR error', '&& error', '||', `${word()} TO ${word()}`, 'title:er?or', `tit*:${word()}`, `*:${word()}`, 'title:*', 'title:?', 'nope:*', `(${word()})^2 (${word()})^0`, `${word()}^x`, `${word()}~10`, `"${word()} ${word()}"~x`, '😀', 'naïve', 'title:"naïve café"', `${word()} +${word()} -${word()} !${word()}`, 'http\\://example.com', 'http://example.com', 'a:b:c', 'user@example.com', 'foo_bar', 'foo-bar', 'long:>=9007199254740993', 'double:1e2', 'double:-1.5', 'int:-5', 'int:\\-5', 'day:2020-05-05', 'nanos:>2021', 'span:[2020-05-01 TO 2020-06-01]', 'ages:[10 TO 20]', `title.english:running`, `alias_tag:red`, `wild:*1*`, `comments.author:ann`, 'place:x', `((${word()}))`, `()`, `title:()`, `tag:(red green)`, `tag:(+red -green)`, '  ', 'x y z AND', 'code:ABC', 'code:É*', 'tag:[a TO r}', 'tag:>=red', '/[/', '/', 'error\\', '\\u0065rror', '{', '}', 'a{b', '!', '-', '+', '~', '^2', '"" error', '"the"', 'the']) // biome-ignore format: a list
  const more = random.options(0.15, { default_field: random.pick(['title', 'body', '*', 'nope', 'tag']), fields: random.some(['title^2', 'body', 'tag', 'int', 't*', 'note'], 3), default_operator: random.pick(['and', 'or', 'x']), lenient: random.chance(0.5), analyze_wildcard: true, time_zone: zone(random), type: random.pick(['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix']), phrase_slop: 1, fuzziness: random.pick(['AUTO', '1']), fuzzy_prefix_length: 1, max_determinized_states: 100, minimum_should_match: random.pick(['2', '75%']), analyzer: random.pick(['english', 'whitespace']), quote_analyzer: 'keyword', rewrite: random.pick(['constant_score', 'scoring_boolean', 'top_terms_5', 'top_terms_boost_3', 'constant_score_boolean', 'x']), enable_position_increments: false, auto_generate_synonyms_phrase_query: false })
  return random.pick<() => ReturnType<Family>>([
    () => search({ query: { query_string: { query, ...more } }, size: 10, _source: false }),
    () => search({ query: { query_string: { query, ...more } }, size: 10, _source: false }),
    () => search({ query: { simple_query_string: { query, ...random.options(0.2, { fields: ['title', 'tag', 'body^2'], default_operator: 'and', lenient: true, flags: random.pick(['ALL', 'AND|OR', 'NEAR', 'FUZZY|SLOP', 'x', 'WHITESPACE', 'ESCAPE']), quote_field_suffix: '.english', fuzzy_max_expansions: 2, fuzzy_prefix_length: 1, fuzzy_transpositions: false }) } }, size: 10, _source: false }),
    () => ({ method: 'GET', path: `/d/_search?_source=false&size=4&q=${encodeURIComponent(query)}${random.pick(['', '&df=title', '&default_operator=AND', '&lenient=true', '&analyzer=english', '&analyze_wildcard=true&sort=int:desc,_id', '&sort=nope:asc', '&sort=_score,_id:desc'])}` }),
    () => ({ method: 'GET', path: `/d/_count?q=${encodeURIComponent(query)}${random.pick(['', '&df=title', '&default_operator=AND', '&lenient=true'])}` }),
    () => ({ method: 'GET', path: `/d/_validate/query?q=${encodeURIComponent(query)}&${random.pick(['explain=true', 'rewrite=true', ''])}` }),
  ])()
} // biome-ignore format: one kind a line

const deepTopHits: Family = (random) => {
  const hits = (): Query => ({ top_hits: { size: random.int(1, 2), ...random.options(0.3, { _source: random.pick<unknown>([false, true, 'tag', ['comments.*'], { includes: ['t*'], excludes: ['title'] }]), sort: random.pick<unknown>([['_id'], [{ price: 'desc' }, { _id: 'asc' }], [{ _score: 'desc' }, '_doc']]), from: random.int(0, 2), docvalue_fields: ['int', { field: 'date', format: 'yyyy' }], fields: ['tag', { field: 'date', format: 'yyyy-MM' }], stored_fields: random.pick(['_none_', 'tag']), highlight: { fields: { title: {}, body: { number_of_fragments: 1 } } }, script_fields: { s: { script: "doc['tag'].size()" } }, version: true, seq_no_primary_term: true, track_scores: true }) } })
  const within = random.pick<Query>([{ filter: leaf(random, 'term_keyword') }, { filter: leaf(random, 'match') }, { filters: { filters: [leaf(random, 'match'), leaf(random, 'term_keyword')] } }, { terms: { field: 'tag', size: 3 } }, { missing: { field: 'tag' } }, { global: {} }, { sampler: { shard_size: 10 } }, { range: { field: 'int', ranges: [{ to: 50 }, { from: 50 }] } }, { terms: { field: 'obj.name', order: { 'm.value': 'desc' } } }])
  const inner = 'terms' in within && (within['terms'] as Query)['order'] !== undefined ? { h: hits(), m: { max: { field: 'price' } } } : { h: hits() }
  return search({ size: 0, query: broadQuery(random), aggs: { w: random.pick<() => Query>([() => ({ ...within, aggs: inner }), () => ({ nested: { path: 'comments' }, aggs: { n: { terms: { field: 'comments.author' }, aggs: { h: hits(), r: { reverse_nested: {}, aggs: { h: hits() } } } } } }), () => ({ nested: { path: 'comments' }, aggs: { f: { filter: { range: { 'comments.stars': { gte: 3 } } }, aggs: { h: { top_hits: { size: 2, _source: { includes: ['comments.stars'] }, sort: [{ 'comments.stars': 'desc' }, '_doc'] } } } } } })])() } })
} // biome-ignore format: one kind a line

const pipelineChains: Family = (random) => {
  const path = (inner: string[]) => random.pick(inner)
  const h = random.pick<Query>([{ date_histogram: { field: 'date', calendar_interval: 'quarter', min_doc_count: random.int(0, 1) } }, { histogram: { field: 'price', interval: 20 } }, { terms: { field: 'tag' } }, { date_histogram: { field: 'day', fixed_interval: '120d', time_zone: zone(random) } }, { filters: { filters: { x: { term: { tag: 'red' } }, y: { match_all: {} } } } }, { terms: { field: 'obj.count', order: { 'f>m': 'desc' } } }])
  const inner = ['m', '_count', 'f>m', 'f._count', 's.avg', 's.nope', 'p[50.0]', 'p.50', 'c', 'b', 'f', 'nope', 'd', 't._bucket_count', "t['red']>m", 'e.std_deviation', 'e.std_deviation_bounds.upper']
  const chain: Record<string, Query> = {
    m: { avg: { field: 'price' } }, s: { stats: { field: 'int' } }, p: { percentiles: { field: 'int', percents: [50, 90] } }, f: { filter: { exists: { field: 'double' } }, aggs: { m: { sum: { field: 'int' } } } }, t: { terms: { field: 'tag' }, aggs: { m: { max: { field: 'price' } } } }, e: { extended_stats: { field: 'price' } },
    ...random.options(0.5, {
      c: { cumulative_sum: { buckets_path: path(inner) } },
      d: { derivative: { buckets_path: path(inner), ...random.options(0.3, { unit: random.pick(['1d', '1h', 'month']), format: '0.0', gap_policy: random.pick(['skip', 'insert_zeros', 'keep_values', 'x']) }) } },
      b: { bucket_script: { buckets_path: random.pick<unknown>([{ x: path(inner), n: '_count' }, { x: 'm', y: 'f>m' }, 'm', ['m', '_count']]), script: random.pick<unknown>(['params.x', 'params.x * params.n', 'params.x / 0', 'params._value0 + params._value1', { source: 'params.x + params.k', params: { k: 3 } }, 'params.nope']), ...random.options(0.3, { format: '0.00', gap_policy: 'insert_zeros' }) } },
      k: { bucket_selector: { buckets_path: { x: path(inner) }, script: random.pick(['params.x > 3', 'params.x == null', 'true', 'params.x != null && params.x < 100']), ...random.options(0.3, { gap_policy: 'insert_zeros' }) } },
      o: { bucket_sort: { sort: random.pick<unknown>([[{ m: 'desc' }], ['_key'], [{ [path(inner)]: { order: 'asc' } }], [{ _count: { order: 'desc' } }, 'm']]), ...random.options(0.4, { from: 1, size: 2, gap_policy: 'insert_zeros' }) } },
      v: { moving_fn: { buckets_path: path(inner), window: random.int(1, 5), shift: random.int(-1, 2), script: random.pick(['MovingFunctions.min(values)', 'MovingFunctions.holt(values, 0.3, 0.1)', 'values.length > 0 ? values[0] : Double.NaN', 'MovingFunctions.stdDev(values, 5)']) } },
      z: { serial_diff: { buckets_path: path(inner), lag: random.int(0, 3) } },
    }),
  }
  return search({ size: 0, query: broadQuery(random), aggs: { h: { ...h, aggs: chain }, ...random.options(0.3, { best: { max_bucket: { buckets_path: random.pick(['h>m', 'h>c', 'h>b', 'h>f>m', 'h>s.max', 'h>d.normalized_value', 'h>t>m', 'nope>m']) } }, all: { stats_bucket: { buckets_path: random.pick(['h>m', 'h._count', 'h>p.90']), format: '0.0' } }, pct: { percentiles_bucket: { buckets_path: 'h>m', percents: random.pick<unknown>([[50], [0, 100], [], [101]]), keyed: false } } }) } })
} // biome-ignore format: one kind a line

const lists: Family = (random) => {
  const header = () => JSON.stringify(random.pick<Query>([{}, { index: 'd' }, { index: ['d', 'e'] }, { index: 'nope' }, { index: 'nope', ignore_unavailable: true }, { index: 'd', preference: '_local' }, { index: 'd', routing: 'x' }, { index: 'd*', allow_no_indices: false }, { index: 'x*', allow_no_indices: false }, { index: 'd', search_type: 'query_then_fetch' }, { index: 'd', search_type: 'x' }, { index: 'd', request_cache: true }, { index: 'd', expand_wildcards: 'open' }, { indices: 'd' }, { index: 'd', ccs_minimize_roundtrips: true }, { index: 'd', allow_partial_search_results: false }, { type: 'x' }]))
  const body = () => JSON.stringify(random.pick<() => Query>([() => ({ size: 1, _source: false, query: leaf(random) }), () => ({ query: { nope: {} } }), () => ({ size: 0, aggs: { a: { terms: { field: 'tag', size: 2 } } } }), () => ({ size: 0, track_total_hits: false }), () => ({ size: 1, _source: ['tag'], sort: [{ nope: 'asc' }] }), () => ({ size: 0, suggest: { s: { text: 'eror', term: { field: 'title' } } } }), () => ({}), () => ({ from: -1 })])())
  const parameters = random.pick(['', '', '?rest_total_hits_as_int=true', '?typed_keys=true', '?max_concurrent_searches=1', '?search_type=dfs_query_then_fetch', '?pre_filter_shard_size=1', '?filter_path=responses.hits.total,responses.error.type,responses.status', '?nope=1'])
  const docs = () => random.pick<Query>([{ _index: 'd', _id: String(random.int(0, 300)) }, { _index: 'd', _id: '1', _source: { includes: ['t*'], excludes: ['title'] } }, { _index: 'd', _id: 2 }, { _index: 'e', _id: '0', routing: 'x' }, { _index: 'd', _id: '3', stored_fields: ['tag', 'title'] }, { _index: 'd', _id: '4', version: 1 }, { _index: 'd', _id: '4', version: 9, version_type: 'external' }, { _id: '5' }, { _index: 'nope', _id: '1' }, { _index: 'd', _id: '6', fields: ['tag'] }, { _index: 'd', _id: '7', _source: 'tag' }, { _index: 'd', _id: '7', nope: 1 }, { _index: 'd', _id: null }, { _index: 'd', _type: '_doc', _id: '1' }, { _index: '*', _id: '1' }])
  return random.pick<() => ReturnType<Family>>([
    () => ({ method: 'POST', path: `${random.pick(['/_msearch', '/d/_msearch'])}${parameters}`, body: random.times(random.int(1, 3), () => `${header()}\n${body()}\n`).join('') }),
    () => ({ method: 'POST', path: `${random.pick(['/_mget', '/d/_mget'])}${random.pick(['', '', '?_source=false', '?_source_includes=tag,title', '?_source_excludes=body', '?realtime=false', '?refresh=true', '?routing=x', '?stored_fields=tag', '?preference=_local', '?nope=1'])}`, body: random.chance(0.8) ? { docs: random.times(random.int(1, 3), docs) } : { ids: random.times(3, () => random.pick<unknown>(['1', 2, '999', null, 1.5])) } }),
    () => ({ method: random.pick(['GET', 'POST']), path: `/${random.pick(['d', 'd,e', '_all', 'nope', 'd,nope'])}/_field_caps?${random.pick(['fields=title,tag,int', 'fields=*&filter_path=fields.int,fields.title', 'fields=comments*,obj*', 'fields=_*', 'fields=nope,tag&include_unmapped=true', 'fields=*.raw', 'fields=tag&ignore_unavailable=true', 'fields=n,message&include_unmapped'])}`, ...(random.chance(0.2) && { body: { index_filter: random.pick<Query>([{ match_all: {} }, { match_none: {} }, { range: { date: { gte: '2050' } } }]) } }) }),
  ])()
} // biome-ignore format: one kind a line

const columns = ['index', 'i', 'health', 'h', 'status', 's', 'pri', 'p', 'rep', 'docs.count', 'dc', 'docs.deleted', 'dd', 'alias', 'a', 'filter', 'f', 'routing.index', 'ri', 'is_write_index', 'count', 'dc', 'state', 'st', 'shard', 'prirep', 'docs', 'epoch', 'timestamp', 'cluster', 'cl', 'node.total', 'nt', 'shards', 'relo', 'active_shards_percent', 'name', 'index_patterns', 'order', 'version', 'composed_of', '*', 'd*', 'nope', 'role', 'r', 'master', 'generation', 'segment', 'committed', 'searchable', 'compound', 'size.memory', 'field', 'node_name', 'active', 'queue', 'rejected', 'unassigned.reason', 'stage', 'type', 'pt', 'search.query_total', 'segments.count', 'mp', 'uptime'] // biome-ignore format: a list
const tables = ['indices/d,e', 'indices/e', 'indices/nope', 'indices/d*', 'aliases', 'aliases/nope', 'shards/d', 'shards/e', 'count/d', 'count/nope', 'health', 'templates/nope', 'segments/d', 'fielddata/nope', 'thread_pool/search', 'thread_pool/nope', 'recovery/d', 'nodes', 'allocation', 'pending_tasks', 'plugins', 'repositories', 'snapshots/nope', 'nodeattrs', 'cluster_manager', 'segment_replication', 'pit_segments'] // biome-ignore format: a list
const catColumns: Family = (random) => ({
  method: 'GET',
  path: `/_cat/${random.pick(tables)}?${random.some(['v', 'v=true', 'v=false', `format=${random.pick(['json', 'yaml', 'txt', 'text', 'x'])}`, `h=${random.some(columns, 4).join(',')}`, `h=${random.some(columns, 3).join(',')}`, `s=${random.pick(columns)}${random.pick(['', ':desc', ':asc', ':x'])}`, `bytes=${random.pick(['b', 'kb', 'm', 'mb', 'x'])}`, 'time=ms', 'health=green', 'health=x', 'pri=true', 'ts=false', 'help', 'pretty', 'local=true', 'expand_wildcards=all', 'master_timeout=1s', 'cluster_manager_timeout=x', 'nope=1'], 3).join('&')}`,
}) // biome-ignore format: one path

export const clientFamilies: Record<string, Family> = {
  dashboards,
  date_range: (random) => search({ query: dateRange(random), size: 5, _source: false, sort: ['_id'] }),
  formats,
  agg_formats: aggFormats,
  composite_pages: compositePages,
  nested_hits: nestedHits,
  matches,
  odd_language: oddLanguage,
  deep_top_hits: deepTopHits,
  pipeline_chains: pipelineChains,
  lists,
  cat_columns: catColumns,
}
