/**
 * The description of the monitoring API: OpenAPI 3.1, one operation per route. `docs/openapi/monitoring.json` is
 * this document as a file. A test holds it against the routes and against real bodies.
 */
import { version } from '../../../version.ts'
import { schemas } from './openapi-schemas.ts'
import { flag, integer, oneOf, reference, type Schema, text } from './openapi-words.ts'

type Part = Readonly<Record<string, unknown>>

interface Operation {
  readonly summary: string
  /** Name of the schema of a JSON answer; other types of content are named in full. */
  readonly answer: string | Part
  readonly parameters?: readonly Part[]
  readonly problems?: readonly number[]
  readonly body?: Schema
  /** Answered to everybody. */
  readonly open?: boolean
}

const sharedParameters = {
  pretty: query('pretty', flag, 'Indented JSON.'),
  human: query('human', flag, 'Adds a readable text beside every number with a unit.'),
  format: query('format', oneOf('json', 'yaml'), 'YAML instead of JSON.'),
  filter_path: query(
    'filter_path',
    text,
    'Dotted paths, separated by commas: only these members are answered.',
  ),
  id: path('id', 'Id of a pipeline.'),
  graph: query('graph', flag, 'Adds plugins, conditions and how they are connected.'),
  vertices: query('vertices', flag, 'Adds counters per vertex of the graph.'),
  threads: query('threads', integer, 'How many threads at most.'),
  human_text: query('human', flag, 'A text for people instead of JSON.'),
  ignore_idle_threads: query('ignore_idle_threads', flag, 'Leaves out threads that did nothing.'),
  ordered_by: query('ordered_by', oneOf('cpu', 'wait', 'block'), 'What makes a thread hot.'),
  stacktrace_size: query('stacktrace_size', integer, 'How many frames at most.'),
  sampling_interval: query('interval', text, 'How long to look, for example 500ms.'),
  layout: query('layout', oneOf('logstash', 'cluster'), 'Layout of the text.'),
  stacks: query('stacks', flag, 'Adds every stack that was seen, with how often.'),
}

const jsonParameters = shared('pretty', 'human', 'format', 'filter_path')
const threadParameters = shared(
  'threads',
  'human_text',
  'ignore_idle_threads',
  'ordered_by',
  'stacktrace_size',
  'sampling_interval',
  'layout',
  'stacks',
)
const statsMetrics = path(
  'parts',
  'Parts of the stats, separated by commas: jvm, process, events, flow, pipelines, reloads, os, queue, or pipeline for the shape of 5.0.',
)

