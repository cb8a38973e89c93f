/** Rewritten queries as OpenSearch 3.8 prints them with `_validate/query?rewrite=true`. */
import { describe, expect, it } from 'vitest'
import { BoolQuery, type Occur } from '../query/exec/compound/bool-query.ts'
import { DisMaxQuery } from '../query/exec/compound/dis-max-query.ts'
import {
  BoostQuery,
  ConstantScoreQuery,
  MatchAllQuery,
  MatchNoneQuery,
} from '../query/exec/compound/simple-queries.ts'
import type { Query, SearchScope } from '../query/exec/query.ts'
import { Statistics } from '../query/exec/statistics.ts'
import { TermQuery } from '../query/exec/terms/term-query.ts'
import { rewrittenQuery } from './rewritten-query.ts'

const scope: SearchScope = { leaves: [], statistics: new Statistics([]), scoreFactor: 1, check: () => {} }
const term = (text: string): Query => new TermQuery('t', text)
const [a, b, c] = [term('a'), term('b'), term('c')]
const bool = (clauses: readonly (readonly [Occur, Query])[], minimum = 0) =>
  new BoolQuery(
    clauses.map(([occur, query]) => ({ occur, query })),
    minimum,
  )
const none = new MatchNoneQuery('nothing')
const root = '#FieldExistsQuery [field=_primary_term]'

describe('a rewritten query', () => {
  it.each<[string, Query, string]>([
    ['one clause', bool([['must', a]]), 't:a'],
    [
      'clauses that cannot match',
      bool([
        ['should', a],
        ['should', none],
        ['mustNot', none],
      ]),
      't:a',
    ],
    [
      'a required clause that cannot match',
      bool([
        ['must', none],
        ['should', a],
      ]),
      'MatchNoDocsQuery("nothing")',
    ],
    [
      'equal clauses',
      bool([
        ['should', a],
        ['should', b],
        ['should', a],
      ]),
      '(t:a)^2.0 t:b',
    ],
    [
      'as many as are needed',
      bool(
        [
          ['should', a],
          ['should', b],
        ],
        2,
      ),
      '+t:a +t:b',
    ],
    [
      'more than there are',
      bool(
        [
          ['should', a],
          ['should', b],
        ],
        3,
      ),
      'MatchNoDocsQuery("SHOULD clause count less than minimumNumberShouldMatch")',
    ],
    [
      'inner alternatives',
      bool([
        ['should', a],
        [
          'should',
          bool([
            ['should', b],
            ['should', c],
          ]),
        ],
      ]),
      't:a t:b t:c',
    ],
    [
      'inner required clauses',
      bool([
        [
          'must',
          bool([
            ['must', a],
            ['mustNot', b],
          ]),
        ],
        ['should', c],
      ]),
      '+t:a -t:b t:c',
    ],
    [
      'scores that do not count',
      bool([
        ['must', a],
        ['filter', new ConstantScoreQuery(b)],
      ]),
      '+t:a #t:b',
    ],
    ['one alternative', new DisMaxQuery([a, none], 0.4), 't:a'],
    ['a sum of alternatives', new DisMaxQuery([a, b], 1), 't:a t:b'],
    ['boosts of boosts', new BoostQuery(new BoostQuery(a, 2), 3), '(t:a)^6.0'],
    ['a boost of zero', new BoostQuery(a, 0), '(ConstantScore(t:a))^0.0'],
    [
      'only prohibited clauses',
      bool([
        ['mustNot', a],
        ['mustNot', b],
      ]),
      'MatchNoDocsQuery("pure negative BooleanQuery")',
    ],
  ])('has %s', (_, query, expected) => {
    expect(rewrittenQuery(query, false, scope).lucene).toBe(expected)
  })

  it.each<[string, Query, string]>([
    ['match_all', new MatchAllQuery(), `ConstantScore(${root.slice(1)})`],
    ['a term', a, `+t:a ${root}`],
    [
      'alternatives',
      bool([
        ['should', a],
        ['should', b],
      ]),
      `(${root} t:a t:b)~1`,
    ],
    [
      'required clauses',
      bool([
        ['must', a],
        ['must', b],
      ]),
      `+t:a +t:b ${root}`,
    ],
  ])('leaves nested objects out: %s', (_, query, expected) => {
    expect(rewrittenQuery(query, true, scope).lucene).toBe(expected)
  })
})
