import { describe, expect, it } from 'vitest'
import { type StatsBody, topText } from './top-view.ts'

/** The shape of `/_node/stats` of Logstash 8, with the members its documentation names. */
const logstash: StatsBody & Record<string, unknown> = {
  host: 'logstash.example',
  version: '8.19.0',
  http_address: '0.0.0.0:9600',
  id: '58df6f7c-eb5c-5d42-bc20-c7b22779aa12',
  name: 'logstash.example',
  status: 'green',
  snapshot: false,
  jvm: { mem: { heap_used_percent: 21, heap_used_in_bytes: 229_638_144 }, uptime_in_millis: 7_380_000 },
  process: { cpu: { percent: 12 } },
  events: { in: 293_658, filtered: 293_658, out: 293_658, duration_in_millis: 2_324_391 },
  pipelines: {
    'beats-es': {
      events: { in: 365_842, filtered: 365_842, out: 365_842, duration_in_millis: 222_912 },
      flow: { input_throughput: { current: 71.13 }, output_throughput: { current: 71.05 } },
      plugins: {
        inputs: [{ id: 'in', name: 'beats', events: { out: 365_842 } }],
        filters: [
          { id: '9ed5b3', name: 'mutate', events: { in: 365_842, out: 365_842, duration_in_millis: 8000 } },
          {
            id: 'a'.repeat(64),
            name: 'grok',
            events: { in: 365_842, out: 365_842, duration_in_millis: 24_000 },
          },
        ],
        outputs: [
          {
            id: 'out',
            name: 'elasticsearch',
            events: { in: 365_842, out: 365_842, duration_in_millis: 100_000 },
          },
        ],
      },
      queue: { type: 'memory', events_count: 0 },
    },
    '.monitoring-logstash': { events: null, plugins: null, queue: null },
  },
}

const view = { columns: 120, rows: 40 }

describe('top', () => {
  it('shows a recorded body of Logstash', () => {
    const text = topText(logstash, undefined, 0, view)
    expect(text).toContain('logstash.example · version 8.19.0 · up 2 h 3 min · cpu 12 % · heap 219 MB')
    expect(text).toMatch(/^beats-es\s+71\.1\s+71\.0\s+365,842\s+609\s+memory 0$/m)
    const plugins = text
      .split('\n')
      .slice(text.split('\n').findIndex((line) => line.startsWith('slowest')) + 1)
    expect(plugins.map((line) => line.split(/\s+/)[0])).toEqual(['elasticsearch', 'grok', 'mutate'])
    expect(plugins[0]).toMatch(/76 %$/)
    expect(plugins[1]).not.toContain('aaaa')
    expect(plugins[2]).toMatch(/^mutate 9ed5b3/)
  })

  it('says what a node is that is not Logstash itself, and for how many seconds it runs', () => {
    const own = { name: 'a', version: '9.5.2', distribution: 'millrace', distribution_version: '0.1.0' }
    const text = topText({ ...own, jvm: { uptime_in_millis: 42_500 } }, undefined, 0, view)
    expect(text.split('\n')[0]).toBe('a · millrace 0.1.0 · up 42 s')
  })

  it('makes rates of two bodies, and fits a small screen', () => {
    const later = structuredClone(logstash) as StatsBody
    const events = later.pipelines!['beats-es']!.events as { in: number; out: number }
    events.in += 500
    events.out += 480
    expect(topText(later, logstash, 2, view)).toMatch(/^beats-es\s+250\s+240/m)
    const small = topText(later, logstash, 2, { columns: 40, rows: 3 }).split('\n')
    expect(small.length).toBe(3)
    expect(Math.max(...small.map((line) => line.length))).toBeLessThanOrEqual(40)
  })

  it('survives a node without pipelines, and names that steer terminals', () => {
    expect(topText({}, undefined, 0, view)).toContain('no pipeline runs')
    expect(topText({ name: '\u001b[2Jx' }, undefined, 0, view)).not.toContain('\u001b')
  })
})
