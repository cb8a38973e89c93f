/** Scores to the last digit, as Lucene printed them for five documents. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Statistics } from './exec/statistics.ts'
import { TestIndex } from './test-index.ts'

const goldens = readFileSync(new URL('../../../test/data/lucene-goldens.txt', import.meta.url), 'utf8')

/** Fifty-one words, of them error once and database three times. */
const long = [
  'error',
  ...Array.from({ length: 3 }, () => 'database filler'),
  ...Array.from({ length: 44 }, (_, i) => `w${i}`),
]
const docs = [
  'error connecting to database',
  'database error error',
  'connection ok',
  'error',
  long.join(' '),
]

const index = new TestIndex({ properties: { m: { type: 'text' } } }).add(...docs.map((m) => ({ m })))
const lucene = { scoreFactor: 1 }
/** One of two: ln 2, less the last bit that dividing by 2.2 and multiplying again costs. */
const idfOfHalf = Number('0.6931471')

function rows(block: RegExp, row: RegExp): Record<string, number> {
  const [text = ''] = block.exec(goldens) ?? []
  return Object.fromEntries(Array.from(text.matchAll(row), ([, doc, score]) => [doc!, Number(score)]))
}

describe('BM25', () => {
  it.each(['error', 'database'])('term %s', (term) => {
    const expected = rows(new RegExp(`^term ${term}\\n((?:  doc .*\\n)+)`, 'm'), /doc (\d) score (\S+)/g)
    expect(index.scores({ term: { m: term } }, lucene)).toEqual(expected)
    expect(index.scores({ match: { m: term.toUpperCase() } }, lucene)).toEqual(expected)
  })

  it('sums the scores of two terms', () => {
    const expected = rows(/^(?: {2}OR doc .*\n)+/m, /OR doc (\d) (\S+)/g)
    expect(Object.keys(expected).length).toBe(4)
    expect(index.scores({ match: { m: 'error database' } }, lucene)).toEqual(expected)
    expect(
      index.scores({ query_string: { query: 'error OR database', default_field: 'm' } }, lucene),
    ).toEqual(expected)
  })

  it('scores phrases by the sum of their idfs', () => {
    expect(index.scores({ match_phrase: { m: 'database error' } }, lucene)).toEqual(
      rows(/^ {2}phrase doc .*\n/m, /phrase doc (\d) (\S+)/g),
    )
  })

  it('scores sloppy phrases by their sloppy frequency', () => {
    const found = index.scores({ match_phrase: { m: { query: 'error database', slop: 3 } } }, lucene)
    const expected = rows(/^(?: {2}phrase slop3 doc .*\n)+/m, /phrase slop3 doc (\d) (\S+)/g)
    expect({ '0': found['0'], '1': found['1'] }).toEqual(expected)
  })

  it('explains a score as Lucene does', () => {
    const [leaf] = index.leaves
    const explanation = index.compile({ term: { m: 'error' } }, lucene).explain(leaf!, 1)
    const lines: string[] = []
    const print = (node: typeof explanation, depth: number): void => {
      const value = node.description.includes('number of')
        ? node.value
        : Number.isInteger(node.value)
          ? `${node.value}.0`
          : node.value
      lines.push(`${'  '.repeat(depth)}${value} = ${node.description}`)
      for (const detail of node.details) print(detail, depth + 1)
    }
    print(explanation, 0)
    const [, expected = ''] = /(0\.22820035 = weight[\s\S]*?)\n\n/.exec(goldens) ?? []
    expect(lines.join('\n')).toBe(expected.replace('[BM25Similarity]', '[PerFieldSimilarity]'))
  })
})

describe('scores that Elasticsearch documents', () => {
  const keywords = new TestIndex({
    properties: { k: { type: 'keyword' }, b: { type: 'boolean' }, n: { type: 'long' } },
  }).add({ k: 'a', b: true, n: 1 }, { k: 'b', b: false, n: 2 })

  it('a keyword that one of two documents has scores its idf', () => {
    expect(keywords.scores({ term: { k: 'a' } })).toEqual({ 0: idfOfHalf })
  })

  it('a boolean scores like a keyword', () => {
    expect(keywords.scores({ term: { b: true } })).toEqual({ 0: idfOfHalf })
  })

  it.each([
    [{ match_all: {} }, 1],
    [{ match_all: { boost: 2.5 } }, 2.5],
    [{ term: { n: 1 } }, 1],
    [{ terms: { k: ['a'] } }, 1],
    [{ range: { n: { lte: 1 } } }, 1],
    [{ exists: { field: 'k' } }, 1],
    [{ prefix: { k: 'a' } }, 1],
    [{ wildcard: { k: { value: 'a*', boost: 3 } } }, 3],
    [{ ids: { values: ['0'] } }, 1],
    [{ constant_score: { filter: { term: { k: 'a' } }, boost: 4 } }, 4],
    [{ bool: { filter: { term: { k: 'a' } } } }, 0],
    [{ bool: { must_not: { term: { k: 'b' } } } }, 0],
    [{ bool: { must: [{ match_all: {} }, { term: { n: 1 } }], boost: 2 } }, 4],
    [
      {
        dis_max: { queries: [{ match_all: {} }, { term: { n: { value: 1, boost: 3 } } }], tie_breaker: 0.5 },
      },
      3.5,
    ],
    [{ boosting: { positive: { match_all: {} }, negative: { term: { k: 'a' } }, negative_boost: 0.2 } }, 0.2],
    // Elasticsearch's default of max_boost is Java's largest float, so that a product of weights is not infinite.
    [
      {
        function_score: {
          query: { constant_score: { filter: { term: { n: 1 } } } },
          functions: [{ weight: 1e30 }, { weight: 1e30 }],
        },
      },
      3.4028234663852886e38,
    ],
    [{ function_score: { query: { term: { n: 1 } }, field_value_factor: { field: 'n', factor: 3 } } }, 3],
    [
      {
        function_score: {
          query: { term: { n: 1 } },
          functions: [{ weight: 2 }, { filter: { term: { k: 'a' } }, weight: 5 }],
          score_mode: 'sum',
          boost_mode: 'replace',
        },
      },
      7,
    ],
  ])('%j', (query, expected) => {
    expect(keywords.scores(query)['0']).toBe(expected)
  })

  it('statistics count deleted documents, and can be taken over all shards', () => {
    const shard = new TestIndex({ properties: { k: { type: 'keyword' } } }).add({ k: 'a' }, { k: 'b' })
    shard.delete('1')
    expect(shard.scores({ term: { k: 'a' } })).toEqual({ 0: idfOfHalf })
    const other = new TestIndex({ properties: { k: { type: 'keyword' } } }).add({ k: 'a' }, { k: 'a' })
    const statistics = new Statistics([...shard.leaves, ...other.leaves])
    // idf of 3 in 4: ln(1 + 1.5 / 3.5)
    expect(shard.scores({ term: { k: 'a' } }, { statistics })['0']).toBeCloseTo(Math.log(1 + 1.5 / 3.5), 6)
  })
})
