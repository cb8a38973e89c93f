/**
 * Parents, children and grandchildren in one index, joined by random queries and aggregations; and queries that are
 * stored, found by random documents. Each sequence makes its own small index in two segments, with some deletions.
 */
import type { Request } from '../nodes.ts'
import type { Random } from '../random.ts'

type Query = Record<string, unknown>

const one = { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' }
const words = ['red', 'blue', 'fox', 'dog', 'quick', 'lazy']
const search = (body: Query): Request => ({ method: 'POST', path: '/s1/_search', body })
const byId = { sort: ['_id'], size: 50 }

function bulk(lines: readonly (readonly [head: Query, source: Query])[]): Request {
  const text = lines.map(
    ([head, source]) => `${JSON.stringify({ index: head })}\n${JSON.stringify(source)}\n`,
  )
  return { method: 'POST', path: '/s1/_bulk?refresh=true', body: text.join('') }
}

function values(random: Random): Query {
  return {
    t: random.some(words, 3).join(' '),
    n: random.int(1, 9),
    ...(random.chance(0.8) && { k: random.pick(['x', 'y', 'z']) }),
  }
}

/** A parent comes before its children, some of which have a parent that is not there. */
function family(random: Random): [Query, Query][] {
  const names: { id: string; name: string }[] = []
  return Array.from({ length: 24 }, (_, at) => {
    const id = String(at)
    const name =
      at < 4 ? 'question' : random.pick(['question', 'answer', 'answer', 'comment', 'vote', 'vote'])
    const parents = names.filter((each) => each.name === (name === 'vote' ? 'answer' : 'question'))
    names.push({ id, name })
    if (name === 'question') return [{ _id: id }, { ...values(random), j: random.pick([name, { name }]) }]
    const parent = parents.length === 0 || random.chance(0.1) ? 'gone' : random.pick(parents).id
    return [
      { _id: id, routing: '1' },
      { ...values(random), j: { name, parent } },
    ]
  })
}

function plain(random: Random): Query {
  return random.pick<Query>([
    { match_all: {} },
    { match: { t: random.some(words, 2).join(' ') } },
    { term: { k: random.pick(['x', 'y']) } },
    { range: { n: { gte: random.int(1, 9) } } },
    {
      function_score: {
        query: { match_all: {} },
        field_value_factor: { field: 'n' },
        boost_mode: 'replace',
      },
    },
  ])
}

const innerHits = (random: Random): Query =>
  random.options(0.5, {
    size: 2,
    from: 1,
    sort: ['n', '_id'],
    _source: ['n'],
    highlight: { fields: { t: {} } },
  })

function joined(random: Random, depth = 2): Query {
  const inner = depth > 0 && random.chance(0.25) ? joined(random, depth - 1) : plain(random)
  const common = random.options(0.25, { boost: 2, _name: `named${depth}`, ignore_unmapped: true })
  return random.pick<() => Query>([
    () => ({
      has_child: {
        type: random.pick(['answer', 'answer', 'comment', 'vote', 'vote', 'question', 'nobody']),
        query: inner,
        ...common,
        ...random.options(0.4, {
          score_mode: random.pick(['none', 'avg', 'sum', 'min', 'max', 'other']),
          min_children: random.int(0, 3),
          max_children: random.int(1, 4),
        }),
        ...(random.chance(0.3) && { inner_hits: { ...innerHits(random), name: `inner${depth}` } }),
      },
    }),
    () => ({
      has_parent: {
        parent_type: random.pick(['question', 'question', 'answer', 'answer', 'vote', 'nobody']),
        query: inner,
        ...common,
        ...random.options(0.5, { score: random.chance(0.7) }),
        ...(random.chance(0.3) && { inner_hits: { ...innerHits(random), name: `inner${depth}` } }),
      },
    }),
    () => ({
      parent_id: {
        type: random.pick(['answer', 'comment', 'vote', 'question']),
        id: String(random.int(0, 9)),
        ...common,
      },
    }),
  ])()
}

function joinAggs(random: Random, depth = 2): Query {
  const kind = random.pick(['children', 'parent', 'terms', 'stats'])
  const aggs = depth > 0 && kind !== 'stats' ? { aggs: joinAggs(random, depth - 1) } : {}
  const type = random.pick(['answer', 'comment', 'vote', 'question'])
  const order = { field: random.pick(['k', 'j', 'j#question']), order: { _key: 'asc' } }
  const body = kind === 'terms' ? order : kind === 'stats' ? { field: 'n' } : { type }
  return { a: { [kind]: body, ...aggs } }
}

function joinRequest(random: Random): Request {
  const query = joined(random)
  return random.pick<() => Request>([
    () => search({ query, size: 50 }),
    () =>
      search({ query: { bool: { must: [query], filter: [plain(random)] } }, ...byId, track_scores: true }),
    () =>
      search({ query: { bool: { should: [query, joined(random)], must_not: [plain(random)] } }, ...byId }),
    () => search({ query: { constant_score: { filter: query } }, ...byId }),
    () => search({ size: 0, query: random.pick([plain(random), query]), aggs: joinAggs(random) }),
    () => ({ method: 'POST', path: '/s1/_count', body: { query } }),
  ])()
}

const joinMapping = {
  j: { type: 'join', relations: { question: ['answer', 'comment'], answer: 'vote' } },
  t: { type: 'text' },
  n: { type: 'integer' },
  k: { type: 'keyword' },
}

function join(random: Random): Request[] {
  const docs = family(random)
  const half = random.int(6, 18)
  return [
    { method: 'PUT', path: '/s1', body: { settings: one, mappings: { properties: joinMapping } } },
    bulk(docs.slice(0, half)),
    bulk(docs.slice(half)),
    ...random.times(random.int(0, 2), (): Request => {
      const [head] = random.pick(docs)
      const routing = head['routing'] === undefined ? '' : '&routing=1'
      return { method: 'DELETE', path: `/s1/_doc/${head['_id']}?refresh=true${routing}` }
    }),
    ...random.times(12, () => joinRequest(random)),
  ]
}

function storable(random: Random, depth = 1): Query {
  const leaf = random.pick<Query>([
    plain(random),
    { match_phrase: { t: random.times(2, () => random.pick(words)).join(' ') } },
    { wildcard: { k: random.pick(['x*', '*']) } },
    { exists: { field: random.pick(['k', 'n']) } },
    { nested: { path: 'o', query: { term: { 'o.x': random.pick(['a', 'b']) } } } },
  ])
  if (depth === 0 || random.chance(0.5)) return leaf
  return { bool: { must: [leaf], should: [storable(random, 0)], must_not: [storable(random, 0)] } }
}

function percolated(random: Random): Query {
  return { ...values(random), ...(random.chance(0.3) && { o: [{ x: 'a' }, { x: random.pick(['b', 'c']) }] }) }
}

function percolateRequest(random: Random): Request {
  const documents = random.times(random.int(1, 3), () => percolated(random))
  const body = documents.length === 1 && random.chance(0.5) ? { document: documents[0] } : { documents }
  const query = {
    percolate: { field: 'q', ...body, ...random.options(0.2, { name: 'one', _name: 'named' }) },
  }
  return random.pick<() => Request>([
    () => search({ query, size: 50, sort: ['_score', '_id'] }),
    () => search({ query: { bool: { filter: [query], must: [plain(random)] } }, ...byId }),
    () => search({ query, ...byId, highlight: { fields: { t: {} } } }),
    () => search({ query, size: 0, aggs: { k: { terms: { field: 'k', order: { _key: 'asc' } } } } }),
  ])()
}

function percolate(random: Random): Request[] {
  const properties = {
    ...joinMapping,
    j: undefined,
    q: { type: 'percolator' },
    o: { type: 'nested', properties: { x: { type: 'keyword' } } },
  }
  const queries = random.times(14, () => storable(random))
  const docs = queries.map((q, at): [Query, Query] => [
    { _id: String(at) },
    { q, k: random.pick(['x', 'y']) },
  ])
  return [
    { method: 'PUT', path: '/s1', body: { settings: one, mappings: { properties } } },
    bulk(docs.slice(0, 8)),
    bulk(docs.slice(8)),
    ...random.times(10, () => percolateRequest(random)),
  ]
}

export const joinFamilies: Record<string, (random: Random) => Request[]> = { join, percolate }
