import { expect, it } from 'vitest'
import { Mapping } from '../../mapping/mapping.ts'
import { bindQuery, parseQuery } from '../dsl/parse-query.ts'
import { mappingContext } from './mapping-context.ts'

const mapping = Mapping.create({ properties: { tag: { type: 'keyword' } } })

function bound(query: object) {
  return bindQuery(parseQuery(query), mappingContext(mapping, { index: 'test', now: 0 })).query
}

it('has a key of its own in the filter cache for each pattern that finds other terms', () => {
  const queries = [
    { wildcard: { tag: 'red' } },
    { wildcard: { tag: { value: 'red', case_insensitive: true } } },
    { wildcard: { tag: 'red i' } },
    { wildcard: { tag: 'a**' } },
    { prefix: { tag: 'a*' } },
    { prefix: { tag: { value: 'a*', case_insensitive: true } } },
    { regexp: { tag: 'a' } },
    { regexp: { tag: { value: 'a', case_insensitive: true } } },
    { regexp: { tag: { value: 'a', flags: 'NONE' } } },
    { wildcard: { tag: '/a/' } },
  ]
  expect(new Set(queries.map((query) => bound(query).key)).size).toBe(queries.length)
})

it('prints patterns of any case as the Java object that Lucene makes of them', () => {
  expect(bound({ prefix: { tag: { value: 're', case_insensitive: true } } }).lucene).toMatch(
    /^tag:AutomatonQuery \{\norg\.apache\.lucene\.util\.automaton\.Automaton@[0-9a-f]+\}$/,
  )
  expect(bound({ regexp: { tag: { value: 're', case_insensitive: true } } }).lucene).toBe('tag:/re/')
})