/** Paths are those of the router, with `{name}` for `:name`. */
const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/': {
    get: {
      summary: 'Who answers here, and in what state; waits for a state on request.',
      answer: 'Root',
      parameters: [
        query('wait_for_status', oneOf('green', 'yellow', 'red'), 'Answers when the node is that well.'),
        query('timeout', text, 'How long to wait, for example 10s.'),
      ],
      problems: [400, 408],
    },
  },
  '/_node': { get: { summary: 'Pipelines, system and runtime.', answer: 'WholeInfo' } },
  '/_node/{parts}': {
    get: {
      summary: 'Some parts of the node info.',
      answer: 'Info',
      parameters: [
        path('parts', 'pipelines, os, jvm, or pipeline for the shape of 5.x, separated by commas.'),
      ],
      problems: [404],
    },
  },
  '/_node/pipelines': {
    get: {
      summary: 'What each pipeline is.',
      answer: 'PipelineInfos',
      parameters: shared('graph', 'vertices'),
    },
  },
  '/_node/pipelines/{id}': {
    get: {
      summary: 'What one pipeline is.',
      answer: 'PipelineInfos',
      parameters: shared('id', 'graph', 'vertices'),
      problems: [404],
    },
  },
  '/_node/pipelines/{id}/_plugins': {
    get: {
      summary: 'What the configuration says of each plugin of a pipeline, without secrets.',
      answer: 'WrittenPlugins',
      parameters: shared('id'),
      problems: [404],
    },
  },
  '/_node/pipelines/{id}/_reload': {
    post: {
      summary: 'Loads one pipeline anew, changed or not, and starts it when it does not run.',
      answer: 'Acknowledgement',
      parameters: shared('id'),
      problems: [400, 403, 404, 409],
    },
  },
  '/_node/pipelines/{id}/_dead_letters': {
    get: {
      summary: 'Events a pipeline gave up, newest first.',
      answer: 'DeadLetters',
      parameters: [
        ...shared('id'),
        query('size', integer, 'How many at most, up to 200.'),
        query('before', text, '`next` of the page before.'),
        query('q', text, 'In the reason, or the type or id of the plugin.'),
      ],
      problems: [400, 404],
    },
    delete: {
      summary: 'Removes the dead letters of a pipeline, except those of the segment that is being written.',
      answer: 'Acknowledgement',
      parameters: shared('id'),
      problems: [403, 404],
    },
  },
  '/_node/pipelines/{id}/_dead_letters/_replay': {
    post: {
      summary: 'Sends dead letters through their pipeline once more, as they are or changed.',
      answer: 'Acknowledgement',
      parameters: shared('id'),
      body: {
        type: 'object',
        required: ['entries'],
        properties: {
          entries: {
            type: 'array',
            items: {
              type: 'object',
              required: ['segment', 'offset'],
              properties: { segment: integer, offset: integer, event: { type: 'object' } },
            },
          },
        },
      },
      problems: [400, 403, 404, 409, 413, 503],
    },
  },
  '/_node/pipelines/{id}/_reloads': {
    get: {
      summary: 'The last reloads of a pipeline, newest first, with what went wrong.',
      answer: 'Reloads',
      parameters: shared('id'),
      problems: [404],
    },
  },
  '/_node/pipelines/{id}/_source': {
    get: {
      summary: 'The texts of the configuration of a pipeline.',
      answer: 'Source',
      parameters: shared('id'),
      problems: [403, 404],
    },
    put: {
      summary: 'Replaces a file of the configuration when it still is the one that was read.',
      answer: 'Acknowledgement',
      parameters: shared('id'),
      body: {
        type: 'object',
        required: ['id', 'text', 'hash'],
        properties: { id: text, text, hash: text },
      },
      problems: [400, 403, 404, 409, 413],
    },
  },
  '/_node/pipelines/{id}/_queue': {
    get: {
      summary: 'The pages of a persisted queue.',
      answer: 'QueuePages',
      parameters: shared('id'),
      problems: [404],
    },
  },
  '/_node/_grok': {
    post: {
      summary:
        'Tries a grok expression on up to 200 lines: captures with their places, or the piece that fails.',
      answer: 'TriedLines',
      problems: [400, 413, 429],
    },
  },
  '/_node/_check': {
    post: {
      summary:
        'Checks a configuration text: problems with file, line, column, a hint and a frame of the source.',
      answer: 'CheckedConfiguration',
      body: {
        type: 'object',
        required: ['config'],
        properties: { config: text, pipeline: text, file: text },
        examples: [{ config: 'filter { mutate { } }' }],
      },
      problems: [400, 403, 404, 408, 413, 429],
    },
  },
  '/_node/pipelines/{id}/_simulate': {
    post: {
      summary:
        'Runs events through the filters of a pipeline, or of a configuration text: results and what each filter changed. No output is run.',
      answer: 'Simulation',
      parameters: shared('id'),
      body: {
        type: 'object',
        required: ['events'],
        properties: { events: { type: 'array', maxItems: 1000 }, config: text, file: text },
        examples: [{ events: ['a line', { message: 'an event' }] }],
      },
      problems: [400, 403, 404, 408, 413, 429],
    },
  },
  '/_node/pipelines/{id}/_tap': {
    get: {
      summary:
        'Events before and after one plugin, live: server-sent events `tap` and `counts`, or lines of JSON with `Accept: application/x-ndjson`.',
      answer: { 'text/event-stream': { schema: text }, 'application/x-ndjson': { schema: text } },
      parameters: [
        ...shared('id'),
        query('at', text, 'Id of the plugin.'),
        query('sample', integer, 'One of so many events.'),
        query('q', text, 'Only events that contain this text.'),
      ],
      problems: [400, 403, 404, 503],
    },
  },
  '/_node/traces': {
    get: {
      summary: 'Whether events are followed, and which were, newest first.',
      answer: 'Traces',
      problems: [403],
    },
    put: {
      summary: 'Follows events for some minutes, or no longer.',
      answer: 'Traces',
      body: {
        type: 'object',
        properties: { enabled: flag, minutes: integer, sample: integer },
        examples: [{ enabled: true, minutes: 5, sample: 10 }],
      },
      problems: [400, 403],
    },
  },
  '/_node/traces/{key}': {
    get: {
      summary: 'The way of one event, by its name or the id of its document.',
      answer: 'Trace',
      parameters: [path('key', 'Name of the event, or id of the document.')],
      problems: [403, 404],
    },
  },
  '/_node/plugins': { get: { summary: 'Plugins that can be used.', answer: 'Plugins' } },
  '/_node/plugins/{type}/{name}': {
    get: {
      summary: 'What a plugin declares: what it does, its options and what they take.',
      answer: 'DeclaredPlugin',
      parameters: [
        path('type', '`input`, `filter`, `output` or `codec`.'),
        path('name', 'Name of the plugin.'),
      ],
      problems: [404, 408, 429],
    },
  },
  '/_plugins': { get: { summary: 'The same under its first name.', answer: 'Plugins' } },
  '/_node/stats': {
    get: {
      summary: 'How the node and its pipelines do.',
      answer: 'WholeStats',
      parameters: shared('vertices'),
    },
  },
  '/_node/stats/{parts}': {
    get: {
      summary: 'Some parts of the stats.',
      answer: 'SomeStats',
      parameters: [
        statsMetrics,
        ...shared('vertices'),
        query('id', text, 'Which pipeline, for the part `pipeline`.'),
      ],
      problems: [404],
    },
  },
  '/_node/stats/pipelines/{id}': {
    get: {
      summary: 'How one pipeline does.',
      answer: 'PipelinesStats',
      parameters: shared('id', 'vertices'),
      problems: [404],
    },
  },
  '/_node/stats/stream': {
    get: {
      summary: 'The stats again and again, and reloads, as server-sent events.',
      answer: { 'text/event-stream': { schema: text } },
      parameters: [
        query('interval', text, 'From 250ms to 60s.'),
        query('metrics', text, 'Parts of the stats, separated by commas.'),
      ],
      problems: [400, 404, 503],
    },
  },
  '/_node/hot_threads': {
    get: {
      summary: 'What the busiest threads are doing.',
      answer: { ...jsonContent('HotThreads'), 'text/plain': { schema: text } },
      parameters: threadParameters,
      problems: [400],
    },
  },
  '/_node/stats/hot_threads': {
    get: {
      summary: 'The same, with the text of a search cluster.',
      answer: { ...jsonContent('HotThreads'), 'text/plain': { schema: text } },
      parameters: threadParameters,
      problems: [400],
    },
  },
  '/_node/logging': {
    get: { summary: 'Levels of the loggers.', answer: 'Loggers' },
    put: {
      summary: 'Sets levels until the end of the process.',
      answer: 'Acknowledgement',
      body: { type: 'object', additionalProperties: text, examples: [{ 'logger.logstash.agent': 'DEBUG' }] },
      problems: [400, 403],
    },
  },
  '/_node/logging/reset': {
    put: { summary: 'Sets the levels of the start again.', answer: 'Acknowledgement', problems: [403] },
  },
  '/_node/openapi': {
    get: { summary: 'This document.', answer: { 'application/json': { schema: { type: 'object' } } } },
  },
  '/_health_report': { get: { summary: 'What is wrong, and what to do about it.', answer: 'HealthReport' } },
  '/_stats': { get: { summary: 'An older selection of figures.', answer: 'Envelope' } },
  '/_stats/{parts}': {
    get: {
      summary: 'Parts of that selection.',
      answer: 'Envelope',
      parameters: [path('parts', 'Names of parts, separated by commas.')],
      problems: [404],
    },
  },
  '/_stats/jvm/hot_threads': {
    get: {
      summary: 'Hot threads under another name.',
      answer: { ...jsonContent('HotThreads'), 'text/plain': { schema: text } },
      parameters: threadParameters,
      problems: [400],
    },
  },
  '/_stats/jvm/memory': { get: { summary: 'Memory alone.', answer: 'Envelope' } },
  '/metrics': {
    get: {
      summary: 'The figures for Prometheus.',
      answer: { 'text/plain': { schema: text }, 'application/openmetrics-text': { schema: text } },
    },
  },
  '/-/live': {
    get: { summary: 'Does the process answer?', answer: { 'text/plain': { schema: text } }, open: true },
  },
  '/-/ready': {
    get: {
      summary: 'Do all pipelines run that should? 503 when not.',
      answer: { 'text/plain': { schema: text } },
      open: true,
    },
  },
}

