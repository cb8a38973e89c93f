/**
 * Documents from the embedded store into a real OpenSearch of three nodes and back into another store, with the command
 * and while writes go on: afterwards both are the same by checksum. 100,000 documents, or 1,000,000 with MILLRACE_LONG.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrateCommand } from '../../../src/cli/documents/migrate.ts'
import { KeptOutput } from '../../../src/cli/testing.ts'
import { type Endpoint, startEndpoint } from '../../../src/endpoint.ts'
import { settleDocuments } from '../../../src/migrate/settlement.ts'
import { TestEnd } from '../../../src/migrate/testing.ts'
import { documentOf, mappings } from './documents.ts'
import { type ClusterUnderTest, startCluster } from './nodes.ts'
import { ask, generate } from './scenario.ts'

const count = process.env['MILLRACE_LONG'] === undefined ? 100_000 : 1_000_000
const folder = mkdtempSync(join(tmpdir(), 'millrace-migration-'))

let cluster: ClusterUnderTest
let first: Endpoint
let second: Endpoint

beforeAll(async () => {
  cluster = await startCluster()
  first = await startEndpoint({ flavor: 'opensearch', directory: join(folder, 'first') })
  second = await startEndpoint({ flavor: 'opensearch', directory: join(folder, 'second') })
  writeFileSync(join(folder, 'logstash.yml'), `search.cluster.hosts: ${JSON.stringify(cluster.hosts)}\n`)
}, 600_000)

afterAll(async () => {
  await first?.stop()
  await second?.stop()
  await cluster?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Updates, deletes, documents written anew and new ones, until it is stopped. What was acknowledged is counted. */
function load(url: string): { stop(): Promise<number> } {
  let isOver = false
  let acknowledged = 0
  const run = async () => {
    for (let turn = 0; !isOver; turn++) {
      const lines: unknown[] = []
      for (let step = 0; step < 20; step++) {
        const _id = String((turn * 7919 + step * 104_729) % (count + 5000))
        if (step % 5 === 0) lines.push({ delete: { _id } })
        else lines.push({ index: { _id } }, { ...documentOf(Number(_id)), small: turn % 1000 })
      }
      const answer = await ask(url, { do: 'POST /many/_bulk', lines }).catch(() => undefined)
      if (answer?.status === 200 && !answer.text.includes('"status":403')) acknowledged += 20
      await wait(20)
    }
  }
  const running = run()
  return {
    async stop() {
      isOver = true
      await running
      return acknowledged
    },
  }
}

async function command(...args: string[]): Promise<KeptOutput> {
  const output = new KeptOutput()
  const state = ['--state', join(folder, 'state'), '--path.settings', folder]
  const code = await migrateCommand([...args, ...state], output)
  console.log(output.told)
  expect({ code, told: output.told }).toMatchObject({ code: 0 })
  return output
}

/** Sum of the hashes of all documents: id, routing, version and members of the source in the order of their names. */
async function checksum(url: string, index: string): Promise<string> {
  await ask(url, { do: `POST /${index}/_refresh` })
  let sum = 0n
  let total = 0
  let scroll: string | undefined
  for (;;) {
    const { text } = await ask(
      url,
      scroll === undefined
        ? { do: `POST /${index}/_search?scroll=2m`, body: { size: 5000, version: true, sort: ['_doc'] } }
        : { do: 'POST /_search/scroll', body: { scroll: '2m', scroll_id: scroll } },
    )
    const answer = JSON.parse(text) as {
      _scroll_id: string
      hits: { hits: { _id: string; _routing?: string; _version: number; _source: Record<string, unknown> }[] }
    }
    scroll = answer._scroll_id
    if (answer.hits.hits.length === 0) break
    for (const { _id, _routing, _version, _source } of answer.hits.hits) {
      const members = Object.entries(_source).sort(([one], [other]) => (one < other ? -1 : 1))
      const hash = createHash('sha256')
        .update(JSON.stringify([_id, _routing, _version, members]))
        .digest()
      sum = (sum + hash.readBigUInt64LE(0)) & 0xffff_ffff_ffff_ffffn
      total += 1
    }
  }
  await ask(url, { do: 'DELETE /_search/scroll', body: { scroll_id: scroll } })
  return `${total} ${sum.toString(16)}`
}

it('is the same there and back, while writes go on', async () => {
  const settings = { number_of_shards: 2, refresh_interval: '5s' }
  await ask(first.url, { do: 'PUT /many', body: { settings, mappings, aliases: { all: {} } } })
  await generate(first.url, 'many', 0, count)
  await ask(first.url, { do: 'PUT /_index_template/s', body: { index_patterns: ['s-*'], data_stream: {} } })
  const lines = Array.from({ length: 3000 }, (_, n) => [{ create: { _id: `e${n}` } }, { '@timestamp': n }])
  await ask(first.url, { do: 'POST /s-1/_bulk', lines: lines.slice(0, 2000).flat() })
  await ask(first.url, { do: 'POST /s-1/_rollover' })
  await ask(first.url, { do: 'POST /s-1/_bulk', lines: lines.slice(2000).flat() })

  const there = load(first.url)
  const began = performance.now()
  const output = await command('--from', first.url, '--to', 'cluster')
  const thereMillis = performance.now() - began
  expect(await there.stop()).toBeGreaterThan(0)
  expect(output.printed).toContain('search.backend: opensearch')
  const host = cluster.hosts[0]!
  expect(await checksum(host, 'many')).toBe(await checksum(first.url, 'many'))
  expect(await checksum(host, 's-1')).toBe(await checksum(first.url, 's-1'))

  const back = load(host)
  const turned = performance.now()
  await command('--from', 'cluster', '--to', second.url)
  const backMillis = performance.now() - turned
  expect(await back.stop()).toBeGreaterThan(0)
  const whole = await checksum(second.url, 'many')
  expect(whole).toBe(await checksum(host, 'many'))
  expect(await checksum(second.url, 's-1')).toBe(await checksum(host, 's-1'))
  const rate = (millis: number) =>
    `${Math.round(millis / 100) / 10} s, ${Math.round((count / millis) * 1000)}/s`
  console.log(`there: ${rate(thereMillis)}; back: ${rate(backMillis)}; ${whole}`)
}, 3_600_000)

it('brings a document of the cluster to a lower version, when the source has written it anew', async () => {
  const settings = {
    number_of_shards: 2,
    number_of_replicas: 1,
    'index.gc_deletes': '0s',
    'index.refresh_interval': '-1',
  }
  const [from, to] = [new TestEnd(first.url), new TestEnd(cluster.hosts[0]!)]
  for (const [end, version] of [
    [from, 1],
    [to, 9],
  ] as const) {
    await end.ask('PUT', '/anew', { settings })
    await end.bulk([{ index: { _index: 'anew', _id: 'x', version, version_type: 'external' } }, { version }])
    await end.ask('POST', '/anew/_refresh')
  }
  const pair = { source: from.store, target: to.store, name: 'anew', isStream: false }
  expect(await settleDocuments(pair, ['x'])).toMatchObject({ left: [], deleted: 1, failures: [] })
  expect(await to.contents('anew')).toEqual(await from.contents('anew'))
  for (const end of [from, to]) {
    await end.ask('DELETE', '/anew')
    await end.cutOff()
  }
})
