/** A node for tests of the API: pipelines made by hand, no threads, settings as a user would give them. */
import { Board } from '../../metrics/board.ts'
import { eventKeys, metricKey, pluginKey } from '../../pipeline/metric-keys.ts'
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
  { type: 'input', name: 'generator', id: 'my_input', metrics: [] },
  { type: 'filter', name: 'grok', id: grokId, metrics: ['matches', 'failures'] },
  { type: 'output', name: 'stdout', id: stdoutId, metrics: ['documents.successes'] },
]

export const configText = 'input { generator { id => my_input } } filter { grok {} } output { stdout {} }'

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
    thread: { pending: async () => ({ queued: 7, batches: 1, waiting: 0 }) },
    board,
    summary: {
      hash: 'c'.repeat(64),
      workers: 3,
      batchSize: 10,
      batchDelay: 20,
      reloadable: true,
      plugins,
      board: board.layout,
    },
    reloads: { successes: 0, failures: 0, lastError: null, lastSuccess: null, lastFailure: null },
  }
}

export function freshBoard(): Board {
  return Board.create(
    [
      ...Object.values(eventKeys),
      pluginKey('my_input', 'out'),
      pluginKey('my_input', 'push_nanos'),
      ...[grokId, stdoutId].flatMap((id) =>
        (['in', 'out', 'nanos'] as const).map((counter) => pluginKey(id, counter)),
      ),
      metricKey(grokId, 'matches'),
      metricKey(grokId, 'failures'),
      metricKey(stdoutId, 'documents.successes'),
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
  }
}

/** Without connection reuse: a server of an earlier test may have had the same port. */
export function freshFetch(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, {
    ...init,
    headers: { ...(init.headers as Record<string, string>), connection: 'close' },
  })
}
