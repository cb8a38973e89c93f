/**
 * Settings of a pipeline: its configuration, workers, batches, queue and dead letters.
 * Part of the table in definitions.ts, which also says which of them pipelines.yml may contain.
 */
import type { Definition } from './definition.ts'

export const pipelineDefinitions = {
  'path.config': {
    kind: 'nullable_string',
    default: null,
    doc: 'Pipeline configuration: a file, a directory, a glob, or a file://, http:// or https:// address.',
    flag: { short: '-f', argument: 'CONFIG_PATH' },
  },
  'path.queue': {
    kind: 'path',
    default: ({ pathData }) => `${pathData}/queue`,
    doc: 'Directory of persisted queues.',
  },
  'path.dead_letter_queue': {
    kind: 'path',
    default: ({ pathData }) => `${pathData}/dead_letter_queue`,
    doc: 'Directory of dead letter queues.',
  },
  'config.string': {
    kind: 'nullable_string',
    default: null,
    doc: 'Pipeline configuration as text; a missing input reads stdin, a missing output prints to stdout.',
    flag: { short: '-e', argument: 'CONFIG_STRING' },
  },
  'config.debug': {
    kind: 'boolean',
    default: false,
    doc: 'Log the compiled pipeline at level debug; secrets of the configuration may be in it.',
    flag: {},
  },
  'config.support_escapes': {
    kind: 'boolean',
    default: false,
    doc: 'Give \\n, \\t, \\" and the like their usual meaning in quoted strings of the configuration.',
  },
  'config.escape_aware_strings': {
    kind: 'boolean',
    default: false,
    doc: 'Read a doubled backslash before the closing quote of a string as an escaped backslash.',
  },
  'config.field_reference.escape_style': {
    kind: 'enum',
    options: ['none', 'percent', 'ampersand'],
    default: 'none',
    doc: 'How square brackets in field names are escaped.',
    flag: { long: '--field-reference-escape-style', argument: 'STYLE' },
  },
  'metric.collect': { kind: 'boolean', default: true, doc: 'Count events and measure plugins.' },
  'pipeline.id': {
    kind: 'string',
    default: 'main',
    doc: 'Name of the pipeline.',
    flag: { argument: 'ID' },
  },
  'pipeline.system': { kind: 'boolean', default: false, doc: 'Start this pipeline before all others.' },
  'pipeline.workers': {
    kind: 'positive_integer',
    default: ({ cores }) => cores,
    doc: 'Number of workers that filter and output in parallel.',
    flag: { short: '-w', argument: 'COUNT' },
  },
  'pipeline.batch.size': {
    kind: 'positive_integer',
    default: 125,
    doc: 'Most events that one worker takes at a time.',
    flag: { short: '-b', argument: 'SIZE' },
  },
  'pipeline.batch.delay': {
    kind: 'number',
    default: 50,
    doc: 'Milliseconds to wait for another event before a batch that is not full is processed.',
    flag: { short: '-u', argument: 'DELAY_IN_MS' },
  },
  'pipeline.batch.output_chunking.growth_threshold_factor': {
    kind: 'positive_integer',
    default: 1000,
    doc: 'A batch that grew in the filters past this many times its size goes to the outputs in pieces.',
  },
  'pipeline.batch.metrics.sampling_mode': {
    kind: 'enum',
    options: ['disabled', 'minimal', 'full'],
    default: 'minimal',
    doc: 'How many batches are measured for their size in bytes.',
  },
  'pipeline.ordered': {
    kind: 'enum',
    options: ['auto', 'true', 'false'],
    default: 'auto',
    doc: 'Keep the order of events; true needs a single worker.',
    flag: { argument: 'ORDERED' },
  },
  'pipeline.unsafe_shutdown': {
    kind: 'boolean',
    default: false,
    doc: 'Exit although events are still in flight when the shutdown stalls; they are lost.',
    flag: {},
  },
  'pipeline.ecs_compatibility': {
    kind: 'enum',
    options: ['disabled', 'v1', 'v8'],
    default: 'v8',
    doc: 'Which Elastic Common Schema plugins use for the fields they add.',
    flag: { argument: 'MODE' },
  },
  'pipeline.reloadable': { kind: 'boolean', default: true, doc: 'Whether the pipeline may be reloaded.' },
  'pipeline.recoverable': {
    kind: 'enum',
    options: ['auto', 'true', 'false'],
    default: 'false',
    doc: 'Whether a crashed pipeline is started again by the next reload pass.',
  },
  'pipeline.separate_logs': {
    kind: 'boolean',
    default: false,
    doc: 'Write a log file per pipeline, pipeline_<id>.log.',
  },
  'pipeline.condition_error': {
    kind: 'enum',
    options: ['drop', 'false', 'tag'],
    default: 'drop',
    doc: 'What to do with an event on which a condition fails: drop it, take the condition as false, or as false and tag it.',
  },
  'pipeline.output.inflight': {
    kind: 'positive_integer',
    default: 2,
    doc: 'Batches that a worker may have under way in its outputs before it waits.',
  },
  'pipeline.plugin_classloaders': {
    kind: 'boolean',
    default: false,
    doc: 'Isolation of Java plugins.',
    ignored: 'there are no Java plugins here',
  },
  'pipeline.buffer.type': {
    kind: 'enum',
    options: ['direct', 'heap'],
    default: 'heap',
    doc: 'Where network buffers are kept.',
    ignored: 'Node.js decides where buffers are',
  },
  'queue.type': {
    kind: 'enum',
    options: ['persisted', 'memory'],
    default: 'memory',
    doc: 'Where events wait between inputs and workers; persisted survives a crash.',
  },
  'queue.drain': {
    kind: 'boolean',
    default: false,
    doc: 'Empty a persisted queue before the shutdown ends.',
  },
  'queue.page_capacity': { kind: 'bytes', default: '64mb', doc: 'Size of one file of a persisted queue.' },
  'queue.max_bytes': {
    kind: 'bytes',
    default: '1024mb',
    doc: 'Size of a persisted queue at which inputs wait.',
  },
  'queue.max_events': {
    kind: 'integer',
    default: 0,
    doc: 'Unread events of a persisted queue at which inputs wait; 0 is no limit.',
  },
  'queue.checkpoint.acks': {
    kind: 'integer',
    default: 1024,
    doc: 'Acknowledged events between two checkpoints; 0 is no limit.',
  },
  'queue.checkpoint.writes': {
    kind: 'integer',
    default: 1024,
    doc: 'Written events between two checkpoints; 0 is no limit.',
  },
  'queue.checkpoint.interval': {
    kind: 'integer',
    default: 1000,
    doc: 'Milliseconds between two checkpoints.',
    ignored: 'it has no effect and will be removed',
  },
  'queue.checkpoint.retry': {
    kind: 'boolean',
    default: true,
    doc: 'Try once more when a checkpoint cannot be written.',
  },
  'queue.compression': {
    kind: 'enum',
    options: ['none', 'speed', 'balanced', 'size', 'disabled'],
    default: 'none',
    doc: 'Compression of events in a persisted queue.',
  },
  'output.isolation': {
    kind: 'boolean',
    default: false,
    doc: 'Give each output a queue of its own, of the type and the limits of `queue.type`, so that one that cannot deliver holds up no other.',
  },
  'queue.durability': {
    kind: 'enum',
    options: ['group', 'checkpoint', 'none'],
    default: 'group',
    doc: 'When an event counts as safe: after the disk confirmed its group, at a checkpoint, or at once.',
  },
  'queue.memory.max_bytes': {
    kind: 'bytes',
    default: '64mb',
    doc: 'Size of a memory queue at which inputs wait.',
  },
  'dead_letter_queue.enable': {
    kind: 'boolean',
    default: false,
    doc: 'Keep events that an output can not deliver.',
  },
  'dead_letter_queue.max_bytes': {
    kind: 'bytes',
    default: '1024mb',
    doc: 'Size of a dead letter queue at which the storage policy applies.',
  },
  'dead_letter_queue.storage_policy': {
    kind: 'enum',
    options: ['drop_newer', 'drop_older'],
    default: 'drop_newer',
    doc: 'Which events a full dead letter queue gives up.',
  },
  'dead_letter_queue.retain.age': {
    kind: 'nullable_string',
    default: null,
    doc: 'Age such as 5d after which dead letters are removed.',
  },
  'dead_letter_queue.flush_interval': {
    kind: 'integer',
    default: 5000,
    doc: 'Milliseconds without a write after which a dead letter segment is closed and can be read.',
  },
  'dead_letter_queue.flush_check_interval': {
    kind: 'integer',
    default: 1000,
    doc: 'Milliseconds between two looks whether a dead letter segment is to be closed.',
  },
  'compat.conditions': {
    kind: 'enum',
    options: ['logstash', 'fixed'],
    default: 'logstash',
    doc: 'Evaluate conditions with the oddities of Logstash, or as they read.',
  },
  'compat.hash_order': {
    kind: 'enum',
    options: ['logstash', 'written'],
    default: 'logstash',
    doc: 'Apply the entries of hash options such as add_field in the order of Logstash, or as they are written.',
  },
} as const satisfies Record<string, Definition>
