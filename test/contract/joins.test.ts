/** Joins and stored queries are the same after a restart, a flush and a merge, on one shard and on several. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Endpoint, startEndpoint } from '../../src/endpoint.ts'
import { ask } from '../extra/oracle/nodes.ts'

type Json = Record<string, unknown>

const directory = mkdtempSync(join(tmpdir(), 'millrace-joins-'))
let endpoint: Endpoint | undefined
afterEach(async () => {
  await endpoint?.stop()
  endpoint = undefined
  rmSync(directory, { recursive: true, force: true })
})

async function start(): Promise<void> {
  await endpoint?.stop()
  endpoint = await startEndpoint({ flavor: 'opensearch', strict: true, directory })
}

async function send(method: string, path: string, body?: unknown): Promise<Json> {
  const { text } = await ask(endpoint!.url, { method, path, body })
  return JSON.parse(text) as Json
}

async function hits(query: Json): Promise<string[]> {
  const { hits: found } = (await send('POST', '/s/_search', { query, size: 100 })) as unknown as {
    hits: { hits: { _id: string }[] }
  }
  return found.hits.map(({ _id }) => _id).sort()
}

const mappings = {
  properties: {
    j: { type: 'join', relations: { question: 'answer' } },
    q: { type: 'percolator' },
    t: { type: 'text' },
  },
}

async function write(from: number, to: number): Promise<void> {
  const lines: Json[] = []
  for (let i = from; i < to; i++) {
    const question = `q${i}`
    lines.push({ index: { _id: question } }, { j: 'question', q: { match: { t: `w${i % 3}` } } })
    for (let n = 0; n < i % 4; n++)
      lines.push(
        { index: { _id: `${question}-${n}`, routing: question } },
        { j: { name: 'answer', parent: question }, t: `w${n}` },
      )
  }
  await send('POST', '/s/_bulk?refresh=true', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
}

describe.each([1, 3])('with %i shards', (shards) => {
  it('finds the same families after a restart and a merge', async () => {
    await start()
    await send('PUT', '/s', { settings: { number_of_shards: shards }, mappings })
    await write(0, 20)
    await write(20, 40)
    await send('DELETE', '/s/_doc/q7-0?routing=q7&refresh=true')
    const answered = Array.from({ length: 40 }, (_, i) => i).filter((i) => i % 4 > 1 && i !== 7)
    const check = async () => {
      const type = { type: 'answer' }
      const second = { has_child: { ...type, query: { match: { t: 'w1' } } } }
      expect(await hits(second)).toEqual([...answered, 7].map((i) => `q${i}`).sort())
      const two = { has_child: { ...type, query: { match_all: {} }, min_children: 2, max_children: 2 } }
      expect(await hits(two)).toEqual([2, 6, 7, 10, 14, 18, 22, 26, 30, 34, 38].map((i) => `q${i}`).sort())
      expect(
        await hits({ has_parent: { parent_type: 'question', query: { ids: { values: ['q7'] } } } }),
      ).toEqual(['q7-1', 'q7-2'])
      const percolate = { percolate: { field: 'q', document: { t: 'w2' } } }
      expect(await hits(percolate)).toEqual(
        Array.from({ length: 40 }, (_, i) => i)
          .filter((i) => i % 3 === 2)
          .map((i) => `q${i}`)
          .sort(),
      )
      const aggs = { answers: { children: type }, questions: { parent: type } }
      const { aggregations } = await send('POST', '/s/_search', { size: 0, aggs })
      expect(aggregations).toEqual({ answers: { doc_count: 59 }, questions: { doc_count: 30 } })
    }
    await check()
    await start()
    await check()
    await send('POST', '/s/_flush')
    await send('POST', '/s/_forcemerge?max_num_segments=1')
    await check()
    await start()
    await check()
  }, 60_000)
})

it('checks a stored query also when nothing was searched before', async () => {
  await start()
  await send('PUT', '/s', { mappings })
  const refused = await send('PUT', '/s/_doc/1', { q: { term: { missing: 1 } } })
  expect(JSON.stringify(refused)).toContain('No field mapping can be found for the field with name [missing]')
  await start()
  const again = await send('POST', '/s/_bulk', '{"index":{"_id":"2"}}\n{"q":{"foo":{}}}\n')
  expect(JSON.stringify(again)).toContain('unknown query [foo]')
}, 60_000)