export const openapiDocument = {
  openapi: '3.1.0',
  info: {
    title: 'Millrace monitoring API',
    version,
    summary: 'What a node says about itself, in the bodies of the Logstash monitoring API.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: 'http://127.0.0.1:9600' }],
  security: [{}, { basic: [] }],
  paths: Object.fromEntries(
    Object.entries(operations).map(([route, methods]) => [
      route,
      Object.fromEntries(
        Object.entries(methods).map(([method, operation]) => [method, written(route, method, operation)]),
      ),
    ]),
  ),
  components: {
    schemas,
    parameters: sharedParameters,
    securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
    responses: {
      Unauthorized: { description: 'Credentials are missing or wrong; the body is empty.' },
      Failed: { description: 'A fault of the program.', content: jsonContent('Failure') },
    },
  },
} as const

function written(route: string, method: string, operation: Operation): Part {
  const { summary, answer, parameters = [], problems = [], body, open = false } = operation
  const isJson = typeof answer === 'string'
  const all = [...parameters, ...(isJson ? jsonParameters : [])]
  return {
    operationId: operationId(route, method),
    summary,
    ...(all.length > 0 && { parameters: all }),
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      '200': { description: 'As asked.', content: isJson ? jsonContent(answer) : answer },
      ...Object.fromEntries(
        problems.map((status) => [
          String(status),
          { description: 'What is wrong with the request.', content: jsonContent('Problem') },
        ]),
      ),
      ...(!open && {
        '401': { $ref: '#/components/responses/Unauthorized' },
        '500': { $ref: '#/components/responses/Failed' },
      }),
      ...(route === '/-/ready' && { '503': { description: 'Not ready.', content: answer } }),
    },
    ...(open && { security: [] }),
  }
}

/** `get /_node/stats/{parts}` is `get_node_stats_parts`. */
function operationId(route: string, method: string): string {
  const words = route.match(/[a-z0-9_]+/gi)?.map((word) => word.replace(/^_+/, '')) ?? ['root']
  return [method, ...words].join('_')
}

function jsonContent(schema: string): Part {
  return { 'application/json': { schema: reference(schema) } }
}

function shared(...names: readonly (keyof typeof sharedParameters)[]): Part[] {
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

function query(name: string, schema: Schema, description: string) {
  return { name, in: 'query', description, schema }
}

function path(name: string, description: string) {
  return { name, in: 'path', required: true, description, schema: text }
}
