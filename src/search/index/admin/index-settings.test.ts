import { describe, expect, it } from 'vitest'
import { checkSettings, flattenSettings, nestedSettings, withChanges } from './index-settings.ts'

function problem(json: unknown): string {
  try {
    checkSettings(flattenSettings(json))
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

describe('index settings', () => {
  it('are the same nested, dotted, with and without their prefix', () => {
    const expected = new Map([['index.number_of_shards', '2']])
    expect(flattenSettings({ number_of_shards: 2 })).toEqual(expected)
    expect(flattenSettings({ 'index.number_of_shards': '2' })).toEqual(expected)
    expect(flattenSettings({ index: { number_of_shards: 2 } })).toEqual(expected)
  })

  it('are refused with the reasons of Elasticsearch', () => {
    expect(problem({ number_of_shards: 0 })).toBe(
      'Failed to parse value [0] for setting [index.number_of_shards] must be >= 1',
    )
    expect(problem({ number_of_replicas: 'x' })).toBe(
      'Failed to parse value [x] for setting [index.number_of_replicas]',
    )
    expect(problem({ refresh_interval: 'abc' })).toBe(
      'failed to parse setting [index.refresh_interval] with value [abc] as a time value: unit is missing or unrecognized',
    )
    expect(problem({ 'blocks.write': 'yes' })).toBe(
      'Failed to parse value [yes] as only [true] or [false] are allowed.',
    )
    expect(problem({ foo: 1 })).toBe(
      'unknown setting [index.foo] please check that any required plugins are installed, or check the breaking changes documentation for removed settings',
    )
    expect(problem({ refresh_intervall: '1s' })).toBe(
      'unknown setting [index.refresh_intervall] did you mean [index.refresh_interval]?',
    )
    expect(problem({ refresh_interval: -1 })).toBe('')
  })

  it('are reset by null, a whole group by a pattern', () => {
    const before = { 'index.blocks.read': 'true', 'index.blocks.write': 'true', 'index.hidden': 'true' }
    expect(withChanges(before, new Map([['index.hidden', null]]))).toEqual({
      'index.blocks.read': 'true',
      'index.blocks.write': 'true',
    })
    expect(withChanges(before, new Map([['index.blocks.*', null]]))).toEqual({ 'index.hidden': 'true' })
  })

  it('print as nested texts', () => {
    expect(nestedSettings({ 'index.a.b': '1', 'index.a.c': ['x'], 'index.__proto__.d': '2' })).toEqual({
      index: Object.fromEntries([
        ['a', { b: '1', c: ['x'] }],
        ['__proto__', { d: '2' }],
      ]),
    })
  })
})
