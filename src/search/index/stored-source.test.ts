/** `_source.includes` and `excludes` of a mapping: everything is searchable, a part is stored. */
import { afterAll, expect, it } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { Cluster } from './cluster.ts'
import { getDocument } from './documents/document-reads.ts'
import { write } from './documents/document-writes.ts'
import { EmbeddedStores } from './shards/embedded-stores.ts'

const files = new MemoryFiles()
const open = () =>
  new Cluster({ files, directory: 'd', stores: new EmbeddedStores({ files, directory: 'd' }) })
let cluster = open()
afterAll(() => cluster.close())

function source(): unknown {
  const { document } = getDocument(cluster, { index: 'i', id: '1' })
  return JSON.parse(Buffer.from(document!.source).toString())
}

it('stores the source that the mapping includes, before and after a refresh and a restart', async () => {
  cluster.createIndex('i', { mappings: { _source: { includes: ['a.*', 'n'], excludes: ['*.secret'] } } })
  const json = '{"a":{"x":1,"secret":2},"b":3,"n":1.50}'
  await write(cluster, [{ kind: 'index', index: 'i', id: '1', source: Buffer.from(json) }], {
    refresh: 'false',
  })
  expect(source()).toEqual({ a: { x: 1 }, n: 1.5 })
  await cluster.close()
  cluster = open()
  expect(source()).toEqual({ a: { x: 1 }, n: 1.5 })
  const [shard] = cluster.store(cluster.index('i')!).shards
  shard!.refresh()
  const { segment } = shard!.reader().leaves[0]!
  expect(Buffer.from(segment.source(0)).toString()).toBe('{"a":{"x":1},"n":1.50}')
  expect([...segment.fields.keys()]).toContain('b')
})
