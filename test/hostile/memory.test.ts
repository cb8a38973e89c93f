/**
 * Requests that ask for more memory than there is, against the real program with a low `memory.limit`: each ends with a
 * result or with 429 and Elasticsearch's words, and a normal search works right afterwards.
 */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, Millrace } from '../support/millrace.ts'

const mb = 1024 * 1024
const limit = 300 * mb
/** What a single request may use beyond the limit, and what is sampled late. */
const tolerated = limit * 1.2

let millrace: Millrace

beforeAll(async () => {
  millrace = await Millrace.start({
    config: 'input { heartbeat { interval => 3600 } } output { null {} }',
    args: ['--memory.limit', '300mb'],
    search: true,
  })
  await millrace.untilSearchable()
  const seeded = await send('/logs/_bulk?refresh=true', documents(2000))
  expect(seeded.status).toBe(200)
}, 60_000)

afterAll(() => millrace.dispose())

function documents(count: number, padding = ''): string {
  const lines: string[] = []
  for (let i = 0; i < count; i++)
    lines.push(
      '{"index":{}}',
      JSON.stringify({
        message: `request ${i} took ${i % 977} ms`,
        user: `user-${i % 1000}`,
        took: i % 977,
        padding,
      }),
    )
  return `${lines.join('\n')}\n`
}

async function send(path: string, body: string): Promise<{ status: number; json: Json }> {
  const response = await fetch(`http://127.0.0.1:${millrace.searchPort}${path}`, {
    method: 'POST',
    headers: { 'content-type': path.includes('_bulk') ? 'application/x-ndjson' : 'application/json' },
    body,
    signal: AbortSignal.timeout(60_000),
  })
  return { status: response.status, json: (await response.json()) as Json }
}

function resident(): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${millrace.pid}/status`, 'latin1'))![1]) * 1024
}

async function breakers(): Promise<Record<string, { tripped: number; limit_size_in_bytes: number }>> {
  const { json } = await millrace.search('GET', '/_nodes/stats/breakers')
  const [node] = Object.values(json['nodes'] as Record<string, Json>)
  return node!['breakers'] as Record<string, { tripped: number; limit_size_in_bytes: number }>
}

async function expectAlive(): Promise<void> {
  const { status, json } = await millrace.search('POST', '/logs/_search', {
    query: { match: { message: 'took' } },
  })
  expect(status).toBe(200)
  expect((json['hits'] as Json)['hits']).toHaveLength(10)
  expect(resident()).toBeLessThan(tolerated)
}

describe('requests that want more memory than there is', () => {
  it('refuses a body that is larger than all bodies may be together, and counts that', async () => {
    const before = (await breakers())['inflight_requests']!
    const { status, json } = await send('/logs/_bulk', `${'x'.repeat(95 * mb)}\n`)
    expect(status).toBe(429)
    expect(json['status']).toBe(429)
    expect(json['error']).toMatchObject({
      type: 'circuit_breaking_exception',
      reason: expect.stringMatching(
        /^\[inflight_requests\] Data too large, data for \[<http_request>\] would be \[\d+\/[\d.]+mb\], which is larger than the limit of \[\d+\/[\d.]+mb\]$/,
      ),
      bytes_wanted: 95 * mb + 1,
      bytes_limit: before.limit_size_in_bytes,
      durability: 'PERMANENT',
    })
    expect((await breakers())['inflight_requests']!.tripped).toBe(before.tripped + 1)
    await expectAlive()
  }, 60_000)

  it('refuses a document that would take more than there can be, for good', async () => {
    const text = 'some words '.repeat(2_000_000)
    const { status, json } = await send('/logs/_doc', JSON.stringify({ text }))
    expect(status).toBe(400)
    expect(json['error']).toMatchObject({
      type: 'illegal_argument_exception',
      reason: expect.stringContaining('of memory while it is indexed'),
    })
    const bulk = await send(
      '/logs/_bulk',
      `{"index":{}}\n${JSON.stringify({ text })}\n{"index":{}}\n{"a":1}\n`,
    )
    const items = bulk.json['items'] as { index: { status: number } }[]
    expect(items.map(({ index }) => index.status)).toEqual([400, 201])
    await expectAlive()
  }, 60_000)

  it('takes large bulk requests that come at once one after the other', async () => {
    const body = documents(40_000, 'x'.repeat(600))
    const answers = await Promise.all([1, 2, 3, 4].map(() => send('/bulk/_bulk?filter_path=errors', body)))
    for (const { status, json } of answers) {
      expect([200, 429]).toContain(status)
      if (status === 200) expect(json).toEqual({ errors: false })
      else expect((json['error'] as Json)['type']).toBe('circuit_breaking_exception')
    }
    const stored = answers.filter(({ status }) => status === 200).length
    expect(stored).toBeGreaterThan(0)
    await millrace.search('POST', '/bulk/_refresh')
    const { json } = await millrace.search('GET', '/bulk/_count')
    // What is refused half way may have stored some; what is answered with 200 has stored all.
    expect(json['count']).toBeGreaterThanOrEqual(stored * 40_000)
    await expectAlive()
  }, 120_000)

  it('refuses ten thousand aggregations side by side before they are made', async () => {
    const aggs = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [`a${i}`, { terms: { field: 'user.keyword' } }]),
    )
    const { status, json } = await send('/logs/_search', JSON.stringify({ size: 0, aggs }))
    expect(status).toBe(429)
    expect((json['error'] as Json)['root_cause']).toMatchObject([{ type: 'circuit_breaking_exception' }])
    await expectAlive()
  }, 60_000)

  it('answers or refuses three hundred searches for large pages at once', async () => {
    const body = JSON.stringify({ size: 10_000, query: { match: { message: 'request' } } })
    const answers = await Promise.all(Array.from({ length: 300 }, () => send('/logs/_search', body)))
    const statuses = new Set(answers.map(({ status }) => status))
    for (const status of statuses) expect([200, 429]).toContain(status)
    expect(statuses).toContain(200)
    await expectAlive()
  }, 120_000)

  it('refuses a search whose body has more values than fit into memory', async () => {
    const { status, json } = await send('/logs/_search', `{"query":[${'[],'.repeat(6_000_000)}[]]}`)
    expect(status).toBe(429)
    expect((json['error'] as Json)['type']).toBe('circuit_breaking_exception')
    await expectAlive()
  }, 60_000)

  it('refuses a million documents in one _mget before they are read', async () => {
    const { status, json } = await send('/logs/_mget', `{"ids":[${'"1",'.repeat(1_000_000)}"1"]}`)
    expect(status).toBe(429)
    expect((json['error'] as Json)['type']).toBe('circuit_breaking_exception')
    await expectAlive()
  }, 60_000)

  it('shows what pipelines hold beside the breakers of the store', async () => {
    const { pipelines } = await breakers()
    expect(pipelines).toMatchObject({ limit_size_in_bytes: Math.floor(limit * 0.15), tripped: 0 })
  })

  it('answers or refuses the analysis of thirty megabytes', async () => {
    const text = 'some words of a long text '.repeat(Math.floor((30 * mb) / 26))
    const { status } = await send('/_analyze', JSON.stringify({ analyzer: 'standard', text }))
    expect([400, 429]).toContain(status)
    await expectAlive()
  }, 60_000)
})
