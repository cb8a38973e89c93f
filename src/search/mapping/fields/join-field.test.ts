/** What OpenSearch 3.8 makes of relations, their updates and the values of a `join` field. */
import { describe, expect, it } from 'vitest'
import { SearchError } from '../../request/search-error.ts'
import { parseDocument } from '../documents/document-parser.ts'
import { Mapping } from '../mapping.ts'

function joinOf(relations: unknown): Mapping {
  return Mapping.create({ properties: { j: { type: 'join', relations } } })
}

function refusal(work: () => unknown): string {
  try {
    work()
    return ''
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
    return error.causedBy?.message ?? error.message
  }
}

describe('relations', () => {
  it.each([
    [
      { q: ['a', 'c'], a: 'v' },
      { q: ['a', 'c'], a: 'v' },
    ],
    [{ q: ['a'] }, { q: 'a' }],
    [{ q: ['a', 'a'] }, { q: 'a' }],
    [
      { z: ['y', 'x'], y: ['w', 'u'], q: 'a' },
      { q: 'a', y: ['u', 'w'], z: ['x', 'y'] },
    ],
    [{ q: [] }, { q: [] }],
    [undefined, {}],
  ])('%j are printed in the order of Java', (given, printed) => {
    const mapping =
      given === undefined ? Mapping.create({ properties: { j: { type: 'join' } } }) : joinOf(given)
    const shown = { type: 'join', eager_global_ordinals: true, relations: printed }
    expect(JSON.stringify(mapping.toJson()['properties'])).toBe(JSON.stringify({ j: shown }))
  })

  it('of a child with two parents are refused', () => {
    expect(refusal(() => joinOf({ q: 'a', b: 'a' }))).toBe(
      'invalid definition for join field [j]:\n[[a] cannot have multiple parents]',
    )
  })

  it.each([
    [{ q: ['a', 'b'] }, ''],
    [{ q: 'a', z: 'y' }, ''],
    [{ z: 'y' }, 'cannot remove parent [q] in join field [j]'],
    [{ q: 'b' }, 'cannot remove child [a] in join field [j]'],
    [{ q: 'a', a: 'v' }, 'cannot create parent [a] from an existing child'],
    [{ q: 'a', z: 'q' }, 'cannot create child [q] from an existing parent'],
  ])('are updated to %j: %s', (relations, reason) => {
    const update = { properties: { j: { type: 'join', relations } } }
    const found = refusal(() => joinOf({ q: 'a' }).merge(update))
    expect(found).toBe(reason === '' ? '' : `Mapper for [j] conflicts with existing mapping:\n[${reason}]`)
  })

  it('are one per index, and not inside of objects', () => {
    const join = { type: 'join', relations: { q: 'a' } }
    expect(refusal(() => Mapping.create({ properties: { j: join, k: join } }))).toBe(
      'Field [_parent_join] is defined more than once',
    )
    expect(refusal(() => Mapping.create({ properties: { o: { properties: { j: join } } } }))).toBe(
      'join field [o.j] cannot be added inside an object or in a multi-field',
    )
  })
})

describe('a value', () => {
  const mapping = joinOf({ q: ['a', 'c'], a: 'v' })
  const terms = (j: unknown, routing?: string) => {
    const { fields } = parseDocument({ id: 'own', routing, source: { j } }, mapping)
    return Object.fromEntries([...fields].map(([name, field]) => [name, field.terms]))
  }

  it.each([
    ['q', { 'j#q': ['own'], j: ['q'] }],
    [
      { name: 'q', parent: 'ignored' },
      { 'j#q': ['own'], j: ['q'] },
    ],
    [
      { name: 'a', parent: 'p' },
      { 'j#q': ['p'], 'j#a': ['own'], j: ['a'] },
    ],
    [
      { name: 'v', parent: 5 },
      { 'j#a': ['5'], j: ['v'] },
    ],
    [
      { name: 'c', parent: ['p'] },
      { 'j#q': ['p'], j: ['c'] },
    ],
  ])('%j has the ids of parents', (value, expected) => {
    expect(terms(value, 'r')).toEqual(expected)
  })

  it.each([
    [{ name: 'a' }, '[parent] is missing for join field [j]'],
    [{ name: 'a', parent: 'p' }, '[routing] is missing for join field [j]'],
    ['zz', 'unknown join name [zz] for field [j]'],
    [{ name: 'q', foo: 'x' }, 'unknown field name [foo] in join field [j]'],
    [5, '[null] expected START_OBJECT or VALUE_STRING but was: VALUE_NUMBER'],
    [null, '[null] expected START_OBJECT or VALUE_STRING but was: VALUE_NULL'],
    [{}, 'null join name in field [j]'],
    [
      ['q', 'q'],
      'DocValuesField "j#q" appears more than once in this document (only one value is allowed per field)',
    ],
  ])('%j is refused: %s', (value, reason) => {
    expect(refusal(() => terms(value))).toBe(reason)
  })
})
