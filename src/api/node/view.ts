/**
 * What the monitoring API sees of the node: the agent's pipelines and their boards, read without asking any
 * pipeline thread, and the readings of this process. Route files get one of these and nothing else.
 */
import type { PipelineState } from '../../agent/pipeline-state.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Pending } from '../../threads/pipeline-thread.ts'
import type { EventTotals } from './event-totals.ts'
import type { MemoryReadings } from './memory-readings.ts'
import type { ProcessReadings } from './process-readings.ts'

export type PipelineView = Pick<
  PipelineState,
  'id' | 'config' | 'status' | 'summary' | 'board' | 'reloads'
> & {
  readonly thread: { pending(limit: number): Promise<Pending | undefined> } | undefined
}

export interface AgentView {
  readonly pipelines: ReadonlyMap<string, PipelineView>
  readonly reloads: { readonly successes: number; readonly failures: number }
}

export interface NodeView {
  readonly settings: Settings
  readonly agent: AgentView
  /** Kept over restarts. */
  readonly id: string
  /** New with every start. */
  readonly ephemeralId: string
  /** `host:port`, null until bound. */
  address(): string | null
  readonly totals: EventTotals
  readonly memory: MemoryReadings
  readonly process: ProcessReadings
}

/** Pipelines the user configured, in configuration order. */
export function userPipelines(agent: AgentView): PipelineView[] {
  return [...agent.pipelines.values()].filter(({ config }) => !config.settings.get('pipeline.system'))
}
