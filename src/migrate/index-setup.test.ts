import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Endpoint, startEndpoint } from '../endpoint.ts'
import { createIndex, readIndex } from './index-setup.ts'
import { TestEnd } from './testing.ts'

let endpoint: Endpoint
let end: TestEnd

beforeEach(async () => {
  endpoint = await startEndpoint()
  end = new TestEnd(endpoint.url)
})

afterEach(async () => {
  await end.cutOff()
  await endpoint.stop()
})

it('makes an index without what the target does not know, and says what that was', async () => {
  const dropped = await createIndex(end.store, 'a', {
    uuid: 'u',
    aliases: {},
    settings: {
      'index.number_of_shards': '2',
      'index.of_another_product': 'true',
      'index.uuid': 'u',
      'index.blocks.write': 'true',
    },
    mappings: {
      properties: {
        vector: { type: 'vector_of_another_product', dimension: 3 },
        word: { type: 'keyword', speed: 'fast' },
        inner: { properties: { word: { type: 'keyword', speed: 'fast' } } },
      },
    },
  })
  expect(dropped.sort()).toEqual([
    'parameter speed of field word',
    'setting index.of_another_product',
    'type vector_of_another_product of field vector, which is kept and cannot be searched',
  ])
  const { mappings, settings } = (await readIndex(end.store, 'a'))!
  expect(mappings).toEqual({
    properties: {
      vector: { type: 'object', enabled: false },
      word: { type: 'keyword' },
      inner: { properties: { word: { type: 'keyword' } } },
    },
  })
  expect(settings).toMatchObject({ 'index.number_of_shards': '2', 'index.refresh_interval': '-1' })
  expect(settings['index.blocks.write']).toBeUndefined()
})

it('finds no index where there is none', async () => {
  expect(await readIndex(end.store, 'none')).toBeUndefined()
})
