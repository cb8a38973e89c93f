import { readdirSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setLevel } from '../../../log/logger.ts'
import { eventKeys, metricKey, pluginKey } from '../../../metrics/pipeline-keys.ts'
import { type NodeApi, startNodeApi } from '../server.ts'
import {
  count,
  freshBoard,
  freshFetch,
  grokId,
  type Mutable,
  stdoutId,
  testAgent,
  testPipeline,
  testSettings,
} from '../testing.ts'
import type { PipelineView } from '../view.ts'

type Json = Record<string, unknown>

setLevel('logstash.agent', 'OFF')
const agent = testAgent()
let main: Mutable<PipelineView>
let api: NodeApi

beforeEach(async () => {
  api = await startNodeApi({
    settings: testSettings({ 'api.http.port': '19600-19900', 'log.level': 'fatal' }),
    agent,
    id: 'x',
  })
})

afterEach(() => api.close())

/** 100 events over two threads; 97 match; 48 ms of filter time. */
beforeEach(() => {
  main = testPipeline('main')
  agent.pipelines.clear()
  agent.pipelines.set('main', main)
  for (const row of [0, 1]) {
    for (const key of [eventKeys.in, eventKeys.filtered, eventKeys.out, pluginKey('my_input', 'out')]) {
      count(main.board, row, key, 50)
    }
    count(main.board, row, eventKeys.nanos, 256.4e6)
    count(main.board, row, pluginKey(grokId, 'in'), 50)
    count(main.board, row, pluginKey(grokId, 'out'), 50)
    count(main.board, row, pluginKey(grokId, 'nanos'), 24.3e6)
  }
  count(main.board, 0, eventKeys.pushNanos, 1.9e6)
  count(main.board, 0, pluginKey('my_input', 'push_nanos'), 1.9e6)
  count(main.board, 0, metricKey(grokId, 'matches'), 97)
  count(main.board, 1, metricKey(grokId, 'failures'), 3)
  count(main.board, 1, pluginKey(stdoutId, 'in'), 100)
  count(main.board, 1, pluginKey(stdoutId, 'out'), 100)
  count(main.board, 1, pluginKey(stdoutId, 'nanos'), 121e6)
  count(main.board, 0, metricKey(stdoutId, 'documents.successes'), 9)
  count(main.board, 0, metricKey(grokId, 'ext.patterns.0.hits'), 95)
  count(main.board, 0, metricKey(grokId, 'ext.patterns.1.hits'), 2)
  count(main.board, 0, pluginKey('my_input', 'records'), 90)
  count(main.board, 0, pluginKey('my_input', 'decode_nanos'), 7.5e6)
  count(main.board, 1, pluginKey(stdoutId, 'bytes'), 30_200)
  count(main.board, 1, pluginKey(stdoutId, 'encode_nanos'), 21e6)
  count(main.board, 0, eventKeys.bytes, 9100)
  count(main.board, 0, eventKeys.queueEvents, 7)
  count(main.board, 0, eventKeys.queueBytes, 700)
})

async function text(path: string): Promise<string> {
  return (await freshFetch(`http://${api.address}${path}`)).text()
}

async function body(path: string): Promise<Json> {
  return JSON.parse(await text(path)) as Json
}

describe('/_node/stats', () => {
  it('has its parts in order', async () => {
    const keys = Object.keys(await body('/_node/stats'))
    expect(keys.slice(keys.indexOf('jvm'))).toEqual([
      'jvm',
      'process',
      'events',
      'flow',
      'pipelines',
      'reloads',
      'os',
      'queue',
    ])
    expect((await body('/_node/stats'))['pipeline']).toEqual({ workers: 2, batch_size: 125, batch_delay: 50 })
  })

  it('takes lists, ignores unknown names among known ones, and gives 404 for unknown ones alone', async () => {
    const some = await body('/_node/stats/events,%20jvm,foo')
    expect(some).toHaveProperty('jvm')
    expect(some).toHaveProperty('events')
    expect(some).not.toHaveProperty('process')
    expect(await text('/_node/stats/foo?pretty=false')).toBe(
      '{"path":"/_node/stats/foo","status":404,"error":{"message":"Not Found"}}',
    )
  })
})

