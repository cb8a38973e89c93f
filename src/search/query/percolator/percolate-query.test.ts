/** Stored queries against documents of a request: which match, how they score, which slots they name. */
import { describe, expect, it } from 'vitest'
import { SearchError } from '../../request/search-error.ts'
import { mappingContext } from '../binding/mapping-context.ts'
import { TestIndex } from '../test-index.ts'
import { checkStored } from './check-stored.ts'

const mapping = {
  properties: {
    q: { type: 'percolator' },
    t: { type: 'text' },
    n: { type: 'integer' },
    d: { type: 'date' },
    o: { type: 'nested', properties: { x: { type: 'keyword' } } },
  },
}

const stored = {
  fox: { match: { t: 'fox' } },
  large: { range: { n: { gte: 5 } } },
  both: { bool: { must: [{ match: { t: 'fox' } }, { range: { n: { gte: 5 } } }] } },
  all: { match_all: {} },
  none: { match_none: {} },
  phrase: { match_phrase: { t: 'quick fox' } },
  nested: { nested: { path: 'o', query: { term: { 'o.x': 'y' } } } },
  past: { range: { d: { lt: 'now' } } },
}

const index = new TestIndex(mapping, { isOpenSearch: true })
for (const [id, q] of Object.entries(stored)) index.add({ id, source: { q } })
index.add(
  { id: 'again', source: { q: stored.fox } },
  { id: 'same', source: { q: stored.fox } },
  { id: 'empty', source: {} },
)

function percolate(body: Record<string, unknown>) {
  return { percolate: { field: 'q', ...body } }
}

describe('percolate', () => {
  it.each([
    [{ document: { t: 'a quick fox' } }, ['again', 'all', 'fox', 'phrase', 'same']],
    [{ document: { n: 7 } }, ['all', 'large']],
    [{ document: { t: 'fox', n: 7 } }, ['again', 'all', 'both', 'fox', 'large', 'same']],
    [{ documents: [{ t: 'fox' }, { n: 7 }] }, ['again', 'all', 'fox', 'large', 'same']],
    [{ document: { o: [{ x: 'z' }, { x: 'y' }] } }, ['all', 'nested']],
    [{ document: { d: '2000-01-01' } }, ['all', 'past']],
    [{ document: { d: '2999-01-01' } }, ['all']],
    [{ document: { added: { later: 'fox' } } }, ['all']],
  ])('%j finds %j', (body, expected) => {
    expect(index.find(percolate(body)).sort()).toEqual(expected)
    expect(index.find({ bool: { filter: [percolate(body)] } }).sort()).toEqual(expected)
  })

  it('scores by the best document of the request', () => {
    const one = index.scores(percolate({ document: { t: 'fox' } }), { scoreFactor: 1 })
    expect(one['fox']).toBeCloseTo(0.130_764_57, 6)
    expect(one['all']).toBe(1)
    const three = { documents: [{ t: 'blue' }, { t: 'fox' }, { n: 9 }] }
    const { fox, same } = index.scores(percolate(three), { scoreFactor: 1 })
    expect(fox).toBeCloseTo(0.315_066_87, 6)
    expect(same).toBe(fox)
  })

  it('names the slots of the documents that match', () => {
    const compiled = index.compile(
      percolate({ documents: [{ t: 'fox' }, { o: { x: 'z' } }, { t: 'fox', n: 6 }] }),
    )
    const slots = index.leaves.flatMap((leaf) =>
      Array.from(compiled.matching(leaf).array(), (doc) => [
        leaf.segment.id(doc),
        compiled.percolated(leaf, doc).map((one) => one.slots)[0],
      ]),
    )
    expect(Object.fromEntries(slots)).toMatchObject({ fox: [0, 2], large: [2], both: [2], all: [0, 1, 2] })
  })

  it('leaves the mapping as it is', () => {
    index.find(percolate({ document: { new_field: 1 } }))
    expect(index.mapping.field('new_field')).toBeUndefined()
  })
})

describe('a query to be stored', () => {
  const context = mappingContext(index.mapping, { index: 'test', now: 0 })
  const reason = (source: Record<string, unknown>) => {
    const text = JSON.stringify(source)
    try {
      checkStored({ queries: [{ field: 'q', query: source['q'] }], source, text }, context)
      return ''
    } catch (error) {
      if (!(error instanceof SearchError)) throw error
      return error.causedBy?.message ?? error.message
    }
  }

  it.each([
    [{ match_all: {} }, ''],
    [{ range: { d: { gte: 'now-1d/d' } } }, ''],
    [{ exists: { field: 'o' } }, ''],
    [{ term: { missing: 1 } }, 'No field mapping can be found for the field with name [missing]'],
    [
      { bool: { must: [{ has_child: { type: 'a', query: { match_all: {} } } }] } },
      'the [has_child] query is unsupported inside a percolator query',
    ],
    [
      { has_parent: { parent_type: 'a', query: { match_all: {} } } },
      'the [has_parent] query is unsupported inside a percolator query',
    ],
    [{ foo: {} }, 'unknown query [foo]'],
    ['x', '[_na] query malformed, must start with start_object'],
    [{ range: { n: { gte: 'foo' } } }, 'For input string: "foo"'],
  ])('%j: %s', (q, expected) => {
    expect(reason({ q })).toBe(expected)
  })
})
