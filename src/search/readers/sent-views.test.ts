import { expect, it } from 'vitest'
import { MemoryFiles } from '../../storage/memory-files.ts'
import { openEngine } from '../engine.ts'
import { write } from '../index/documents/document-writes.ts'
import { openOptions } from '../index/index-expressions.ts'
import { searchIndexOf } from '../index/search-environment.ts'
import { searchTargets } from '../index/search-targets.ts'
import { SentViews } from './sent-views.ts'

const environment = { now: 0, maxClauses: 1024, allowExpensive: true, isOpenSearch: false, isStrict: false }

async function startStore() {
  const engine = openEngine({ files: new MemoryFiles(), directory: 'data', node: 'n' })
  const { cluster } = engine
  cluster.createIndex('i', { settings: { 'index.refresh_interval': '-1' } })
  const [{ metadata, store } = { metadata: undefined, store: undefined }] = searchTargets(
    cluster,
    ['i'],
    openOptions,
    undefined,
  )
  const shard = store!.shards[0]!
  return {
    engine,
    shard,
    index: () =>
      searchIndexOf(
        {
          metadata: metadata!,
          mapping: store!.mapping,
          shards: [shard.reader()],
          filters: undefined,
          scripts: {},
          lookUp: () => undefined,
        },
        environment,
      ),
    metadata: metadata!,
    async add(id: string) {
      const source = Buffer.from(`{"name":"${id}"}`)
      await write(cluster, [{ kind: 'index', index: 'i', id, source }], { refresh: 'true' })
    },
  }
}

it('send a definition, a shard and a segment once, then only what is new', async () => {
  const { engine, index, metadata, add } = await startStore()
  const views = new SentViews()
  await add('a')
  const first = views.index(metadata, index(), 0)
  expect(first.definition?.mappings).toMatchObject({ properties: { name: {} } })
  const [shard] = first.shards
  expect(shard!.contents!.leaves.map(({ opened }) => opened !== undefined)).toEqual([true])
  const again = views.index(metadata, index(), 1)
  expect([again.definition, again.shards[0]!.contents]).toEqual([undefined, undefined])
  await add('b')
  const more = views.index(metadata, index(), 2)
  expect(more.shards[0]!.contents!.leaves.map(({ opened }) => opened !== undefined)).toEqual([false, true])
  await engine.close()
})

it('let go of shards that nobody asked for lately, sooner with documents in memory', async () => {
  const { engine, index, metadata, add, shard } = await startStore()
  const views = new SentViews()
  await add('a')
  views.index(metadata, index(), 0)
  expect(views.stale(1_999)).toEqual([])
  expect(views.stale(2_000)).toEqual([`${metadata.uuid}/0`])
  await shard.flush()
  shard.refresh()
  const flushed = views.index(metadata, index(), 0)
  expect(flushed.shards[0]!.contents!.leaves.map(({ opened }) => Object.keys(opened!))).toEqual([['path']])
  expect(views.stale(59_999)).toEqual([])
  expect(views.stale(60_000)).toEqual([`${metadata.uuid}/0`])
  await engine.close()
})
