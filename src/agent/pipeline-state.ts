/** One pipeline as the agent knows it: its thread, its configuration, its history of reloads. */
import { Board } from '../metrics/board.ts'
import { pipelineHash, type SourcePart } from '../pipeline/source.ts'
import type { Settings } from '../settings/settings.ts'
import type { Failure, PipelineSummary, Setup } from '../threads/messages.ts'
import type { PipelineThread } from '../threads/pipeline-thread.ts'

export interface PipelineConfig {
  readonly id: string
  readonly settings: Settings
  readonly parts: readonly SourcePart[]
}

export type PipelineStatus = 'starting' | 'running' | 'finished' | 'crashed' | 'failed' | 'stopped'

export interface ReloadRecord {
  successes: number
  failures: number
  lastError: { message: string; backtrace: string[] } | null
  lastSuccess: Date | null
  lastFailure: Date | null
}

/** More than any probe asks for. */
const keptRecoveries = 20

export class PipelineState {
  readonly id: string
  config: PipelineConfig
  thread: PipelineThread | undefined
  status: PipelineStatus = 'starting'
  summary: PipelineSummary | undefined
  board: Board | undefined
  startedAt = Date.now()
  readonly reloads: ReloadRecord = {
    successes: 0,
    failures: 0,
    lastError: null,
    lastSuccess: null,
    lastFailure: null,
  }
  /** When it was started again after a crash, epoch milliseconds, oldest first. */
  readonly recoveries: number[] = []

  constructor(config: PipelineConfig) {
    this.id = config.id
    this.config = config
  }

  adopt(config: PipelineConfig, summary: PipelineSummary): void {
    this.config = config
    this.summary = summary
    this.board = new Board(summary.board)
    this.status = 'running'
    this.startedAt = Date.now()
  }

  /** A reload failed: the earlier configuration runs as summed up here, or nothing does. */
  keep(summary: PipelineSummary | undefined): void {
    if (summary === undefined) this.status = 'crashed'
    // Nothing was stopped: the same counters go on, and stay one board to those who read them.
    else if (summary.board.id !== this.board?.layout.id) {
      this.summary = summary
      this.board = new Board(summary.board)
    }
  }

  recordFailure({ message, stack }: Failure): void {
    this.reloads.failures += 1
    this.reloads.lastFailure = new Date()
    this.reloads.lastError = {
      message,
      backtrace: (stack ?? '')
        .split('\n')
        .slice(1)
        .map((line) => line.trim()),
    }
  }

  recordRecovery(): void {
    this.recoveries.push(Date.now())
    if (this.recoveries.length > keptRecoveries) this.recoveries.shift()
  }

  recordSuccess(): void {
    this.reloads.successes += 1
    this.reloads.lastSuccess = new Date()
  }
}

export function setupOf({ settings, parts }: PipelineConfig): Setup {
  return { settings: settings.toData(), parts }
}

/** Changes when the texts or the settings of a pipeline do. */
export function configFingerprint({ settings, parts }: PipelineConfig): string {
  return `${pipelineHash(parts)} ${JSON.stringify(parts.map(({ id }) => id))} ${JSON.stringify(settings.toData().given)}`
}