describe('events', () => {
  it('are sums over threads and pipelines, in whole numbers', async () => {
    agent.pipelines.set('other', testPipeline('other'))
    count(agent.pipelines.get('other')?.board, 1, eventKeys.in, 5)
    const { events } = await body('/_node/stats/events')
    expect(events).toEqual({
      in: 105,
      filtered: 100,
      out: 100,
      duration_in_millis: 512,
      queue_push_duration_in_millis: 1,
    })
  })

  it('count work that is not finished yet', async () => {
    count(main.board, 1, eventKeys.busySince, Date.now() - 60_000)
    const duration = async () => {
      const { events } = (await body('/_node/stats/events')) as { events: { duration_in_millis: number } }
      return events.duration_in_millis
    }
    const first = await duration()
    expect(first).toBeGreaterThanOrEqual(60_512)
    expect(first).toBeLessThan(120_000)
    main.status = 'crashed'
    const last = await duration()
    expect(last).toBeGreaterThanOrEqual(first)
    expect(await duration()).toBe(last)
  })

  it('do not fall when a pipeline is reloaded or removed', async () => {
    const total = async () => ((await body('/_node/stats/events')) as { events: { out: number } }).events.out
    const before = await total()
    const old = main.board
    main.board = freshBoard()
    expect(await total()).toBe(before)
    count(main.board, 0, eventKeys.out, 11)
    count(old, 0, eventKeys.out, 1)
    expect(await total()).toBe(before + 12)
    agent.pipelines.delete('main')
    expect(await total()).toBe(before + 12)
  })
})

