/** Random queries: every kind of leaf, and compounds of them. */
import { tags, words } from '../data.ts'
import type { Random } from '../random.ts'

export type Query = Record<string, unknown>

export const textFields = ['title', 'body', 'note', 'plain', 'title.english', 'all', 'like']
export const keywordFields = [
  'tag',
  'code',
  'title.raw',
  'obj.name',
  'copied',
  'fallback',
  'alias_tag',
  'nodoc',
  'hidden',
  'wild',
]
export const numberFields = [
  'byte',
  'short',
  'int',
  'long',
  'ulong',
  'float',
  'half',
  'double',
  'price',
  'obj.count',
  'tokens',
]
const dateFields = ['date', 'day', 'nanos']
const bigNumbers = [9007199254740992, 1e300, -1, 0, 1.5, -0.5, 300]
const shares = ['1', '2', '-1', '50%', '-25%', '-100%', '2<75%', '2<-25% 9<-3', '100%', '0', 3]

export function phrase(random: Random, max = 3): string {
  return random.times(random.int(1, max), () => random.pick(words)).join(random.chance(0.1) ? '  ' : ' ')
}

export function number(random: Random, field: string): unknown {
  if (field === 'long' && random.chance(0.3))
    return random.pick([
      '9007199254740993',
      '9223372036854775807',
      '-9223372036854775808',
      '9007199254740992',
    ])
  if (field === 'ulong' && random.chance(0.3))
    return random.pick(['18446744073709551615', '9223372036854775808', '9007199254740993'])
  if (random.chance(0.1)) return random.pick(bigNumbers)
  if (['float', 'half', 'double', 'price'].includes(field)) return random.int(-400, 400) / 4
  return random.chance(0.1) ? String(random.int(-100, 300)) : random.int(-100, 300)
}

export function date(random: Random): unknown {
  return random.pick([
    '2020-06-01',
    '2021-01-01T00:00:00Z',
    '2021||/y',
    '2022-03',
    '2021-05-05||+1M/d',
    1_600_000_000_000,
    '2019',
    '2020-12-31T23:59:59.999Z',
  ])
}

function bounds(random: Random, value: () => unknown): Query {
  const low = random.pick(['gt', 'gte'])
  const high = random.pick(['lt', 'lte'])
  const both = random.chance(0.5)
  return {
    ...((both || random.chance(0.5)) && { [low]: value() }),
    ...((both || random.chance(0.5)) && { [high]: value() }),
  }
}

function boosted(random: Random): Query {
  return random.options(0.15, { boost: random.pick([0, 0.5, 2, 3.25]), _name: 'named' })
}

