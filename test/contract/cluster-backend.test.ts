/**
 * A node whose documents are in a cluster: one line of settings away from the embedded store. The cluster is an endpoint
 * of our own with the limits of Elasticsearch, in this process; `npm run test:cluster` has a real one.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Endpoint, startEndpoint } from '../../src/endpoint.ts'
import { freePort, type Json, Millrace } from '../support/millrace.ts'

let cluster: Endpoint | undefined
let port: number
let millrace: Millrace

beforeAll(async () => {
  port = await freePort()
  cluster = await startEndpoint({ strict: true, port })
  millrace = await Millrace.start({
    config: `input { stdin { codec => json_lines } } output { millrace { index => "events" } }`,
    settings: [
      'search.backend: elasticsearch',
      `search.cluster.hosts: ["http://127.0.0.1:${port}"]`,
      'search.cluster.retries: 0',
    ].join('\n'),
    api: true,
    search: true,
  })
  await millrace.untilSearchable(60_000)
})

afterAll(async () => {
  await millrace.dispose()
  await cluster?.stop()
})

async function count(url: string): Promise<number> {
  await fetch(`${url}/events/_refresh`, { method: 'POST' }).catch(() => undefined)
  const answer = await fetch(`${url}/events/_count`).catch(() => undefined)
  return answer?.status === 200 ? Number(((await answer.json()) as Json)['count']) : -1
}

async function until(check: () => Promise<boolean>, limit = 60_000): Promise<void> {
  const end = Date.now() + limit
  while (!(await check())) {
    if (Date.now() > end) throw new Error('it did not come about in time')
    await new Promise((next) => setTimeout(next, 200))
  }
}

async function indicator(): Promise<Json | undefined> {
  const answer = await fetch(`http://127.0.0.1:${millrace.apiPort}/_health_report`)
  const { indicators } = (await answer.json()) as { indicators: Record<string, Json> }
  return indicators['search_store']
}

describe('a node with a cluster as its backend', () => {
  const own = () => `http://127.0.0.1:${millrace.searchPort}`

  it('writes events of pipelines to the cluster and serves them from there', async () => {
    millrace.write('{"number":1}\n{"number":2}\n')
    await until(async () => (await count(cluster!.url)) === 2)
    expect(await count(own())).toBe(2)
    const found = await fetch(`${own()}/events/_search?sort=number`)
    expect(found.headers.get('x-elastic-product')).toBe('Elasticsearch')
    const { hits } = (await found.json()) as { hits: { hits: { _source: Json }[] } }
    expect(hits.hits.map(({ _source }) => _source['number'])).toEqual([1, 2])
  })

  it('opens no store of its own', () => {
    expect(existsSync(join(millrace.folder, 'data', 'search'))).toBe(false)
  })

  it('shows indices of the cluster at the dashboard', async () => {
    const answer = await fetch(`http://127.0.0.1:${millrace.apiPort}/ui/search/_cat/indices?format=json`)
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as Json[]).map((index) => index['index'])).toContain('events')
  })

  it('says at its health what the cluster is', async () => {
    await until(async () => (await indicator())?.['status'] !== undefined)
    expect(await indicator()).toMatchObject({ details: { status: { state: 'RUNNING' } } })
  })

  it('waits with events while the cluster is away, and says so', async () => {
    await cluster!.stop()
    cluster = undefined
    millrace.write('{"number":3}\n{"number":4}\n')
    const refused = await fetch(`${own()}/events/_search`)
    expect(refused.status).toBe(503)
    const { error } = (await refused.json()) as { error: Json }
    expect(error['type']).toBe('no_node_available_exception')
    await until(async () => (await indicator())?.['status'] === 'red')
    cluster = await startEndpoint({ strict: true, port })
    await until(async () => (await count(cluster!.url)) === 2)
    await until(async () => (await indicator())?.['status'] !== 'red')
  })
})
