/**
 * Writes the Grafana dashboard and the alert rules of Prometheus below deploy/, from one table. With --check it writes
 * nothing and exits 1 when a file is stale. A test holds the names of metrics against those a node has.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const by = 'by (pipeline)'

/** Title, unit, queries with the legend of each. */
const panels = [
  [
    'Events per second',
    'ops',
    [[`sum ${by} (rate(millrace_pipeline_events_out_total[$__rate_interval]))`, '{{pipeline}}']],
  ],
  ['Events waiting in queues', 'short', [[`sum ${by} (millrace_pipeline_queue_events)`, '{{pipeline}}']]],
  [
    'Slowest plugins, share of a worker',
    'percentunit',
    [
      [
        'topk(10, rate(millrace_plugin_seconds_total[$__rate_interval]))',
        '{{pipeline}} {{plugin}} {{plugin_id}}',
      ],
    ],
  ],
  [
    'Reloads that failed',
    'short',
    [[`increase(millrace_pipeline_reloads_total{result="failure"}[1h])`, '{{pipeline}}']],
  ],
  ['Memory', 'bytes', [['process_resident_memory_bytes', 'resident']]],
  ['Processor', 'percentunit', [['rate(process_cpu_seconds_total[$__rate_interval])', 'cores']]],
]

/** Name, expression, how long, severity, what it means. */
const alerts = [
  [
    'MillracePipelineDown',
    'max by (instance, pipeline) (millrace_pipeline_status{status="running"}) == 0',
    '2m',
    'critical',
    'The pipeline {{ $labels.pipeline }} does not run.',
  ],
  [
    'MillraceUnhealthy',
    'millrace_health_status{status="red"} == 1',
    '2m',
    'critical',
    'The node says that it is red; /_health_report says why.',
  ],
  [
    'MillraceReloadFailed',
    'increase(millrace_pipeline_reloads_total{result="failure"}[15m]) > 0',
    '0m',
    'warning',
    'A new configuration of {{ $labels.pipeline }} could not be loaded; the old one runs on.',
  ],
  [
    'MillraceQueueGrows',
    'deriv(millrace_pipeline_queue_events[15m]) > 0 and millrace_pipeline_queue_events > 10000',
    '15m',
    'warning',
    'Events of {{ $labels.pipeline }} come in faster than they leave.',
  ],
  [
    'MillraceNothingLeaves',
    'rate(millrace_pipeline_events_in_total[10m]) > 0 and rate(millrace_pipeline_events_out_total[10m]) == 0',
    '10m',
    'warning',
    'The pipeline {{ $labels.pipeline }} takes events and none leaves; an output may be stuck.',
  ],
]

const dashboard = {
  title: 'Millrace',
  uid: 'millrace',
  schemaVersion: 39,
  version: 1,
  timezone: 'browser',
  refresh: '10s',
  time: { from: 'now-1h', to: 'now' },
  templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus' }] },
  panels: panels.map(([title, unit, queries], index) => ({
    id: index + 1,
    type: 'timeseries',
    title,
    datasource: { type: 'prometheus', uid: '${datasource}' },
    gridPos: { h: 8, w: 12, x: (index % 2) * 12, y: Math.floor(index / 2) * 8 },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: queries.map(([expr, legendFormat], query) => ({ refId: 'ABCDEF'[query], expr, legendFormat })),
  })),
}

const rules = `# Made by scripts/monitoring-files.mjs.
groups:
  - name: millrace
    rules:
${alerts
  .map(
    ([name, expression, duration, severity, text]) => `      - alert: ${name}
        expr: ${JSON.stringify(expression)}
        for: ${duration}
        labels:
          severity: ${severity}
        annotations:
          summary: ${JSON.stringify(text)}`,
  )
  .join('\n')}
`

const files = {
  'deploy/grafana/millrace.json': `${JSON.stringify(dashboard, null, 2)}\n`,
  'deploy/prometheus/millrace-alerts.yml': rules,
}

for (const [name, text] of Object.entries(files)) {
  const path = new URL(`../${name}`, import.meta.url)
  if (!process.argv.includes('--check')) writeFileSync(path, text)
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`stale: ${name}; run \`node scripts/monitoring-files.mjs\``)
    process.exitCode = 1
  }
}
