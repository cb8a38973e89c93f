/** What a soak found: figures as JSON for programs, a table for RELIABILITY.md, and a verdict on each promise. */
import { cpus, totalmem } from 'node:os'
import type { Comparison } from './verify.ts'

export interface SoakResult {
  readonly date: string
  readonly machine: string
  readonly node: string
  readonly minutes: number
  readonly memoryLimitMegabytes: number
  /** Why there was no memory cgroup, if there was none. */
  readonly cgroupSkipped?: string
  readonly workers: number
  readonly queue: string
  readonly rateWanted: number
  /** The highest rate that was sustained, when it was looked for. */
  readonly rateHighest?: number
  readonly eventsPerSecond: number
  readonly sent: number
  readonly acknowledged: number
  readonly comparisons: readonly Comparison[]
  readonly memory: Flatness
  readonly files: Flatness
  readonly peakMegabytes: number
  readonly kernelKills: number
  /** Of one processor. */
  readonly processorShare: number
  /** Milliseconds by kind of request. */
  readonly latencies: Record<string, { count: number; p50: number; p99: number; max: number }>
  readonly failedRequests: Record<string, number>
  readonly senders: Record<string, { sent: number; resent: number; refused: number; broken: number }>
  /** Seconds between two kills of a worker thread that were wanted; 0: none. */
  readonly killEvery: number
  readonly workerKills: number
  readonly reloads: number
  readonly exitCode: number | null
  /** What ended the run early, and the errors in the log. */
  readonly trouble: readonly string[]
}

export interface Flatness {
  readonly median: number
  readonly max: number
  readonly slopePerHour: number
  readonly noisePerHour: number
  readonly isFlat: boolean
}

export interface Verdict {
  readonly what: string
  readonly holds: boolean
}

/** Events that a dead worker may have written before its batch is run again. */
const maxReplayed = 125 * 2
const maxResent = 1024
const minRateShare = 0.95

export function verdictsOf(result: SoakResult): Verdict[] {
  const resent = Object.values(result.senders).reduce((sum, sender) => sum + sender.resent, 0)
  const allowed = result.workerKills * maxReplayed + resent * maxResent
  return [
    { what: 'the program ran to the end', holds: result.trouble.every((text) => !text.startsWith('ended')) },
    { what: 'the rate was kept up', holds: result.eventsPerSecond >= minRateShare * result.rateWanted },
    { what: 'stopped with exit code 0', holds: result.exitCode === 0 },
    { what: 'the kernel killed nothing', holds: result.kernelKills === 0 },
    { what: 'resident memory is flat', holds: result.memory.isFlat },
    { what: 'open files are flat', holds: result.files.isFlat },
    ...result.comparisons.flatMap(({ place, lost, unknown, duplicates }) => [
      { what: `every acknowledged event is in the ${place}`, holds: lost === 0 },
      { what: `nothing is in the ${place} that was not sent`, holds: unknown === 0 },
      { what: `in the ${place} once, but for replayed batches`, holds: duplicates <= allowed },
    ]),
    { what: 'store and file were both compared', holds: result.comparisons.length === 2 },
    ...(result.killEvery > 0
      ? [{ what: 'worker threads were ended on purpose', holds: result.workerKills > 0 }]
      : []),
    { what: 'no request of a reader failed', holds: Object.keys(result.failedRequests).length === 0 },
  ]
}

export function tableOf(result: SoakResult): string {
  const { memory, files, latencies } = result
  const light = latencies['light search']
  const number = (value: number | undefined, digits = 0) =>
    value === undefined || Number.isNaN(value) ? 'n/a' : value.toFixed(digits)
  const stored = result.comparisons
    .map(({ place, total, lost, duplicates }) => `${place} ${total} (lost ${lost}, twice ${duplicates})`)
    .join('; ')
  const row = [
    result.date.slice(0, 10),
    result.machine,
    `${result.minutes} min in ${result.memoryLimitMegabytes} MB${result.cgroupSkipped === undefined ? '' : ' (not enforced)'}`,
    `${number(result.eventsPerSecond)}${result.rateHighest === undefined ? '' : ` (highest ${number(result.rateHighest)})`}`,
    `${result.acknowledged} acknowledged; ${stored}`,
    `${number(memory.median)} MB, ${number(memory.slopePerHour, 1)} ± ${number(memory.noisePerHour, 1)} MB/h, peak ${number(result.peakMegabytes)}`,
    `${number(files.median)}, max ${number(files.max)}`,
    `${number(light?.p50)} / ${number(light?.p99)} ms`,
    `${number(result.processorShare * 100)} %`,
    `${result.workerKills} / ${result.reloads}`,
  ]
  return `${tableHead}\n| ${row.join(' | ')} |`
}

export const tableHead = [
  '| date | machine | run | events/s | in = stored = found | resident memory | open files | light search p50 / p99 | processor | worker kills / reloads |',
  '|---|---|---|---|---|---|---|---|---|---|',
].join('\n')

/** The class of machine, not which one it was. */
export function machineClass(): string {
  return `${cpus().length} cores, ${Math.round(totalmem() / 1024 ** 3)} GB, ${process.platform} ${process.arch}`
}
