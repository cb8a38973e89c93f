/** Random requests of the other APIs that read: suggesters, analysis, explanations, term vectors, fields, tables. */
import { words } from '../data.ts'
import type { Random } from '../random.ts'
import { compound, leaf, phrase, type Query, query, textFields } from './queries.ts'
import { type Family, search } from './searches.ts'

const texts = ['The QUICK brown Foxes jumped over 2 lazy-dogs', '© 2020 ™ Acme®', "O'Neil's can't", 'user@example.com http://x.y/z?q=1', '日本語 テスト', '😀 👩‍👩‍👧 ok', 'שלום עולם', 'Ünïcode naïve ÇA', '1.5 2,000 a.b 3:45', 'foo_bar-baz fooBar PowerShot2000', '<b>bold</b> &amp; text', '', '   ', 'running runs ran easily', 'x/y/z', 'a', 'ΑΣ ΣΑΣ', 'İstanbul ISPARTA', 'ﬁne ﬀ', 'résumé\u0301', '한국어 텍스트', 'ไทย ภาษา', "l'avion d'or", '①②③ ½', '\t tab\nnew'] // biome-ignore format: a list

const analyzers = [
  'standard',
  'simple',
  'whitespace',
  'stop',
  'keyword',
  'pattern',
  'english',
  'fingerprint',
  'french',
  'german',
  'spanish',
  'italian',
  'portuguese',
  'dutch',
  'russian',
  'cjk',
  'swedish',
  'nope',
]
const tokenizers: unknown[] = ['standard', 'letter', 'lowercase', 'whitespace', 'uax_url_email', 'classic', 'thai', 'ngram', 'edge_ngram', 'keyword', 'pattern', 'path_hierarchy', { type: 'ngram', min_gram: 2, max_gram: 3, token_chars: ['letter'] }, { type: 'edge_ngram', min_gram: 1, max_gram: 4 }, { type: 'pattern', pattern: '\\W+' }, { type: 'char_group', tokenize_on_chars: ['whitespace', '-'] }, { type: 'simple_pattern', pattern: '[0-9]+' }, { type: 'simple_pattern_split', pattern: '_' }, { type: 'path_hierarchy', delimiter: '/', reverse: true }, { type: 'standard', max_token_length: 4 }] // biome-ignore format: a list
const filters: unknown[] = ['lowercase', 'uppercase', 'asciifolding', 'stop', 'porter_stem', 'kstem', 'snowball', 'reverse', 'trim', 'unique', 'length', 'truncate', 'word_delimiter', 'word_delimiter_graph', 'shingle', 'edge_ngram', 'ngram', 'elision', 'apostrophe', 'cjk_bigram', 'cjk_width', 'decimal_digit', 'flatten_graph', 'remove_duplicates', 'keyword_repeat', 'classic', 'fingerprint', 'limit', 'german_normalization', 'delimited_payload', 'common_grams', 'stemmer', 'min_hash', 'scandinavian_folding', 'arabic_normalization', { type: 'shingle', min_shingle_size: 2, max_shingle_size: 3, output_unigrams: false }, { type: 'stop', stopwords: ['the', 'over'] }, { type: 'synonym', synonyms: ['quick, fast', 'fox => animal'] }, { type: 'synonym_graph', synonyms: ['lazy dogs, sleepers'] }, { type: 'edge_ngram', min_gram: 2, max_gram: 4 }, { type: 'length', min: 3 }, { type: 'truncate', length: 3 }, { type: 'pattern_replace', pattern: 'o', replacement: '0' }, { type: 'pattern_capture', patterns: ['(\\d+)'] }, { type: 'stemmer', language: 'light_german' }, { type: 'keyword_marker', keywords: ['running'] }, { type: 'word_delimiter', preserve_original: true }, { type: 'word_delimiter_graph', catenate_all: true }, { type: 'multiplexer', filters: ['lowercase', 'uppercase'] }, { type: 'limit', max_token_count: 2 }] // biome-ignore format: a list
const charFilters: unknown[] = [
  'html_strip',
  { type: 'mapping', mappings: ['o => 0', '😀 => smile'] },
  { type: 'pattern_replace', pattern: '(\\d+)', replacement: 'N' },
]

