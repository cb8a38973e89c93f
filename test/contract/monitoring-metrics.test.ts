/**
 * `/metrics` of the real program: well formed in both formats, complete for the dashboards of the usual exporter,
 * and in agreement with the bodies it is made of.
 */
import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { patientSignal } from '../../src/plugin/testing/patience.ts'
import { Millrace } from '../support/millrace.ts'

const running: Millrace[] = []

afterEach(async () => {
  for (const one of running.splice(0)) await one.dispose()
})

async function start(): Promise<Millrace> {
  const millrace = await Millrace.start({
    api: true,
    config: `input { generator { count => 100 id => "gen" } heartbeat { interval => 3600 } }
      filter { mutate { id => "odd \\"id\\" \\\\ here" add_tag => ["x"] } } output { null { } }`,
  })
  running.push(millrace)
  await millrace.untilStarted()
  await millrace.apiUntil('/_node/stats/events', (body) => {
    const { events } = body as { events?: { out?: number } }
    return (events?.out ?? 0) >= 100
  })
  return millrace
}

async function scrape(millrace: Millrace, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${millrace.apiPort}/metrics`, {
    headers,
    signal: patientSignal(5000),
  })
}

const word = '[a-zA-Z_][a-zA-Z0-9_]*'
const label = `${word}="(?:[^"\\\\\\n]|\\\\[\\\\n"])*"`
const sampleLine = new RegExp(
  `^(${word})(?:\\{(?:${label}(?:,${label})*)?\\})? (?:[-+]?[0-9.]+(?:e[-+]?[0-9]+)?|NaN|[-+]Inf)$`,
)

/** Names of all samples; fails on a line that is neither a comment nor a sample. */
function namesIn(text: string): Set<string> {
  const names = new Set<string>()
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('# ')) continue
    const [, name = ''] = sampleLine.exec(line) ?? []
    expect([line, name]).not.toEqual([line, ''])
    names.add(name)
  }
  return names
}

/** Names of the exporter's metrics that every node has; others appear with what they are about. */
const expected = `
logstash_info_build logstash_info_node logstash_info_pipeline_batch_delay logstash_info_pipeline_batch_size
logstash_info_pipeline_workers logstash_info_status logstash_info_up
logstash_stats_events_duration_millis logstash_stats_events_filtered logstash_stats_events_in
logstash_stats_events_out logstash_stats_events_queue_push_duration_millis
logstash_stats_flow_filter_current logstash_stats_flow_filter_lifetime logstash_stats_flow_input_current
logstash_stats_flow_input_lifetime logstash_stats_flow_output_current logstash_stats_flow_output_lifetime
logstash_stats_flow_queue_backpressure_current logstash_stats_flow_queue_backpressure_lifetime
logstash_stats_flow_worker_concurrency_current logstash_stats_flow_worker_concurrency_lifetime
logstash_stats_jvm_mem_heap_committed_bytes logstash_stats_jvm_mem_heap_max_bytes
logstash_stats_jvm_mem_heap_used_bytes logstash_stats_jvm_mem_heap_used_percent
logstash_stats_jvm_mem_non_heap_committed_bytes logstash_stats_jvm_mem_pool_committed_bytes
logstash_stats_jvm_mem_pool_max_bytes logstash_stats_jvm_mem_pool_peak_max_bytes
logstash_stats_jvm_mem_pool_peak_used_bytes logstash_stats_jvm_mem_pool_used_bytes
logstash_stats_jvm_threads_count logstash_stats_jvm_threads_peak_count logstash_stats_jvm_uptime_millis
logstash_stats_pipeline_events_duration logstash_stats_pipeline_events_filtered logstash_stats_pipeline_events_in
logstash_stats_pipeline_events_out logstash_stats_pipeline_events_queue_push_duration
logstash_stats_pipeline_flow_filter_current logstash_stats_pipeline_flow_filter_lifetime
logstash_stats_pipeline_flow_input_current logstash_stats_pipeline_flow_input_lifetime
logstash_stats_pipeline_flow_output_current logstash_stats_pipeline_flow_output_lifetime
logstash_stats_pipeline_flow_queue_backpressure_current logstash_stats_pipeline_flow_queue_backpressure_lifetime
logstash_stats_pipeline_flow_worker_concurrency_current logstash_stats_pipeline_flow_worker_concurrency_lifetime
logstash_stats_pipeline_flow_worker_utilization_current logstash_stats_pipeline_flow_worker_utilization_lifetime
logstash_stats_pipeline_plugin_events_duration logstash_stats_pipeline_plugin_events_in
logstash_stats_pipeline_plugin_events_out logstash_stats_pipeline_plugin_events_queue_push_duration
logstash_stats_pipeline_queue_events_count logstash_stats_pipeline_queue_events_queue_size
logstash_stats_pipeline_queue_max_size_in_bytes logstash_stats_pipeline_reloads_failures
logstash_stats_pipeline_reloads_successes logstash_stats_pipeline_up
logstash_stats_process_cpu_load_average_1m logstash_stats_process_cpu_load_average_5m
logstash_stats_process_cpu_load_average_15m logstash_stats_process_cpu_percent
logstash_stats_process_cpu_total_millis logstash_stats_process_max_file_descriptors
logstash_stats_process_mem_total_virtual logstash_stats_process_open_file_descriptors
logstash_stats_queue_events_count logstash_stats_reload_failures logstash_stats_reload_successes`
  .trim()
  .split(/\s+/)

describe('metrics of the real program', () => {
  it('have every name of the exporter, and say what the stats say', async () => {
    const millrace = await start()
    const response = await scrape(millrace)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    const names = namesIn(text)
    expect(expected.filter((name) => !names.has(name))).toEqual([])
    expect(text).toMatch(/^logstash_stats_pipeline_events_in\{pipeline="main",hostname="[^"]+"\} 10[01]$/m)
    expect(text).toMatch(
      /^logstash_stats_pipeline_plugin_events_out\{plugin_type="input",plugin="generator",plugin_id="gen",pipeline="main",hostname="[^"]+"\} 100$/m,
    )
    expect(text).toMatch(/^millrace_pipeline_events_out_total\{pipeline="main"\} 10[01]$/m)
  })

  it('are OpenMetrics and compressed for those who like that', async () => {
    const millrace = await start()
    const openmetrics = await scrape(millrace, { accept: 'application/openmetrics-text; version=1.0.0' })
    const text = await openmetrics.text()
    expect(text.endsWith('\n# EOF\n')).toBe(true)
    namesIn(text)
    const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    expect(new Set(types.map(([, , type]) => type))).toEqual(new Set(['gauge', 'counter', 'unknown']))
    for (const [, name, type] of types)
      if (type === 'counter') expect(text).toMatch(new RegExp(`^${name}_total[ {]`, 'm'))
    const { request } = await import('node:http')
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      request(
        { port: millrace.apiPort, path: '/metrics', agent: false, headers: { 'accept-encoding': 'gzip' } },
        async (response) => {
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk)
          resolve(Buffer.concat(chunks))
        },
      )
        .on('error', reject)
        .end()
    })
    expect(gunzipSync(bytes).toString()).toContain('# TYPE logstash_info_up gauge')
  })
})
