/**
 * Searches by readers beside searches by the store itself: the same answers, whatever is written, deleted, flushed and
 * merged in between.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SearchApi, startSearchApi } from '../../src/api/search/server.ts'
import { openEngine } from '../../src/search/engine.ts'
import { MemoryFiles } from '../../src/storage/memory-files.ts'
import { differenceOf } from '../extra/oracle/compare.ts'
import { loadDocuments } from '../extra/oracle/load.ts'
import { ask } from '../extra/oracle/nodes.ts'
import { canonicalJson } from '../support/canonical-json.ts'
import { InProcessReaders } from '../support/in-process-readers.ts'

interface ReadNode {
  readonly url: string
  readonly readers: InProcessReaders
  close(): Promise<void>
}

async function startNode(): Promise<ReadNode> {
  const files = new MemoryFiles()
  const readers = new InProcessReaders(files)
  const node = 'testnode_testnode_test'
  const engine = openEngine({ files, directory: 'data', node, flavor: 'opensearch', strict: true, readers })
  const api: SearchApi = await startSearchApi({
    cluster: engine.cluster,
    search: engine.search,
    nodeId: node,
    nodeName: 'node-1',
    host: '127.0.0.1',
    ports: { first: 0, last: 0 },
    hotThreads: async () => '',
    settings: {},
  })
  return {
    url: `http://127.0.0.1:${api.port}`,
    readers,
    async close() {
      await api.close()
      await engine.close()
    },
  }
}

type Recorded = [method: string, path: string, body: string | null, status: number, text: string]

const recorded = JSON.parse(
  readFileSync(new URL('./opensearch-answers.json', import.meta.url), 'utf8'),
) as Recorded[]
const searches = recorded.filter(([, path]) => /\/_(?:m?search|count)\b/.test(path))

describe('readers answer as OpenSearch does', () => {
  let node: ReadNode
  beforeAll(async () => {
    node = await startNode()
    await loadDocuments(node.url)
    // The first search starts a reader, and does not wait for it.
    await ask(node.url, { method: 'GET', path: '/_count' })
    await new Promise((resolve) => setTimeout(resolve, 50))
  })
  afterAll(() => node.close())

  it.each(searches)('%s %s %s', async (method, path, body, status, text) => {
    const ours = await ask(node.url, { method, path, ...(body !== null && { body }) })
    const difference = differenceOf(ours, { status, text })
    expect(difference?.isForm === true ? undefined : difference).toBeUndefined()
  })

  it('nearly all that are no error were answered by the reader', () => {
    const found = searches.filter(([, , , status]) => status === 200)
    expect(found.length).toBeGreaterThan(100)
    expect(node.readers.answered).toBeGreaterThan(found.length * 0.8)
  })
})

/** A linear congruential generator: the same numbers for the same seed. */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const words = ['north', 'south', 'east', 'west', 'mill', 'race', 'wheel', 'stone']

function randomSearch(random: (below: number) => number): object {
  const word = () => words[random(words.length)]!
  const queries = [
    { match_all: {} },
    { match: { text: `${word()} ${word()}` } },
    { term: { 'tag.keyword': word() } },
    { range: { number: { gte: random(50), lt: 50 + random(50) } } },
    { ids: { values: [String(random(60)), String(random(60))] } },
    { nested: { path: 'parts', query: { term: { 'parts.size': random(5) } } } },
  ]
  return {
    query: queries[random(queries.length)],
    size: 5 + random(20),
    seq_no_primary_term: true,
    version: true,
    sort: random(2) === 0 ? ['_score', '_seq_no'] : [{ number: 'desc' }, '_seq_no'],
    aggs: { tags: { terms: { field: 'tag.keyword' }, aggs: { sum: { sum: { field: 'number' } } } } },
  }
}

describe.each([1, 2, 3, 4])('readers see what the store sees (seed %i)', (seed) => {
  it('after any writes, deletions, refreshes, flushes and merges', async () => {
    const node = await startNode()
    const random = seeded(seed)
    const send = (method: string, path: string, body?: object) =>
      ask(node.url, { method, path, ...(body !== undefined && { body: JSON.stringify(body) }) })
    try {
      await send('PUT', '/things', {
        settings: { number_of_shards: 2, refresh_interval: '-1' },
        mappings: {
          properties: {
            text: { type: 'text' },
            tag: { type: 'text', fields: { keyword: { type: 'keyword' } } },
            number: { type: 'integer' },
            parts: { type: 'nested', properties: { size: { type: 'byte' } } },
          },
        },
      })
      const changes = [
        async () => {
          for (let i = 0; i < 10; i++) {
            const document = {
              text: `${words[random(8)]} ${words[random(8)]}`,
              tag: words[random(8)],
              number: random(100),
              parts: [{ size: random(5) }, { size: random(5) }],
              [`extra${random(4)}`]: random(10),
            }
            await send('PUT', `/things/_doc/${random(60)}`, document)
          }
        },
        () => send('DELETE', `/things/_doc/${random(60)}`),
        () => send('POST', '/things/_refresh'),
        () => send('POST', '/things/_refresh'),
        () => send('POST', '/things/_flush'),
        () => send('POST', '/things/_forcemerge?max_num_segments=1'),
        () => send('POST', '/_aliases', { actions: [{ add: { index: 'things', alias: `a${random(3)}` } }] }),
      ]
      for (let round = 0; round < 40; round++) {
        await changes[random(changes.length)]!()
        const search = randomSearch(random)
        const answers: string[] = []
        // A merge in the background may change scores between two of them, but not twice.
        for (const isOn of [true, false, true]) {
          node.readers.isOn = isOn
          const { status, text } = await send('POST', '/things/_search', search)
          expect(status).toBe(200)
          answers.push(canonicalJson(text, ['took']))
        }
        expect(answers[0] === answers[1] ? answers[0] : answers[2]).toBe(answers[1])
      }
      expect(node.readers.answered).toBeGreaterThan(60)
      expect(node.readers.declined).toBeLessThan(5)
    } finally {
      await node.close()
    }
  }, 60_000)
})
