import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setLevel } from '../../../log/logger.ts'
import { eventKeys } from '../../../metrics/pipeline-keys.ts'
import { type NodeApi, startNodeApi } from '../server.ts'
import { count, freshFetch, grokId, type Mutable, testAgent, testPipeline, testSettings } from '../testing.ts'
import type { PipelineView } from '../view.ts'

type Json = Record<string, unknown>

setLevel('logstash.agent', 'OFF')
const agent = testAgent()
let main: Mutable<PipelineView>
let api: NodeApi

beforeEach(async () => {
  main = testPipeline('main')
  agent.pipelines.clear()
  agent.pipelines.set('main', main)
  count(main.board, 0, eventKeys.in, 100)
  api = await startNodeApi({
    settings: testSettings({ 'api.http.port': '19600-19900', 'log.level': 'fatal' }),
    agent,
    id: 'x',
  })
})

afterEach(() => api.close())

async function body(path: string): Promise<Json> {
  return (await freshFetch(`http://${api.address}${path}`)).json() as Promise<Json>
}

describe('/_node', () => {
  it('tells what the node is, and in which shape', async () => {
    const info = (await body('/_node')) as { pipeline: Json; pipelines: Json; os: Json; jvm: Json }
    expect(info.pipeline).toEqual({
      workers: 2,
      batch_size: 125,
      batch_delay: 50,
      config_reload_automatic: false,
      config_reload_interval: 3,
    })
    expect(Object.keys(info.pipelines)).toEqual(['main'])
    expect(info.os).toMatchObject({ name: expect.any(String), available_processors: expect.any(Number) })
    expect(info.jvm).toMatchObject({
      pid: process.pid,
      version: process.versions.node,
      vm_name: 'V8',
      gc_collectors: ['Scavenge', 'Mark-Compact'],
    })
    for (const number of numbersIn(info.jvm)) expect(Number.isInteger(number)).toBe(true)
  })

  it('takes lists of parts', async () => {
    const some = await body('/_node/os,jvm,foo')
    expect(some).toHaveProperty('os')
    expect(some).not.toHaveProperty('pipelines')
    expect((await freshFetch(`http://${api.address}/_node/foo`)).status).toBe(404)
    expect((await freshFetch(`http://${api.address}/_node/foo/bar`)).status).toBe(404)
  })

  it('has one pipeline in the 5.x shape', async () => {
    const { pipeline, pipelines } = (await body('/_node/pipeline')) as { pipeline: Json; pipelines?: Json }
    expect(pipelines).toBeUndefined()
    expect(pipeline).toEqual({
      workers: 3,
      batch_size: 10,
      batch_delay: 20,
      config_reload_automatic: false,
      config_reload_interval: 3,
      dead_letter_queue_enabled: false,
      id: 'main',
    })
  })

  it('lists plugins under the names of their packages', async () => {
    for (const path of ['/_node/plugins', '/_plugins']) {
      const { total, plugins } = (await body(path)) as { total: number; plugins: { name: string }[] }
      const names = plugins.map(({ name }) => name)
      expect(total).toBe(names.length)
      expect(names).toEqual([...names].sort())
      expect(names).toContain('logstash-input-stdin')
      expect(names).toContain('logstash-codec-json_lines')
    }
  })
})

describe('/_stats', () => {
  it('is an early form of the same', async () => {
    const stats = await body('/_stats')
    expect(stats['events']).toMatchObject({ in: 100 })
    expect(Object.keys(stats['jvm'] as Json)).toEqual(['timestamp', 'uptime_in_millis', 'memory'])
    expect(await body('/_stats/events')).not.toHaveProperty('jvm')
    expect((await body('/_stats/jvm/memory'))['memory']).toHaveProperty('heap_used_in_bytes')
    expect((await freshFetch(`http://${api.address}/_stats/nothing`)).status).toBe(404)
  })
})

describe('/_node/pipelines', () => {
  it('tells what a pipeline is', async () => {
    const { pipelines } = (await body('/_node/pipelines/main')) as { pipelines: { main: Json } }
    expect(pipelines.main).toMatchObject({
      hash: 'c'.repeat(64),
      workers: 3,
      batch_size: 10,
      batch_delay: 20,
      config_reload_automatic: false,
      config_reload_interval: 3_000_000_000,
      dead_letter_queue_enabled: false,
      batch_output_chunking_growth_threshold_factor: 1000,
    })
    expect(pipelines.main).not.toHaveProperty('graph')
    const stats = (await body('/_node/stats/pipelines')) as { pipelines: { main: Json } }
    expect(stats.pipelines.main['ephemeral_id']).toBe(pipelines.main['ephemeral_id'])
    expect((await freshFetch(`http://${api.address}/_node/pipelines/nope`)).status).toBe(404)
  })

  it('draws the graph on request', async () => {
    const { pipelines } = (await body('/_node/pipelines?graph=true&vertices=true')) as {
      pipelines: { main: { graph: Json } }
    }
    expect(pipelines.main.graph).toMatchObject({
      hash: 'c'.repeat(64),
      type: 'lir',
      version: '0.0.0',
      graph: { vertices: [{ id: '__QUEUE__', type: 'queue', meta: null }, { id: grokId }], edges: [{}] },
    })
    expect((await freshFetch(`http://${api.address}/_node/pipelines?graph=maybe`)).status).toBe(400)
  })

  it('leaves out what was never built', async () => {
    Object.assign(main, { summary: undefined, status: 'failed' })
    expect((await body('/_node/pipelines'))['pipelines']).toEqual({})
  })
})

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}
