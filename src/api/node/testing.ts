/** A node for tests of the API: pipelines made by hand, no threads, settings as a user would give them. */
import { noLosses, noReloads } from '../../agent/pipeline-state.ts'
import { Board } from '../../metrics/board.ts'
import { cellsOf } from '../../metrics/histogram.ts'
import {
  batchBytes,
  batchEvents,
  eventKeys,
  heapKeys,
  latencyKey,
  latencyShape,
  metricKey,
  type PluginCounter,
  pluginKey,
} from '../../metrics/pipeline-keys.ts'
import type { PipelineGraph } from '../../pipeline/plan/graph.ts'
import { coerceSetting } from '../../settings/coerce.ts'
import type { SettingName } from '../../settings/definitions.ts'
import { type GivenValue, Settings } from '../../settings/settings.ts'
import type { PluginSummary } from '../../threads/messages.ts'
import type { AgentView, PipelineView } from './view.ts'

export type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export function testSettings(values: Partial<Record<SettingName, unknown>> = {}): Settings {
  const given = new Map<SettingName, GivenValue>()
  for (const [name, value] of Object.entries(values) as [SettingName, unknown][]) {
    given.set(name, { value: coerceSetting(name, value), source: 'file' })
  }
  return new Settings(
    { home: '/nowhere', hostname: 'testhost', cores: 2, pathSettings: '/nowhere/config' },
    given,
  )
}

export const grokId = 'a'.repeat(64)
export const stdoutId = 'b'.repeat(64)

const plugins: PluginSummary[] = [
  {
    type: 'input',
    name: 'generator',
    id: 'my_input',
    explicitId: true,
    metrics: [],
    codec: { id: 'plain_1', name: 'plain' },
  },
  {
    type: 'filter',
    name: 'grok',
    id: grokId,
    explicitId: false,
    metrics: ['matches', 'failures', 'ext.patterns.0.hits', 'ext.patterns.1.hits'],
    facts: { patterns_per_field: { message: 2 } },
  },
  {
    type: 'output',
    name: 'stdout',
    id: stdoutId,
    explicitId: false,
    metrics: ['documents.successes'],
    codec: { id: 'line_2', name: 'line' },
    encodes: true,
  },
]

const graph: PipelineGraph = {
  vertices: [
    { id: '__QUEUE__', explicit_id: false, type: 'queue', meta: null },
    {
      id: grokId,
      explicit_id: false,
      type: 'plugin',
      config_name: 'grok',
      plugin_type: 'filter',
      meta: { source: { protocol: 'string', id: 'config_string', line: 1, column: 49 } },
    },
  ],
  edges: [{ id: 'e'.repeat(64), from: '__QUEUE__', to: grokId, type: 'plain' }],
}

const configText = 'input { generator { id => my_input } } filter { grok {} } output { stdout {} }'

/** A pipeline of three plugins whose board has two threads. */
export function testPipeline(
  id: string,
  settings = testSettings({ 'pipeline.id': id }),
): Mutable<PipelineView> {
  const board = freshBoard()
  return {
    id,
    config: { id, settings, parts: [{ protocol: 'string', id: 'config_string', text: configText }] },
    status: 'running',
    board,
    startedAt: Date.now(),
    summary: {
      hash: 'c'.repeat(64),
      oldHash: 'd'.repeat(40),
      workers: 3,
      batchSize: 10,
      batchDelay: 20,
      reloadable: true,
      plugins,
      graph,
      board: board.layout,
    },
    reloads: noReloads(),
    recoveries: [],
    losses: noLosses(),
  }
}

const counters: Readonly<Record<PluginSummary['type'], readonly PluginCounter[]>> = {
  input: ['out', 'push_nanos', 'records', 'decode_nanos'],
  filter: ['in', 'out', 'nanos'],
  output: ['in', 'out', 'nanos', 'bytes', 'encode_nanos'],
}

export function freshBoard(): Board {
  return Board.create(
    [
      ...Object.values(eventKeys),
      ...Object.values(heapKeys),
      [batchEvents.key, cellsOf(batchEvents.shape)],
      [batchBytes.key, cellsOf(batchBytes.shape)],
      [latencyKey(grokId), cellsOf(latencyShape)],
      ...plugins.flatMap(({ id, type, metrics }) => [
        ...counters[type].map((counter) => pluginKey(id, counter)),
        ...metrics.map((metric) => metricKey(id, metric)),
      ]),
    ],
    2,
  )
}

/** Adds to one cell, as the thread that owns the row would. */
export function count(board: Board | undefined, row: number, key: string, value: number): void {
  const cells = board!.row(row)
  cells[board!.column(key)]! += value
}

export function testAgent(...pipelines: PipelineView[]): AgentView & {
  pipelines: Map<string, PipelineView>
  reloads: { successes: number; failures: number }
} {
  return {
    pipelines: new Map(pipelines.map((pipeline) => [pipeline.id, pipeline])),
    reloads: { successes: 0, failures: 0 },
    reload: async () => ({ kind: 'unknown' }),
  }
}

/** Without connection reuse: a server of an earlier test may have had the same port. */
export function freshFetch(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), connection: 'close' },
  })
}