describe('/_node/stats/pipelines', () => {
  it('shows events, plugins with their own metrics, queue, sizes and identity', async () => {
    const { pipelines } = (await body('/_node/stats/pipelines/main')) as { pipelines: { main: Json } }
    expect(Object.keys(pipelines)).toEqual(['main'])
    const { flow, ...rest } = pipelines.main
    expect(rest).toEqual({
      events: { in: 100, filtered: 100, out: 100, duration_in_millis: 512, queue_push_duration_in_millis: 1 },
      plugins: {
        inputs: [
          {
            id: 'my_input',
            name: 'generator',
            events: { out: 100, queue_push_duration_in_millis: 1 },
            flow: { throughput: expect.any(Object) },
          },
        ],
        codecs: [
          {
            id: 'plain_1',
            name: 'plain',
            decode: { writes_in: 90, out: 100, duration_in_millis: 7 },
            encode: { writes_in: 0, duration_in_millis: 0 },
          },
          {
            id: 'line_2',
            name: 'line',
            decode: { writes_in: 0, out: 0, duration_in_millis: 0 },
            encode: { writes_in: 100, duration_in_millis: 21 },
          },
        ],
        filters: [
          {
            id: grokId,
            name: 'grok',
            events: { in: 100, out: 100, duration_in_millis: 48 },
            flow: { worker_utilization: expect.any(Object), worker_millis_per_event: expect.any(Object) },
            matches: 97,
            failures: 3,
            patterns_per_field: { message: 2 },
            ext: {
              patterns: [{ hits: 95 }, { hits: 2 }],
              latency: { p50_in_micros: 0, p90_in_micros: 0, p99_in_micros: 0, max_in_micros: 0 },
            },
          },
        ],
        outputs: [
          {
            id: stdoutId,
            name: 'stdout',
            events: { in: 100, out: 100, duration_in_millis: 121 },
            flow: { worker_utilization: expect.any(Object), worker_millis_per_event: expect.any(Object) },
            documents: { successes: 9 },
            ext: { bytes_out: 30_200 },
          },
        ],
      },
      reloads: {
        successes: 0,
        failures: 0,
        last_error: null,
        last_success_timestamp: null,
        last_failure_timestamp: null,
      },
      queue: {
        type: 'memory',
        events: 7,
        events_count: 7,
        queue_size_in_bytes: 700,
        max_queue_size_in_bytes: main.config.settings.get('queue.memory.max_bytes'),
      },
      pipeline: { workers: 3, batch_size: 10, batch_delay: 20 },
      batch: {
        event_count: { current: 0, average: {}, p50: {}, p90: {} },
        byte_size: { current: 0, average: {}, p50: {}, p90: {}, max: {} },
      },
      hash: 'c'.repeat(64),
      ephemeral_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ext: {
        dropped: 0,
        bytes_in: 9100,
        bytes_out: 30_200,
        workers: [
          { index: 0, state: 'idle', busy_in_millis: 0, events: 50 },
          { index: 1, state: 'idle', busy_in_millis: 0, events: 50 },
        ],
        threads: {
          restarts: 0,
          worker_restarts: 0,
          lost_events: 0,
          given_up_events: 0,
          last_reason: null,
        },
      },
    })
    expect(Object.keys(flow as Json)).toEqual([
      'input_throughput',
      'filter_throughput',
      'output_throughput',
      'queue_backpressure',
      'worker_concurrency',
      'worker_utilization',
    ])
  })

  it('shows a worker at work, and on which plugin', async () => {
    count(main.board, 1, eventKeys.busySince, Date.now() - 5000)
    count(main.board, 1, eventKeys.stage, 2)
    const { pipelines } = (await body('/_node/stats/pipelines/main')) as {
      pipelines: { main: { ext: { workers: Json[] } } }
    }
    const [, worker] = pipelines.main.ext.workers
    expect(worker).toMatchObject({ index: 1, state: 'busy', current_plugin: stdoutId })
    expect(worker!['busy_in_millis']).toBeGreaterThanOrEqual(5000)
  })

  it('shows the same figures as vertices on request', async () => {
    const stats = (await body('/_node/stats?vertices=true&graph=true')) as {
      pipelines: { main: { vertices: Json[]; ephemeral_id: string } }
    }
    const { vertices, ephemeral_id: pipeline_ephemeral_id } = stats.pipelines.main
    expect(vertices).toEqual([
      {
        id: 'my_input',
        pipeline_ephemeral_id,
        events_out: 100,
        queue_push_duration_in_millis: 1,
        long_counters: [],
        double_gauges: [],
      },
      {
        id: grokId,
        pipeline_ephemeral_id,
        events_in: 100,
        events_out: 100,
        duration_in_millis: 48,
        long_counters: [
          { name: 'matches', value: 97 },
          { name: 'failures', value: 3 },
        ],
        double_gauges: [{ name: 'patterns_per_field.message', value: 2 }],
      },
      {
        id: stdoutId,
        pipeline_ephemeral_id,
        events_in: 100,
        events_out: 100,
        duration_in_millis: 121,
        long_counters: [{ name: 'documents.successes', value: 9 }],
        double_gauges: [],
      },
    ])
    expect((await freshFetch(`http://${api.address}/_node/stats?vertices=zz`)).status).toBe(400)
  })

  it('says an endless rate in words only where events are counted, and not at all when asked to', async () => {
    const { board } = main
    for (const row of [0, 1]) count(board, row, pluginKey(grokId, 'in'), -50)
    const rates = async (query: string) => {
      const { pipelines } = (await body(`/_node/stats/pipelines/main${query}`)) as {
        pipelines: { main: { plugins: { filters: [{ flow: Json }] } } }
      }
      return pipelines.main.plugins.filters[0].flow['worker_millis_per_event'] as Json
    }
    expect(await rates('')).toMatchObject({ current: 'Infinity', lifetime: 'Infinity' })
    expect(await rates('?numeric=true')).toEqual({})
  })

  it('shows how reloads went', async () => {
    main.reloads.failures = 1
    main.reloads.lastError = { message: 'Expected one of', backtrace: ['at x'] }
    main.reloads.lastFailure = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678))
    const { pipelines } = (await body('/_node/stats/pipelines')) as { pipelines: { main: Json } }
    expect(pipelines.main['reloads']).toEqual({
      successes: 0,
      failures: 1,
      last_error: { message: 'Expected one of', backtrace: ['at x'] },
      last_success_timestamp: null,
      last_failure_timestamp: '2026-01-02T03:04:05.678Z',
    })
  })

  it('shows a pipeline that never came up with zeros', async () => {
    main.status = 'failed'
    Object.assign(main, { summary: undefined, board: undefined, thread: undefined })
    const { pipelines } = (await body('/_node/stats/pipelines')) as {
      pipelines: { main: { plugins: Json; events: Json } }
    }
    expect(pipelines.main.plugins).toEqual({ inputs: [], codecs: [], filters: [], outputs: [] })
    expect(pipelines.main.events['in']).toBe(0)
  })

  it('finds any id, and answers 404 for one that is not there', async () => {
    for (const id of ['변환-verändern', '__proto__', 'a/b']) {
      agent.pipelines.set(id, testPipeline(id))
      const path = `/_node/stats/pipelines/${encodeURIComponent(id)}`
      expect(Object.keys((await body(path))['pipelines'] as Json)).toEqual([id])
    }
    expect(Object.keys((await body('/_node/stats/pipelines/'))['pipelines'] as Json)).toHaveLength(4)
    expect(await text('/_node/stats/pipelines/nope')).toBe(
      '{"path":"/_node/stats/pipelines/nope","status":404,"error":{"message":"Not Found"}}',
    )
  })

  it('is an empty object without pipelines, and leaves system pipelines out', async () => {
    agent.pipelines.clear()
    agent.pipelines.set('sys', testPipeline('sys', testSettings({ 'pipeline.system': true })))
    expect((await body('/_node/stats/pipelines'))['pipelines']).toEqual({})
  })

  it('adds up what waits in the queues of running pipelines', async () => {
    agent.pipelines.set('other', testPipeline('other'))
    count(agent.pipelines.get('other')?.board, 0, eventKeys.queueEvents, 5)
    expect((await body('/_node/stats/queue'))['queue']).toEqual({ events_count: 12 })
    main.status = 'finished'
    expect((await body('/_node/stats/queue'))['queue']).toEqual({ events_count: 5 })
  })
})

