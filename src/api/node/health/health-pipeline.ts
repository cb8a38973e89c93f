/**
 * The health of one pipeline. Probes look at its state, how busy its workers were, how often it had to be started
 * again, whether worker threads ended, whether its queue has room on the disk, and how far outputs with queues of their own
 * are behind. Each finds nothing, or one diagnosis with one impact; the worst finding is the status.
 * Ids, thresholds and severities are Logstash's, so that alerts written for it keep working.
 */
import type { PipelineStatus } from '../../../agent/pipeline-state.ts'
import type { OutputLag } from '../metrics/output-lag.ts'
import { type HealthStatus, wordOf, worst } from './health-status.ts'

type PipelineHealthState = 'LOADING' | 'RUNNING' | 'FINISHED' | 'TERMINATED' | 'UNKNOWN'

/** Percent of their time that all workers together spent on batches, by window. */
type Utilization = Readonly<Record<string, number>>

export interface PipelineObservation {
  readonly state: PipelineHealthState
  readonly utilization: Utilization
  /** Times of starting again after a crash, oldest first, epoch milliseconds. */
  readonly recoveries: readonly number[]
  /** Times at which a worker thread ended, likewise. */
  readonly workerLosses?: readonly number[]
  /** Why a thread of it ended last, if one did. */
  readonly reason?: string | undefined
  /** Its persisted queue waits for room on the disk in this folder. */
  readonly fullQueue?: string | undefined
  /** Outputs with queues of their own. */
  readonly outputs?: readonly OutputLag[] | undefined
  readonly now: number
}

interface Diagnosis {
  readonly id: string
  readonly cause: string
  readonly action: string
  readonly help_url: string
}

interface Impact {
  readonly id: string
  readonly severity: number
  readonly description: string
  readonly impact_areas: readonly string[]
}

export interface PipelineIndicator {
  readonly status: HealthStatus
  readonly symptom: string
  readonly diagnosis?: readonly Diagnosis[]
  readonly impacts?: readonly Impact[]
  readonly details: Readonly<Record<string, unknown>>
}

interface Finding {
  readonly status: HealthStatus
  readonly diagnosis: Diagnosis
  readonly impact: Impact
}

type Probe = (observation: PipelineObservation) => Finding | undefined

const prefix = 'logstash:health:pipeline:'
const manual = 'https://www.elastic.co/guide/en/logstash/current/'
const recoveryWindow = 5 * 60_000
const manyRecoveries = 5

const stateOf: Readonly<Record<PipelineStatus, PipelineHealthState>> = {
  starting: 'LOADING',
  running: 'RUNNING',
  finished: 'FINISHED',
  stopped: 'FINISHED',
  crashed: 'TERMINATED',
  failed: 'TERMINATED',
  restarting: 'TERMINATED',
}

export function healthState(status: PipelineStatus): PipelineHealthState {
  return stateOf[status] ?? 'UNKNOWN'
}

export function pipelineIndicator(observation: PipelineObservation): PipelineIndicator {
  const findings = probes.flatMap((probe) => probe(observation) ?? [])
  const status = worst(findings.map((finding) => finding.status))
  const recent = recentRecoveries(observation)
  return {
    status,
    symptom: symptom(status, findings),
    ...(findings.length > 0 && {
      diagnosis: findings.map(({ diagnosis }) => diagnosis),
      impacts: findings.map(({ impact }) => impact),
    }),
    details: {
      status: { state: observation.state },
      ...(Object.keys(observation.utilization).length > 0 && {
        flow: { worker_utilization: observation.utilization },
      }),
      ...(observation.outputs !== undefined && {
        output_queues: observation.outputs.map(({ id, name, events, lagMillis }) => ({
          id,
          name,
          events_count: events,
          lag_in_millis: lagMillis,
        })),
      }),
      ...(recent.length > 0 && { recovery_log: recent.map((time) => new Date(time).toISOString()) }),
    },
  }
}

function symptom(status: HealthStatus, findings: readonly Finding[]): string {
  const beginning = `The pipeline is ${wordOf[status]}`
  if (findings.length === 0) return beginning
  const areas = new Set(findings.flatMap(({ impact }) => impact.impact_areas)).size
  return (
    `${beginning}; ${areas === 1 ? '1 area is' : `${areas} areas are`} impacted and ` +
    `${findings.length === 1 ? '1 diagnosis is' : `${findings.length} diagnoses are`} available`
  )
}

