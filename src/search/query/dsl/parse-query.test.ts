import { describe, expect, it } from 'vitest'
import { SourcePlaces } from '../../request/source-place.ts'
import { parseQuery, parseQueryLists } from './parse-query.ts'

function bool(length: number, at: (index: number) => unknown = (index) => ({ term: { word: `w${index}` } })) {
  return { bool: { should: Array.from({ length }, (_, index) => at(index)) } }
}

function nested(depth: number): object {
  return depth === 0 ? { match_all: {} } : { bool: { must: [nested(depth - 1)] } }
}

/** Parses in steps first where asked to; returns the error's text, and how many steps there were. */
function parsed(query: object, inSteps: boolean) {
  const body = { query }
  const places = new SourcePlaces(body, JSON.stringify(body))
  const steps = inSteps ? [...parseQueryLists(query, places)].length : 0
  try {
    parseQuery(query, places)
    return { steps, error: undefined }
  } catch (error) {
    const { type, details } = error as { readonly type: string; readonly details: unknown }
    return { steps, error: { type, details, message: (error as Error).message } }
  }
}

describe('a query parsed in steps', () => {
  it('takes a step for some hundred clauses of a list, at any depth', () => {
    expect(parsed(bool(10_000), true).steps).toBeGreaterThan(20)
    expect(parsed({ bool: { filter: [bool(10_000)] } }, true).steps).toBeGreaterThan(20)
  })

  it.each([
    ['a sound query', bool(2000)],
    [
      'a clause that does not exist',
      bool(2000, (index) => ({ [index === 1500 ? 'termo' : 'term']: { word: 'a' } })),
    ],
    ['a clause that is no object', bool(2000, (index) => (index === 1500 ? 7 : { match_all: {} }))],
    ['a mistake before the list', { bool: { boost: 'x', should: bool(2000).bool.should } }],
    ['a mistake after the list', { bool: { should: bool(2000).bool.should, musst: [] } }],
    ['nesting that is allowed', nested(29)],
    ['nesting that is too deep', nested(40)],
    ['lists under names of objects', { bool: { constructor: [{ match_all: {} }] } }],
  ])('answers as one parsed at once: %s', (_, query) => {
    expect(parsed(structuredClone(query), true).error).toEqual(parsed(structuredClone(query), false).error)
  })
})
