/** The contract scenarios, on the embedded store and on a real cluster behind Millrace. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Endpoint, startEndpoint } from '../../../src/endpoint.ts'
import { Millrace } from '../../support/millrace.ts'
import { type ClusterUnderTest, startCluster } from './nodes.ts'
import { pageAndWalk } from './page-cost.ts'
import { differences, type Scenario } from './scenario.ts'
import { underLoad } from './under-load.ts'

const folder = resolve('test/cluster/opensearch/scenarios')
const scenarios = readdirSync(folder).map(
  (name) => JSON.parse(readFileSync(resolve(folder, name), 'utf8')) as Scenario,
)

let cluster: ClusterUnderTest
let embedded: Endpoint
let millrace: Millrace
let url: string

beforeAll(async () => {
  cluster = await startCluster()
  embedded = await startEndpoint({ flavor: 'opensearch' })
  millrace = await Millrace.start({
    config: 'input { heartbeat { interval => 3600 } } output { null {} }',
    settings: `search.backend: opensearch\nsearch.cluster.hosts: ${JSON.stringify(cluster.hosts)}\nsearch.compat.flavor: opensearch\n`,
    search: true,
  })
  await millrace.untilStarted(60_000)
  await millrace.untilSearchable(60_000)
  url = `http://127.0.0.1:${millrace.searchPort}`
})

afterAll(async () => {
  await millrace?.dispose()
  await embedded?.stop()
  await cluster?.stop()
})

describe('the embedded store and a cluster behind Millrace agree', () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('on %s', async (_, scenario) => {
    expect(await differences(scenario, embedded.url, url)).toEqual([])
  })
})

describe('a page at offset 1,000,000', () => {
  it('is exact, and costs less than a walk to it', async () => {
    const report = await pageAndWalk(url, cluster.hosts[0]!)
    console.log(report.table)
    expect(report.wrong).toEqual([])
  })
})

describe('under load through the millrace output', () => {
  it.each(['SIGSTOP', 'SIGKILL'] as const)(
    'a node that gets a %s loses nothing and doubles nothing',
    async (signal) => {
      const { processes } = cluster
      if (processes === undefined) return console.log('skipped: the nodes of a given cluster are left alone')
      const { lost, doubled, sent } = await underLoad(cluster, processes[2]!, signal)
      console.log(`${signal}: ${sent} events were acknowledged`)
      expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 })
      expect(sent).toBeGreaterThan(1000)
    },
  )
})
