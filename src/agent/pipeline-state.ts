/** One pipeline as the agent knows it: its thread, its configuration, its history of reloads. */
import { Board } from '../metrics/board.ts'
import { eventKeys } from '../metrics/pipeline-keys.ts'
import { pipelineHash, type SourcePart } from '../pipeline/plan/source.ts'
import { BackOff, type BackOffLimits } from '../pipeline/run/back-off.ts'
import type { Settings } from '../settings/settings.ts'
import type { Failure, PipelineSummary, Setup } from '../threads/messages.ts'
import type { PipelineThread } from '../threads/pipeline-thread.ts'
import type { ShadowReport } from './shadow-reload.ts'

export interface PipelineConfig {
  readonly id: string
  readonly settings: Settings
  readonly parts: readonly SourcePart[]
}

export type PipelineStatus =
  | 'starting'
  | 'running'
  | 'finished'
  | 'crashed'
  | 'failed'
  | 'stopped'
  /** Its thread ended; the next one is started after a back-off. */
  | 'restarting'

/** One reload, or one start that failed. */
interface ReloadEntry {
  readonly at: Date
  readonly isSuccess: boolean
  readonly message: string
  /** The message with frames of the source, for people. */
  readonly explanation: string | undefined
}

interface ReloadRecord {
  successes: number
  failures: number
  lastError: { message: string; backtrace: string[] } | null
  lastSuccess: Date | null
  lastFailure: Date | null
  /** The last ones, oldest first. */
  readonly history: ReloadEntry[]
}

/** What became of the threads of a pipeline, and what was lost with them. */
interface LossRecord {
  hostRestarts: number
  workerRestarts: number
  /** Events that were in the memory of a host thread when it ended. */
  lostEvents: number
  /** Events that ended every worker they were given to. */
  givenUpEvents: number
  lastReason: string | undefined
  /** When a worker thread ended, epoch milliseconds, oldest first. */
  readonly workerLosses: number[]
}

export function noReloads(): ReloadRecord {
  return {
    successes: 0,
    failures: 0,
    lastError: null,
    lastSuccess: null,
    lastFailure: null,
    history: [],
  }
}

export function noLosses(): LossRecord {
  return {
    hostRestarts: 0,
    workerRestarts: 0,
    lostEvents: 0,
    givenUpEvents: 0,
    lastReason: undefined,
    workerLosses: [],
  }
}

/** Events that were in the memory of a thread when it ended. */
interface LostEvents {
  queued: number
  /** Workers had them: some may be delivered. */
  inflight: number
}

/** More than any probe asks for. */
const keptRecoveries = 20
const keptReloads = 20

const restarts: BackOffLimits = { first: 500, max: 30_000, healthyAfter: 60_000 }

export class PipelineState {
  readonly id: string
  config: PipelineConfig
  thread: PipelineThread | undefined
  status: PipelineStatus = 'starting'
  summary: PipelineSummary | undefined
  board: Board | undefined
  startedAt = Date.now()
  readonly reloads: ReloadRecord = noReloads()
  /** When it was started again after a crash, epoch milliseconds, oldest first. */
  readonly recoveries: number[] = []
  readonly losses: LossRecord = noLosses()
  /** Its configuration was missing or empty when it was last read. */
  hasVanished = false
  /** What the last shadow reload found. */
  shadow: ShadowReport | undefined
  readonly backOff = new BackOff(restarts)
  /** The next start, while it is restarting. */
  restart: NodeJS.Timeout | undefined
  /** What runs, or ran last: a configuration that could not be loaded does not. */
  #adopted: PipelineConfig | undefined

  constructor(config: PipelineConfig) {
    this.id = config.id
    this.config = config
  }

  adopt(config: PipelineConfig, summary: PipelineSummary): void {
    this.config = config
    this.#adopted = config
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

  recordFailure({ message, stack, explanation }: Failure): void {
    this.reloads.failures += 1
    this.#remember({ at: new Date(), isSuccess: false, message, explanation })
    this.reloads.lastFailure = new Date()
    this.reloads.lastError = {
      message,
      backtrace: (stack ?? '')
        .split('\n')
        .slice(1)
        .map((line) => line.trim()),
    }
  }

  /** What to start again. */
  get lastGood(): PipelineConfig {
    return this.#adopted ?? this.config
  }

  recordRecovery(): void {
    note(this.recoveries)
  }

  /** Its thread ended. Returns what was in its memory. */
  recordLoss({ message }: Failure): LostEvents {
    const queued = Math.max(0, this.board?.sum(eventKeys.queueEvents) ?? 0)
    const inflight = Math.max(0, this.board?.sum(eventKeys.inflightEvents) ?? 0)
    this.losses.lostEvents += queued + inflight
    this.losses.lastReason = message
    this.status = 'restarting'
    return { queued, inflight }
  }

  recordWorkerLoss({ message }: Failure): void {
    this.losses.workerRestarts += 1
    this.losses.lastReason = message
    note(this.losses.workerLosses)
  }

  recordSuccess(): void {
    this.reloads.successes += 1
    this.reloads.lastSuccess = new Date()
    this.#remember({ at: new Date(), isSuccess: true, message: '', explanation: undefined })
  }

  #remember(entry: ReloadEntry): void {
    this.reloads.history.push(entry)
    if (this.reloads.history.length > keptReloads) this.reloads.history.shift()
  }
}

function note(times: number[]): void {
  times.push(Date.now())
  if (times.length > keptRecoveries) times.shift()
}

export function setupOf({ settings, parts }: PipelineConfig): Setup {
  return { settings: settings.toData(), parts }
}

/** Changes when the texts or the settings of a pipeline do. */
export function configFingerprint({ settings, parts }: PipelineConfig): string {
  return `${pipelineHash(parts)} ${JSON.stringify(parts.map(({ id }) => id))} ${JSON.stringify(settings.toData().given)}`
}
