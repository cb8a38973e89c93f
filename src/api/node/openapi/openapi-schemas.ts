/** The bodies of the monitoring API as JSON schemas. A client must put up with fields that are not named here. */
import {
  anything,
  count,
  described,
  extended,
  flag,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  reference,
  type Schema,
  text,
} from './openapi-words.ts'

const status = oneOf('green', 'unknown', 'yellow', 'red')
const sizes = object({ workers: count, batch_size: count, batch_delay: count })

const identity = {
  host: text,
  version: described(
    { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    'The Logstash version whose API this is.',
  ),
  http_address: nullable(text),
  id: described(text, 'Kept over restarts.'),
  name: text,
  ephemeral_id: described(text, 'New with every start.'),
  snapshot: nullable(flag),
  status,
}

const journeyStep = object(
  {
    id: text,
    type: oneOf('input', 'filter', 'output'),
    name: text,
    event: count,
    verdict: oneOf('made', 'untouched', 'changed', 'tagged', 'dropped', 'added', 'flushed', 'delivered'),
    took_in_micros: number,
    changes: list(
      object(
        { field: text, kind: oneOf('added', 'removed', 'changed') },
        { before: anything, after: anything },
      ),
    ),
  },
  { tags: list(text), after: map(anything), bytes: count },
)

const flowWindow = described(
  { type: 'object', additionalProperties: { anyOf: [number, oneOf('Infinity', '-Infinity')] } },
  'A rate by window: current, last_1_minute, last_5_minutes, last_15_minutes, last_1_hour, last_24_hours, lifetime. Windows that are not full yet are left out.',
)

const pool = object({
  used_in_bytes: count,
  committed_in_bytes: count,
  max_in_bytes: integer,
  peak_used_in_bytes: count,
  peak_max_in_bytes: integer,
})

const collector = object({ collection_count: count, collection_time_in_millis: count })

const events = object({
  in: described(count, 'Taken in by inputs.'),
  filtered: described(count, 'Taken by workers and through the filters.'),
  out: described(count, 'Handed to outputs.'),
  duration_in_millis: described(count, 'Time workers spent, summed over workers.'),
  queue_push_duration_in_millis: described(count, 'Time inputs waited for the queue.'),
})

const reloads = object({
  successes: count,
  failures: count,
  last_error: nullable(object({ message: text, backtrace: nullable(list(text)) })),
  last_success_timestamp: nullable(text),
  last_failure_timestamp: nullable(text),
})

const queue = object(
  {
    type: oneOf('memory', 'persisted'),
    events: count,
    events_count: count,
    queue_size_in_bytes: count,
    max_queue_size_in_bytes: count,
  },
  { capacity: object({}), data: object({}), compression: object({}) },
)

const plugin = object({
  id: text,
  name: text,
  events: object({ in: count, out: count, duration_in_millis: count }),
})

const plugins = object({
  inputs: list(
    object({ id: text, name: text, events: object({ out: count, queue_push_duration_in_millis: count }) }),
  ),
  codecs: list(
    object({
      id: text,
      name: text,
      decode: object({ writes_in: count, out: count, duration_in_millis: count }),
      encode: object({ writes_in: count, duration_in_millis: count }),
    }),
  ),
  filters: list(plugin),
  outputs: list(plugin),
})

const pipelineStats = object(
  {
    events: reference('Events'),
    flow: map(flowWindow),
    plugins,
    reloads,
    queue,
    pipeline: sizes,
    hash: { type: 'string', minLength: 1 },
    ephemeral_id: text,
  },
  {
    batch: object({}),
    dead_letter_queue: object({}),
    vertices: list(object({ id: text, pipeline_ephemeral_id: text })),
    ext: described(object({}), 'Figures that Logstash does not have.'),
  },
)

const oldPipelineStats = object({
  workers: count,
  batch_size: count,
  batch_delay: count,
  events: object({ duration_in_millis: count, in: count, filtered: count, out: count }),
  plugins: object({
    inputs: list(object({ id: text, name: text, events: object({ in: count, out: count }) })),
    filters: list(plugin),
    outputs: list(object({ id: text, name: text, events: object({ in: count, out: count }) })),
  }),
  reloads,
})

const statsParts = {
  jvm: object({
    threads: object({ count, peak_count: count }),
    mem: object({
      heap_used_percent: count,
      heap_committed_in_bytes: count,
      heap_max_in_bytes: count,
      heap_used_in_bytes: count,
      non_heap_used_in_bytes: count,
      non_heap_committed_in_bytes: count,
      pools: object({ young: pool, old: pool, survivor: pool }),
    }),
    gc: object({ collectors: object({ young: collector, old: collector }) }),
    uptime_in_millis: count,
  }),
  process: object({
    open_file_descriptors: integer,
    peak_open_file_descriptors: integer,
    max_file_descriptors: integer,
    mem: object({
      total_virtual_in_bytes: count,
      limit_in_bytes: count,
      resident_in_bytes: count,
      held_in_bytes: described(map(count), 'What is counted, by who holds it, over all threads.'),
    }),
    cpu: object({ total_in_millis: count, percent: integer }, { load_average: map(number) }),
  }),
  events: reference('Events'),
  flow: map(flowWindow),
  pipelines: map(reference('PipelineStats')),
  reloads: object({ successes: count, failures: count }),
  os: object({}, { cgroup: object({}) }),
  queue: object({ events_count: count }),
}

const pipelineInfo = object(
  {
    ephemeral_id: text,
    hash: text,
    workers: count,
    batch_size: count,
    batch_delay: count,
    config_reload_automatic: flag,
    config_reload_interval: described(count, 'Nanoseconds.'),
    dead_letter_queue_enabled: flag,
  },
  {
    dead_letter_queue_path: text,
    graph: object({
      hash: text,
      type: text,
      version: text,
      graph: object({
        vertices: list(object({ id: text, explicit_id: flag, type: oneOf('plugin', 'if', 'queue') })),
        edges: list(object({ id: text, from: text, to: text, type: oneOf('plain', 'boolean') })),
      }),
    }),
  },
)

const jvmInfo = object({
  pid: count,
  version: text,
  vm_version: text,
  vm_vendor: text,
  vm_name: text,
  start_time_in_millis: count,
  mem: object({
    heap_init_in_bytes: count,
    heap_max_in_bytes: count,
    non_heap_init_in_bytes: count,
    non_heap_max_in_bytes: count,
  }),
  gc_collectors: list(text),
})

const osInfo = object({ name: text, arch: text, version: text, available_processors: count })

const indicator = object(
  { status, symptom: text, details: object({ status: object({ state: text }) }) },
  {
    diagnosis: list(object({ id: text, cause: text, action: text, help_url: text })),
    impacts: list(object({ id: text, severity: count, description: text, impact_areas: list(text) })),
  },
)

const { pipelines: _all, ...nodeParts } = statsParts

export const schemas: Readonly<Record<string, Schema>> = {
  Envelope: object(
    { ...identity, distribution: text, distribution_version: text, pipeline: sizes },
    { monitoring: object({ cluster_uuid: text }) },
  ),
  Problem: object({ path: text, status: count, error: object({ message: text }) }),
  Failure: object({ status: count, error: text, class: text, message: text, backtrace: list(text) }),
  Root: extended('Envelope', object({ build_date: text, build_sha: text, build_snapshot: flag })),
  Events: events,
  PipelineStats: pipelineStats,
  OldPipelineStats: oldPipelineStats,
  PipelineInfo: pipelineInfo,
  Info: extended(
    'Envelope',
    object({}, { pipelines: map(reference('PipelineInfo')), os: osInfo, jvm: jvmInfo }),
  ),
  WholeInfo: extended('Info', object({ pipelines: anything, os: anything, jvm: anything })),
  PipelineInfos: extended('Envelope', object({ pipelines: map(reference('PipelineInfo')) })),
  Plugins: extended(
    'Envelope',
    object({ total: count, plugins: list(object({ name: text, version: text })) }),
  ),
  DeclaredPlugin: extended(
    'Envelope',
    object({
      plugin: object({
        type: oneOf('input', 'filter', 'output', 'codec'),
        name: text,
        summary: text,
        options: list(
          object(
            { name: text, kind: text, list: flag, required: flag, doc: text },
            { default: text, values: list(text), deprecated: text },
          ),
        ),
      }),
    }),
  ),
  WrittenPlugins: extended(
    'Envelope',
    object({
      plugins: list(
        object(
          {
            id: text,
            type: oneOf('input', 'filter', 'output'),
            name: text,
            explicit_id: flag,
            source: anything,
            options: list(object({ name: text, value: text }, { doc: text })),
          },
          { summary: text, codec: text },
        ),
      ),
    }),
  ),
  Stats: extended('Envelope', object({}, statsParts)),
  SomeStats: { anyOf: [reference('OldStats'), reference('Stats')] },
  WholeStats: extended(
    'Stats',
    object(Object.fromEntries([...Object.keys(nodeParts), 'pipelines'].map((name) => [name, anything]))),
  ),
  PipelinesStats: extended('Envelope', object({ pipelines: map(reference('PipelineStats')) })),
  OldStats: extended('Envelope', object({ pipeline: reference('OldPipelineStats') })),
  HotThreads: extended(
    'Envelope',
    object({
      hot_threads: object({
        time: text,
        busiest_threads: count,
        threads: list(object({ name: text, percent_of_cpu_time: number, state: text, traces: list(text) })),
      }),
    }),
  ),
  Loggers: extended(
    'Envelope',
    object({ loggers: map(oneOf('OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE', 'ALL')) }),
  ),
  TriedLines: extended(
    'Envelope',
    object({
      lines: list(object({ kind: oneOf('match', 'failure', 'timeout', 'skipped') })),
      dangers: list(object({ explanation: text, part: text, exponential: flag })),
    }),
  ),
  DeadLetters: extended(
    'Envelope',
    object({
      dead_letter_queue: object({ enabled: flag }),
      entries: list(
        object({
          segment: count,
          offset: count,
          entry_time: text,
          plugin_type: text,
          plugin_id: text,
          reason: text,
          event: anything,
        }),
      ),
      next: anything,
      damaged: count,
    }),
  ),
  Reloads: extended(
    'Envelope',
    object({
      reloads: list(object({ timestamp: text, success: flag }, { message: text, explanation: text })),
    }),
  ),
  Source: extended(
    'Envelope',
    object({ writable: flag, parts: list(object({ protocol: text, id: text, text, hash: text })) }),
  ),
  QueuePages: extended(
    'Envelope',
    object({
      queue: object({
        type: text,
        pages: list(
          object({
            page: count,
            size_in_bytes: count,
            first_event: anything,
            unacknowledged_events: anything,
          }),
        ),
      }),
    }),
  ),
  CheckedConfiguration: extended(
    'Envelope',
    object({
      valid: flag,
      problems: list(
        object(
          { severity: oneOf('error', 'warning'), code: text, message: text, line: count, column: count },
          { file: text, hint: text, brief: text, frame: text, start: count, end: count },
        ),
      ),
      logs: list(text),
    }),
  ),
  Simulation: extended(
    'Envelope',
    object(
      {
        results: list(
          object(
            {
              dropped: flag,
              output: list(map(anything)),
              outputs: list(list(text)),
              steps: list(journeyStep),
            },
            { input: map(anything), flushed: flag },
          ),
        ),
        plugins: list(object({ id: text, type: text, name: text, file: text, line: count, column: count })),
        logs: list(text),
        took_in_millis: count,
      },
      { truncated: oneOf('time', 'bytes') },
    ),
  ),
  Trace: extended(
    'Envelope',
    object({ key: text, keys: list(text), pipeline: text, time: text, steps: list(journeyStep) }),
  ),
  Traces: extended(
    'Envelope',
    object({
      enabled: flag,
      sample: count,
      until: nullable(text),
      count,
      bytes: count,
      max_bytes: count,
      traces: list(object({ key: text, pipeline: text, time: text })),
    }),
  ),
  Acknowledgement: extended('Envelope', object({ acknowledged: flag })),
  HealthReport: object({
    ...identity,
    symptom: text,
    indicators: object({
      pipelines: object({ status, symptom: text, indicators: map(indicator) }),
    }),
    timestamp: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d+Z$' },
  }),
}
