/**
 * Hot threads of the real program (checks 17 to 20 of the monitoring API): the shapes on a quiet node, and the
 * busy thread with its function on a node whose only worker never yields again.
 */
import { hostname } from 'node:os'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patientSignal } from '../../src/plugin/testing/patience.ts'
import { binary } from '../support/build.ts'
import { type Json, Millrace, type MillraceOptions } from '../support/millrace.ts'

interface HotThread {
  name: string
  thread_id: number
  percent_of_cpu_time: number
  state: string
  traces: string[]
  ext: { kind: string; worker_thread_id?: number }
}
interface Report {
  host: string
  pipeline: object
  hot_threads: { time: string; busiest_threads: number; threads: HotThread[] }
}

const library = new URL('../dist/plugin.js', pathToFileURL(binary)).href

/** A filter that never comes back. */
const spinning = `
import { defineFilter } from '${library}'
function spinForEver() { for (let i = 0; ; i++) Math.sqrt(i) }
export default defineFilter({
  name: 'spinning', summary: 'Never comes back.', options: {},
  create: () => ({ filter() { spinForEver() } }),
})
`

const common: MillraceOptions = {
  files: { 'plugins/filters/spinning.js': spinning },
  args: ['--path.plugins', 'plugins'],
  api: true,
}

function ask(millrace: Millrace, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${millrace.apiPort}${path}`, { signal: patientSignal(20_000) })
}

async function report(millrace: Millrace, path: string): Promise<Report> {
  return (await (await ask(millrace, path)).json()) as Report
}

describe('hot threads of a quiet node', () => {
  let node: Millrace
  beforeAll(async () => {
    node = await Millrace.start({
      ...common,
      config: 'input { stdin { } } filter { mutate { } } output { null { } }',
    })
    await node.untilStarted()
  })
  afterAll(() => node.dispose())

  it('are JSON with the fields of Logstash', async () => {
    const { host, pipeline, hot_threads: hot } = await report(node, '/_node/hot_threads?threads=2')
    expect(host).toBe(hostname())
    expect(pipeline).toHaveProperty('workers', 1)
    expect(hot.busiest_threads).toBe(2)
    expect(hot.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/)
    expect(hot.threads.length).toBeGreaterThan(0)
    expect(hot.threads.length).toBeLessThanOrEqual(2)
    for (const thread of hot.threads) {
      expect(thread).toMatchObject({ name: expect.any(String), state: expect.any(String) })
      expect(Number.isInteger(thread.thread_id)).toBe(true)
      expect(thread.percent_of_cpu_time).toBeGreaterThanOrEqual(0)
      expect(thread.percent_of_cpu_time * 100).toBeCloseTo(
        Math.trunc(thread.percent_of_cpu_time * 100 + 1e-6),
        4,
      )
      expect(['new', 'runnable', 'blocked', 'waiting', 'timed_waiting', 'terminated']).toContain(thread.state)
      expect(Array.isArray(thread.traces)).toBe(true)
    }
  })

  it('are all threads of the process when idle ones are asked for', async () => {
    const { hot_threads: all } = await report(
      node,
      '/_node/hot_threads?threads=10000&ignore_idle_threads=false&interval=100ms',
    )
    expect(all.busiest_threads).toBe(10_000)
    const names = all.threads.map(({ name }) => name)
    expect(names).toContain('[main]>worker0')
    expect(names).toContain('agent')
    expect(names.filter((name) => name.startsWith('v8-platform-')).length).toBeGreaterThanOrEqual(4)
    expect(new Set(all.threads.map(({ thread_id }) => thread_id)).size).toBe(names.length)
    const { hot_threads: busy } = await report(node, '/_node/hot_threads?threads=10000&interval=100ms')
    expect(busy.threads.length).toBeLessThan(names.length)
  })

  it('are text in the layout of Logstash', async () => {
    const response = await ask(node, '/_node/hot_threads?human')
    expect(response.headers.get('content-type')).toBe('text/plain;charset=utf-8')
    const text = await response.text()
    const lines = text.split('\n')
    expect(lines[0]).toBe(`::: {${hostname()}}`)
    expect(lines[1]).toMatch(/^Hot threads at \d{4}-\d\d-\d\dT[\d:]{8}[+-]\d\d:\d\d, busiestThreads=10: $/)
    expect(lines[2]).toBe('='.repeat(80))
    const rules = lines.filter((line) => line === '-'.repeat(80)).length
    expect(rules).toBeGreaterThan(0)
    expect(text.split('thread name').length - 1).toBe(rules)
    expect(text.endsWith(`${'-'.repeat(80)}\n`)).toBe(true)
    expect(lines[3]).toMatch(/^\d+\.\d+ % of cpu usage, state: \w+, thread name: '[^']+', thread id: \d+ $/)
  })

  it('are text in the layout of a search cluster on the path below stats', async () => {
    const lines = (await (await ask(node, '/_node/stats/hot_threads?human=true')).text()).split('\n')
    const root = (await node.api('/')) as { name: string; id: string; http_address: string }
    expect(lines[0]).toBe(`::: {${root.name}}{${root.id}}{${hostname()}}{${root.http_address}}`)
    expect(lines[1]).toMatch(
      /^ {3}Hot threads at .*Z, interval=500ms, busiestThreads=3, ignoreIdleThreads=true:$/,
    )
    expect(lines[2]).toBe('   ')
    expect(lines[3]).toMatch(/^ {3}[ \d]{2}\d?\.\d% \(\S+ out of 500ms\) cpu usage by thread '[^']+'$/)
    expect(
      lines.some((line) =>
        /^ {5}(?:\d+\/10 snapshots sharing following \d+ elements|unique snapshot)$/.test(line),
      ),
    ).toBe(true)
    expect(lines.slice(-2)).toEqual(['', ''])
    const { hot_threads: hot } = await report(node, '/_node/stats/hot_threads')
    expect(hot.busiest_threads).toBe(3)
  })

  it('take either layout anywhere, and the old path', async () => {
    expect(await (await ask(node, '/_node/hot_threads?human&layout=cluster&interval=50ms')).text()).toContain(
      'interval=50ms, busiestThreads=10',
    )
    expect((await report(node, '/_stats/jvm/hot_threads?interval=50ms')).hot_threads.busiest_threads).toBe(10)
  })

  it('refuse parameters that mean nothing', async () => {
    for (const [parameter, message] of [
      ['human=%3Fthreads=5', 'invalid value for Boolean: "?threads=5"'],
      ['ordered_by=colour', 'Invalid sort order'],
      ['threads=0', "Invalid value '0' for threads: expected a whole number from 1 up"],
      ['threads=x', "Invalid value 'x' for threads: expected a whole number from 1 up"],
      ['stacktrace_size=-1', "Invalid value '-1' for stacktrace_size: expected a whole number from 0 up"],
      ['interval=11s', "Invalid interval '11s': expected 50ms to 10s"],
      ['layout=x', "Invalid layout 'x': expected logstash or cluster"],
    ]) {
      const response = await ask(node, `/_node/hot_threads?${parameter}`)
      expect([parameter, response.status]).toEqual([parameter, 400])
      expect(await response.json()).toMatchObject({ host: hostname(), error: message })
    }
  })

  it('are sampled once for all who ask at the same time', async () => {
    const began = Date.now()
    const times = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (await report(node, '/_node/hot_threads?interval=1s')).hot_threads.time,
      ),
    )
    expect(new Set(times).size).toBe(1)
    expect(Date.now() - began).toBeLessThan(8000)
  })
})

describe('hot threads of a node whose worker never yields', () => {
  let node: Millrace
  beforeAll(async () => {
    node = await Millrace.start({
      ...common,
      config: 'input { generator { count => 1 } }\nfilter { spinning { } }\noutput { null { } }',
    })
    await node.until('Starting pipeline')
    const isSpinning = (body: Json) => JSON.stringify(body['hot_threads'] ?? {}).includes('spinning.js')
    await node.apiUntil('/_node/hot_threads?interval=50ms', isSpinning)
  })
  afterAll(() => node.dispose())

  it('have that worker on top, with the function it is in', async () => {
    // The kernel shares the processors with other tests: what counts is that nothing here is busier.
    const { hot_threads: hot } = await report(node, '/_node/hot_threads?threads=3&interval=1s')
    const [top] = hot.threads
    expect(top?.name).toBe('[main]>worker0')
    expect(top?.state).toBe('runnable')
    expect(top?.percent_of_cpu_time).toBeGreaterThan(hot.threads[1]?.percent_of_cpu_time ?? 0)
    expect(top?.percent_of_cpu_time).toBeLessThanOrEqual(100)
    expect(top?.traces.join('\n')).toMatch(/^(?:spinForEver|filter) \(.*spinning\.js:\d+:\d+\)$/m)
    expect(top?.traces.join('\n')).toMatch(/^filter\d+_spinning_line2 \(millrace:/m)
    expect(top?.ext).toMatchObject({ kind: 'js', worker_thread_id: expect.any(Number) })
  })

  it('limit the frames', async () => {
    const { hot_threads: hot } = await report(
      node,
      '/_node/hot_threads?threads=1&stacktrace_size=1&interval=100ms',
    )
    expect(hot.threads[0]?.traces).toHaveLength(1)
    const none = await report(node, '/_node/hot_threads?threads=1&stacktrace_size=0&interval=100ms')
    expect(none.hot_threads.threads[0]?.traces).toEqual([])
  })

  it('name the worker in both texts and to the kernel', async () => {
    expect(await (await ask(node, '/_node/hot_threads?human=true')).text()).toMatch(
      /thread name: '\[main\]>worker0'.*\n(?:\t.*\n)*\t(?:spinForEver|filter) \(.*spinning\.js:/,
    )
    const cluster = await (await ask(node, '/_node/stats/hot_threads?human=true')).text()
    expect(cluster).toMatch(/cpu usage by thread '\[main\]>worker0'/)
    expect(cluster).toMatch(/^ {7}(?:spinForEver|filter) \(.*spinning\.js:/m)
  })
})
