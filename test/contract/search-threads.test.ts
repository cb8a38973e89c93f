/** The real program with a thread for searches: right answers while documents come in. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Millrace } from '../support/millrace.ts'

let millrace: Millrace

beforeAll(async () => {
  millrace = await Millrace.start({
    config: 'input { heartbeat { interval => 3600 } } output { null {} }',
    args: ['--memory.limit', '2gb', '--search.threads', '1'],
    search: true,
    api: true,
  })
  await millrace.untilSearchable()
}, 60_000)

afterAll(() => millrace.dispose())

async function bulk(from: number, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, i) =>
    [`{"index":{"_id":"${from + i}"}}`, `{"n":${from + i},"kind":"k${(from + i) % 7}"}`].join('\n'),
  )
  const response = await fetch(`http://127.0.0.1:${millrace.searchPort}/things/_bulk?refresh=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: `${lines.join('\n')}\n`,
  })
  expect(((await response.json()) as { errors: boolean }).errors).toBe(false)
}

async function search(body: object) {
  const { status, json } = await millrace.search('POST', '/things/_search', body)
  expect(status).toBe(200)
  return json as {
    hits: { total: { value: number }; hits: { _id: string; _source: { n: number } }[] }
    aggregations: { kinds: { buckets: { doc_count: number }[] } }
  }
}

it('answers from a thread of its own what was written before the request came', async () => {
  const perBatch = 500
  let written = 0
  const names = new Set<string>()
  for (let round = 0; round < 12; round++) {
    await bulk(written, perBatch)
    written += perBatch
    // More comes in while these are answered; what was refreshed before must be there.
    const seen = written
    const more = bulk(written, perBatch)
    written += perBatch
    const answers = await Promise.all(
      Array.from({ length: 4 }, () =>
        search({
          track_total_hits: true,
          size: 3,
          query: { range: { n: { lt: seen } } },
          sort: [{ n: 'desc' }],
          aggs: { kinds: { terms: { field: 'kind.keyword' } } },
        }),
      ),
    )
    for (const { hits, aggregations } of answers) {
      expect(hits.total.value).toBe(seen)
      expect(hits.hits.map(({ _id, _source }) => [_id, _source.n])).toEqual(
        [1, 2, 3].map((back) => [String(seen - back), seen - back]),
      )
      expect(aggregations.kinds.buckets.reduce((sum, { doc_count }) => sum + doc_count, 0)).toBe(seen)
    }
    await more
    const { hot_threads: report } = (await millrace.api('/_node/hot_threads?threads=50')) as {
      hot_threads: { threads: { name: string }[] }
    }
    for (const { name } of report.threads) names.add(name)
  }
  expect([...names].filter((name) => name.includes('search-reader'))).not.toEqual([])
}, 120_000)