const leaves: Record<string, (random: Random) => Query> = {
  match_all: (random) => ({ match_all: boosted(random) }),
  match_none: () => ({ match_none: {} }),
  term_keyword: (random) => {
    const field = random.pick(keywordFields)
    const value = field === 'code' ? random.pick(['abc', 'ABC', 'été']) : random.pick([...tags, ...words, 'n1', 'NONE', 'error-5'])
    return { term: { [field]: random.chance(0.5) ? value : { value, ...boosted(random), ...random.options(0.2, { case_insensitive: true }) } } }
  },
  term_number: (random) => {
    const field = random.pick(numberFields)
    return { term: { [field]: { value: number(random, field), ...boosted(random) } } }
  },
  term_text: (random) => ({ term: { [random.pick(textFields)]: { value: random.pick(words), ...boosted(random) } } }),
  term_other: (random) => random.pick<Query>([
    { term: { flag: random.pick<unknown>([true, false, 'true', '']) } },
    { term: { ip: random.pick(['10.0.0.1', '10.0.0.0/8', '::1', '192.168.0.0/16']) } },
    { term: { date: date(random) } },
    { term: { ages: random.int(0, 60) } },
    { term: { _id: String(random.int(0, 100)) } },
    { term: { _index: random.pick(['d', 'x', 'd*']) } },
    { term: { missing_field: 'x' } },
    { term: { _field_names: 'tag' } },
  ]),
  terms: (random) => {
    const field = random.pick([...keywordFields, ...numberFields])
    const isNumber = numberFields.includes(field)
    return { terms: { [field]: random.times(random.int(0, 4), () => (isNumber ? number(random, field) : random.pick([...tags, ...words]))), ...boosted(random) } }
  },
  terms_lookup: (random) => ({ terms: { tag: { index: 'd', id: String(random.int(0, 60)), path: 'tag' } } }),
  terms_set: (random) => ({ terms_set: { title: { terms: random.times(random.int(1, 4), () => random.pick(words)), minimum_should_match_field: 'obj.count' } } }),
  range_number: (random) => {
    const field = random.pick(numberFields)
    return { range: { [field]: { ...bounds(random, () => number(random, field)), ...boosted(random) } } }
  },
  range_date: (random) => ({ range: { [random.pick(dateFields)]: { ...bounds(random, () => date(random)), ...random.options(0.2, { time_zone: '+02:00' }), ...random.options(0.1, { format: 'yyyy-MM-dd||epoch_millis||yyyy' }) } } }),
  range_keyword: (random) => ({ range: { [random.pick([...keywordFields, 'ip', 'title'])]: bounds(random, () => random.pick(['a', 'g', 'red', '10.0.0.1'])) } }),
  range_range: (random) => ({ range: { ages: { ...bounds(random, () => random.int(0, 60)), ...random.options(0.6, { relation: random.pick(['within', 'contains', 'intersects']) }) } } }),
  exists: (random) => ({ exists: { field: random.pick([...textFields, ...keywordFields, ...numberFields, ...dateFields, 'comments', 'obj', 'place', 'ages', 'missing', 'bin', 'sugg', 'ti*']), ...boosted(random) } }),
  prefix: (random) => ({ prefix: { [random.pick([...keywordFields, ...textFields])]: { value: random.pick(['r', 'R', 'er', 'su', 'data', 'n', '']), ...random.options(0.3, { case_insensitive: true, boost: 2 }) } } }),
  wildcard: (random) => ({ wildcard: { [random.pick([...keywordFields, ...textFields])]: { value: random.pick(['r*', '*e*', 'f?x', '*', 'ERR*', '?', 'data*se', 'err\\*', '*-1?']), ...random.options(0.3, { case_insensitive: true }) } } }),
  regexp: (random) => ({ regexp: { [random.pick([...keywordFields, ...textFields])]: { value: random.pick(['r.*', '[a-f].*', '.*e', '(red|blue)', '[^r].*', 'R[E]D', 'err(or)?', 'd.{2,5}', '<1-20>', '@', '~(red)', 'r&.*d', '', 'n[0-9]+', '[^A-Z]+']), ...random.options(0.3, { case_insensitive: true, flags: random.pick(['ALL', 'NONE', 'INTERVAL', 'COMPLEMENT']) }) } } }),
  fuzzy: (random) => ({ fuzzy: { [random.pick([...keywordFields, ...textFields])]: { value: random.pick(['eror', 'sever', 'reed', 'conection', 'fxo', 'dog']), ...random.options(0.3, { fuzziness: random.pick<unknown>(['AUTO', 0, 1, 2, 'AUTO:2,4']), prefix_length: 1, transpositions: false, max_expansions: 3 }) } } }),
  ids: (random) => ({ ids: { values: random.times(random.int(0, 4), () => String(random.int(0, 200))), ...boosted(random) } }),
  match: (random) => ({ match: { [random.pick([...textFields, ...keywordFields.slice(0, 3)])]: { query: phrase(random, 4), ...random.options(0.2, { operator: random.pick(['and', 'or']), minimum_should_match: random.pick(shares), fuzziness: random.pick<unknown>(['AUTO', 1]), zero_terms_query: random.pick(['all', 'none']), boost: 2, analyzer: random.pick(['standard', 'english', 'keyword', 'whitespace', 'stop']), lenient: true }) } } }),
  match_odd: (random) => ({ match: { [random.pick([...numberFields, ...dateFields, 'ip', 'flag', ...textFields])]: { query: random.pick<unknown>(['', '...', '5', 12, true, '2020-06-01', '© ™', '😀', "don't", 'the and']), ...random.options(0.5, { lenient: true, zero_terms_query: 'all' }) } } }),
  match_phrase: (random) => ({ match_phrase: { [random.pick(textFields)]: { query: phrase(random, 3), ...random.options(0.3, { slop: random.int(0, 4), boost: 1.5, zero_terms_query: 'all' }) } } }),
  match_phrase_prefix: (random) => ({ match_phrase_prefix: { [random.pick(textFields)]: { query: `${phrase(random, 2)} ${random.pick(['e', 'da', 'fo', 'r'])}`, ...random.options(0.3, { slop: 1, max_expansions: random.pick([1, 5, 50]) }) } } }),
  match_bool_prefix: (random) => ({ match_bool_prefix: { [random.pick(textFields)]: { query: `${phrase(random, 2)} ${random.pick(['e', 'da', 'fo'])}`, ...random.options(0.3, { operator: 'and', minimum_should_match: random.pick(shares) }) } } }),
  multi_match: (random) => ({ multi_match: { query: phrase(random, 3), fields: random.some(['title', 'body^2', 'note', 'tag', 'title.*', 't*', 'int'], 3), lenient: true, ...random.options(0.3, { type: random.pick(['best_fields', 'most_fields', 'cross_fields', 'phrase', 'phrase_prefix', 'bool_prefix']), tie_breaker: 0.3, operator: 'and', minimum_should_match: random.pick(shares), analyzer: 'standard' }) } }),
  combined_fields: (random) => ({ combined_fields: { query: phrase(random, 3), fields: random.some(['title', 'note^2', 'body'], 3), ...random.options(0.3, { operator: 'and', minimum_should_match: random.pick(shares) }) } }),
  query_string: (random) => languageQuery(random),
  simple_query_string: (random) => ({ simple_query_string: { query: random.pick([phrase(random, 3), `"${phrase(random, 2)}"~2 ${random.pick(words)}`, `+${phrase(random)} -${random.pick(words)}`, `${phrase(random)} | ${random.pick(words)}`, 'err*', `(${phrase(random)}) +dog`, 'servr~1', '"', '((', '-', '']), ...random.options(0.4, { fields: random.some(['title', 'body^3', 'note', 'tag', 't*'], 2), default_operator: 'and', minimum_should_match: random.pick(shares), flags: random.pick(['ALL', 'NONE', 'OR|AND|PREFIX', 'PHRASE']), analyze_wildcard: true, lenient: true }) } }),
  intervals: (random) => ({ intervals: { [random.pick(['title', 'body', 'note'])]: interval(random, 2) } }),
  span: (random) => span(random, 2),
  more_like_this: (random) => ({ more_like_this: { fields: random.some(['title', 'body', 'note'], 2), like: random.pick<unknown>([phrase(random, 5), { _index: 'd', _id: String(random.int(0, 50)) }, [{ _index: 'd', _id: '3' }, 'error server']]), min_term_freq: 1, ...random.options(0.3, { min_doc_freq: 1, max_query_terms: 3, minimum_should_match: random.pick(shares), include: true, boost_terms: 2, max_doc_freq: 60 }) } }),
  geo_distance: (random) => ({ geo_distance: { distance: random.pick(['10km', '1000mi', '0.5m', 900000]), place: random.pick<unknown>([{ lat: 52.5, lon: 13.4 }, [2.35, 48.85], '51.5,-0.12', 'u33dc', 'drm3btev3e86']), ...random.options(0.2, { distance_type: 'plane', ignore_unmapped: true }) } }),
  geo_box: (random) => ({ geo_bounding_box: { place: random.pick<unknown>([{ top_left: { lat: 60, lon: -10 }, bottom_right: { lat: 40, lon: 20 } }, { top_left: [-180, 90], bottom_right: [180, -90] }, { top_left: 'u', bottom_right: 'k' }, { wkt: 'BBOX (-80, 20, 60, 30)' }, { top: 60, left: 100, bottom: -60, right: -50 }]) } }),
  geo_polygon: () => ({ geo_polygon: { place: { points: [{ lat: 60, lon: -10 }, { lat: 60, lon: 20 }, { lat: 40, lon: 20 }, [-10, 40]] } } }),
  rank_feature: (random) => ({ rank_feature: { field: 'rank', ...random.pick<Query>([{}, { saturation: { pivot: 5 } }, { log: { scaling_factor: 2 } }, { sigmoid: { pivot: 4, exponent: 0.6 } }, { linear: {} }]) } }),
  distance_feature: (random) => random.pick<Query>([{ distance_feature: { field: 'date', origin: '2021-01-01', pivot: '30d' } }, { distance_feature: { field: 'place', origin: [13.4, 52.5], pivot: '100km', boost: 2 } }, { distance_feature: { field: 'nanos', origin: '2021-01-01', pivot: '7d' } }]),
  script: (random) => ({ script: { script: random.pick<unknown>([{ source: "doc['int'].size() > 0 && doc['int'].value > params.x", params: { x: random.int(0, 500) } }, "doc['tag'].contains('red')", "doc['date'].size() > 0 && doc['date'].value.getYear() == 2021"]) } }),
} // biome-ignore format: a kind a line

