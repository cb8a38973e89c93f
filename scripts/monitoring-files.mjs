/**
 * Writes the Grafana dashboard and the alert rules of Prometheus below deploy/, from one table. With --check it writes
 * nothing and exits 1 when a file is stale. A test holds the names of metrics against those a node has.
 */
import { readFileSync, writeFileSync } from 'node:fs'

/** What the variables of the dashboard leave of a metric. */
const of = (metric, more = '') => `${metric}{instance=~"$instance",pipeline=~"$pipeline"${more}}`
const node = (metric) => `${metric}{instance=~"$instance"}`
const rate = (metric) => `rate(${metric}[$__rate_interval])`
const perPipeline = (expression) => `sum by (pipeline) (${expression})`

/** Title, unit, queries with the legend of each. */
const panels = [
  [
    'Events per second',
    'ops',
    [
      [perPipeline(rate(of('millrace_pipeline_events_in_total'))), '{{pipeline}} in'],
      [perPipeline(rate(of('millrace_pipeline_events_out_total'))), '{{pipeline}} out'],
    ],
  ],
  [
    'Events waiting in queues',
    'short',
    [[perPipeline(of('millrace_pipeline_queue_events')), '{{pipeline}}']],
  ],
  [
    'Workers busy',
    'percentunit',
    [
      [
        `${perPipeline(rate(of('millrace_pipeline_worker_seconds_total')))} / ${perPipeline(of('millrace_pipeline_workers'))}`,
        '{{pipeline}}',
      ],
    ],
  ],
  [
    'Back-pressure: inputs that wait for their queue',
    'short',
    [[perPipeline(rate(of('millrace_pipeline_queue_push_seconds_total'))), '{{pipeline}}']],
  ],
  [
    'Queues, share that is full',
    'percentunit',
    [
      [
        `max by (instance, pipeline) (${of('millrace_pipeline_queue_bytes')} / (${of('millrace_pipeline_queue_max_bytes')} > 0))`,
        '{{pipeline}} {{instance}}',
      ],
    ],
  ],
  [
    'Dead letters',
    'bytes',
    [[perPipeline(of('logstash_stats_pipeline_dead_letter_queue_size_in_bytes')), '{{pipeline}}']],
  ],
  [
    'Slowest plugins, share of a worker',
    'percentunit',
    [[`topk(10, ${rate(of('millrace_plugin_seconds_total'))})`, '{{pipeline}} {{plugin}} {{plugin_id}}']],
  ],
  [
    'Slowest plugins, time for an event',
    's',
    [
      [
        `topk(10, ${rate(of('millrace_plugin_seconds_total'))} / (${rate(of('millrace_plugin_events_in_total'))} > 0))`,
        '{{pipeline}} {{plugin}} {{plugin_id}}',
      ],
    ],
  ],
  [
    'Reloads that failed',
    'short',
    [[`increase(${of('millrace_pipeline_reloads_total', ',result="failure"')}[1h])`, '{{pipeline}}']],
  ],
  ['Memory', 'bytes', [[node('process_resident_memory_bytes'), 'resident {{instance}}']]],
  ['Processor', 'percentunit', [[rate(node('process_cpu_seconds_total')), 'cores {{instance}}']]],
  [
    'Garbage collection, share of the time',
    'percentunit',
    [[rate(node('millrace_gc_seconds_total')), '{{collector}} {{instance}}']],
  ],
]

const datasource = { type: 'prometheus', uid: '${datasource}' }

/** A choice of values that a label has, all of them at first. */
const chosenValues = (name, query) => ({
  name,
  type: 'query',
  datasource,
  definition: query,
  query: { query, refId: name },
  refresh: 2,
  includeAll: true,
  multi: true,
  allValue: '.*',
  current: { text: ['All'], value: ['$__all'] },
})

/** Name, expression, how long, severity, what it means. */
const alerts = [
  [
    'MillraceDown',
    'up == 0 and on (instance) count by (instance) (count_over_time(millrace_build_info[1h]))',
    '2m',
    'critical',
    'The node {{ $labels.instance }} does not answer.',
  ],
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
  [
    'MillraceQueueNearlyFull',
    'millrace_pipeline_queue_bytes / (millrace_pipeline_queue_max_bytes > 0) > 0.9',
    '5m',
    'warning',
    'The queue of {{ $labels.pipeline }} is nearly full; its inputs have to wait soon.',
  ],
  [
    'MillraceDeadLetters',
    'delta(logstash_stats_pipeline_dead_letter_queue_size_in_bytes[15m]) > 0',
    '0m',
    'warning',
    'The pipeline {{ $labels.pipeline }} has given up events; the dead letters say why.',
  ],
  [
    'MillraceThreadsDie',
    'increase(millrace_pipeline_extra{name=~"threads.restarts|threads.worker_restarts"}[15m]) > 0',
    '0m',
    'warning',
    'A thread of {{ $labels.pipeline }} ended and was started again; the log says why.',
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
  templating: {
    list: [
      { name: 'datasource', type: 'datasource', query: 'prometheus' },
      chosenValues('instance', 'label_values(millrace_build_info, instance)'),
      chosenValues('pipeline', 'label_values(millrace_pipeline_workers{instance=~"$instance"}, pipeline)'),
    ],
  },
  panels: panels.map(([title, unit, queries], index) => ({
    id: index + 1,
    type: 'timeseries',
    title,
    datasource,
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
