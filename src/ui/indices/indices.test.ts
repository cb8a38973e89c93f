import { expect, it } from 'vitest'
import { indexRows, mappingLines, matches } from './indices.ts'

it('joins indices with their aliases and streams', () => {
  const cat = {
    index: 'logs-1',
    health: 'green',
    status: 'open',
    'docs.count': '12',
    'docs.deleted': '1',
    'store.size': '999',
    'creation.date.string': '2026-05-04T00:00:00.000Z',
  }
  const closed = { ...cat, index: '.old', status: 'close', 'docs.count': null, 'store.size': null }
  const rows = indexRows(
    [cat, closed],
    { 'logs-1': { aliases: { logs: {} } } },
    { data_streams: [{ name: 'stream', indices: [{ index_name: '.old' }] }] },
  )
  expect(rows[0]).toMatchObject({
    name: 'logs-1',
    documents: 12,
    bytes: 999,
    aliases: ['logs'],
    isOpen: true,
  })
  expect(rows[1]).toMatchObject({
    isOpen: false,
    isHidden: true,
    documents: 0,
    stream: 'stream',
    aliases: [],
  })
})

it('finds names by patterns', () => {
  const found = (pattern: string) => ['logs-a', 'logs-b', 'shop'].filter((name) => matches(name, pattern))
  expect(found('')).toEqual(['logs-a', 'logs-b', 'shop'])
  expect(found('OG')).toEqual(['logs-a', 'logs-b'])
  expect(found('logs-*')).toEqual(['logs-a', 'logs-b'])
  expect(found('*b')).toEqual(['logs-b'])
  expect(found('s*p')).toEqual(['shop'])
  expect(found('l*o*s*a')).toEqual(['logs-a'])
  expect(found('a*a')).toEqual([])
})

it('shows a mapping as a tree', () => {
  const properties = {
    user: {
      properties: { name: { type: 'text', analyzer: 'english', fields: { keyword: { type: 'keyword' } } } },
    },
  }
  expect(
    mappingLines(properties).map(({ name, depth, type, more }) => `${depth} ${name} ${type} ${more}`),
  ).toEqual(['0 user object ', '1 name text {"analyzer":"english"}', '2 keyword keyword '])
})