describe('/_node/stats/pipeline, the 5.0 shape', () => {
  it('has old ids, no durations of outputs, and the sizes of the pipeline', async () => {
    const { pipeline, pipelines } = (await body('/_node/stats/pipeline')) as {
      pipeline: Json
      pipelines?: Json
    }
    expect(pipelines).toBeUndefined()
    expect(pipeline).toMatchObject({
      workers: 3,
      batch_size: 10,
      batch_delay: 20,
      id: 'main',
      events: { duration_in_millis: 512, in: 100, filtered: 100, out: 100 },
      plugins: {
        inputs: [{ id: 'my_input', events: { in: 100, out: 100, queue_push_duration_in_millis: 1 } }],
        filters: [
          {
            id: expect.stringMatching(/^grok_[0-9a-f]{40}-2$/),
            events: { in: 100, out: 100, duration_in_millis: 48 },
            matches: 97,
            failures: 3,
            patterns_per_field: { message: 2 },
          },
        ],
        outputs: [{ id: expect.stringMatching(/^[0-9a-f]{40}-3$/), events: { in: 100, out: 100 } }],
      },
      reloads: {
        successes: 0,
        failures: 0,
        last_error: null,
        last_success_timestamp: null,
        last_failure_timestamp: null,
      },
    })
    const { plugins } = pipeline as { plugins: { outputs: [{ events: Json }] } }
    expect(plugins.outputs[0].events).not.toHaveProperty('duration_in_millis')
    expect(plugins.outputs[0]).not.toHaveProperty('flow')
    expect(plugins.outputs[0]).not.toHaveProperty('ext')
    expect(plugins).not.toHaveProperty('codecs')
  })

  it('prefers main, then the first, and takes an id', async () => {
    const id = async (path: string) => ((await body(path)) as { pipeline: Json }).pipeline['id']
    agent.pipelines.clear()
    agent.pipelines.set('first', testPipeline('first'))
    expect(await id('/_node/stats/pipeline')).toBe('first')
    agent.pipelines.set('main', main)
    expect(await id('/_node/stats/pipeline')).toBe('main')
    expect(await id('/_node/stats/pipeline?id=first')).toBe('first')
    expect((await freshFetch(`http://${api.address}/_node/stats/pipeline?id=none`)).status).toBe(404)
    agent.pipelines.clear()
    expect(((await body('/_node/stats/pipeline')) as { pipeline: Json }).pipeline['events']).toMatchObject({
      in: 0,
    })
  })

  it('stands beside the current shape when both are asked for', async () => {
    const both = (await body('/_node/stats/pipeline,pipelines')) as { pipeline: Json; pipelines: Json }
    expect(both.pipeline['id']).toBe('main')
    expect(both.pipelines).toHaveProperty('main')
  })

  it('is what old clients get from /_node/stats', async () => {
    const old = await startNodeApi({
      settings: testSettings({
        'api.http.port': '19600-19900',
        'log.level': 'fatal',
        'api.compat.version': '5.6.0',
      }),
      agent,
      id: 'x',
    })
    const stats = (await (await freshFetch(`http://${old.address}/_node/stats`)).json()) as {
      pipeline: Json
      version: string
    }
    await old.close()
    expect(stats.version).toBe('5.6.0')
    expect(stats.pipeline['id']).toBe('main')
    expect(stats).not.toHaveProperty('pipelines')
  })
})