const analyze: Family = (random) => ({
  method: 'POST',
  path: random.pick(['/_analyze', '/d/_analyze']),
  body: {
    text: random.chance(0.1) ? [random.pick(texts), random.pick(texts)] : random.pick(texts),
    ...random.pick<() => Query>([
      () => ({ analyzer: random.pick(analyzers) }),
      () => ({ tokenizer: random.pick(tokenizers), ...random.options(0.4, { filter: random.times(random.int(1, 2), () => random.pick(filters)), char_filter: [random.pick(charFilters)] }) }),
      () => ({ tokenizer: 'standard', filter: random.times(random.int(1, 2), () => random.pick(filters)) }),
      () => ({ analyzer: 'standard', explain: true }),
      () => ({ tokenizer: 'standard', filter: [random.pick(filters)], explain: true, ...random.options(0.3, { attributes: ['keyword'] }) }),
      () => ({ field: random.pick(['title', 'title.english', 'tag', 'code', 'int', 'nope']) }),
    ])(),
  },
}) // biome-ignore format: one object

const suggest: Family = (random) => {
  const text = random.pick(['eror', 'conection timout', 'servr databse', 'quik brwn fox', 'memory', 'xyz', 'loggin failed', 'runing', 'fialed login'])
  const one = random.pick<() => Query>([
    () => ({ text, term: { field: random.pick(['title', 'body', 'copied']), ...random.options(0.3, { suggest_mode: random.pick(['missing', 'popular', 'always']), size: random.int(1, 5), sort: random.pick(['score', 'frequency']), max_edits: random.int(1, 2), prefix_length: random.int(0, 2), min_word_length: 3, min_doc_freq: 2, max_term_freq: 0.5, string_distance: random.pick(['internal', 'damerau_levenshtein', 'levenshtein', 'jaro_winkler', 'ngram']), analyzer: 'standard', shard_size: 10 }) } }),
    () => ({ text, phrase: { field: random.pick(['title', 'body']), ...random.options(0.3, { size: 3, gram_size: 1, confidence: random.pick([0, 1, 2]), max_errors: random.pick([1, 2, 0.5]), real_word_error_likelihood: 0.9, highlight: { pre_tag: '<em>', post_tag: '</em>' }, direct_generator: [{ field: 'title', suggest_mode: 'always', min_word_length: 3 }], separator: ' ', smoothing: random.pick<Query>([{ laplace: { alpha: 0.7 } }, { stupid_backoff: { discount: 0.5 } }]) }) } }),
    () => ({ prefix: random.pick(['n', 'ni', 'N', 'o', 'nev', 'x', '']), completion: { field: 'sugg', ...random.options(0.4, { size: random.int(1, 8), skip_duplicates: true, fuzzy: random.pick<unknown>([{ fuzziness: 1 }, true, {}]) }) } }),
    () => ({ regex: 'n[ei].*', completion: { field: 'sugg', size: 3 } }),
  ])()
  return search({ size: 0, suggest: { s: one, ...(random.chance(0.2) && { t: { text: 'eror', term: { field: 'title' } } }) }, _source: ['sugg'] }, random.pick(['', '', '?typed_keys']))
} // biome-ignore format: one object

const parameters = (random: Random, all: readonly string[]) => `?${random.some(all, 2).join('&')}`

