import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Endpoint, startEndpoint } from '../endpoint.ts'
import { walkDocuments } from './document-walk.ts'
import { visibleCheckpoints } from './shard-walk.ts'
import { TestEnd } from './testing.ts'

let endpoint: Endpoint
let end: TestEnd

beforeEach(async () => {
  endpoint = await startEndpoint({ strict: true })
  end = new TestEnd(endpoint.url)
  await end.ask('PUT', '/a', { settings: { number_of_shards: 2 } })
})

afterEach(async () => {
  await end.cutOff()
  await endpoint.stop()
})

async function write(from: number, to: number): Promise<void> {
  const lines = Array.from({ length: to - from }, (_, n) => [
    { index: { _index: 'a', _id: `${from + n}` } },
    { n },
  ])
  await end.bulk(lines.flat())
}

async function idsOf(after: readonly number[], workers = 1, failAt = Number.POSITIVE_INFINITY) {
  const through = await visibleCheckpoints(end.store, 'a')
  const ids: string[] = []
  const marks = [...after]
  const visit = (documents: readonly { id: string }[]) => {
    for (const { id } of documents) ids.push(id)
    if (ids.length > failAt) throw new Error('broken off')
  }
  const reached = (shard: number, mark: number) => {
    marks[shard] = mark
  }
  const failure = await walkDocuments(end.store, 'a', after, through, { workers, visit, reached }).then(
    () => undefined,
    (error: Error) => error.message,
  )
  return { ids, marks, failure }
}

describe('a walk', () => {
  it.each([1, 5])('with %i workers meets each document once, over gaps of any size', async (workers) => {
    await write(0, 5000)
    // The numbers of the first writes are left by later ones.
    for (let time = 0; time < 6; time++) await write(0, 4900)
    const { ids } = await idsOf([], workers)
    expect(ids.length).toBe(5000)
    expect(new Set(ids).size).toBe(5000)
  })

  it('from a mark meets what was written since', async () => {
    await write(0, 100)
    const { marks } = await idsOf([])
    expect((await idsOf(marks)).ids).toEqual([])
    await write(90, 120)
    const { ids } = await idsOf(marks)
    expect(ids.map(Number).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 30 }, (_, n) => 90 + n),
    )
  })

  it('that breaks off leaves marks behind which nothing was missed', async () => {
    await write(0, 9000)
    const first = await idsOf([-1, -1], 3, 5000)
    expect(first.failure).toBe('broken off')
    const second = await idsOf(first.marks)
    expect(new Set([...first.ids, ...second.ids]).size).toBe(9000)
    expect(second.ids.length).toBeLessThan(9000)
  })
})
