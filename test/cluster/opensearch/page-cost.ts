/**
 * The page at offset 1,000,000 of 1,200,000 documents: what it costs through Millrace, and what the cluster's own walk
 * with `search_after` costs in the same run. The page is checked against the walk, hit by hit.
 */
import { mappings } from './documents.ts'
import { ask, generate } from './scenario.ts'

const count = Number(process.env['MILLRACE_CLUSTER_DOCUMENTS'] ?? 1_200_000)
const offset = Math.floor((count * 5) / 6)
const size = 10
const window = 10_000
const index = 'million'

const sorts: readonly (readonly [name: string, sort: readonly unknown[], query?: unknown])[] = [
  ['long', [{ n: 'asc' }]],
  ['date desc', [{ date: 'desc' }, { n: 'asc' }]],
  ['keyword', [{ host: 'asc' }, { n: 'asc' }]],
  ['three keys', [{ level: 'asc' }, { amount: 'desc' }, { n: 'asc' }]],
  [
    'score',
    [{ _score: 'desc' }, { n: 'asc' }],
    { match: { text: 'alpha beta gamma delta epsilon zeta eta' } },
  ],
]

interface Page {
  readonly hits: { readonly hits: readonly { readonly _id: string; readonly sort: readonly unknown[] }[] }
  readonly pit_id?: string
}

async function search(url: string, path: string, body: unknown): Promise<Page> {
  const { status, text } = await ask(url, { do: `POST ${path}`, body })
  if (status !== 200) throw new Error(`${status} ${text.slice(0, 500)}`)
  return JSON.parse(text) as Page
}

export async function pageAndWalk(url: string, host: string): Promise<{ table: string; wrong: string[] }> {
  const settings = { number_of_shards: 3, number_of_replicas: 0, refresh_interval: '-1' }
  await ask(url, { do: `DELETE /${index}` })
  await ask(url, { do: `PUT /${index}`, body: { settings, mappings } })
  await generate(url, index, 0, count)
  const lines = [`| sort | page at ${offset} through Millrace | walk with search_after |`, '|---|---|---|']
  const wrong: string[] = []
  for (const [name, sort, query = { match_all: {} }] of sorts) {
    const times: number[] = []
    let page: readonly string[] = []
    for (let turn = 0; turn < 3; turn++) {
      const began = performance.now()
      const body = { from: offset, size, sort, query, _source: false }
      page = (await search(url, `/${index}/_search`, body)).hits.hits.map(({ _id }) => _id)
      times.push(performance.now() - began)
    }
    times.sort((one, other) => one - other)
    const began = performance.now()
    const walked = await walk(host, sort, query)
    const walkTime = performance.now() - began
    if (JSON.stringify(page) !== JSON.stringify(walked)) wrong.push(`${name}: ${page} is not ${walked}`)
    lines.push(`| ${name} | ${Math.round(times[1]!)} ms | ${Math.round(walkTime)} ms |`)
  }
  await ask(url, { do: `DELETE /${index}` })
  return { table: lines.join('\n'), wrong }
}

async function walk(host: string, sort: readonly unknown[], query: unknown): Promise<readonly string[]> {
  const opened = await ask(host, { do: `POST /${index}/_search/point_in_time?keep_alive=2m` })
  let id = (JSON.parse(opened.text) as { pit_id: string }).pit_id
  let after: readonly unknown[] | undefined
  let passed = 0
  for (;;) {
    const step = Math.min(window, offset - passed)
    const body = {
      size: step === 0 ? size : step,
      sort,
      query,
      _source: false,
      track_total_hits: false,
      pit: { id, keep_alive: '2m' },
      ...(after !== undefined && { search_after: after }),
    }
    const { hits, pit_id } = await search(host, '/_search', body)
    id = pit_id ?? id
    if (step === 0) {
      await ask(host, { do: 'DELETE /_search/point_in_time', body: { pit_id: [id] } })
      return hits.hits.map(({ _id }) => _id)
    }
    after = hits.hits.at(-1)!.sort
    passed += step
  }
}