export const otherFamilies: Record<string, Family> = {
  suggest,
  analyze,
  validate: (random) => ({ method: 'POST', path: `/d/_validate/query${random.pick(['', '?explain=true', '?explain=true&rewrite=true', '?all_shards=true&explain=true'])}`, body: { query: random.chance(0.7) ? leaf(random) : compound(random, 1) } }),
  explain: (random) => ({ method: 'POST', path: `/d/_explain/${random.int(0, 120)}`, body: { query: random.chance(0.5) ? leaf(random, random.pick(['match', 'term_keyword', 'term_text', 'match_phrase', 'range_number', 'multi_match', 'match_all', 'prefix', 'terms', 'exists', 'query_string'])) : query(random, 1) } }),
  explain_search: (random) => search({ explain: true, size: 2, _source: false, query: random.chance(0.5) ? leaf(random, random.pick(['match', 'term_keyword', 'term_text', 'match_phrase', 'range_number', 'multi_match', 'match_all', 'prefix', 'terms', 'exists', 'query_string'])) : query(random, 1) }),
  termvectors: (random) => ({ method: 'POST', path: `/d/_termvectors/${random.int(0, 130)}${random.pick(['', '', '?realtime=false', '?fields=title,body', '?term_statistics=true'])}`, body: { fields: random.some([...textFields, 'tag', 'int', 'nope', 't*', 'code'], 3), ...random.options(0.3, { term_statistics: true, field_statistics: random.chance(0.5), positions: false, offsets: false, payloads: true, filter: random.pick<Query>([{ max_num_terms: 3 }, { min_term_freq: 1, min_doc_freq: 2, max_num_terms: 4 }, { min_word_length: 4 }]), per_field_analyzer: { title: 'keyword' } }) } }),
  termvectors_artificial: (random) => ({ method: 'POST', path: '/d/_termvectors', body: { doc: { title: phrase(random, 5), tag: 'red', body: `${phrase(random, 3)} © ™ ${random.pick(words)}` }, ...random.options(0.3, { term_statistics: true, field_statistics: false, fields: ['title'] }) } }),
  mtermvectors: (random) => ({ method: 'POST', path: '/d/_mtermvectors', body: random.pick<Query>([{ ids: ['1', '2', 'nope'], parameters: { fields: ['title'] } }, { docs: [{ _id: '3', fields: ['body'] }, { _index: 'e', _id: '0' }] }]) }),
  field_caps: (random) => ({ method: 'GET', path: `/${random.pick(['d', 'd,e', '*', 'e'])}/_field_caps?fields=${random.pick(['*', 't*', 'title,tag', 'nope', 'obj*', 'comments.*', 'message', '_id', '*n*'])}${random.pick(['', '&include_unmapped=true'])}` }),
  get: (random) => ({ method: 'GET', path: `/${random.pick(['d', 'd', 'e', 'nope'])}/${random.pick(['_doc', '_source'])}/${random.int(0, 320)}${random.pick(['', '', '?_source=title', '?_source_includes=t*,obj.name', '?_source_excludes=body', '?stored_fields=title', '?version=1', '?version=7', '?routing=x', '?realtime=false', '?_source=false', '?refresh=true', '?bogus=1'])}` }),
  mget: (random) => ({ method: 'POST', path: random.pick(['/_mget', '/d/_mget', '/d/_mget?_source=tag']), body: random.pick<Query>([{ ids: ['1', '999'] }, { docs: [{ _id: '1', _source: ['tag'] }, { _index: 'e', _id: '0' }] }, { docs: [{ _index: 'd', _id: '5', _source: false }, { _index: 'nope', _id: '1' }] }, { docs: [] }, {}, { docs: [{ _index: 'd' }] }, { ids: [] }, { docs: [{ _index: 'd', _id: '2', stored_fields: ['tag'] }] }]) }),
  msearch: (random) => ({ method: 'POST', path: '/d/_msearch', body: random.times(random.int(1, 3), () => `${random.pick(['{}', '{"index":"e"}', '{"index":"nope"}', '{"index":"d","search_type":"dfs_query_then_fetch"}'])}\n${JSON.stringify({ size: 2, _source: false, query: leaf(random) })}\n`).join('') }),
  cat: (random) => ({ method: 'GET', path: `/_cat/${random.pick(['count/d', 'indices/d', 'aliases', 'health', 'shards/d', 'templates', 'count', 'segments/e', 'fielddata', 'pending_tasks', 'nodeattrs', 'allocation', 'recovery/d', 'thread_pool', 'nodes', 'master', 'cluster_manager', 'tasks', 'repositories', '', 'nope'])}${parameters(random, ['v', 'help', 'h=index', 'format=json', 's=index', 'h=nope', 'bytes=b', 'format=yaml', 'h=i,dc', 'pretty', 'time=s'])}` }),
  mapping: (random) => ({ method: 'GET', path: random.pick(['/d/_mapping', '/e/_mapping', '/d/_mapping/field/ti*', '/d/_mapping/field/title,tag?include_defaults=true', '/d/_mapping/field/nope', '/d/_settings', '/d/_settings/index.number*', '/d', '/e/_mapping?pretty', '/d/_settings?flat_settings=true', '/d/_alias', '/_alias/nope', '/nope/_mapping', '/d/_mapping/field/obj.*', '/_mapping', '/*/_settings?include_defaults=false', '/d/_mapping/field/*', '/_cluster/health/d', '/_cluster/health?level=indices', '/d/_search_shards', '/_resolve/index/*', '/d/_stats/docs', '/_cluster/settings', '/_ingest/pipeline', '/_ingest/pipeline/nope', '/_template/nope', '/_index_template/nope', '/_component_template', '/_data_stream', '/_data_stream/nope', '/_scripts/nope', '/_nodes/nope', '/_tasks/nope:1', '/_remote/info', '/_script_context', '/_script_language', '/_cluster/pending_tasks']) }),
} // biome-ignore format: a family a line
