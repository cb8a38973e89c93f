/** Sequences of writes and settings as clients send them: scripted updates, mixed bulks, aliases, templates, settings. */
import type { Request } from '../nodes.ts'
import type { Random } from '../random.ts'

type Query = Record<string, unknown>
type Sequence = (random: Random) => Request[]

const put = (path: string, body?: unknown): Request => ({ method: 'PUT', path, body })
const post = (path: string, body?: unknown): Request => ({ method: 'POST', path, body })
const get = (path: string): Request => ({ method: 'GET', path })
const one = { number_of_shards: 1, number_of_replicas: 0 }

const updates: Sequence = (random) => [
  put('/s1', { settings: one, mappings: { properties: { t: { type: 'keyword' }, n: { type: 'integer' }, d: { type: 'date' } } } }),
  put('/s1/_doc/1?refresh', { t: 'a', n: 1, list: ['x'], o: { p: { q: 1 } } }),
  ...random.times(6, () => {
    const parameters = random.some(['refresh', 'retry_on_conflict=3', '_source=true', '_source=n', '_source_includes=o.*', 'require_alias=true', 'routing=r', 'if_seq_no=0&if_primary_term=1', 'if_seq_no=1', 'version=1', 'lang=painless', 'timeout=1s', 'wait_for_active_shards=1', 'pipeline=x'], 2).filter(() => random.chance(0.4))
    return post(`/s1/_update/${random.pick(['1', '2', 'ü/x'].map(encodeURIComponent))}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`, random.pick<Query>([
      { doc: { n: 1 } },
      { doc: { n: random.int(1, 3), o: { p: { r: 2 } } }, detect_noop: random.chance(0.5) },
      { doc: { o: null } },
      { doc: { list: ['x'], t: 'a', n: 1 } },
      { doc: { n: 'x' } },
      { doc: { n: 5 }, doc_as_upsert: true },
      { doc: {}, upsert: { n: 1 } },
      { upsert: { n: 7 }, script: { source: 'ctx._source.n = (ctx._source.n ?: 0) + params.by', params: { by: 2 } }, scripted_upsert: random.chance(0.5) },
      { script: { source: random.pick(['ctx._source.n++', "ctx._source.list.add('y')", "ctx._source.list.remove(0)", "if (ctx._source.n == 1) { ctx.op = 'noop' } else { ctx._source.n = 0 }", "ctx.op = 'delete'", "ctx.op = 'x'", 'ctx._id = 5', 'ctx._source = null', 'ctx._source.d = ctx._now', "ctx._source.s = ctx._index + ctx._id + ctx._version", 'ctx._source.x = [1, 2.5, null, [:]]', "ctx._source.remove('nope')", 'ctx._source.n = params.missing', 'int x = ctx._source.t; ctx._source.n = x', 'throw new IllegalArgumentException("no")', "ctx._source.o.p.q += '1'", 'ctx._source.m = ctx._source.list.stream().map(x -> x + 1).collect(Collectors.toList())', "def a = new HashMap(); a.put('k', 1); ctx._source.a = a", 'ctx._source.n = 1.5', 'for (int i = 0; i < 3; ++i) ctx._source.n += i', 'ctx._source.b = ctx._source.t == params.t']), params: { t: 'a' } } },
      { script: 'ctx._source.n = 1', doc: { n: 1 } },
      { script: { id: 'nope' } },
      { script: { source: '1', lang: 'mustache' } },
      {},
      { doc: 5 },
      { doc: [1] },
      { _source: ['n'], doc: { n: 9 } },
      { if_seq_no: 1, doc: {} },
    ]))
  }),
  get('/s1/_doc/1'),
  post('/s1/_refresh'),
  get('/s1/_search?sort=_id&version=true&seq_no_primary_term=true'),
] // biome-ignore format: a body a line