export function languageQuery(random: Random): Query {
  const word = () => random.pick(words)
  const query = random.pick([
    `${word()} AND ${word()}`, `${word()} OR NOT ${word()}`, `title:${word()} ${word()}`, `+${word()} -${word()}`, `"${word()} ${word()}"~3`, `${word()}~`, `${word()}~1^2`, `er*`, `*or`,
    `int:[10 TO 200]`, `int:>100`, `int:(>=10 AND <50)`, `date:[2020-06-01 TO 2021]`, `date:{2021 TO *}`, `_exists_:tag`, `tag:(red OR blue)`, `title.\\*:${word()}`, `/${word().slice(0, 2)}.*/`,
    `${word()} (${word()} ${word()})^3`, `NOT ${word()}`, `${word()} && ${word()} || ${word()}`, `!${word()}`, `tag:"a b"`, `*`, `*:*`, `obj.name:n?`, `long:9007199254740993`, `"${word()}"`, `${word()} AND`, `(${word()}`, `a:b:c`, `title:`,
  ]) // biome-ignore format: a list
  return { query_string: { query, ...random.options(0.15, { default_field: random.pick(['title', 'body', '*']), default_operator: random.pick(['and', 'OR']), minimum_should_match: random.pick(shares), analyze_wildcard: true, lenient: true, fields: random.some(['title', 'body^2', 'tag', 'note'], 2), allow_leading_wildcard: false, phrase_slop: 2, fuzziness: 'AUTO', quote_field_suffix: '.english', type: random.pick(['best_fields', 'most_fields', 'cross_fields', 'phrase']), escape: true, boost: 2, tie_breaker: 0.4 }) } } // biome-ignore format: one object
}

