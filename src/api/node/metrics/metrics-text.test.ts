import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setLevel } from '../../../log/logger.ts'
import { eventKeys, metricKey, pluginKey } from '../../../metrics/pipeline-keys.ts'
import { type NodeApi, startNodeApi } from '../server.ts'
import { count, freshFetch, grokId, stdoutId, testAgent, testPipeline, testSettings } from '../testing.ts'

setLevel('logstash.agent', 'OFF')
let api: NodeApi
const main = testPipeline('main')
const odd = testPipeline('a"b\\c\nd')
odd.status = 'failed'
odd.reloads.lastFailure = new Date('2026-01-02T03:04:05.678Z')

beforeEach(async () => {
  const settings = testSettings({ 'api.http.port': '19600-19900', 'log.level': 'fatal', 'node.name': 'n"1' })
  api = await startNodeApi({ settings, agent: testAgent(main, odd), id: 'x' })
})

afterEach(() => api.close())

const get = (headers: Record<string, string> = {}) => freshFetch(`http://${api.address}/metrics`, { headers })

/** Samples of a text, by what stands before the value. */
function samples(text: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, series = '', value = ''] = /^([a-zA-Z_][a-zA-Z0-9_]*(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    expect([line, series]).not.toEqual([line, ''])
    expect([line, found.has(series)]).toEqual([line, false])
    found.set(series, Number(value))
  }
  return found
}

describe('metrics', () => {
  it('carry the names and labels of the exporter', async () => {
    for (const key of [eventKeys.in, eventKeys.filtered, eventKeys.out]) count(main.board, 0, key, 100)
    count(main.board, 0, eventKeys.queueEvents, 7)
    count(main.board, 0, pluginKey(grokId, 'in'), 100)
    count(main.board, 0, pluginKey(grokId, 'nanos'), 48e6)
    count(main.board, 1, metricKey(grokId, 'matches'), 97)
    count(main.board, 1, metricKey(stdoutId, 'documents.successes'), 9)
    const response = await get()
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const found = samples(await response.text())
    const host = `hostname="${hostname()}"`
    const grok = `plugin_type="filter",plugin="grok",plugin_id="${grokId}",pipeline="main",${host}`
    const stdout = `plugin_type="output",plugin="stdout",plugin_id="${stdoutId}",pipeline="main",${host}`
    const expected: [string, number][] = [
      [`logstash_info_up{${host}}`, 1],
      [`logstash_info_status{status="red",${host}}`, 1],
      [`logstash_info_pipeline_batch_size{${host}}`, 125],
      [`logstash_stats_events_in{${host}}`, 100],
      [`logstash_stats_queue_events_count{${host}}`, 7],
      [`logstash_stats_reload_failures{${host}}`, 0],
      [`logstash_stats_jvm_mem_pool_max_bytes{pool="survivor",${host}}`, -1],
      [`logstash_stats_pipeline_up{pipeline="main",${host}}`, 1],
      [`logstash_stats_pipeline_up{pipeline="a\\"b\\\\c\\nd",${host}}`, 0],
      [`logstash_stats_pipeline_events_out{pipeline="main",${host}}`, 100],
      [
        `logstash_stats_pipeline_reloads_last_failure_timestamp{pipeline="a\\"b\\\\c\\nd",${host}}`,
        1767323045.678,
      ],
      [`logstash_stats_pipeline_plugin_events_in{${grok}}`, 100],
      [`logstash_stats_pipeline_plugin_events_duration{${grok}}`, 48],
      [`logstash_stats_pipeline_plugin_documents_successes{${stdout}}`, 9],
    ]
    for (const [series, value] of expected) expect([series, found.get(series)]).toEqual([series, value])
    expect([...found.keys()].find((series) => series.startsWith('logstash_info_node'))).toMatch(
      /^logstash_info_node\{name="n\\"1",version="9\.5\.2",http_address="127\.0\.0\.1:\d+",host="[^"]+",id="x",/,
    )
  })

  it('come under names of our own as well', async () => {
    const found = samples(await (await get()).text())
    const grok = `pipeline="main",plugin_type="filter",plugin="grok",plugin_id="${grokId}"`
    expect(found.get('millrace_pipeline_events_in_total{pipeline="main"}')).toBe(100)
    expect(found.get('millrace_health_status{status="red"}')).toBe(1)
    expect(found.get('millrace_health_status{status="green"}')).toBe(0)
    expect(found.get('millrace_pipeline_status{pipeline="main",status="running"}')).toBe(1)
    expect(found.get(`millrace_plugin_seconds_total{${grok}}`)).toBe(0.048)
    expect(found.get(`millrace_plugin_figure{${grok},figure="matches"}`)).toBe(97)
    expect(found.get('process_start_time_seconds')).toBeGreaterThan(1.7e9)
    expect(found.get('process_open_fds')).toBeGreaterThan(0)
  })

  it('tell about each family once, before its samples', async () => {
    for (const accept of ['text/plain', 'application/openmetrics-text']) {
      const lines = (await (await get({ accept })).text()).trimEnd().split('\n')
      const seen = new Set<string>()
      let family = ''
      for (const line of lines) {
        const [, kind, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
        if (kind === 'HELP') {
          expect(seen.has(name)).toBe(false)
          seen.add(name)
          family = name
        } else if (kind === 'TYPE') expect(name).toBe(family)
        else if (line !== '# EOF') expect(line.startsWith(family)).toBe(true)
      }
    }
  })

  it('are OpenMetrics for those who ask', async () => {
    const response = await get({ accept: 'application/openmetrics-text;version=1.0.0' })
    expect(response.headers.get('content-type')).toBe(
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    )
    const text = await response.text()
    expect(text.endsWith('\n# EOF\n')).toBe(true)
    expect(text).toContain('# TYPE millrace_pipeline_events_in counter\nmillrace_pipeline_events_in_total{')
    expect(text).not.toMatch(/untyped/)
  })
})