const bulks: Sequence = (random) => {
  const head = (): string => {
    const kind = random.pick(['index', 'create', 'update', 'delete', 'index', 'update'])
    return JSON.stringify({ [kind]: { ...random.options(0.7, { _id: random.pick<unknown>(['1', '2', 3, '']) }), ...random.options(0.12, { _index: random.pick(['s1', 's2', 'Bad', 'sal']), routing: 'r', version: random.int(1, 5), version_type: random.pick(['external', 'external_gte', 'internal', 'x']), if_seq_no: 0, if_primary_term: 1, require_alias: true, pipeline: 'nope', retry_on_conflict: 1, _source: true, op_type: 'create', dynamic_templates: {}, _type: '_doc', nope: 1 }) } })
  }
  const source = (isUpdate: boolean): string =>
    isUpdate
      ? JSON.stringify(random.pick<Query>([{ doc: { n: random.int(1, 3) } }, { doc: { n: 'x' } }, { doc: { n: 2 }, doc_as_upsert: true }, { script: 'ctx._source.n = 4', upsert: { n: 0 } }, { script: 'x(' }, { doc: { n: 1 }, detect_noop: false, _source: true }, {}, { nope: 1 }]))
      : random.pick(['{"n":1}', '{"n":"x"}', '{"n":2,"t":"a"}', '{"n":[1,2]}', '{"a":{"b":1}}', '{"a":1}', '{', '[]', '{"n":1}{"n":2}', '{"n":null}', '{"":1}', '{"d":"2020-01-01"}', '{"d":"x"}'])
  const lines = random.times(random.int(1, 5), () => {
    const first = head()
    return first.startsWith('{"delete"') ? `${first}\n` : `${first}\n${source(first.startsWith('{"update"'))}\n`
  }).join('')
  return [
    put('/s1', { settings: one, mappings: { properties: { n: { type: 'integer' }, d: { type: 'date' } }, dynamic: random.pick<unknown>([true, 'strict', false]) } }),
    post('/_aliases', { actions: [{ add: { index: 's1', alias: 'sal' } }] }),
    { method: random.pick(['POST', 'PUT']), path: `${random.pick(['/s1/_bulk', '/s1/_bulk', '/_bulk', '/sal/_bulk'])}${random.pick(['', '', '?refresh', '?refresh=wait_for', '?routing=q', '?require_alias=true', '?_source=true', '?pipeline=nope', '?timeout=1s', '?filter_path=items.*.error,errors', '?nope=1', '?refresh=x'])}`, body: lines },
    { method: 'POST', path: '/s1/_bulk?refresh', body: random.pick([lines, lines.replaceAll('\n', '\r\n'), `\n${lines}`, lines.slice(0, -1), `${lines}\n\n`]) },
    get('/s1/_mapping'),
    get('/s1/_count'),
  ]
} // biome-ignore format: one request a line

const aliases: Sequence = (random) => {
  const alias = (): Query => random.options(0.4, { filter: random.pick<Query>([{ term: { t: 'x' } }, { range: { n: { gte: 2 } } }, { bool: { must_not: { exists: { field: 't' } } } }]), routing: random.pick(['1', '1,2']), index_routing: 'i', search_routing: random.pick(['s', 'a,b']), is_write_index: random.chance(0.5), is_hidden: random.chance(0.5) })
  return [
    put('/s1', { settings: one, mappings: { properties: { t: { type: 'keyword' }, n: { type: 'integer' } } }, aliases: { sa: alias(), [random.pick(['sb', '<sd-{now/d}>', 'Upper', 's1'])]: {} } }),
    put('/s2', { settings: one, mappings: { properties: { t: { type: 'keyword' }, n: { type: 'integer' } } } }),
    put(`/${random.pick(['s2', 's*', 's1,s2', 'nope'])}/${random.pick(['_alias', '_aliases'])}/sa`, random.chance(0.7) ? alias() : undefined),
    post('/s1/_bulk?refresh', '{"index":{"_id":"1"}}\n{"t":"x","n":1}\n{"index":{"_id":"2"}}\n{"t":"y","n":2}\n{"index":{"_id":"3"}}\n{"n":3}\n'),
    post('/s2/_bulk?refresh', '{"index":{"_id":"4"}}\n{"t":"x","n":4}\n{"index":{"_id":"5"}}\n{"n":5}\n'),
    put('/sa/_doc/9?refresh', { t: 'x', n: 9 }),
    post('/sa/_search', { sort: ['_id'], _source: false }),
    post('/sa,s1/_search', { sort: ['_id'], _source: false, query: { range: { n: { lt: 5 } } } }),
    post('/sa/_search?routing=1', { size: 0, aggs: { t: { terms: { field: 't' } } } }),
    get('/sa/_count'),
    get('/sa/_doc/1'),
    post('/sa/_update/1', { doc: { n: 8 } }),
    post('/sa/_delete_by_query?refresh', { query: { term: { n: 3 } } }),
    post('/_aliases', { actions: random.times(2, () => random.pick<Query>([{ add: { index: 's2', alias: 'sa', is_write_index: true } }, { remove: { index: 's*', alias: 's?' } }, { remove: { indices: ['s1'], aliases: ['sa', 'nope'] } }, { remove: { index: 's2', alias: 'sb', must_exist: true } }, { add: { index: 's1', aliases: ['sx', 'sy'], filter: { nope: {} } } }, { remove_index: { index: 'nope' } }, { add: { index: 's1', alias: 'a b' } }, { add: { alias: 'sz' } }, { remove_index: { index: 's2', must_exist: false } }])) }),
    get(random.pick(['/_alias', '/_alias/sa,nope', '/s*/_alias/s*', '/_alias/s*?expand_wildcards=all', '/s1/_alias/nope*', '/sa/_alias'])),
    { method: 'HEAD', path: random.pick(['/_alias/sa', '/s1/_alias/nope', '/sa']) },
    { method: 'DELETE', path: `/${random.pick(['s1', 's*', '_all', 'nope'])}/_alias/${random.pick(['sa', 's*', 'sa,nope', '_all'])}` },
    { method: 'DELETE', path: '/sa' },
  ]
} // biome-ignore format: one request a line

