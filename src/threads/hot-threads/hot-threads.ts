/**
 * What every thread of the process does during a while: its time on a processor as the kernel counts it, and
 * stacks of those that run JavaScript. Where the kernel does not tell, the share of samples that were not idle
 * stands for processor time, and the report says so.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread, threadId } from 'node:worker_threads'
import { enterRoster, type RosterEntry, roster } from '../roster.ts'
import { type KernelThread, readKernelThreads } from './kernel-threads.ts'
import { nativeNames, type ThreadKind } from './native-threads.ts'
import { isIdle } from './profile-stacks.ts'
import { type StackSampling, startSampling } from './stack-sampler.ts'

type ThreadState = 'runnable' | 'blocked' | 'waiting' | 'timed_waiting' | 'terminated'

export interface ThreadActivity {
  readonly name: string
  /** The kernel's id of the thread where there is one, else that of Node.js. */
  readonly id: number
  readonly workerThreadId: number | undefined
  readonly kind: ThreadKind
  readonly state: ThreadState
  /** Within the interval: on a processor, and ready but without one. */
  readonly cpuNanos: number
  readonly queuedNanos: number
  /** Since the thread started; 0 where the kernel does not tell. */
  readonly totalCpuNanos: number
  readonly totalQueuedNanos: number
  /** In order of time, each from the innermost frame outwards. */
  readonly stacks: readonly string[][]
  readonly isIdle: boolean
}

export interface ThreadReport {
  readonly at: Date
  readonly intervalNanos: number
  readonly source: 'kernel' | 'samples'
  readonly threads: readonly ThreadActivity[]
}

interface Reading {
  readonly at: number
  readonly threads: ReadonlyMap<number, KernelThread>
}

const samplesPerInterval = 50
const minSampling = 2000
/** Being sampled costs a sleeping thread a little; less than this share of the interval is no work. */
const idleShare = 0.01

const ownThreadId = isMainThread ? 0 : threadId

export async function observeThreads(intervalMillis: number): Promise<ThreadReport> {
  enterRoster('agent')
  // Sampling starts threads of its own, which are nobody's business.
  const existing = readKernelThreads()
  const every = Math.max(minSampling, Math.round((intervalMillis * 1000) / samplesPerInterval))
  const sampling = await startSampling(every)
  const at = new Date()
  const before = reading()
  await sleep(intervalMillis)
  const after = reading()
  const liveIds = sampling?.threadIds
  const stacks = (await sampling?.stop()) ?? new Map<number, string[][]>()
  const entries = roster.entries().filter(({ workerThreadId }) => liveIds?.has(workerThreadId) ?? true)
  const intervalNanos = after.at - before.at
  const threads =
    existing.size > 0
      ? fromKernel(existing, before, after, entries, stacks)
      : fromSamples(intervalNanos, entries, stacks, sampling)
  return { at, intervalNanos, source: existing.size > 0 ? 'kernel' : 'samples', threads }
}

function reading(): Reading {
  const at = performance.now() * 1e6
  return { at, threads: readKernelThreads() }
}

function fromKernel(
  existing: ReadonlyMap<number, KernelThread>,
  before: Reading,
  after: Reading,
  entries: readonly RosterEntry[],
  stacks: ReadonlyMap<number, string[][]>,
): ThreadActivity[] {
  // A later thread of Node.js may have got the kernel thread of an earlier one.
  const byKernelId = new Map(
    [...entries].sort((a, b) => a.workerThreadId - b.workerThreadId).map((entry) => [entry.kernelId, entry]),
  )
  const names = nativeNames([...existing.values()].filter(({ id }) => !byKernelId.has(id)))
  const interval = after.at - before.at
  const threads: ThreadActivity[] = []
  for (const { id } of existing.values()) {
    const start = before.threads.get(id)
    const end = after.threads.get(id)
    if (start === undefined || end === undefined) continue
    const entry = byKernelId.get(id)
    const seen = entry === undefined ? [] : (stacks.get(entry.workerThreadId) ?? [])
    // The kernel brings its figures up to date at ticks, so that a difference can exceed the interval.
    const cpuNanos = Math.min(interval, Math.max(0, end.cpuNanos - start.cpuNanos))
    const isOwn = entry?.workerThreadId === ownThreadId
    const native = names.get(id)
    threads.push({
      name: entry?.name ?? native?.name ?? end.name,
      id,
      workerThreadId: entry?.workerThreadId,
      kind: entry === undefined ? (native?.kind ?? 'other') : 'js',
      state: stateOf(end.state, isOwn),
      cpuNanos,
      queuedNanos: Math.min(interval, Math.max(0, end.queuedNanos - start.queuedNanos)),
      totalCpuNanos: end.cpuNanos,
      totalQueuedNanos: end.queuedNanos,
      stacks: seen,
      isIdle: !isOwn && cpuNanos <= (entry === undefined ? 0 : interval * idleShare) && seen.every(isIdle),
    })
  }
  return threads
}

function fromSamples(
  intervalNanos: number,
  entries: readonly RosterEntry[],
  stacks: ReadonlyMap<number, string[][]>,
  sampling: StackSampling | undefined,
): ThreadActivity[] {
  const names = new Map(entries.map(({ workerThreadId, name }) => [workerThreadId, name]))
  return [...(sampling?.threadIds ?? [])].map((id) => {
    const seen = stacks.get(id) ?? []
    const busy = seen.filter((stack) => !isIdle(stack)).length
    return {
      name: names.get(id) ?? `worker-${id}`,
      id,
      workerThreadId: id,
      kind: 'js' as const,
      state: busy > 0 ? ('runnable' as const) : ('waiting' as const),
      cpuNanos: seen.length === 0 ? 0 : (intervalNanos * busy) / seen.length,
      queuedNanos: 0,
      totalCpuNanos: 0,
      totalQueuedNanos: 0,
      stacks: seen,
      isIdle: id !== ownThreadId && busy === 0,
    }
  })
}

/** This thread always has a timer; whether another thread's event loop has one only that thread knows. */
function stateOf(letter: string, isOwn: boolean): ThreadState {
  switch (letter) {
    case 'R':
      return 'runnable'
    case 'D':
      return 'blocked'
    case 'Z':
    case 'X':
      return 'terminated'
    default:
      return isOwn ? 'timed_waiting' : 'waiting'
  }
}
