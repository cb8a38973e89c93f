import { expect, it } from 'vitest'
import { Mapping } from '../../mapping/mapping.ts'
import { bindQuery, parseQuery } from '../dsl/parse-query.ts'
import { mappingContext } from './mapping-context.ts'

const properties = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, { type: 'keyword' }]))
const mapping = Mapping.create({ properties })

it('expands a pattern once for a request, however many clauses have it', () => {
  const context = mappingContext(mapping, { index: 'test', now: 0 })
  const expanded: string[] = []
  const counting = {
    ...context,
    fieldsMatching(pattern: string) {
      expanded.push(pattern)
      return context.fieldsMatching(pattern)
    },
  }
  const should = Array.from({ length: 900 }, (_, i) => ({ exists: { field: i % 2 === 0 ? '*' : 'f1*' } }))
  const { query } = bindQuery(parseQuery({ bool: { should } }), counting)
  expect(expanded).toEqual(['*', 'f1*'])
  const names = query.lucene.split(' ')
  expect(names).toContain('[field=f49]')
})

it('knows nothing of the fields of another request', () => {
  const of = (one: Mapping) =>
    bindQuery(parseQuery({ exists: { field: '*' } }), mappingContext(one, { index: 'test', now: 0 })).query
      .key
  expect(of(mapping)).not.toBe(of(Mapping.create({ properties: { only: { type: 'keyword' } } })))
})
