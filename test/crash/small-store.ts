/** A small store on a simulated disk with every kind of file in it, and everything one can ask of it in one object. */

import { writeJson } from '../../src/search/answer/json-text.ts'
import { Cluster } from '../../src/search/index/cluster.ts'
import { getDocument } from '../../src/search/index/documents/document-reads.ts'
import { type WriteAction, write } from '../../src/search/index/documents/document-writes.ts'
import { EmbeddedSearch } from '../../src/search/index/embedded-search.ts'
import { openOptions } from '../../src/search/index/index-expressions.ts'
import { searchTargets } from '../../src/search/index/search-targets.ts'
import { EmbeddedStores } from '../../src/search/index/shards/embedded-stores.ts'
import type { Report } from '../../src/search/shard/report.ts'
import { SimulatedDisk } from '../../src/storage/simulated-disk.ts'

export interface SmallStore {
  readonly cluster: Cluster
  readonly search: EmbeddedSearch
  readonly reports: string[]
}

export function openStore(files: SimulatedDisk, directory = 'store'): SmallStore {
  const reports: string[] = []
  const report: Report = (level, message, details) =>
    void reports.push(`${level} ${message} ${JSON.stringify(details)}`)
  const stores = new EmbeddedStores({ files, directory, report })
  const cluster = new Cluster({ files, directory, stores, report })
  return { cluster, search: new EmbeddedSearch({ cluster, node: 'n' }), reports }
}

/** Lets go of everything without writing, as a process that is killed does. */
export function drop({ search }: SmallStore): void {
  search.close()
}

const words = ['red', 'green', 'blue', 'dark', 'light', 'quick', 'brown', 'fox']

export function documentOf(n: number, revision = 0): string {
  const text = words.filter((_, i) => ((n * 7 + revision) >>> (i % 5)) % 2 === 0).join(' ')
  return JSON.stringify({
    n,
    revision,
    text,
    tag: `t${n % 5}`,
    at: 1_700_000_000_000 + n * 1000,
    ok: n % 3 === 0,
  })
}

export async function put(
  store: SmallStore,
  index: string,
  ids: readonly number[],
  revision = 0,
): Promise<boolean> {
  const actions = ids.map(
    (n): WriteAction => ({ kind: 'index', index, id: `d${n}`, source: Buffer.from(documentOf(n, revision)) }),
  )
  const answers = await write(store.cluster, actions, { refresh: 'false' })
  return answers.every((answer) => !('error' in answer))
}

export async function remove(store: SmallStore, index: string, ids: readonly number[]): Promise<void> {
  const source = new Uint8Array(0)
  const actions = ids.map((n): WriteAction => ({ kind: 'delete', index, id: `d${n}`, source }))
  await write(store.cluster, actions, { refresh: 'false' })
}

export const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

/** Two indices; segments with deletions, a log with documents, replacements and deletions that no segment has. */
export async function makeStore(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk()
  const store = openStore(disk)
  store.cluster.createIndex('one', { settings: { number_of_shards: '1' } })
  store.cluster.createIndex('two', { settings: { number_of_shards: '2' } })
  for (const index of ['one', 'two']) {
    const shards = () => store.cluster.store(store.cluster.index(index)!).shards
    await put(store, index, range(0, 60))
    for (const shard of shards()) await shard.flush()
    await put(store, index, range(60, 90))
    await remove(store, index, [3, 5, 7])
    for (const shard of shards()) await shard.flush()
    await put(store, index, range(85, 100), 1)
    await put(store, index, [1, 2], 2)
    await remove(store, index, [8])
    for (const shard of shards()) shard.refresh()
  }
  drop(store)
  return disk.copy()
}

const questions: Readonly<Record<string, unknown>> = {
  all: { size: 200, sort: ['n'], version: true },
  words: { size: 50, query: { match: { text: 'fox dark' } } },
  phrase: { query: { match_phrase: { text: 'red blue' } }, sort: ['n'], highlight: { fields: { text: {} } } },
  range: {
    size: 0,
    query: { range: { at: { gte: 1_700_000_020_000 } } },
    aggs: { by: { terms: { field: 'tag.keyword' } } },
  },
  sums: {
    size: 0,
    aggs: { sum: { sum: { field: 'n' } }, ok: { terms: { field: 'ok' } }, most: { max: { field: 'at' } } },
  },
  exists: { size: 0, track_total_hits: true, query: { bool: { must_not: { term: { revision: 0 } } } } },
}

/** What is asked of one index: an answer each, or the error instead of it. */
export async function answersOf(store: SmallStore, index: string): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const [name, body] of Object.entries(questions))
    answers[name] = await attempt(store, () => ask(store, index, body))
  answers['documents'] = await attempt(store, async () =>
    range(0, 100)
      .map((n) => getDocument(store.cluster, { index, id: `d${n}` }).document)
      .map((found) =>
        found === undefined ? '-' : `${found.version} ${Buffer.from(found.source).toString()}`,
      )
      .join('\n'),
  )
  return answers
}

async function ask({ cluster, search }: SmallStore, index: string, body: unknown): Promise<string> {
  const targets = searchTargets(cluster, [index], openOptions, undefined)
  const bodyText = Buffer.from(JSON.stringify(body))
  const answer = (await search.search(targets, {
    body: body as Record<string, unknown>,
    bodyText,
    parameters: new Map(),
    namesIndices: true,
    signal: new AbortController().signal,
  })) as Record<string, unknown>
  return writeJson({ ...answer, took: 0 })
}

export const refused = 'refused: '

async function attempt({ cluster }: SmallStore, work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    return refused + describeError(cluster.failureOf(error) as Error)
  }
}

function describeError(error: Error): string {
  const details = 'details' in error ? JSON.stringify(error.details) : ''
  return `${error.name} ${error.message} ${details} ${error.cause instanceof Error ? describeError(error.cause) : ''}`
}
