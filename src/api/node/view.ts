/**
 * What the monitoring API sees of the node: the agent's pipelines and their boards, read without asking any
 * pipeline thread, and the readings of this process. Route files get one of these and nothing else.
 */
import type { ReloadResult } from '../../agent/agent.ts'
import type { PipelineState } from '../../agent/pipeline-state.ts'
import type { Watches } from '../../agent/watches.ts'
import type { Board } from '../../metrics/board.ts'
import type { Settings } from '../../settings/settings.ts'
import type { PipelineThread } from '../../threads/pipeline-thread.ts'
import type { StoreStatus } from '../../threads/store/store-supervisor.ts'
import type { BatchReadings } from './metrics/batch-readings.ts'
import type { EventTotals } from './metrics/event-totals.ts'
import type { FlowReadings } from './metrics/flow-readings.ts'
import type { MemoryReadings } from './metrics/memory-readings.ts'
import type { ProcessReadings } from './metrics/process-readings.ts'

export type PipelineView = Pick<
  PipelineState,
  'id' | 'config' | 'status' | 'summary' | 'board' | 'reloads' | 'recoveries' | 'losses' | 'startedAt'
> & {
  /** What the last shadow reload found. */
  readonly shadow?: PipelineState['shadow']
  /** What the pipeline's thread told last of its dead letters. */
  readonly thread?:
    | (Pick<PipelineThread, 'deadLetters' | 'queue'> & Partial<Pick<PipelineThread, 'replay'>>)
    | undefined
}

export interface AgentView {
  readonly pipelines: ReadonlyMap<string, PipelineView>
  readonly reloads: { readonly successes: number; readonly failures: number }
  /** Loads one pipeline anew. */
  reload(id: string): Promise<ReloadResult>
  /** Who looks at events. */
  readonly watches?: Watches | undefined
}

export interface NodeView {
  readonly settings: Settings
  readonly agent: AgentView
  /** Undefined while there is none. */
  store(): StoreStatus | undefined
  /** Exceptions of the control thread that nobody handled and that it survived. */
  exceptions(): number
  /** Kept over restarts. */
  readonly id: string
  /** New with every start. */
  readonly ephemeralId: string
  /** `host:port`, null until bound. */
  address(): string | null
  readonly totals: EventTotals
  readonly flows: FlowReadings
  readonly batches: BatchReadings
  readonly memory: MemoryReadings
  readonly process: ProcessReadings
  /** Percent of their time the workers of a pipeline were busy, by window; empty while nothing is known. */
  utilization(pipelineId: string): Readonly<Record<string, number>>
  /** Aborted when the API closes: whoever keeps a connection open ends it then. */
  readonly closing: AbortSignal
}

/** Pipelines the user configured, in configuration order. */
export function userPipelines(agent: AgentView): PipelineView[] {
  return [...agent.pipelines.values()].filter(({ config }) => !config.settings.get('pipeline.system'))
}

/** Boards of all pipelines whose threads are there. */
export function runningBoards(agent: AgentView): Board[] {
  return [...agent.pipelines.values()].flatMap(({ status, board }) =>
    status === 'running' && board !== undefined ? [board] : [],
  )
}
