/**
 * Bodies of the monitoring API as its clients see them, asked of the real program: one pipeline with 100 known
 * lines, of which 97 match.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { patientSignal } from '../../src/plugin/testing/patience.ts'
import { freePort, type Json, Millrace } from '../support/millrace.ts'

const lines = Array.from({ length: 100 }, (_, i) => (i % 40 === 7 ? 'no number here' : `request ${i}`))
const config = `
input { stdin { } }
filter {
  grok { match => { "message" => "^request %{DIGITS:number:int}$" } pattern_definitions => { "DIGITS" => "[0-9]+" } }
  if [number] == 1 { mutate { add_tag => ["one"] } } else { mutate { id => "chosen" } }
}
output { null { } }
`
const hex64 = /^[0-9a-f]{64}$/

let node: Millrace

beforeAll(async () => {
  node = await Millrace.start({ config, api: true })
  await node.untilStarted()
  node.write(`${lines.join('\n')}\n`)
  await node.apiUntil('/_node/stats/events', (body) => at(body, 'events.out') === 100)
})

afterAll(() => node?.dispose())

const url = (path: string) => `http://127.0.0.1:${node.apiPort}${path}`
const get = (path: string, init: RequestInit = {}) =>
  fetch(url(path), { signal: patientSignal(5000), ...init })
const text = async (path: string) => (await get(path)).text()
const status = async (path: string, method = 'GET') => (await get(path, { method })).status

/** A member by its dotted path. */
function at(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Json | undefined)?.[name], body)
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