// ------------------------------------------------------------------------------------------------- state

interface StateTexts {
  readonly status: HealthStatus
  readonly severity: number
  readonly cause: string
  readonly action: string
  readonly description: string
}

const statesOfConcern: Readonly<Partial<Record<PipelineHealthState, StateTexts>>> = {
  LOADING: {
    status: 'yellow',
    severity: 1,
    cause: 'the pipeline is still starting',
    action: 'wait a moment; if it does not come up, the log says what its plugins are waiting for',
    description: 'no event is processed before the pipeline has started',
  },
  FINISHED: {
    status: 'yellow',
    severity: 10,
    cause: 'all inputs of the pipeline have ended, and every event they sent has been processed',
    action: 'nothing, unless this pipeline was meant to run on: then give it an input that does not end',
    description: 'the pipeline has come to its end and takes no more events',
  },
  TERMINATED: {
    status: 'red',
    severity: 1,
    cause: 'the pipeline does not run, because it failed to start or stopped with an error',
    action: 'look in the log for the error and correct the configuration or what it depends on',
    description: 'the pipeline processes no events',
  },
  UNKNOWN: {
    status: 'unknown',
    severity: 2,
    cause: 'nothing is known of the pipeline; it may have been removed a moment ago',
    action: 'look in the log for the last message about this pipeline',
    description: 'the pipeline may not be processing events',
  },
}

function probeState({ state, reason }: PipelineObservation): Finding | undefined {
  const texts = statesOfConcern[state]
  if (texts === undefined) return undefined
  const word = state.toLowerCase()
  return {
    status: texts.status,
    diagnosis: {
      id: `${prefix}status:diagnosis:${word}`,
      cause: state === 'TERMINATED' ? withReason(texts.cause, reason) : texts.cause,
      action: texts.action,
      help_url: `${manual}health-report-pipeline-status.html#${word}`,
    },
    impact: impact('status:impact:not_processing', texts.severity, texts.description),
  }
}

function withReason(text: string, reason: string | undefined): string {
  return reason === undefined ? text : `${text}: ${reason}`
}

// ------------------------------------------------------------------------------------------- utilization

const blocked = 99.999
const nearlyBlocked = 95
const relaxed = 80

function probeUtilization({ utilization }: PipelineObservation): Finding | undefined {
  const fiveMinutes = utilization['last_5_minutes'] ?? 0
  const oneMinute = utilization['last_1_minute']
  if (fiveMinutes > blocked) return busyFinding('5m', 'blocked', 'red', false)
  if (fiveMinutes >= nearlyBlocked)
    return busyFinding('5m', 'nearly-blocked', 'yellow', oneMinute !== undefined && oneMinute <= relaxed)
  if (oneMinute === undefined || oneMinute < nearlyBlocked) return undefined
  return busyFinding('1m', oneMinute > blocked ? 'blocked' : 'nearly-blocked', 'yellow', false)
}

function busyFinding(
  window: '1m' | '5m',
  degree: 'blocked' | 'nearly-blocked',
  status: HealthStatus,
  isRecovering: boolean,
): Finding {
  const share = degree === 'blocked' ? 'all of the last' : 'nearly all of the last'
  const period = window === '5m' ? 'five minutes' : 'minute'
  return {
    status,
    diagnosis: {
      id: `${prefix}flow:worker_utilization:diagnosis:${window}-${degree}`,
      cause: `the workers of the pipeline were busy for ${share} ${period}${isRecovering ? ', but have time to spare again' : ''}`,
      action: isRecovering
        ? 'keep an eye on it'
        : 'find the filter or output that takes the time (/_node/hot_threads, plugin durations in /_node/stats), or give the pipeline more workers',
      help_url: `${manual}health-report-pipeline-flow-worker-utilization.html#${degree}-${window}`,
    },
    impact: impact(
      'flow:impact:blocked_processing',
      window === '5m' ? 1 : 2,
      'events wait for workers, and inputs may be held back',
    ),
  }
}

