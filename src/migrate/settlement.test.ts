import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Endpoint, startEndpoint } from '../endpoint.ts'
import { settleDocuments } from './settlement.ts'
import { TestEnd } from './testing.ts'

let endpoints: Endpoint[]
let from: TestEnd
let to: TestEnd

beforeEach(async () => {
  endpoints = [await startEndpoint(), await startEndpoint({ strict: true })]
  ;[from, to] = endpoints.map(({ url }) => new TestEnd(url)) as [TestEnd, TestEnd]
  await from.ask('PUT', '/a', { settings: { number_of_shards: 2 } })
  await to.ask('PUT', '/a', { settings: { number_of_shards: 2, 'index.gc_deletes': '0s' } })
})

afterEach(async () => {
  for (const end of [from, to]) await end.cutOff()
  for (const endpoint of endpoints) await endpoint.stop()
})

async function put(end: TestEnd, id: string, version: number, source: object, routing?: string) {
  const place = { _index: 'a', _id: id, version, version_type: 'external', ...(routing && { routing }) }
  await end.bulk([{ index: place }, source])
}

async function settle(ids: readonly string[]) {
  for (const end of [from, to]) await end.ask('POST', '/a/_refresh')
  const settlement = await settleDocuments(
    { source: from.store, target: to.store, name: 'a', isStream: false },
    ids,
  )
  expect(settlement).toMatchObject({ left: [], failures: [] })
  expect(await to.contents('a')).toEqual(await from.contents('a'))
  return settlement
}

it('writes what is missing or older, and leaves what is the same', async () => {
  await put(from, 'missing', 1, { n: 1 })
  for (const end of [from, to]) await put(end, 'same', 7, { n: 2 })
  await put(from, 'older', 4, { n: 3 })
  await put(to, 'older', 3, { n: 0 })
  expect(await settle(['missing', 'same', 'older'])).toMatchObject({ written: 2, deleted: 0 })
})

it('deletes what the source has no more', async () => {
  await put(to, 'gone', 5, { n: 1 })
  expect(await settle(['gone'])).toMatchObject({ written: 0, deleted: 1 })
})

it('brings a document to a lower version when the source has written it anew', async () => {
  await put(from, 'anew', 1, { n: 'new' })
  await put(to, 'anew', 9, { n: 'old' })
  expect(await settle(['anew'])).toMatchObject({ deleted: 1 })
})

it('brings back the source of a document that has the right version', async () => {
  await put(from, 'x', 3, { n: 1.5 })
  await put(to, 'x', 3, { n: 2.5 })
  await settle(['x'])
})

it('knows a document by its id and routing', async () => {
  await put(from, 'x', 1, { n: 1 }, 'r1')
  await put(to, 'x', 1, { n: 1 }, 'r2')
  expect(await settle(['x'])).toMatchObject({ written: 1, deleted: 1 })
})

it('does any number of ids', async () => {
  const ids = Array.from({ length: 1300 }, (_, n) => `id ${n}`)
  await from.bulk(ids.flatMap((id) => [{ index: { _index: 'a', _id: id } }, { id }]))
  expect(await settle(ids)).toMatchObject({ written: 1300 })
})
