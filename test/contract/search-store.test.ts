/** The search store inside the real program: pipelines write into it, clients read from it, a kill loses nothing. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Patience } from '../../src/plugin/testing/patience.ts'
import { freePort, IN, type Json, jsonLines, Millrace, type MillraceOptions } from '../support/millrace.ts'

const cleanUp: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const one of cleanUp.splice(0).reverse()) await one()
})

async function start(options: MillraceOptions): Promise<Millrace> {
  const millrace = await Millrace.start({ search: true, ...options })
  cleanUp.push(() => millrace.dispose())
  return millrace
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-store-'))
  cleanUp.push(() => rm(path, { recursive: true, force: true }))
  return path
}

interface Hits {
  readonly total: { readonly value: number; readonly relation: string }
  readonly hits: readonly { readonly _id: string; readonly _source: Json }[]
}

const hitsOf = (json: Json) => json['hits'] as Hits
const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }))

/** Waits for as many documents as expected, then asks for the page. */
async function page(millrace: Millrace, path: string, count: number): Promise<Hits> {
  const patience = new Patience(15_000)
  for (;;) {
    const { json } = await millrace.search('GET', path)
    if (hitsOf(json)?.total.value >= count || patience.isOver) return hitsOf(json)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe('the search store', () => {
  it('takes events of the millrace output and pages through them', async () => {
    const millrace = await start({ config: `${IN} output { millrace { index => "logs" } }` })
    await millrace.untilSearchable()
    millrace.write(jsonLines(...numbers(500)))
    const hits = await page(millrace, '/logs/_search?sort=n&from=480&size=5', 500)
    expect(hits.total).toEqual({ value: 500, relation: 'eq' })
    expect(hits.hits.map(({ _source }) => _source['n'])).toEqual([480, 481, 482, 483, 484])
    expect(new Set(hits.hits.map(({ _id }) => _id)).size).toBe(5)
  })

  it('is what an elasticsearch output on this machine writes to, without a connection', async () => {
    const port = await freePort()
    const real = await start({
      config: `${IN} output { elasticsearch { hosts => ["localhost:${port}"] index => "es" document_id => "%{n}" } }`,
      args: ['--search.http.port', String(port)],
    })
    await real.untilSearchable()
    real.write(jsonLines({ n: 1 }, { n: 2 }, { n: 1, again: true }))
    const url = `http://127.0.0.1:${port}/es/_search?sort=n`
    const patience = new Patience(15_000)
    let hits: Hits | undefined
    while ((hits?.total.value ?? 0) < 2 && !patience.isOver) {
      hits = hitsOf((await (await fetch(url)).json()) as Json)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect(hits?.hits.map(({ _id }) => _id)).toEqual(['1', '2'])
  })

  it('still has after kill -9 what it acknowledged', async () => {
    const where = await folder()
    const config = 'input { heartbeat { interval => 3600 } } output { null { } }'
    const first = await start({ config, folder: where })
    await first.untilSearchable()
    const body = numbers(300)
      .map(({ n }) => `{"index":{"_index":"kept","_id":"${n}"}}\n{"n":${n}}\n`)
      .join('')
    expect((await first.search('POST', '/_bulk', body)).json['errors']).toBe(false)
    first.signal('SIGKILL')
    await first.exit()
    const second = await start({ config, folder: where })
    await second.untilSearchable()
    const { json } = await second.search('GET', '/kept/_search?sort=n:desc&size=1')
    expect(hitsOf(json).total.value).toBe(300)
    expect(hitsOf(json).hits[0]!._source).toEqual({ n: 299 })
    second.signal('SIGTERM')
    expect(await second.exit()).toEqual({ code: 0, signal: null })
    const third = await start({ config, folder: where })
    await third.untilSearchable()
    expect((await third.search('GET', '/kept/_count')).json['count']).toBe(300)
  })

  it('finds on the disk what was never read since the start, and says which threads are busy', async () => {
    const where = await folder()
    const config = 'input { heartbeat { interval => 3600 } } output { null { } }'
    const first = await start({ config, folder: where })
    await first.untilSearchable()
    // Every number below a prime once, in an order that no column can be packed well in.
    const prime = 40_009
    const body = Array.from({ length: prime }, (_, i) => {
      const n = (i * 7919) % prime
      return `{"index":{"_index":"disk"}}\n{"n":${n},"word":"w${n} ${n % 2 ? 'odd' : 'even'}"}\n`
    }).join('')
    expect((await first.search('POST', '/_bulk', body)).json['errors']).toBe(false)
    await first.search('POST', '/disk/_flush')
    first.signal('SIGTERM')
    await first.exit()
    const second = await start({ config, folder: where })
    await second.untilSearchable()
    const ask = async (search: unknown) => (await second.search('POST', '/disk/_search', search)).json
    const numbersOf = (json: Json) => hitsOf(json).hits.map(({ _source }) => _source['n'])
    const [sorted, odd, counted] = await Promise.all([
      ask({ sort: [{ n: 'desc' }], from: 20_000, size: 3 }),
      ask({ query: { match: { word: 'odd w77' } }, size: 1, track_total_hits: true }),
      ask({
        size: 0,
        aggs: { sum: { sum: { field: 'n' } }, words: { terms: { field: 'word.keyword', size: 1 } } },
      }),
    ])
    expect(numbersOf(sorted)).toEqual([20_008, 20_007, 20_006])
    expect(numbersOf(odd)).toEqual([77])
    expect(hitsOf(odd).total.value).toBe(20_004)
    expect(counted['aggregations']).toMatchObject({ sum: { value: (prime * (prime - 1)) / 2 } })
    const hot = await fetch(
      `http://127.0.0.1:${second.searchPort}/_nodes/hot_threads?interval=100ms&threads=2`,
    )
    const lines = (await hot.text()).split('\n')
    expect(lines[0]).toMatch(/^::: (?:\{[^}]*\}){4}$/)
    expect(lines[1]).toMatch(
      /^ {3}Hot threads at .*Z, interval=100ms, busiestThreads=2, ignoreIdleThreads=true:$/,
    )
    const wrong = await fetch(`http://127.0.0.1:${second.searchPort}/_nodes/hot_threads?threads=some`)
    expect(wrong.status).toBe(400)
  })

  it('makes the health report red for a damaged index and a full disk, and serves the others', async () => {
    const config = 'input { heartbeat { interval => 3600 } } output { null { } }'
    const where = await folder()
    const first = await start({ config, folder: where })
    await first.untilSearchable()
    for (const index of ['tea', 'coffee']) {
      await first.search('PUT', `/${index}/_doc/1?refresh=true`, { n: 1 })
      await first.search('POST', `/${index}/_flush`)
    }
    const settings = (await first.search('GET', '/tea/_settings')).json as {
      tea: { settings: { index: { uuid: string } } }
    }
    const { uuid } = settings.tea.settings.index
    first.signal('SIGTERM')
    await first.exit()
    const files = await readdir(where, { recursive: true })
    for (const path of files.filter((name) => name.includes(uuid) && name.endsWith('.seg'))) {
      const bytes = await readFile(join(where, path))
      bytes[bytes.length >> 1]! ^= 1
      await writeFile(join(where, path), bytes)
    }
    const second = await start({ config, folder: where, api: true })
    await second.untilSearchable()
    await second.search('GET', '/tea/_search?q=n:1')
    const diagnosisOf = (body: Json) =>
      (body as { indicators: { search_store?: { diagnosis: { id: string; cause: string }[] } } }).indicators
        .search_store?.diagnosis[0]
    const red = await second.apiUntil('/_health_report', ({ status }) => status === 'red')
    expect(diagnosisOf(red)?.cause).toMatch(/^1 shard refuses reads or writes: \[tea\]\[0\] .*\.seg/)
    expect(hitsOf((await second.search('GET', '/coffee/_search')).json).total.value).toBe(1)
    await second.search('DELETE', '/tea')
    await second.apiUntil('/_health_report', ({ status }) => status === 'green')
    const flood = 'cluster.routing.allocation.disk.watermark.flood_stage'
    await second.search('PUT', '/_cluster/settings', { persistent: { [flood]: '900000gb' } })
    const full = await second.apiUntil('/_health_report', ({ status }) => status === 'red')
    expect(diagnosisOf(full)?.id).toBe('millrace:health:search_store:diagnosis:disk-full')
    await second.search('PUT', '/_cluster/settings', { persistent: { [flood]: null } })
    await second.apiUntil('/_health_report', ({ status }) => status === 'green')
  })

  it('says so when its port is taken, and ends', async () => {
    const config = 'input { heartbeat { interval => 3600 } } output { null { } }'
    const first = await start({ config })
    await first.untilSearchable()
    const second = await start({ config, args: ['--search.http.port', String(first.searchPort)] })
    expect((await second.exit()).code).toBe(1)
    expect(second.stdout).toContain(`The search API could not be bound to port ${first.searchPort}`)
  })

  it('stays away when it is switched off', async () => {
    const millrace = await start({
      search: false,
      config: `${IN} output { millrace { } }`,
    })
    await millrace.untilStarted()
    millrace.write(jsonLines({ n: 1 }))
    expect((await millrace.exit()).code).toBe(1)
    expect(millrace.stdout).toContain('this node has no search store')
  })
})