describe('jvm, process and reloads', () => {
  it('describe this process in whole numbers', async () => {
    const stats = (await body('/_node/stats/jvm,process')) as { jvm: Json; process: Json }
    const { threads, mem, gc, uptime_in_millis } = stats.jvm as {
      threads: Record<string, number>
      mem: Record<string, number>
      gc: Json
      uptime_in_millis: number
    }
    expect(threads['peak_count']).toBeGreaterThanOrEqual(threads['count']!)
    expect(threads['count']).toBeGreaterThanOrEqual(1)
    expect(mem['heap_used_in_bytes']).toBeLessThanOrEqual(mem['heap_max_in_bytes']!)
    expect(mem['heap_used_percent']).toBe(
      Math.floor((100 * mem['heap_used_in_bytes']!) / mem['heap_max_in_bytes']!),
    )
    expect(mem['pools']).toMatchObject({
      survivor: { used_in_bytes: 0, max_in_bytes: -1 },
      young: { max_in_bytes: -1 },
    })
    expect(Object.keys(gc['collectors'] as Json)).toEqual(['young', 'old'])
    expect(uptime_in_millis).toBeGreaterThan(0)
    const { load_average, ...cpu } = stats.process['cpu'] as Json
    expect(load_average === undefined || Object.keys(load_average as Json).length === 3).toBe(true)
    for (const number of numbersIn({ ...stats.process, cpu, jvm: stats.jvm }))
      expect(Number.isInteger(number)).toBe(true)
  })

  it.runIf(process.platform === 'linux')('knows the open files of this process', async () => {
    const { process: stats } = (await body('/_node/stats/process')) as { process: Record<string, number> }
    const open = readdirSync('/proc/self/fd').length
    expect(Math.abs(stats['open_file_descriptors']! - open)).toBeLessThanOrEqual(5)
    expect(stats['peak_open_file_descriptors']).toBeGreaterThanOrEqual(stats['open_file_descriptors']!)
    expect(stats['max_file_descriptors']).toBeGreaterThanOrEqual(stats['peak_open_file_descriptors']!)
    expect((stats['mem'] as unknown as Json)['total_virtual_in_bytes']).toBeGreaterThan(1e6)
  })

  it('count reloads of the node', async () => {
    agent.reloads.successes = 2
    agent.reloads.failures = 1
    expect((await body('/_node/stats/reloads'))['reloads']).toEqual({ successes: 2, failures: 1 })
  })
})

describe('parameters', () => {
  it('pretty changes the text and not the value', async () => {
    const pretty = await text('/_node/stats/reloads?pretty=true')
    const plain = await text('/_node/stats/reloads?pretty=false')
    expect(pretty).toContain('\n  "')
    expect(plain).not.toContain('\n')
    expect(JSON.parse(pretty)).toEqual(JSON.parse(plain))
  })

  it('human adds readable numbers', async () => {
    const { jvm } = (await body('/_node/stats/jvm?human=true')) as { jvm: { mem: Json; uptime: string } }
    expect(jvm.mem['heap_used']).toMatch(/^\d+(\.\d)?(b|kb|mb|gb)$/)
    expect(Number.isInteger(jvm.mem['heap_used_in_bytes'])).toBe(true)
    expect(jvm.uptime).toMatch(/^\d+(\.\d)?(ms|s|m|h|d)$/)
    expect((await body('/_node/stats/jvm'))['jvm']).not.toHaveProperty('uptime')
    expect((await freshFetch(`http://${api.address}/_node/stats/jvm?human=?x`)).status).toBe(400)
  })
})

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}