function interval(random: Random, depth: number): Query {
  const filter = () => random.options(0.2, { filter: { [random.pick(['containing', 'not_containing', 'before', 'after', 'overlapping', 'not_overlapping', 'contained_by', 'not_contained_by'])]: { match: { query: random.pick(words) } } } })
  const kinds: (() => Query)[] = [
    () => ({ match: { query: phrase(random), ...random.options(0.4, { max_gaps: random.int(-1, 4), ordered: random.chance(0.5) }), ...filter() } }),
    () => ({ prefix: { prefix: random.pick(['e', 'da', 'ru']) } }),
    () => ({ wildcard: { pattern: random.pick(['e*', '*er', 'f?x']) } }),
    () => ({ fuzzy: { term: random.pick(['eror', 'sever']) } }),
  ]
  if (depth > 0)
    kinds.push(
      () => ({ all_of: { intervals: random.times(random.int(1, 3), () => interval(random, depth - 1)), ...random.options(0.5, { ordered: random.chance(0.5), max_gaps: random.int(-1, 5) }), ...filter() } }),
      () => ({ any_of: { intervals: random.times(random.int(1, 3), () => interval(random, depth - 1)), ...filter() } }),
    )
  return random.pick(kinds)()
} // biome-ignore format: a kind a line

function span(random: Random, depth: number): Query {
  const field = 'title'
  const kinds: (() => Query)[] = [
    () => ({ span_term: { [field]: random.pick<unknown>([random.pick(words), { value: random.pick(words), boost: 2 }]) } }),
    () => ({ span_multi: { match: random.pick<Query>([{ prefix: { [field]: { value: 'e' } } }, { wildcard: { [field]: { value: '*er' } } }, { fuzzy: { [field]: { value: 'eror' } } }]) } }),
  ]
  if (depth > 0)
    kinds.push(
      () => ({ span_near: { clauses: random.times(random.int(1, 3), () => span(random, depth - 1)), slop: random.int(0, 5), in_order: random.chance(0.5) } }),
      () => ({ span_or: { clauses: random.times(random.int(1, 3), () => span(random, depth - 1)) } }),
      () => ({ span_not: { include: span(random, depth - 1), exclude: span(random, depth - 1), ...random.options(0.3, { pre: 1, post: 2 }) } }),
      () => ({ span_first: { match: span(random, depth - 1), end: random.int(1, 5) } }),
      () => ({ span_containing: { big: span(random, depth - 1), little: span(random, depth - 1) } }),
      () => ({ span_within: { big: span(random, depth - 1), little: span(random, depth - 1) } }),
    )
  return random.pick(kinds)()
} // biome-ignore format: a kind a line

export const leafNames = Object.keys(leaves)

export function leaf(random: Random, name = random.pick(leafNames)): Query {
  return leaves[name]!(random)
}

/** A query that finds many documents: for families whose subject is not the query. */
export function broadQuery(random: Random): Query {
  return random.pick<() => Query>([
    () => ({ match_all: {} }),
    () => ({ match: { title: phrase(random, 4) } }),
    () => ({ range: { int: { gte: random.int(-50, 300) } } }),
    () => ({ exists: { field: random.pick(['tag', 'date', 'price']) } }),
    () => ({
      bool: { must: [{ match: { body: phrase(random, 3) } }], filter: [{ exists: { field: 'tag' } }] },
    }),
  ])()
}

