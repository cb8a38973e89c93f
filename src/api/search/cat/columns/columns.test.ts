import { describe, expect, it } from 'vitest'
import { Bytes } from '../cat-table.ts'
import { columns, countedRow, sparseRow, withPrimaries } from './columns.ts'
import { indexColumns } from './index-columns.ts'
import { nodeColumns } from './node-columns.ts'
import { shardColumns } from './shard-columns.ts'

const two = columns(`
name|n,nm|the name|
size||bytes of it|-b
`)

describe('columns', () => {
  it('are read from lines', () => {
    expect(two).toEqual([
      { name: 'name', aliases: ['n', 'nm'], doc: 'the name', right: false, hidden: false, zero: null },
      { name: 'size', aliases: [], doc: 'bytes of it', right: true, hidden: true, zero: new Bytes(0) },
    ])
  })

  it('have a column of the primaries each', () => {
    expect(withPrimaries('get.time|gti|time spent|-t\nget.total||number|-n')).toBe(
      'get.time|gti|time spent|-t\npri.get.time||time spent|-t\nget.total||number|-n\npri.get.total||number|-n',
    )
  })

  it('are zero in rows that count, and empty in others', () => {
    expect(countedRow(two, { name: 'a' })).toEqual(['a', new Bytes(0)])
    expect(sparseRow(two, { name: 'a' })).toEqual(['a', null])
  })

  it.each([
    ['indices', indexColumns, 173],
    ['shards', shardColumns, 93],
    ['nodes', nodeColumns, 111],
  ] as const)('of %s are as many as in OpenSearch, each with a name of its own', (_, all, count) => {
    expect(all.length).toBe(count)
    expect(new Set(all.map(({ name }) => name)).size).toBe(count)
  })
})
