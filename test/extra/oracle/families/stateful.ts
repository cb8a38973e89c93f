/** Sequences of requests that change something: mappings, templates, aliases, data streams, scripts, by-query, ingest. */
import type { Request } from '../nodes.ts'
import type { Random } from '../random.ts'
import { joinFamilies } from './joins.ts'

export type Sequence = (random: Random) => Request[]

const put = (path: string, body?: unknown): Request => ({ method: 'PUT', path, body })
const post = (path: string, body?: unknown): Request => ({ method: 'POST', path, body })
const get = (path: string): Request => ({ method: 'GET', path })
const one = { settings: { number_of_shards: 1, number_of_replicas: 0 } }

const values: readonly unknown[] = [
  'text',
  5,
  1.5,
  true,
  null,
  [],
  {},
  ['a', 'b'],
  '2020-01-01',
  { a: 1 },
  [{ a: 1 }, { a: 2 }],
  '',
  9007199254740991,
  '2020/01/01',
  'x'.repeat(50),
  [1, 'a'],
  [[1, 2], [3]],
]

export const statefulFamilies: Record<string, Sequence> = {
  ...joinFamilies,
  dynamic: (random) => [
    put('/s1', {
      ...one,
      mappings: random.options(0.3, {
        dynamic: random.pick<unknown>([true, false, 'strict']),
        date_detection: false,
        numeric_detection: true,
        dynamic_templates: [
          {
            t: {
              match_mapping_type: random.pick(['string', '*', 'long']),
              ...random.options(0.4, {
                match: random.pick(['*', 'a*', '*_x']),
                path_match: 'o.*',
                unmatch: 'b*',
              }),
              mapping: random.pick<unknown>([
                { type: 'keyword' },
                { norms: false },
                { type: '{dynamic_type}', index: false },
                { type: 'text', fields: { raw: { type: 'keyword' } } },
              ]),
            },
          },
        ],
      }),
    }),
    ...random.times(3, () =>
      post(
        '/s1/_doc/x?refresh',
        Object.fromEntries(
          random.some(['a', 'b', 'o', 'a.b', 'n_x', 'o.c'], 3).map((name) => [name, random.pick(values)]),
        ),
      ),
    ),
    get('/s1/_mapping'),
    get('/s1/_search'),
    get('/s1/_field_caps?fields=*'),
  ],
  mapping_update: (random) => [
    put('/s1', {
      ...one,
      mappings: {
        properties: {
          a: { type: 'text' },
          b: { type: random.pick(['long', 'keyword', 'date', 'object', 'nested']) },
        },
      },
    }),
    ...random.times(2, () =>
      put('/s1/_mapping', {
        properties: {
          [random.pick(['a', 'b', 'c', 'b.d'])]: random.pick<unknown>([
            { type: 'keyword' },
            { type: 'long' },
            { type: 'text', analyzer: 'english' },
            { type: 'text', fields: { k: { type: 'keyword' } } },
            { properties: { x: { type: 'ip' } } },
            { type: 'keyword', ignore_above: 10 },
            { type: 'date', format: 'yyyy' },
            { type: 'nested' },
            { type: 'alias', path: 'a' },
            { type: 'text', search_analyzer: 'simple' },
            { type: 'scaled_float' },
            { type: 'keyword', copy_to: 'a' },
            { type: 'long', ignore_malformed: true },
            { enabled: false },
            { type: 'object', dynamic: 'strict' },
          ]),
        },
      }),
    ),
    get('/s1/_mapping'),
    get('/s1/_mapping/field/*'),
  ],
  alias: (random) => [
    put('/s1', {
      ...one,
      aliases: {
        sa: random.options(0.4, { filter: { term: { t: 'x' } }, routing: '1', is_write_index: true }),
      },
    }),
    put('/s2', one),
    post('/s1/_doc/1?refresh', { t: 'x' }),
    post('/_aliases', {
      actions: random.times(random.int(1, 3), () =>
        random.pick<unknown>([
          { add: { index: 's2', alias: 'sa' } },
          { add: { indices: ['s1', 's2'], aliases: ['sb', 'sc'] } },
          { remove: { index: 's1', alias: 'sa' } },
          { remove: { index: 's*', alias: 'nope', must_exist: false } },
          { add: { index: 's1', alias: 'sd', is_hidden: true } },
          { remove_index: { index: 's2' } },
          { add: { index: 's*', alias: 'se', filter: { match_all: {} } } },
          { add: { index: 's2', alias: 's1' } },
        ]),
      ),
    }),
    get('/_alias/s*'),
    get('/s1/_alias'),
    get('/_cat/aliases/s*?format=json&s=alias,index'),
    get('/sa/_search'),
    post('/sa/_doc?refresh', { t: 'y' }),
    { method: 'DELETE', path: `/s1/_alias/${random.pick(['sa', 'sb', 'nope', '*'])}` },
    get('/s*/_alias?pretty'),
  ],
  template: (random) => [
    { method: 'DELETE', path: '/_index_template/st*' },
    { method: 'DELETE', path: '/_component_template/sc*' },
    { method: 'DELETE', path: '/_template/so*' },
    put('/_component_template/sc1', {
      template: {
        mappings: { properties: { c: { type: 'keyword' } } },
        settings: random.options(0.5, { number_of_replicas: 0 }),
      },
      ...random.options(0.4, { version: 3, _meta: { a: 1 } }),
    }),
    put('/_index_template/st1', {
      index_patterns: ['st-*'],
      ...random.options(0.5, {
        composed_of: ['sc1'],
        priority: random.int(0, 10),
        version: 2,
        template: {
          settings: { 'index.number_of_shards': 2 },
          aliases: { sal: {} },
          mappings: { properties: { d: { type: 'date' } } },
        },
        data_stream: {},
      }),
    }),
    put(`/_index_template/st2${random.pick(['', '?create=true'])}`, {
      index_patterns: ['st-*', 'sx'],
      priority: random.int(0, 10),
    }),
    put('/_template/so1', {
      index_patterns: ['st-*', 'so-*'],
      order: 1,
      mappings: { properties: { l: { type: 'ip' } } },
      settings: { number_of_replicas: 0 },
    }),
    get('/_index_template/st*'),
    get('/_component_template/sc1'),
    get('/_template/so1'),
    post('/_index_template/_simulate_index/st-a'),
    post('/_index_template/_simulate/st1'),
    put('/st-a'),
    get('/st-a'),
    put('/so-a/_doc/1', { l: '1.2.3.4' }),
    get('/so-a'),
    { method: 'DELETE', path: '/_component_template/sc1' },
    { method: 'DELETE', path: '/_data_stream/st-*' },
    { method: 'DELETE', path: '/_index_template/st1' },
    { method: 'DELETE', path: '/_index_template/st2' },
    { method: 'DELETE', path: '/_template/so1' },
  ],
  data_stream: (random) => [
    put('/_index_template/sds', {
      index_patterns: ['sds-*'],
      data_stream: {},
      priority: 100,
      template: { settings: { number_of_replicas: 0 } },
    }),
    ...random.some(
      [
        put('/_data_stream/sds-1'),
        post('/sds-1/_doc?refresh', { '@timestamp': '2020-01-01', a: 1 }),
        put('/sds-1/_create/1?refresh', { '@timestamp': 5 }),
        post('/sds-1/_doc', { a: 1 }),
        put('/sds-1/_doc/1', { '@timestamp': 1 }),
      ],
      4,
    ),
    post('/sds-1/_rollover'),
    get('/_data_stream/sds-*?filter_path=*.name,*.generation,*.status,*.template,*.timestamp_field'),
    get('/sds-1/_count'),
    { method: 'DELETE', path: '/sds-1' },
    { method: 'DELETE', path: '/_data_stream/sds-1' },
    { method: 'DELETE', path: '/_data_stream/sds-1' },
    { method: 'DELETE', path: '/_index_template/sds' },
  ],
  script: (random) => [
    put('/s1', one),
    post('/s1/_doc/1?refresh', { n: 1, t: 'a' }),
    put('/_scripts/sscript', {
      script: {
        lang: 'painless',
        source: random.pick(["doc['n'].value + params.x", 'ctx._source.n += 1', '_score']),
      },
    }),
    get('/_scripts/sscript'),
    post('/s1/_search', { script_fields: { f: { script: { id: 'sscript', params: { x: 2 } } } } }),
    post('/s1/_update/1?refresh', {
      script: random.pick<unknown>([
        { id: 'sscript' },
        'ctx._source.n = 5',
        { source: 'ctx._source.n += params.k', params: { k: 3 } },
        "ctx._source.remove('n')",
        "ctx.op = 'none'",
        "ctx.op = 'delete'",
        'ctx._source.l = [1, 2]; ctx._source.l.add(3)',
        'ctx._source.nope.x = 1',
        "if (ctx._source.t == 'a') { ctx._source.t = ctx._source.t.toUpperCase() }",
        "ctx._source['new'] = ['a': 1]",
      ]),
      ...random.options(0.2, { upsert: { n: 0 }, _source: true }),
    }),
    get('/s1/_doc/1'),
    { method: 'DELETE', path: '/_scripts/sscript' },
    post('/s1/_search', { script_fields: { f: { script: { id: 'sscript', params: { x: 2 } } } } }),
    get('/_scripts/sscript'),
  ],
  by_query: (random) => [
    put('/s1', { ...one, mappings: { properties: { t: { type: 'keyword' } } } }),
    post(
      '/s1/_bulk?refresh',
      '{"index":{"_id":"1"}}\n{"t":"a","n":1}\n{"index":{"_id":"2"}}\n{"t":"b","n":2}\n{"index":{"_id":"3"}}\n{"t":"a","n":3}\n',
    ),
    random.pick([
      post('/s1/_update_by_query?refresh', { script: 'ctx._source.n += 10', query: { term: { t: 'a' } } }),
      post('/s1/_update_by_query?refresh', {
        script: "if (ctx._source.n > 1) { ctx.op = 'delete' } else { ctx.op = 'noop' }",
      }),
      post('/s1/_delete_by_query?refresh', { query: { term: { t: 'b' } } }),
      post('/s1/_delete_by_query?refresh&max_docs=1', { query: { match_all: {} } }),
      post('/_reindex?refresh', {
        source: { index: 's1', query: { term: { t: 'a' } } },
        dest: { index: 's2' },
      }),
      post('/_reindex?refresh', {
        source: { index: 's1', _source: ['t'] },
        dest: { index: 's2', op_type: 'create' },
        script: { source: "ctx._id = 'x' + ctx._id" },
      }),
      post('/_reindex?refresh', {
        source: { index: 's1' },
        dest: { index: 's2', version_type: 'external' },
        max_docs: 2,
      }),
      post('/s1/_update_by_query?refresh', { script: 'ctx._nope = 1' }),
    ]),
    get('/s1/_search?sort=_doc'),
    get('/s2/_search'),
  ],
  ingest: (random) => {
    const processor = (): unknown =>
      random.pick<unknown>([
        {
          set: {
            field: 'a',
            value: random.pick<unknown>(['x', 1, '{{b}}', { c: 1 }]),
            ...random.options(0.2, { override: false, ignore_empty_value: true }),
          },
        },
        { remove: { field: 'b', ...random.options(0.5, { ignore_missing: true }) } },
        { rename: { field: 'b', target_field: 'z.y' } },
        { lowercase: { field: 'c' } },
        { uppercase: { field: 'c', target_field: 'up' } },
        { split: { field: 'c', separator: ' ' } },
        { join: { field: 'list', separator: '-' } },
        { convert: { field: 'n', type: random.pick(['integer', 'string', 'boolean', 'auto', 'float']) } },
        { gsub: { field: 'c', pattern: 'o', replacement: '0' } },
        { trim: { field: 'c' } },
        { append: { field: 'list', value: ['q'], ...random.options(0.4, { allow_duplicates: false }) } },
        { date: { field: 'd', formats: ['yyyy-MM-dd', 'ISO8601'] } },
        { grok: { field: 'c', patterns: ['%{WORD:first} %{GREEDYDATA:rest}'] } },
        { dissect: { field: 'c', pattern: '%{one} %{two}' } },
        { json: { field: 'js', target_field: 'parsed' } },
        { kv: { field: 'kvs', field_split: ' ', value_split: '=' } },
        { script: { source: "ctx.s = ctx.n != null ? ctx.n + 1 : 'none'" } },
        { fail: { message: 'no {{c}}' } },
        { drop: { if: "ctx.c == 'drop'" } },
        { bytes: { field: 'size' } },
        { csv: { field: 'csv', target_fields: ['c1', 'c2'] } },
        { urldecode: { field: 'c' } },
        { html_strip: { field: 'c' } },
        { sort: { field: 'list', order: 'desc' } },
        { foreach: { field: 'list', processor: { uppercase: { field: '_ingest._value' } } } },
        { dot_expander: { field: 'x.y' } },
        { pipeline: { name: 'nope' } },
        { set: { field: '_index', value: 's2' } },
        { copy: { source_field: 'b', target_field: 'copyb' } },
        { fingerprint: { fields: ['b'] } },
        { remove_by_pattern: { field_pattern: 'k*' } },
        { user_agent: { field: 'c' } },
        { community_id: {} },
      ])
    const withFate = (): unknown => {
      const [[name, options]] = Object.entries(processor() as Record<string, object>) as [[string, object]]
      return {
        [name]: {
          ...options,
          ...random.options(0.15, {
            ignore_failure: true,
            tag: 'tg',
            if: 'ctx.n != null',
            on_failure: [{ set: { field: 'err', value: '{{_ingest.on_failure_message}}' } }],
            description: 'what',
          }),
        },
      }
    }
    const processors = random.times(random.int(1, 3), withFate)
    const source = random.options(0.8, {
      b: 'bee',
      c: random.pick(['Hello World', 'drop', ' foo%20bar ', '<b>x</b>']),
      n: random.pick<unknown>([5, '6', 'x', null]),
      list: random.pick<unknown>([['a', 'b'], [3, 1], 'no']),
      d: random.pick(['2020-01-02', 'bad']),
      js: random.pick(['{"k":1}', '{bad']),
      kvs: 'k1=v1 k2=v2',
      size: random.pick(['1kb', '2.5mb', 'x']),
      csv: 'a,"b,c"',
      'x.y': 1,
    })
    return [
      post(
        '/_ingest/pipeline/_simulate?filter_path=-docs.doc._ingest,-docs.processor_results.doc._ingest,-docs.error.stack_trace',
        { pipeline: { processors }, docs: [{ _index: 's1', _id: '1', _source: source }] },
      ),
      post('/_ingest/pipeline/_simulate?verbose=true&filter_path=-docs.processor_results.doc._ingest', {
        pipeline: { processors },
        docs: [{ _index: 's1', _id: '1', _source: source }],
      }),
      put('/_ingest/pipeline/sp', { processors, ...random.options(0.2, { description: 'd', version: 1 }) }),
      put('/s1/_doc/1?pipeline=sp&refresh', source),
      get('/s1/_search'),
      get('/_ingest/pipeline/sp'),
      { method: 'DELETE', path: '/_ingest/pipeline/sp' },
    ]
  },
  writes: (random) => [
    put('/s1', one),
    ...random.times(8, () => {
      const id = random.int(1, 3)
      return random.pick([
        put(`/s1/_doc/${id}`, { a: random.int(0, 2) }),
        put(`/s1/_create/${id}`, { a: 1 }),
        { method: 'DELETE', path: `/s1/_doc/${id}` },
        post(`/s1/_update/${id}`, {
          doc: { a: random.int(0, 2), b: { c: 1 } },
          ...random.options(0.3, { doc_as_upsert: true, detect_noop: false, _source: true }),
        }),
        get(`/s1/_doc/${id}`),
        put(
          `/s1/_doc/${id}?version=${random.int(1, 4)}&version_type=${random.pick(['external', 'external_gte', 'internal'])}`,
          { a: 9 },
        ),
        put(`/s1/_doc/${id}?if_seq_no=${random.int(0, 4)}&if_primary_term=1`, { a: 8 }),
        post(
          '/s1/_bulk',
          `{"index":{"_id":"${id}"}}\n{"a":1}\n{"create":{"_id":"${id}"}}\n{"a":2}\n{"update":{"_id":"${id}"}}\n{"doc":{"z":1}}\n{"delete":{"_id":"${random.int(1, 4)}"}}\n`,
        ),
        post(`/s1/_doc/${id}?op_type=create&refresh=${random.pick(['true', 'wait_for', 'false', ''])}`, {
          a: 3,
        }),
        put(`/s1/_doc/${id}?routing=r`, { a: 1 }),
        post(`/s1/_update/${id}`, {
          script: { source: 'ctx._source.a = params.v', params: { v: 5 } },
          upsert: { a: 0 },
        }),
        put(`/s1/_doc/${id}?require_alias=true`, { a: 1 }),
        put(`/s1/_doc/${id}?timeout=x`, { a: 1 }),
        put(`/s1/_doc/${id}?wait_for_active_shards=2&timeout=10ms`, { a: 1 }),
      ])
    }),
    post('/s1/_refresh'),
    get('/s1/_search?version=true&seq_no_primary_term=true&sort=_doc'),
    get('/s1/_stats/docs?filter_path=_all.total.docs'),
  ],
  index_admin: (random) => [
    put(
      '/s1',
      random.pick<unknown>([
        one,
        {},
        {
          settings: {
            'index.number_of_shards': 2,
            'index.refresh_interval': '5s',
            index: { max_result_window: 100 },
          },
        },
        { settings: { index: { number_of_replicas: 0 }, hidden: true } },
        {
          settings: { number_of_shards: '1', 'index.mapping.total_fields.limit': 3 },
          mappings: { properties: { a: { type: 'text' } } },
        },
      ]),
    ),
    get('/s1/_settings'),
    put(
      '/s1/_settings',
      random.pick<unknown>([
        { 'index.refresh_interval': '1s' },
        { index: { number_of_replicas: 0 } },
        { refresh_interval: null },
        { 'index.max_result_window': 5 },
        { 'index.blocks.write': true },
        { 'index.analysis.analyzer.a.type': 'simple' },
        { 'index.codec': 'best_compression' },
        { priority: 5 },
      ]),
    ),
    get('/s1/_settings?flat_settings=true'),
    put('/s1/_doc/1?refresh', { a: 'x', b: 1, c: 2, d: 3 }),
    get('/s1/_search?size=10'),
    post('/s1/_close'),
    get('/s1/_search'),
    get('/s*/_search'),
    put('/s1/_doc/2', { a: 1 }),
    post('/s1/_open'),
    random.pick([
      post('/s1/_flush'),
      post('/s1/_forcemerge'),
      post('/s1/_cache/clear'),
      put('/s1/_block/write'),
      post('/s1/_clone/s3'),
      post('/s1/_upgrade'),
      get('/s1/_recovery?filter_path=*.shards.stage'),
    ]),
    { method: 'HEAD', path: '/s1' },
    { method: 'DELETE', path: '/s1' },
    { method: 'HEAD', path: '/s1' },
  ],
}