const indexSettings: Sequence = (random) => [
  put(`/s1${random.pick(['', '?wait_for_active_shards=1', '?timeout=x', '?nope=1', '?master_timeout=5s'])}`, random.pick<Query>([
    { settings: { index: { ...one, max_result_window: random.pick<unknown>([10, '20', 0, 'x']) } } },
    { settings: { ...one, 'index.mapping.total_fields.limit': 2, 'index.mapping.depth.limit': 1 } },
    { settings: { ...one, analysis: { analyzer: { a: { type: 'custom', tokenizer: 'standard', filter: ['lowercase', 'f'] } }, filter: { f: { type: 'stop', stopwords: ['x'] } } } }, mappings: { properties: { t: { type: 'text', analyzer: random.pick(['a', 'nope']) } } } },
    { settings: { ...one, 'sort.field': 'n', 'sort.order': random.pick(['desc', 'x']) }, mappings: { properties: { n: { type: 'integer' } } } },
    { settings: { ...one, 'default_pipeline': 'nope', 'refresh_interval': random.pick<unknown>(['-1', '1s', 5, '1x']) } },
    { settings: { ...one, 'query.default_field': ['t', 'n'], 'number_of_routing_shards': 4 } },
    { settings: one, mappings: { _source: { enabled: random.chance(0.5), excludes: ['n'] }, _routing: { required: random.chance(0.5) }, dynamic: 'strict', properties: { t: { type: 'text' } }, date_detection: false, _meta: { a: 1 } } },
    { settings: one, mappings: { dynamic_date_formats: ['yyyy'], dynamic_templates: [{ a: { match: '*', mapping: { type: 'keyword' } } }] } },
  ])),
  get(random.pick(['/s1', '/s1/_settings', '/s1/_mapping', '/s1?flat_settings=true', '/s1?include_defaults=false', '/s1/_settings/index.number_of_shards'])),
  ...random.times(3, () => put(`/s1/_settings${random.pick(['', '', '?preserve_existing=true', '?flat_settings=true', '?nope=1'])}`, random.pick<Query>([{ 'index.refresh_interval': '2s' }, { index: { refresh_interval: null, max_result_window: 30 } }, { number_of_replicas: -1 }, { number_of_replicas: 'x' }, { 'index.number_of_shards': 2 }, { 'index.sort.field': 'n' }, { 'blocks.read_only': true }, { 'blocks': { write: random.chance(0.5) } }, { settings: { 'index.max_result_window': 40 } }, { 'index.hidden': true }, {}, { 'index.nope.x': 1 }, { 'index.auto_expand_replicas': random.pick(['0-1', 'false', 'x']) }, { 'index.search.slowlog.threshold.query.warn': '1s' }, { 'index.max_ngram_diff': 5 }]))),
  put('/s1/_doc/1?refresh', { t: 'hello', n: 1, o: { p: { q: 1 } } }),
  get('/s1/_search?size=25'),
  get('/s1/_search?q=hello'),
  get('/s1/_doc/1'),
  get('/s1/_settings?flat_settings=true'),
  put('/s1/_mapping', random.pick<Query>([{ properties: { n: { type: 'long' } } }, { dynamic: false }, { properties: { new: { type: 'date', format: 'yyyy||nope' } } }, { _source: { enabled: false } }, { properties: { t: { type: 'text', fields: { k: { type: 'keyword' } } } } }, { _meta: { b: 2 } }, { properties: {} }, { dynamic_templates: [{ b: { match: 'x' } }] }, { _routing: { required: true } }, { properties: { 'a.b': { type: 'ip' } } }])),
  get('/s1/_mapping'),
  put('/s1/_settings', { 'index.blocks.read_only': null, 'index.blocks.write': null }),
] // biome-ignore format: one request a line

export const clientWriteFamilies: Record<string, Sequence> = {
  updates,
  bulks,
  alias_use: aliases,
  index_settings: indexSettings,
}
