/** Spans and intervals on small texts whose matches are evident. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AllSource } from './exec/positions/interval-combinations.ts'
import { type Interval, shortest } from './exec/positions/interval-source.ts'
import { TestIndex } from './test-index.ts'

const text = { properties: { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' } } }

const index = new TestIndex(text).add(
  { t: 'some like it hot, some like it cold' },
  { t: 'its cold outside, theres no kind of atmosphere' },
  { t: 'baby its cold there outside' },
  { t: 'outside it is cold and wet', u: 'wet' },
)

const term = (value: string) => ({ span_term: { t: value } })

describe('spans', () => {
  it.each<[string, object, string[]]>([
    ['a term', term('cold'), ['0', '1', '2', '3']],
    ['in order', { span_near: { clauses: [term('cold'), term('outside')] } }, ['1']],
    ['with slop', { span_near: { clauses: [term('cold'), term('outside')], slop: 1 } }, ['1', '2']],
    [
      'in any order',
      { span_near: { clauses: [term('cold'), term('outside')], slop: 2, in_order: false } },
      ['1', '2', '3'],
    ],
    ['any of', { span_or: { clauses: [term('wet'), term('hot')] } }, ['0', '3']],
    ['near the beginning', { span_first: { match: term('cold'), end: 3 } }, ['1', '2']],
    ['not before', { span_not: { include: term('cold'), exclude: term('outside') } }, ['0', '1', '2', '3']],
    [
      'not so near',
      { span_not: { include: term('cold'), exclude: term('outside'), post: 1 } },
      ['0', '2', '3'],
    ],
    ['not near at all', { span_not: { include: term('cold'), exclude: term('outside'), dist: 3 } }, ['0']],
    [
      'around another',
      {
        span_containing: {
          big: { span_near: { clauses: [term('its'), term('outside')], slop: 5 } },
          little: term('there'),
        },
      },
      ['2'],
    ],
    [
      'within another',
      {
        span_within: {
          little: term('there'),
          big: { span_near: { clauses: [term('its'), term('outside')], slop: 5 } },
        },
      },
      ['2'],
    ],
    ['a pattern', { span_multi: { match: { prefix: { t: 'out' } } } }, ['1', '2', '3']],
    [
      'patterns near each other',
      {
        span_near: {
          clauses: [{ span_multi: { match: { wildcard: { t: 'c?ld' } } } }, term('outside')],
          slop: 0,
        },
      },
      ['1'],
    ],
    [
      'fuzzy terms',
      { span_multi: { match: { fuzzy: { t: { value: 'outsde', fuzziness: 1 } } } } },
      ['1', '2', '3'],
    ],
    [
      'a gap',
      { span_near: { clauses: [term('cold'), { span_gap: { t: 1 } }, term('outside')], slop: 0 } },
      ['2'],
    ],
    [
      'another field in disguise',
      {
        span_near: {
          clauses: [
            term('outside'),
            { field_masking_span: { query: { span_term: { u: 'wet' } }, field: 't' } },
          ],
          slop: 5,
          in_order: false,
        },
      },
      ['3'],
    ],
    ['an unmapped field', { span_term: { nope: 'x' } }, []],
    ['a pattern of an unmapped field', { span_multi: { match: { prefix: { nope: 'x' } } } }, []],
  ])('%s', (_, query, expected) => {
    expect(index.find(query)).toEqual(expected)
  })

  it('spans score as a phrase of the same words does', () => {
    const phrase = index.scores({ match_phrase: { t: 'like it' } })
    expect(index.scores({ span_near: { clauses: [term('like'), term('it')], slop: 0 } })).toEqual(phrase)
    expect(index.scores(term('wet'))).toEqual(index.scores({ term: { t: 'wet' } }))
  })

  it.each<[object, string]>([
    [{ span_near: { clauses: [{ term: { t: 'a' } }] } }, 'span_near [clauses] must be of type span query'],
    [{ span_near: { slop: 1 } }, 'span_near must include [clauses]'],
    [{ span_first: { end: 1 } }, 'span_first must have [match] span query clause'],
    [
      { span_not: { include: term('a'), exclude: term('b'), dist: 1, pre: 1 } },
      'span_not can either use [dist] or [pre] & [post] (or none)',
    ],
    [
      { span_multi: { match: { term: { t: 'a' } } } },
      '[span_multi] [match] must be of type multi term query',
    ],
    [
      { span_or: { clauses: [term('a'), { span_term: { u: 'a' } }] } },
      'failed to create query: Clauses must have same field.',
    ],
  ])('%j is refused', (query, reason) => {
    expect(() => index.find(query)).toThrow(reason)
  })
})

describe('intervals', () => {
  const find = (rule: object): string[] => index.find({ intervals: { t: rule } })
  const match = (query: string, more: object = {}) => ({ match: { query, ...more } })

  it.each<[string, object, string[]]>([
    ['any order', match('cold outside'), ['1', '2', '3']],
    ['in order', match('cold outside', { ordered: true }), ['1', '2']],
    ['a phrase', match('cold outside', { ordered: true, max_gaps: 0 }), ['1']],
    ['few gaps', match('cold outside', { max_gaps: 1 }), ['1', '2']],
    ['an analyzer of its own', match('Cold', { analyzer: 'keyword' }), []],
    ['a word twice', match('cold cold'), []],
    ['a word twice that is there twice', match('like like'), ['0']],
    ['any of', { any_of: { intervals: [match('hot'), match('wet')] } }, ['0', '3']],
    [
      'all of, one a choice',
      {
        all_of: {
          ordered: true,
          max_gaps: 1,
          intervals: [{ any_of: { intervals: [match('cold'), match('its cold')] } }, match('outside')],
        },
      },
      ['1', '2'],
    ],
    [
      'without overlap',
      { all_of: { mode: 'unordered_no_overlap', intervals: [match('like it'), match('like it')] } },
      ['0'],
    ],
    [
      'two patterns that one word matches',
      {
        all_of: { max_gaps: 0, intervals: [{ wildcard: { pattern: 'c*d' } }, { prefix: { prefix: 'col' } }] },
      },
      ['0', '1', '2', '3'],
    ],
    ['prefix', { prefix: { prefix: 'OUT' } }, ['1', '2', '3']],
    ['wildcard', { wildcard: { pattern: 'atm*e' } }, ['1']],
    ['fuzzy', { fuzzy: { term: 'outsde' } }, ['1', '2', '3']],
    ['regexp', { regexp: { pattern: 'w.t' } }, ['3']],
    ['containing', match('its outside', { filter: { containing: match('there') } }), ['2']],
    ['not containing', match('its outside', { filter: { not_containing: match('there') } }), ['1']],
    ['contained by', match('cold', { filter: { contained_by: match('its outside') } }), ['1', '2']],
    ['not contained by', match('cold', { filter: { not_contained_by: match('its outside') } }), ['0', '3']],
    ['before', match('cold', { filter: { before: match('outside') } }), ['1', '2']],
    ['after', match('cold', { filter: { after: match('outside') } }), ['3']],
    ['overlapping', match('its cold', { filter: { overlapping: match('cold outside') } }), ['1', '2']],
    ['not overlapping', match('it', { filter: { not_overlapping: match('hot some') } }), ['0', '3']],
    ['no words', match('!!!'), []],
  ])('%s', (_, rule, expected) => {
    expect(find(rule)).toEqual(expected)
  })

  it('shorter intervals score higher', () => {
    const scores = index.scores({ intervals: { t: match('cold outside') } })
    expect(scores['1']).toBe(Math.fround(0.5))
    expect(scores['1']!).toBeGreaterThan(scores['2']!)
    expect(scores['2']!).toBeGreaterThan(scores['3']!)
  })

  it.each<[object, string]>([
    [{ t: { nope: {} } }, 'Unknown interval type [nope]'],
    [{ t: match('a', { filter: { nope: match('b') } }) }, 'Unknown filter type [nope]'],
    [{ t: {} }, 'Missing intervals from interval query definition'],
    [
      { k: match('a') },
      'Can only use interval queries on text fields - not on [k] which is of type [keyword]',
    ],
  ])('%j is refused', (intervals, reason) => {
    expect(() => index.find({ intervals })).toThrow(reason)
  })

  const some = fc.array(fc.tuple(fc.nat(12), fc.nat(3)), { maxLength: 8 })
  const lists = fc.array(some, { minLength: 2, maxLength: 3 })

  it('intervals are minimal in every arrangement', () => {
    const leaf = { segment: { docCount: 1 } } as never
    const sourceOf = (list: readonly Interval[], name: string) => ({
      extent: 1,
      alternatives: [],
      parts: [],
      *expandTerms() {},
      open: () => ({ docs: Uint32Array.of(0), intervals: () => list }),
      toString: () => name,
      expanded: () => {
        throw new Error('not asked')
      },
      addTerms: () => {},
      addPatterns: () => {},
    })
    fc.assert(
      fc.property(lists, fc.boolean(), (given, isOrdered) => {
        const parts = given.map((list) =>
          shortest(list.map(([start, length]) => ({ start, end: start + length, gaps: 0 }))),
        )
        const source = new AllSource(
          parts.map((list, i) => sourceOf(list, String(i))),
          isOrdered ? 'ordered' : 'unordered',
        )
        const found = source.open(leaf).intervals(0)
        let ways: Interval[][] = [[]]
        for (const list of parts) ways = ways.flatMap((way) => list.map((one) => [...way, one]))
        const wanted = shortest(
          ways
            .filter((way) => !isOrdered || way.every((one, i) => i === 0 || one.start > way[i - 1]!.end))
            .map((way) => ({
              start: Math.min(...way.map(({ start }) => start)),
              end: Math.max(...way.map(({ end }) => end)),
              gaps: 0,
            })),
        )
        const places = (all: readonly Interval[]) => all.map(({ start, end }) => [start, end])
        expect(places(found)).toEqual(places(wanted))
      }),
    )
  })
})
