import { describe, expect, it } from 'vitest'
import { type ClusterState, emptyState } from './cluster-state.ts'
import { IndexResolver, metadataOptions, openOptions, splitExpression } from './index-expressions.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { resolveDateMathName } from './templates/date-math-names.ts'

function index(name: string, more: Partial<IndexMetadata> = {}): IndexMetadata {
  return {
    name,
    uuid: `uuid-${name}`,
    creationDate: 0,
    isOpen: true,
    settings: {},
    mappings: {},
    aliases: {},
    version: 1,
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    ...more,
  }
}

const state: ClusterState = {
  ...emptyState('c'),
  indices: {
    'logs-1': index('logs-1', { aliases: { logs: {}, all: { filter: { term: { a: 1 } } } } }),
    'logs-2': index('logs-2', { aliases: { logs: {} } }),
    old: index('old', { isOpen: false }),
    secret: index('secret', { settings: { 'index.hidden': 'true' } }),
    '.ds-s-000001': index('.ds-s-000001', { settings: { 'index.hidden': 'true' } }),
  },
  dataStreams: { s: { name: 's', indices: ['.ds-s-000001'], generation: 1, hidden: false } },
}
const resolver = new IndexResolver(state, Date.UTC(2024, 4, 1, 12))

function names(expression: string, options = openOptions): string[] {
  return resolver.resolve(splitExpression(expression), options).map((found) => found.index.name)
}

describe('index expressions', () => {
  it('match open, visible indices and data streams by wildcard', () => {
    expect(names('')).toEqual(['logs-1', 'logs-2', '.ds-s-000001'])
    expect(names('_all')).toEqual(names('*'))
    expect(names('l*')).toEqual(['logs-1', 'logs-2'])
    expect(names('.ds*')).toEqual(['.ds-s-000001'])
    expect(names('*', { ...metadataOptions, expandOpen: false, expandClosed: true })).toEqual(['old'])
    expect(names('se*', { ...openOptions, expandHidden: true })).toEqual(['secret'])
  })

  it('exclude after a wildcard only', () => {
    expect(names('logs-*,-logs-2')).toEqual(['logs-1'])
    expect(() => names('-logs-2')).toThrow('no such index [-logs-2]')
  })

  it('follow aliases and data streams', () => {
    expect(names('logs')).toEqual(['logs-1', 'logs-2'])
    expect(names('s')).toEqual(['.ds-s-000001'])
    const [found] = resolver.resolve(['all'], openOptions)
    expect(found).toMatchObject({ isDirect: false, aliases: [['all', { filter: { term: { a: 1 } } }]] })
    expect(resolver.resolve(['all', 'logs-1'], openOptions)[0]?.isDirect).toBe(true)
  })

  it('refuse missing and closed indices, unless told not to', () => {
    expect(() => names('nope')).toThrow(
      expect.objectContaining({ type: 'index_not_found_exception', status: 404 }),
    )
    expect(() => names('old')).toThrow(
      expect.objectContaining({ type: 'index_closed_exception', message: 'closed' }),
    )
    expect(names('nope,old,logs-1', { ...openOptions, ignoreUnavailable: true })).toEqual(['logs-1'])
    expect(names('x*')).toEqual([])
    expect(() => names('x*', { ...openOptions, allowNoIndices: false })).toThrow('no such index [x*]')
    expect(() => names('_x')).toThrow("Invalid index name [_x], must not start with '_'.")
  })

  it('resolve date math', () => {
    const now = Date.UTC(2024, 4, 1, 23)
    expect(resolveDateMathName('<logs-{now/d}>', now)).toBe('logs-2024.05.01')
    expect(resolveDateMathName('<logs-{now/M{yyyy.MM}}>', now)).toBe('logs-2024.05')
    expect(resolveDateMathName('<logs-{now/d{yyyy.MM.dd|+02:00}}>', now)).toBe('logs-2024.05.02')
    expect(resolveDateMathName('<a\\{b-{now/d-1d}>', now)).toBe('a{b-2024.04.30')
    expect(() => resolveDateMathName('<a-{now/d>', now)).toThrow('date math placeholder is open ended')
    expect(splitExpression('<a-{now/d{yyyy,MM}}>,b')).toEqual(['<a-{now/d{yyyy,MM}}>', 'b'])
  })
})

it('thousands of patterns read the aliases of an index once', () => {
  const aliases = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`al${at}`, {}]))
  let reads = 0
  const counted = new Proxy(aliases, {
    ownKeys(target) {
      reads++
      return Reflect.ownKeys(target)
    },
  })
  const indices = { logs: index('logs', { aliases: counted }) }
  const many = new IndexResolver({ ...emptyState('c'), indices }, 0)
  const patterns = Array.from({ length: 2000 }, (_, at) => `al*${at}`)
  const [found] = many.resolve([...patterns, '-al*x'], openOptions)
  expect(new Set(found?.aliases.map(([name]) => name))).toEqual(new Set(Object.keys(aliases)))
  expect(reads).toBeLessThan(5)
})
