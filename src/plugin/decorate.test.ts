import { describe, expect, test } from 'vitest'
import type { Event } from '../event/event.ts'
import { InvalidFieldReference } from '../event/field-reference.ts'
import type { Fields, Value } from '../event/value.ts'
import { compileFilterDecoration, compileInputDecoration } from './decorate.ts'
import { shownFields, testEvent } from './testing/shown-fields.ts'

type FilterOptions = Parameters<typeof compileFilterDecoration>[0]
type InputOptions = Parameters<typeof compileInputDecoration>[0]

function run(decorate: ((event: Event) => void) | undefined, fields: Fields): Fields {
  const event = testEvent(fields)
  decorate?.(event)
  return shownFields(event)
}

const filtered = (options: FilterOptions, fields: Fields) => run(compileFilterDecoration(options), fields)
const received = (options: InputOptions, fields: Fields) => run(compileInputDecoration(options), fields)
const hash = (pairs: Record<string, Value>) => new Map(Object.entries(pairs))

test('nothing configured is nothing to call', () => {
  expect(compileFilterDecoration({})).toBeUndefined()
  expect(
    compileFilterDecoration({ add_field: new Map(), remove_field: [], add_tag: [], remove_tag: [] }),
  ).toBeUndefined()
  expect(compileInputDecoration({ add_field: new Map(), tags: [] })).toBeUndefined()
})

describe('add_field', () => {
  test('sets a new field, names and values are templates', () => {
    expect(filtered({ add_field: hash({ a: 'x', 'b_%{n}': '%{n}-%{missing}' }) }, { n: 1 })).toEqual({
      n: 1,
      a: 'x',
      b_1: '1-%{missing}',
    })
  })

  test('a number becomes text', () => {
    expect(filtered({ add_field: hash({ a: 5 }) }, {})).toEqual({ a: '5' })
  })

  test.each<[string, Value, Value]>([
    ['text', 'old', ['old', 'new']],
    ['null', null, ['new']],
    ['list', [1, 2], [1, 2, 'new']],
    ['map', { k: 1 }, [['k', 1], 'new']],
    ['number', 1, [1, 'new']],
  ])('appends to an existing %s', (_, old, expected) => {
    expect(filtered({ add_field: hash({ a: 'new' }) }, { a: old })).toEqual({ a: expected })
    expect(filtered({ add_field: hash({ '%{name}': 'new' }) }, { name: 'a', a: old })['a']).toEqual(expected)
  })

  test('a list adds each element, later entries see earlier ones', () => {
    expect(filtered({ add_field: hash({ a: ['x', '%{a}'], b: '%{a}' }) }, {})).toEqual({
      a: ['x', 'x'],
      b: 'x,x',
    })
  })

  test('does not change the list it extends', () => {
    const event = testEvent({ a: [1] })
    const before = event.data['a']
    compileFilterDecoration({ add_field: hash({ a: 'x' }) })?.(event)
    expect(before).toEqual([1])
  })

  test('nested, metadata and inherited names', () => {
    const added = hash({ '[a][b]': 'x', '[@metadata][m]': 'y', constructor: 'z' })
    expect(filtered({ add_field: added }, {})).toEqual({
      a: { b: 'x' },
      constructor: 'z',
      '@metadata': { m: 'y' },
    })
    const event = testEvent({})
    compileFilterDecoration({ add_field: new Map([['__proto__', 'x']]) })?.(event)
    expect(event.get('__proto__')).toBe('x')
  })

  test('a bad reference is reported by the event, not at start', () => {
    const decorate = compileFilterDecoration({ add_field: hash({ 'foo[bar]': 'x' }) })
    expect(() => decorate?.(testEvent({}))).toThrow(InvalidFieldReference)
  })

  test('the time takes timestamps only', () => {
    const decorate = compileFilterDecoration({ add_field: hash({ '@timestamp': 'x' }) })
    expect(() => decorate?.(testEvent({}))).toThrow('expected LogStash::Timestamp')
  })
})

test('remove_field', () => {
  expect(
    filtered({ remove_field: ['a', '[b][c]', '%{which}', 'none'] }, { a: 1, b: { c: 2 }, which: 'd', d: 3 }),
  ).toEqual({
    b: {},
    which: 'd',
  })
})

describe('tags', () => {
  test('add_tag does not remove duplicates', () => {
    expect(filtered({ add_tag: ['foo'] }, { tags: ['foo'] })).toEqual({ tags: ['foo', 'foo'] })
  })

  test('a scalar becomes a list', () => {
    expect(filtered({ add_tag: ['b'] }, { tags: 'a' })).toEqual({ tags: ['a', 'b'] })
    expect(filtered({ remove_tag: ['b'] }, { tags: 'a' })).toEqual({ tags: ['a'] })
  })

  test('no tags yet', () => {
    expect(filtered({ add_tag: ['%{n}', 'x'] }, { n: 1 })).toEqual({ n: 1, tags: ['1', 'x'] })
    expect(filtered({ remove_tag: ['x'] }, {})).toEqual({})
  })

  test('remove_tag leaves an empty list', () => {
    expect(filtered({ remove_tag: ['a', '%{n}'] }, { n: 'b', tags: ['a', 'b', 'a'] })).toEqual({
      n: 'b',
      tags: [],
    })
  })

  test('events do not share their list', () => {
    const decorate = compileFilterDecoration({ add_tag: ['x'] })
    const [one, two] = [testEvent({}), testEvent({})]
    decorate?.(one)
    decorate?.(two)
    ;(one.get('tags') as string[]).push('changed')
    expect(two.get('tags')).toEqual(['x'])
  })
})

test('order: add_field, remove_field, add_tag, remove_tag', () => {
  const options = {
    add_field: hash({ a: 'x', b: '%{c}' }),
    remove_field: ['a', 'c'],
    add_tag: ['%{b}', 't'],
    remove_tag: ['t'],
  }
  expect(filtered(options, { c: 1 })).toEqual({ b: '1', tags: ['1'] })
})

test('the text an event arrived as is no longer its text', () => {
  const event = testEvent({ a: 1 })
  event.raw = '{"a":1}'
  compileFilterDecoration({ add_tag: ['x'] })?.(event)
  expect(event.raw).toBeNull()
})

describe('inputs', () => {
  test('type only if there is none, then add_field, then tags', () => {
    const options = { type: 'log', add_field: hash({ kind: '%{type}' }), tags: ['in', '%{kind}'] }
    expect(received(options, {})).toEqual({ type: 'log', kind: 'log', tags: ['in', 'log'] })
    expect(received(options, { type: 'own' })).toEqual({ type: 'own', kind: 'own', tags: ['in', 'own'] })
  })
})
