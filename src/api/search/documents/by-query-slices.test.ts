/** How many slices a request may ask for: each has a search and a part of the answer of its own. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestNode, type TestNode } from '../testing.ts'

let node: TestNode

beforeAll(async () => {
  node = await startTestNode()
  await node.ask('PUT', '/few', { settings: { 'index.max_slices_per_scroll': 3 } })
  await node.ask('PUT', '/few/_doc/1?refresh=true', { k: 1 })
  await node.ask('PUT', '/many/_doc/1?refresh=true', { k: 1 })
})

afterAll(() => node.close())

const tooMany = (slices: string, limit: number) =>
  `The number of slices [${slices}] is too large. It must be less than [${limit}]. This limit can be set by changing the [index.max_slices_per_scroll] index level setting.`

it.each([
  ['/many/_delete_by_query', '1025', 1024],
  ['/many/_update_by_query', '99999999999', 1024],
  ['/many,few/_update_by_query', '4', 3],
])('%s with slices=%s is refused before there is one', async (path, slices, limit) => {
  const body = { query: { match_all: {} } }
  const answer = await node.ask('POST', `${path}?slices=${slices}`, body)
  expect([answer.status, answer.at('error.reason')]).toEqual([400, tooMany(slices, limit)])
})

it('a reindex with too many slices is refused too, and one with as many as are allowed is not', async () => {
  const body = { source: { index: 'few' }, dest: { index: 'copy' } }
  const answer = await node.ask('POST', '/_reindex?slices=100000', body)
  expect([answer.status, answer.at('error.reason')]).toEqual([400, tooMany('100000', 3)])
  const three = await node.ask('POST', '/_reindex?slices=3', body)
  expect([three.status, three.at('created')]).toEqual([200, 1])
})

// A reindex reads its source as a scroll does.
it.each([
  [0, 'Validation Failed: 1: [size] cannot be [0] in a scroll context;'],
  [-1, '[size] parameter cannot be negative, found [-1]'],
])('a reindex in batches of %s is refused', async (size, reason) => {
  const body = { source: { index: 'few', size }, dest: { index: 'copy' } }
  const answer = await node.ask('POST', '/_reindex', body)
  expect([answer.status, answer.at('error.reason')]).toEqual([400, reason])
})