const nestedQuery = (random: Random, depth: number): Query => ({
  nested: {
    path: 'comments',
    query: random.pick<() => Query>([
      () => ({ term: { 'comments.author': random.pick(['ann', 'bob']) } }),
      () => ({ match: { 'comments.text': phrase(random) } }),
      () => ({ range: { 'comments.stars': { gte: random.int(1, 5) } } }),
      () => ({ bool: { must: [{ exists: { field: 'comments.stars' } }], must_not: [{ term: { 'comments.author': 'ann' } }] } }),
      () => leaf(random),
    ])(),
    ...random.options(0.3, { score_mode: random.pick(['avg', 'max', 'min', 'sum', 'none']), ignore_unmapped: true }),
    ...random.options(0.2, { inner_hits: { name: `in${depth}${random.int(0, 99)}`, ...random.options(0.3, { size: 2, _source: random.pick<unknown>([false, ['comments.author'], 'text', { excludes: ['comments.text'] }]), sort: [{ 'comments.stars': 'desc' }], docvalue_fields: ['comments.stars'], highlight: { fields: { 'comments.text': {} } } }) } }),
  },
}) // biome-ignore format: one object

const functionScore = (random: Random, depth: number): Query => {
  const one = (): Query => ({
    ...random.pick<Query>([
      {},
      { field_value_factor: { field: random.pick(['price', 'int', 'tokens']), missing: 1, ...random.options(0.5, { factor: 1.5, modifier: random.pick(['none', 'log1p', 'sqrt', 'ln2p', 'square', 'reciprocal']) }) } },
      { random_score: { seed: 7, field: '_seq_no' } },
      { gauss: { [random.pick(['price', 'int', 'double', 'obj.count'])]: { origin: 50, scale: 10, ...random.options(0.4, { offset: 2, decay: 0.3 }) } } },
      { exp: { date: { origin: '2021-01-01', scale: '30d' } } },
      { linear: { place: { origin: '52,13', scale: '500km' } } },
      { script_score: { script: "_score * 2 + (doc['int'].size() > 0 ? Math.abs(doc['int'].value) : 1)" } },
    ]),
    ...(random.chance(0.6) && { weight: random.pick([2, 0.5, 0, 3]) }),
    ...(random.chance(0.4) && { filter: leaf(random) }),
  })
  return { function_score: { query: query(random, depth - 1), functions: random.times(random.int(0, 3), one), ...random.options(0.4, { score_mode: random.pick(['multiply', 'sum', 'avg', 'first', 'max', 'min']), boost_mode: random.pick(['multiply', 'replace', 'sum', 'avg', 'max', 'min']), max_boost: 5, min_score: 1, boost: 2 }) } }
} // biome-ignore format: a kind a line

const compounds: Record<string, (random: Random, depth: number) => Query> = {
  bool: (random, depth) => {
    const some = (max: number) => random.times(random.int(1, max), () => query(random, depth - 1))
    const list = random.options(0.5, { must: some(2), should: some(3), filter: some(2), must_not: some(1) })
    return { bool: { ...list, ...random.options(0.25, { minimum_should_match: random.pick(shares), boost: 2, adjust_pure_negative: random.chance(0.5) }) } }
  },
  dis_max: (random, depth) => ({ dis_max: { queries: random.times(random.int(1, 3), () => query(random, depth - 1)), ...random.options(0.4, { tie_breaker: 0.4, boost: 2 }) } }),
  constant_score: (random, depth) => ({ constant_score: { filter: query(random, depth - 1), ...random.options(0.4, { boost: 1.7 }) } }),
  boosting: (random, depth) => ({ boosting: { positive: query(random, depth - 1), negative: query(random, depth - 1), negative_boost: random.pick([0, 0.2, 0.5]) } }),
  function_score: functionScore,
  nested: nestedQuery,
  script_score: (random, depth) => ({ script_score: { query: query(random, depth - 1), script: { source: random.pick(['_score * 2', 'Math.log(2 + _score)', "doc['price'].size() == 0 ? 0 : doc['price'].value", 'saturation(1.0 + _score, 3)', 'sigmoid(1 + _score, 2, 1)']) }, ...random.options(0.2, { min_score: 1 }) } }),
} // biome-ignore format: a kind a line

export const compoundNames = Object.keys(compounds)

export function compound(random: Random, depth: number, name = random.pick(compoundNames)): Query {
  return compounds[name]!(random, depth)
}

export function query(random: Random, depth: number): Query {
  return depth > 0 && random.chance(0.6) ? compound(random, depth) : leaf(random)
}