describe('the root', () => {
  it('says who answers (1)', async () => {
    const response = await get('/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const body = (await response.json()) as Json
    for (const name of ['host', 'http_address', 'id', 'name', 'ephemeral_id', 'status'])
      expect(body[name], name).toEqual(expect.stringMatching(/./))
    expect(body['version']).toMatch(/^\d+\.\d+\.\d+$/)
    expect(at(body, 'pipeline.workers')).toBe(1)
  })

  it('keeps its id over a restart, and nothing else (2)', async () => {
    const data = await mkdtemp(join(tmpdir(), 'millrace-data-'))
    const seen: Json[] = []
    try {
      for (let i = 0; i < 2; i++) {
        const again = await Millrace.start({
          config: 'input { stdin { } } output { null { } }',
          api: true,
          args: ['--path.data', data],
        })
        try {
          await again.untilStarted()
          seen.push(await again.api('/'))
          again.endInput()
          await again.exit()
        } finally {
          await again.dispose()
        }
      }
    } finally {
      await rm(data, { recursive: true, force: true })
    }
    expect(seen[0]?.['id']).toBe(seen[1]?.['id'])
    expect(seen[0]?.['ephemeral_id']).not.toBe(seen[1]?.['ephemeral_id'])
  })
})

describe('stats', () => {
  it('count events in whole numbers (3)', async () => {
    const body = await node.api('/_node/stats/events')
    expect(body['events']).toMatchObject({ in: 100, filtered: 100, out: 100 })
    const raw = (await text('/_node/stats/events')).replace(/^.*"events":/, '')
    expect(raw).not.toMatch(/[.e]\d/)
    expect(Object.keys(body['events'] as Json)).toEqual([
      'in',
      'filtered',
      'out',
      'duration_in_millis',
      'queue_push_duration_in_millis',
    ])
  })

  it('know the threads and heaps of the process (4)', async () => {
    const body = await node.api('/_node/stats/jvm')
    const count = at(body, 'jvm.threads.count') as number
    expect(count).toBeGreaterThanOrEqual(1)
    expect(at(body, 'jvm.threads.peak_count')).toBeGreaterThanOrEqual(count)
    expect(body).not.toHaveProperty('process')
    for (const number of numbersIn(body['jvm'])) expect(Number.isInteger(number)).toBe(true)
    // Two threads at least, each with a heap that may grow.
    const { jvm } = await node.api('/_node/jvm')
    expect(at(jvm, 'mem.heap_max_in_bytes')).toBe(at(body, 'jvm.mem.heap_max_in_bytes'))
    expect(at(jvm, 'pid')).toBe(node.pid)
  })

  it('know the open files of the process (5)', async () => {
    const { process: stats } = (await node.api('/_node/stats/process')) as { process: Json }
    const open = stats['open_file_descriptors'] as number
    const peak = stats['peak_open_file_descriptors'] as number
    expect(open).toBeLessThanOrEqual(peak)
    expect(peak).toBeLessThanOrEqual(stats['max_file_descriptors'] as number)
    for (const path of ['mem.total_virtual_in_bytes', 'cpu.total_in_millis', 'cpu.percent'])
      expect(Number.isInteger(at(stats, path)), path).toBe(true)
    if (process.platform === 'linux') {
      const listed = (await readdir(`/proc/${node.pid}/fd`)).length
      expect(Math.abs(listed - open)).toBeLessThanOrEqual(3)
    }
  })

  it('have the 5.0 shape on the singular path (6)', async () => {
    const { pipeline, pipelines } = (await node.api('/_node/stats/pipeline')) as {
      pipeline: { events: Json; plugins: Record<string, Json[]>; reloads: Json }
      pipelines?: Json
    }
    expect(pipelines).toBeUndefined()
    expect(Number.isInteger(pipeline.events['duration_in_millis'])).toBe(true)
    const { inputs, filters, outputs } = pipeline.plugins
    const [grok, , chosen] = filters!
    expect(grok!['id']).toMatch(/^grok_[0-9a-f]{40}-2$/)
    expect(grok).toMatchObject({ matches: 97, failures: 3, patterns_per_field: { message: 1 } })
    expect(chosen!['id']).toBe('chosen')
    expect(inputs![0]!['id']).toMatch(/^[0-9a-f]{40}-1$/)
    expect(inputs![0]!['events']).toMatchObject({ in: 100, out: 100 })
    expect(outputs![0]!['id']).toMatch(/^[0-9a-f]{40}-5$/)
    expect(outputs![0]!['events']).toEqual({ in: 100, out: 100 })
    expect(pipeline.reloads).toEqual({
      successes: 0,
      failures: 0,
      last_error: null,
      last_success_timestamp: null,
      last_failure_timestamp: null,
    })
  })

  it('have the current shape on the plural one (7)', async () => {
    const body = await node.api('/_node/stats/pipelines/main')
    const plugins = at(body, 'pipelines.main.plugins') as Record<string, Json[]>
    expect(at(plugins['filters']![0], 'events')).toMatchObject({ in: 100, out: 100 })
    expect(plugins['filters']![0]!['id']).toMatch(hex64)
    expect(plugins['inputs']![0]!['id']).toMatch(hex64)
    expect(plugins['outputs']![0]!['events']).toHaveProperty('duration_in_millis')
    expect(plugins['codecs']!.map(({ name }) => name)).toEqual(['line', 'plain'])
    expect(plugins['codecs']![0]).toMatchObject({ decode: { writes_in: 100, out: 100 } })
    expect(Object.keys(body['pipeline'] as Json)).toEqual(['workers', 'batch_size', 'batch_delay'])
    expect(at(body, 'pipelines.main.batch.event_count.average.lifetime')).toBeGreaterThan(0)
    expect(at(body, 'pipelines.main.queue')).toMatchObject({
      events: 0,
      events_count: 0,
      queue_size_in_bytes: 0,
    })
    expect(at(body, 'pipelines.main.ext')).toMatchObject({
      dropped: 0,
      bytes_in: lines.join('').length,
    })
  })

  it('of everything are those of the parts together (8)', async () => {
    const names = ['jvm', 'process', 'events', 'flow', 'pipelines', 'reloads', 'os', 'queue']
    const all = await node.api('/_node/stats')
    const keys = Object.keys(all)
    expect(keys.slice(keys.indexOf('jvm'))).toEqual(names)
    for (const name of names) {
      const part = await node.api(`/_node/stats/${name}`)
      expect(Object.keys(part).filter((key) => names.includes(key))).toEqual([name])
      expect(shape(part[name]), name).toEqual(shape(all[name]))
    }
  })

  it('take lists of parts, and answer 404 when none is known (9)', async () => {
    const some = await node.api('/_node/stats/jvm,foo')
    expect(some).toHaveProperty('jvm')
    expect(some).not.toHaveProperty('process')
    expect(await status('/_node/stats/foo')).toBe(404)
    expect(await text('/_node/stats/foo')).toBe(
      '{"path":"/_node/stats/foo","status":404,"error":{"message":"Not Found"}}',
    )
  })
})

/** Names and types, with windows of time reduced to whether there are any: those come with time. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  if (typeof value !== 'object' || value === null) return typeof value
  const members = Object.entries(value).filter(
    ([key]) => !/^(?:current|lifetime|last_.*_(?:minute|minutes|hour|hours))$/.test(key),
  )
  return Object.fromEntries(members.map(([key, member]) => [key, shape(member)]))
}

describe('methods and paths', () => {
  it('are 404 when unknown, and HEAD is GET without a body (10)', async () => {
    expect(await status('/_node', 'POST')).toBe(404)
    expect(await status('/', 'DELETE')).toBe(404)
    for (const path of ['/_node', '/_node/plugins', '/_stats/events', '/_node/os']) {
      const [head, full] = [await get(path, { method: 'HEAD' }), await get(path)]
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect(head.headers.get('content-length')).toBe(full.headers.get('content-length'))
    }
  })

  it('know pipelines by id, and all of them by none (11)', async () => {
    expect(await node.api('/_node/pipelines/nope')).toEqual({
      path: '/_node/pipelines/nope',
      status: 404,
      error: { message: 'Not Found' },
    })
    for (const path of ['/_node/stats/pipelines/', '/_node/stats/pipelines', '/_node/pipelines/main'])
      expect(Object.keys((await node.api(path))['pipelines'] as Json)).toEqual(['main'])
  })
})

describe('node info', () => {
  it('draws the graph of a pipeline (12)', async () => {
    const body = await node.api('/_node/pipelines?graph=true')
    const { vertices, edges } = at(body, 'pipelines.main.graph.graph') as { vertices: Json[]; edges: Json[] }
    expect(vertices.map(({ type }) => type)).toEqual([
      'plugin',
      'queue',
      'plugin',
      'if',
      'plugin',
      'plugin',
      'plugin',
    ])
    const ids = new Set(vertices.map(({ id }) => id))
    expect(edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true)
    expect(vertices[3]).toMatchObject({ condition: '[number] == 1', meta: { source: { line: 5 } } })
    const stats = await node.api('/_node/stats?vertices=true')
    expect(at(stats, 'pipelines.main.hash')).toBe(at(body, 'pipelines.main.hash'))
    const counted = at(stats, 'pipelines.main.vertices') as Json[]
    expect(counted).toHaveLength(5)
    expect(counted.every(({ id }) => ids.has(id))).toBe(true)
    expect(counted[1]).toMatchObject({
      long_counters: expect.arrayContaining([{ name: 'matches', value: 97 }]),
      double_gauges: [{ name: 'patterns_per_field.message', value: 1 }],
    })
  })

  it('lists plugins (13)', async () => {
    const { total, plugins } = (await node.api('/_node/plugins')) as { total: number; plugins: Json[] }
    const names = plugins.map(({ name }) => name as string)
    expect(total).toBe(plugins.length)
    expect(names).toEqual([...names].sort())
    for (const name of ['logstash-input-stdin', 'logstash-filter-grok']) expect(names).toContain(name)
    expect(plugins.every(({ version }) => typeof version === 'string' && version !== '')).toBe(true)
  })
})

describe('parameters', () => {
  it('pretty (14)', async () => {
    const pretty = await text('/_node/os?pretty=true')
    const plain = await text('/_node/os?pretty=false')
    expect(pretty).toMatch(/\n {2}"/)
    expect(plain).not.toContain('\n')
    expect(JSON.parse(pretty)).toEqual(JSON.parse(plain))
  })

  it('human (15)', async () => {
    const body = await node.api('/_node/stats/jvm?human=true')
    expect(at(body, 'jvm.mem.heap_used')).toMatch(/^\d+(\.\d)?(b|kb|mb|gb)$/)
    expect(Number.isInteger(at(body, 'jvm.mem.heap_used_in_bytes'))).toBe(true)
    expect(at(body, 'jvm.uptime')).toMatch(/^\d+(\.\d)?(ms|s|m|h|d)$/)
    const plain = await node.api('/_node/stats/jvm')
    expect([at(plain, 'jvm.uptime'), at(plain, 'jvm.mem.heap_used')]).toEqual([undefined, undefined])
    expect(await status('/_node/stats/jvm?human=?x')).toBe(400)
  })

  it('format (16)', async () => {
    const response = await get('/_node/stats/events?format=yaml')
    expect(response.headers.get('content-type')).toBe('application/yaml')
    const yaml = await response.text()
    expect(yaml.startsWith('---')).toBe(true)
    const { events } = parse(yaml) as Json
    expect(Object.keys(events as Json)).toEqual(
      Object.keys((await node.api('/_node/stats/events'))['events'] as Json),
    )
    const byHeader = await get('/_node/os', { headers: { accept: 'application/yaml' } })
    expect(parse(await byHeader.text())).toEqual(await node.api('/_node/os'))
    expect(await node.api('/_node/os?format=xml')).toEqual({
      path: '/_node/os',
      status: 400,
      error: { message: 'Unsupported format [xml]' },
    })
  })

  it('filter_path', async () => {
    expect(await node.api('/_node/stats?filter_path=events.in,pipelines.*.plugins.filters.name')).toEqual({
      events: { in: 100 },
      pipelines: {
        main: { plugins: { filters: [{ name: 'grok' }, { name: 'mutate' }, { name: 'mutate' }] } },
      },
    })
  })
})

describe('reloads (22)', () => {
  it('are recorded, and events go on', async () => {
    const steady = (count: number) =>
      `input { heartbeat { interval => 1 message => "sequence" } } filter { mutate { add_tag => ["t${count}"] } } output { null { } }`
    const millrace = await Millrace.start({
      config: steady(1),
      api: true,
      args: ['--config.reload.automatic', '--config.reload.interval', '1s'],
    })
    try {
      await millrace.untilStarted()
      const before = await millrace.apiUntil(
        '/_node/stats/pipelines/main',
        (body) => (at(body, 'pipelines.main.events.out') as number) > 0,
      )
      await writeFile(millrace.configPath, 'input { heartbeat { ')
      const failed = await millrace.apiUntil(
        '/_node/stats',
        (body) => at(body, 'pipelines.main.reloads.failures') === 1,
      )
      expect(at(failed, 'reloads')).toEqual({ successes: 0, failures: 1 })
      expect(at(failed, 'pipelines.main.reloads.last_error.message')).toMatch(/Expected one of/)
      expect(at(failed, 'pipelines.main.reloads.last_error.backtrace')).toBeInstanceOf(Array)
      expect(at(failed, 'pipelines.main.reloads.last_failure_timestamp')).toMatch(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      )
      // Nothing was stopped: it is the same pipeline, and its events count once.
      expect(at(failed, 'pipelines.main.ephemeral_id')).toBe(at(before, 'pipelines.main.ephemeral_id'))
      expect(at(failed, 'events.out')).toBe(at(failed, 'pipelines.main.events.out'))
      const out = at(failed, 'events.out') as number
      await millrace.apiUntil('/_node/stats/events', (body) => (at(body, 'events.out') as number) > out)
      await writeFile(millrace.configPath, steady(2))
      const good = await millrace.apiUntil(
        '/_node/stats',
        (body) => at(body, 'pipelines.main.reloads.successes') === 1,
      )
      expect(at(good, 'reloads')).toEqual({ successes: 1, failures: 1 })
      expect(at(good, 'pipelines.main.reloads.last_success_timestamp')).toMatch(/Z$/)
      expect(at(good, 'events.out') as number).toBeGreaterThan(out)
    } finally {
      await millrace.dispose()
    }
  })
})

describe('ports (23)', () => {
  const started: Millrace[] = []
  afterEach(async () => {
    for (const millrace of started.splice(0)) await millrace.dispose()
  })

  async function start(...args: string[]): Promise<Millrace> {
    const millrace = await Millrace.start({
      config: 'input { stdin { } } output { null { } }',
      args: ['--api.enabled', 'true', ...args],
    })
    started.push(millrace)
    return millrace
  }

  async function port(millrace: Millrace): Promise<number> {
    const found = () => /started Logstash API endpoint \{:port=>(\d+)/.exec(millrace.stdout)?.[1]
    await millrace.until(() => found() !== undefined)
    return Number(found())
  }

  it('are the first free ones of the default range', async () => {
    const ports = [await port(await start()), await port(await start())]
    expect(ports[1]).toBeGreaterThan(ports[0]!)
    for (const found of ports) expect(found).toBeGreaterThanOrEqual(9600)
    for (const found of ports) expect(found).toBeLessThanOrEqual(9700)
    const others = Object.values(networkInterfaces())
      .flat()
      .filter((address) => address?.internal === false && address.family === 'IPv4')
    for (const other of others) {
      const elsewhere = fetch(`http://${other!.address}:${ports[0]}/`, { signal: patientSignal(2000) })
      await expect(elsewhere).rejects.toThrow()
    }
  })

  it('are those the flags say, under the old name too', async () => {
    const wanted = await freePort()
    expect(await port(await start('--http.port', String(wanted)))).toBe(wanted)
    expect(await port(await start('--api.http.port', `${wanted}-${wanted + 20}`))).toBeGreaterThan(wanted)
    const third = await start('--api.http.port', String(wanted))
    const { code } = await third.exit()
    expect(code).not.toBe(0)
    expect(third.stdout + third.stderr).toContain(String(wanted))
  })
})