// ---------------------------------------------------------------------------------------------- recovery

function probeRecovery(observation: PipelineObservation): Finding | undefined {
  const count = recentRecoveries(observation).length
  if (count === 0) return undefined
  const isRepeated = count >= manyRecoveries
  return {
    status: isRepeated ? 'red' : 'yellow',
    diagnosis: {
      id: `${prefix}recovery:diagnosis:5m-recovery-${isRepeated ? 'repeated' : 'recent'}`,
      cause: withReason(
        `the pipeline crashed and was started again ${times(count)} within five minutes`,
        observation.reason,
      ),
      action:
        'look in the log for the error that ends it; events may be processed twice or be lost meanwhile',
      help_url: `${manual}health-report-pipeline-status.html`,
    },
    impact: impact(
      'recovery:impact:intermittent_processing',
      isRepeated ? 1 : 2,
      'processing is interrupted again and again',
    ),
  }
}

function recentRecoveries({ recoveries, now }: PipelineObservation): number[] {
  return recoveries.filter((time) => now - time <= recoveryWindow)
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

// ----------------------------------------------------------------------------------------------- workers

/** Ours: Logstash has no threads that end on their own. */
function probeWorkers({ workerLosses = [], reason, now }: PipelineObservation): Finding | undefined {
  const count = workerLosses.filter((time) => now - time <= recoveryWindow).length
  if (count === 0) return undefined
  return {
    status: 'yellow',
    diagnosis: {
      id: `${prefix}workers:diagnosis:5m-worker-lost`,
      cause: withReason(`a worker thread ended and was replaced ${times(count)} within five minutes`, reason),
      action: 'look in the log for the error that ends it, and for events that were given up because of it',
      help_url: `${manual}health-report-pipeline-status.html`,
    },
    impact: impact(
      'workers:impact:repeated_processing',
      2,
      'batches are processed twice, or given up in part',
    ),
  }
}

// ----------------------------------------------------------------------------------------------- outputs

const minute = 60_000
const maxNamed = 5

/** Ours: outputs of Logstash have no queues. The times are those of blocked workers. */
function probeOutputs({ outputs = [] }: PipelineObservation): Finding | undefined {
  const late = outputs.filter(({ lagMillis }) => lagMillis >= minute)
  if (late.length === 0) return undefined
  const isLong = late.some(({ lagMillis }) => lagMillis >= 5 * minute)
  const names = late
    .slice(0, maxNamed)
    .map(({ id, events, lagMillis }) => `${id} (${events} events, ${Math.round(lagMillis / 1000)} s)`)
  return {
    status: isLong ? 'red' : 'yellow',
    diagnosis: {
      id: `${prefix}outputs:diagnosis:${isLong ? '5m' : '1m'}-lag`,
      cause: `${late.length === 1 ? 'an output is' : `${late.length} outputs are`} behind: ${names.join(', ')}${late.length > maxNamed ? ' …' : ''}`,
      action: 'look in the log for what the output says, and whether what it delivers to can be reached',
      help_url: `${manual}health-report-pipeline-status.html`,
    },
    impact: impact(
      'outputs:impact:delayed_delivery',
      isLong ? 1 : 2,
      'events wait in the queue of the output; when it is full, the whole pipeline waits',
    ),
  }
}

function impact(id: string, severity: number, description: string): Impact {
  return { id: prefix + id, severity, description, impact_areas: ['pipeline_execution'] }
}

// ------------------------------------------------------------------------------------------------- queue

function probeQueue({ fullQueue }: PipelineObservation): Finding | undefined {
  if (fullQueue === undefined) return undefined
  return {
    status: 'red',
    diagnosis: {
      id: `${prefix}queue:diagnosis:disk-full`,
      cause: `there is no room on the disk for the persisted queue in ${fullQueue}`,
      action: 'free some room there; the pipeline goes on by itself',
      help_url: `${manual}persistent-queues.html`,
    },
    impact: impact(
      'queue:impact:not_accepting',
      1,
      'inputs wait; what was acknowledged before is kept and delivered',
    ),
  }
}

const probes: readonly Probe[] = [
  probeState,
  probeUtilization,
  probeRecovery,
  probeWorkers,
  probeQueue,
  probeOutputs,
]
